"""Cut connections, lost answers, two publishers at once, and commits that arrive otherwise than they were sent."""

import json
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hub_client import TOKEN
from hub_parts import Asked, Blob, Cut, Refusal
from hub_server import HubServer
from publishing import REPO, demo, refusal, rows, send, state

from arithmark_tasks.builders.publishing import Outcome
from arithmark_tasks.builders.publishing.dataset import DatasetFolder
from arithmark_tasks.generators.errors import InputError

STEPS = {
    "/api/validate-yaml": "POST",
    f"/api/datasets/{REPO}/preupload/main": "POST",
    f"/datasets/{REPO}.git/info/lfs/objects/batch": "POST",
    "/lfs/": "PUT",
    f"/api/datasets/{REPO}/commit/main": "POST",
}


@pytest.mark.parametrize("path", STEPS)
def test_a_connection_cut_on_the_way_leaves_nothing_half_published(
    path: str, hub: HubServer, demo_folder: Path, tmp_path: Path
) -> None:
    send(demo_folder)
    before, cuts = state(hub), []

    def cut(asked: Asked) -> None:
        if asked.method == STEPS[path] and asked.path.startswith(path):
            cuts.append(asked)
            raise Cut

    hub.hook = cut
    later = demo(tmp_path / "later", ("default", "test", rows(without="flag")), version=2)
    assert "no answer from the Hub" in refusal(lambda: send(later))
    assert cuts and state(hub) == before
    hub.hook = lambda asked: None
    outcome = send(later)
    assert outcome.commit == hub.dataset(REPO).branches["main"] and len(hub.dataset(REPO).commits) == 3


def test_a_connection_cut_in_the_middle_of_a_file_publishes_nothing_and_a_rerun_all(
    hub: HubServer, tmp_path: Path
) -> None:
    noise = random.Random(1)
    large = [{"number": n, "text": noise.randbytes(50_000).hex()} for n in range(60)]
    folder = demo(tmp_path / "large", ("default", "test", large))
    hub.add_repo("dataset", REPO)
    before, cuts = state(hub), []

    def halve(method: str, path: str) -> bool:
        if method == "PUT":
            cuts.append(path)
        return method == "PUT"

    hub.halve = halve
    assert "no answer from the Hub" in refusal(lambda: send(folder))
    assert cuts and state(hub) == before and hub.objects == {}
    hub.halve = lambda method, path: False
    commit = send(folder).commit
    sent = (folder / "data" / "default-test.parquet").read_bytes()
    assert len(sent) > 2_000_000 and hub.dataset(REPO).commits[str(commit)]["data/default-test.parquet"].content == sent


def test_an_upload_cut_once_goes_on_by_itself(hub: HubServer, demo_folder: Path) -> None:
    cuts: list[Asked] = []

    def cut(asked: Asked) -> None:
        if asked.method == "PUT" and not cuts:
            cuts.append(asked)
            raise Cut

    hub.hook = cut
    assert send(demo_folder).commit and len(cuts) == 1


@pytest.mark.parametrize("fault", [Cut(), Refusal(500, "Internal Server Error")])
def test_a_commit_whose_answer_is_lost_is_found_and_checked(
    fault: Exception, hub: HubServer, demo_folder: Path
) -> None:
    def lose(repo: Any) -> None:
        raise fault

    hub.after_commit = lose
    outcome = send(demo_folder)
    repo = hub.dataset(REPO)
    assert outcome.commit == repo.branches["main"] and len(repo.commits) == 2
    assert any("data/default-test.parquet" in asked.path for asked in hub.log), "it was loaded back"


def test_when_the_hub_is_gone_after_the_commit_it_is_said_to_be_unknown(hub: HubServer, demo_folder: Path) -> None:
    def gone(asked: Asked) -> None:
        raise Cut

    def lose(repo: Any) -> None:
        hub.hook = gone
        raise Cut

    hub.after_commit = lose
    assert "is unknown: run the command again" in refusal(lambda: send(demo_folder))
    hub.hook, hub.after_commit = (lambda asked: None), (lambda repo: None)
    assert send(demo_folder).plan.empty


def test_the_second_of_two_publishers_is_told_and_nothing_of_the_first_is_lost(hub: HubServer, tmp_path: Path) -> None:
    send(demo(tmp_path / "start"))
    first = demo(tmp_path / "first", ("default", "test", rows(1)), version=2)
    second = demo(tmp_path / "second", ("default", "test", rows(2)), version=3)
    done: list[Outcome] = []

    def overtake(asked: Asked) -> None:
        if asked.path.endswith("/commit/main") and not done:
            done.append(None)  # type: ignore[arg-type]
            done[0] = send(first)

    hub.hook = overtake
    said = refusal(lambda: send(second))
    assert "somebody else has published there meanwhile; nothing was pushed" in said
    repo = hub.dataset(REPO)
    assert repo.branches["main"] == done[0].commit and len(repo.commits) == 3
    assert json.loads(repo.files()["manifest.json"])["dataset_version"] == 2
    assert send(second).commit == repo.branches["main"]
    assert json.loads(repo.files()["manifest.json"])["dataset_version"] == 3


def test_of_two_publishers_at_the_same_moment_exactly_one_succeeds(hub: HubServer, tmp_path: Path) -> None:
    folders = [demo(tmp_path / str(n), ("default", "test", rows(n)), version=n) for n in (1, 2)]
    together, met = threading.Barrier(2, timeout=60), set()

    def meet(asked: Asked) -> None:
        if asked.path.endswith("/commit/main") and threading.get_ident() not in met:
            met.add(threading.get_ident())
            together.wait()

    hub.hook = meet
    results: dict[int, str] = {}

    def work(number: int) -> None:
        try:
            results[number] = f"commit {send(folders[number]).commit}"
        except InputError as error:
            results[number] = str(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winners = [number for number, said in results.items() if said.startswith("commit")]
    assert len(winners) == 1
    assert "somebody else has published" in results[1 - winners[0]]
    repo = hub.dataset(REPO)
    assert len(repo.commits) == 2
    sent = (folders[winners[0]] / "data" / "default-test.parquet").read_bytes()
    assert repo.files()["data/default-test.parquet"] == sent


def change_rows(files: dict[str, Blob], folder: Path) -> None:
    other = demo(folder / "changed", ("default", "test", rows(3)), ("default", "fewshot", rows(45)))
    files["data/default-test.parquet"] = Blob((other / "data" / "default-test.parquet").read_bytes(), True)


def lose_a_file(files: dict[str, Blob], folder: Path) -> None:
    del files["data/default-test.parquet"]


def redirect_the_loader(files: dict[str, Blob], folder: Path) -> None:
    yaml = "configs:\n- config_name: default\n  data_files:\n  - split: other\n    path: data/default-test.parquet\n"
    files[".huggingface.yaml"] = Blob(yaml.encode(), False)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (change_rows, "data/default-test.parquet is not the file that was sent"),
        (lose_a_file, "data/default-test.parquet is not the file that was sent"),
        (redirect_the_loader, "default has splits ['other'], not ['fewshot', 'test']"),
    ],
)
def test_what_arrives_otherwise_than_it_was_sent_is_an_error_that_names_the_commit(
    spoil: Callable[[dict[str, Blob], Path], None], said: str, hub: HubServer, demo_folder: Path, tmp_path: Path
) -> None:
    hub.after_commit = lambda repo: spoil(repo.commits[repo.branches["main"]], tmp_path)
    told = refusal(lambda: send(demo_folder))
    assert f"commit {hub.dataset(REPO).branches['main']} is published but not as it was built: " in told
    assert said in told


def test_a_connection_that_breaks_while_loading_back_is_told_with_the_commit(hub: HubServer, demo_folder: Path) -> None:
    def cut(asked: Asked) -> None:
        if asked.path.startswith("/cdn/"):
            raise Cut

    hub.hook = cut
    told = refusal(lambda: send(demo_folder))
    assert f"commit {hub.dataset(REPO).branches['main']} is published but cannot be loaded back: " in told


def test_loading_back_compares_counts_features_and_hashes(hub: HubServer, demo_folder: Path, tmp_path: Path) -> None:
    commit = send(demo_folder).commit
    assert commit is not None
    assert list(DatasetFolder(demo_folder).differences(REPO, commit, TOKEN)) == []
    other = demo(tmp_path / "other", ("default", "test", rows(1)), ("default", "fewshot", rows(45, without="flag")))
    found = list(DatasetFolder(other).differences(REPO, commit, TOKEN))
    assert any(line.startswith("default/test: 50 rows, not 49") for line in found)
    assert any(line.startswith("default/test: rows have sha256") for line in found)
    assert any(line.startswith("default/fewshot: features are") for line in found)
    more = demo(tmp_path / "more", ("default", "test", rows()), ("more", "test", rows()))
    assert list(DatasetFolder(more).differences(REPO, commit, TOKEN)) == [
        "configs are ['default'], not ['default', 'more']"
    ]
