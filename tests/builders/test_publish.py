"""Publishing over real HTTP to a Hub on loopback: what arrives, what stays, what is refused, what a failure leaves."""

import json
import random
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pytest
from datasets import Features, Value
from hub_client import OTHER, TOKEN
from hub_server import Asked, Blob, Cut, HubServer, Refusal, User

from arithmark_tasks.builders.cards.render import header
from arithmark_tasks.builders.cards.sections import mark_sections
from arithmark_tasks.builders.folder import Split, write_folder
from arithmark_tasks.builders.publishing import Hub, Outcome, publish
from arithmark_tasks.builders.publishing.dataset import DatasetFolder
from arithmark_tasks.generators.errors import InputError

REPO = "sums/demo"
COLUMNS = {"number": Value("int64"), "text": Value("string"), "flag": Value("bool")}
ROWS = [{"number": n, "text": f"0{n}", "flag": n % 2 == 0} for n in range(50)]
Rows = list[dict[str, Any]]


def rows(start: int = 0, *, without: str | None = None) -> Rows:
    return [{key: value for key, value in row.items() if key != without} for row in ROWS[start:]]


def demo(out: Path, *splits: tuple[str, str, Rows], version: int = 1, dataset: str = "demo", **facts: Any) -> Path:
    """A folder with these splits as (config, split, rows); two by default."""
    built = [
        Split(config, name, f"{config}-{name}", Features({key: COLUMNS[key] for key in content[0]}), content)
        for config, name, content in splits or (("default", "test", rows()), ("default", "fewshot", rows(45)))
    ]

    def card(manifest: dict[str, Any]) -> str:
        body = f"# Demo\n\nVersion {version}.\n\n## Use\n\nRead it.\n\n## Licence\n\nApache.\n"
        return header(manifest, "Demo", ["arithmetic"], ["text-generation"]) + mark_sections(body)

    write_folder(out, dataset, built, {"dataset_version": version, "seed": 1, **facts}, card)
    return out


def send(folder: Path, **options: Any) -> Outcome:
    return publish(DatasetFolder(folder), Hub(REPO, "dataset"), **options)


def refusal(call: Callable[[], Any]) -> str:
    """The one line that a call is refused with. Neither it nor anything it drags along holds a token."""
    with pytest.raises(InputError) as caught:
        call()
    error: BaseException | None = caught.value
    assert "\n" not in str(error)
    assert TOKEN not in "".join(traceback.format_exception(error))
    while error is not None:
        assert TOKEN not in f"{error.args} {vars(error)}"
        assert not hasattr(error, "request"), "the request holds the token in its headers"
        error = error.__context__
    return str(caught.value)


def state(hub: HubServer) -> Any:
    return {name: (dict(repo.branches), repo.files()) for name, repo in hub.repos.items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return demo(tmp_path / "demo")


def test_what_is_published_loads_as_it_was_built(hub: HubServer, folder: Path, tmp_path: Path) -> None:
    outcome = send(folder)
    repo = hub.dataset(REPO)
    assert outcome.new_repository and outcome.commit == repo.branches["main"] and not repo.private
    assert repo.messages == ["initial commit", "demo, data version 1 (arithmark 0.1.0)"]
    loaded = datasets.load_dataset(REPO, cache_dir=str(tmp_path / "cache"))
    assert {name: list(split) for name, split in loaded.items()} == {"test": rows(), "fewshot": rows(45)}
    assert loaded["test"].features == Features(COLUMNS)
    sent = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    published = repo.files()
    assert published.keys() == sent.keys()
    assert {name for name in sent if published[name] != sent[name]} == {".gitattributes"}
    assert {path for path, blob in repo.commits[outcome.commit].items() if blob.lfs} == {
        "data/default-test.parquet",
        "data/default-fewshot.parquet",
    }
    assert not hub.unknown


def test_line_ends_are_converted_nowhere_and_the_hubs_lfs_lines_stay(hub: HubServer, folder: Path) -> None:
    hub.add_repo("dataset", REPO)
    before = hub.dataset(REPO).files()[".gitattributes"].decode()
    send(folder)
    assert hub.dataset(REPO).files()[".gitattributes"].decode() == before + "* -text\n"


def test_publishing_again_pushes_nothing(hub: HubServer, folder: Path) -> None:
    send(folder)
    before = state(hub)
    hub.log.clear()
    outcome = send(folder)
    assert outcome.commit is None and outcome.plan.empty and not outcome.new_repository
    assert hub.writes() == [] and state(hub) == before


def test_a_dropped_column_and_a_dropped_split_leave_nothing_behind(
    hub: HubServer, folder: Path, tmp_path: Path
) -> None:
    send(folder)
    hub.edit(hub.dataset(REPO), "notes/mine.txt", "not arithmark's")
    smaller = demo(tmp_path / "next", ("default", "test", rows(without="flag")), version=2)
    outcome = send(smaller)
    published = hub.dataset(REPO).files()
    assert sorted(published) == [
        ".gitattributes",
        "README.md",
        "data/default-test.jsonl",
        "data/default-test.parquet",
        "manifest.json",
        "notes/mine.txt",
    ]
    assert outcome.plan.deleted == ["data/default-fewshot.jsonl", "data/default-fewshot.parquet"]
    loaded = datasets.load_dataset(REPO, revision=outcome.commit, cache_dir=str(tmp_path / "cache"))
    assert list(loaded) == ["test"] and list(loaded["test"]) == rows(without="flag")
    assert list(loaded["test"].features) == ["number", "text"]


def test_a_changed_card_alone_is_one_commit_to_card_and_manifest(hub: HubServer, folder: Path, tmp_path: Path) -> None:
    send(folder)
    outcome = send(demo(tmp_path / "later", certificate="another"))
    assert sorted(outcome.plan.added) == ["manifest.json"]
    assert json.loads(hub.dataset(REPO).files()["manifest.json"])["certificate"] == "another"


@pytest.mark.parametrize(
    ("splits", "version", "said"),
    [
        ([("default", "test", rows(1)), ("default", "fewshot", rows(45))], 2, "default/test has other rows"),
        ([("default", "test", rows(without="flag")), ("default", "fewshot", rows(45))], 2, "default/test has other"),
        ([("default", "test", rows())], 2, "default/fewshot is gone"),
        ([("default", "test", rows()), ("default", "fewshot", rows(45)), ("more", "test", rows())], 2, "more/test is"),
        ([("default", "test", rows())], 1, "data version 2, which 1 cannot follow"),
    ],
)
def test_other_data_under_the_published_version_are_refused(
    splits: list[tuple[str, str, Rows]], version: int, said: str, hub: HubServer, tmp_path: Path
) -> None:
    send(demo(tmp_path / "published", version=2))
    before = state(hub)
    hub.log.clear()
    other = demo(tmp_path / "other", *splits, version=version)
    assert said in refusal(lambda: send(other))
    assert said in refusal(lambda: send(other, dry_run=True))
    assert state(hub) == before and hub.writes() == []


def test_what_a_person_wrote_on_the_hub_stays(hub: HubServer, folder: Path, tmp_path: Path) -> None:
    send(folder)
    repo = hub.dataset(REPO)
    card = repo.files()["README.md"].decode()
    card = card.replace("---\n<!-- arithmark:begin title -->", "---\nA word first.\n\n<!-- arithmark:begin title -->")
    card = card.replace("<!-- arithmark:begin licence -->", "## Ask us\n\nBy post.\n\n<!-- arithmark:begin licence -->")
    card = card.replace("Read it.", "Read it twice.").replace("license: apache-2.0", "license: mit")
    card = card.replace(
        "---\nlanguage", "---\n# to be discussed\nannotations_creators:\n- expert-generated\nlanguage", 1
    )
    hub.edit(repo, "README.md", card + "\nThe end, by a person.\n")
    outcome = send(demo(tmp_path / "next", ("default", "test", rows(without="flag")), version=2))
    merged = repo.files()["README.md"].decode()
    for kept in ("A word first.", "## Ask us\n\nBy post.", "The end, by a person.", "# to be discussed"):
        assert merged.count(kept) == 1
    assert merged.index("A word first.") < merged.index("# Demo") < merged.index("## Use") < merged.index("## Ask us")
    assert merged.index("## Ask us") < merged.index("## Licence") < merged.index("The end")
    assert "Version 2." in merged and "Version 1." not in merged
    assert "Read it.\n" in merged and "twice" not in merged
    assert "annotations_creators:\n- expert-generated\n" in merged
    assert "license: apache-2.0" in merged and "license: mit" not in merged
    assert "+Version 2." in outcome.plan.card_diff and "-Read it twice." in outcome.plan.card_diff
    hub.log.clear()
    assert send(tmp_path / "next").plan.empty and hub.writes() == []


def test_a_readme_without_our_sections_gets_them_and_keeps_its_text(hub: HubServer, folder: Path) -> None:
    repo = hub.add_repo("dataset", REPO)
    hub.edit(repo, "README.md", "---\nlicense: mit\ntrain-eval-index: []\n---\n# A plan\n\nTo come.\n")
    send(folder)
    merged = repo.files()["README.md"].decode()
    assert merged.endswith("# A plan\n\nTo come.\n") and merged.index("# Demo") < merged.index("# A plan")
    assert "train-eval-index: []\n" in merged and "license: apache-2.0" in merged


def test_features_that_somebody_noted_on_the_hub_never_go_stale(hub: HubServer, folder: Path, tmp_path: Path) -> None:
    stale = "dataset_info:\n  features:\n  - name: gone\n    dtype: string\n  splits:\n  - name: test\n"
    stale += "    num_examples: 7\n"
    send(folder)
    repo = hub.dataset(REPO)
    hub.edit(repo, "README.md", repo.files()["README.md"].decode().replace("---\n", f"---\n{stale}", 1))
    hub.edit(repo, "dataset_infos.json", json.dumps({"default": {"features": {}}}))
    with pytest.raises(datasets.exceptions.DatasetGenerationError):
        datasets.load_dataset(REPO, split="test", cache_dir=str(tmp_path / "stale"))
    send(demo(tmp_path / "next", ("default", "test", rows(without="flag")), version=2))
    assert "dataset_infos.json" not in repo.files() and "dataset_info" not in repo.files()["README.md"].decode()
    loaded = datasets.load_dataset(REPO, split="test", cache_dir=str(tmp_path / "fresh"))
    assert list(loaded.features) == ["number", "text"] and len(loaded) == 50


def test_a_dry_run_tells_all_and_writes_nothing(hub: HubServer, folder: Path, tmp_path: Path) -> None:
    outcome = send(folder, dry_run=True, private=True)
    assert outcome.new_repository and outcome.commit is None and hub.repos == {}
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    assert {change.path: change.size for change in outcome.plan.changes} == sizes
    assert {change.state for change in outcome.plan.changes} == {"new"}
    assert "+# Demo" in outcome.plan.card_diff.splitlines()
    send(folder)
    before = state(hub)
    outcome = send(demo(tmp_path / "next", ("default", "test", rows(without="flag")), version=2), dry_run=True)
    assert {change.path: change.state for change in outcome.plan.changes} == {
        ".gitattributes": "same",
        "README.md": "changed",
        "data/default-test.jsonl": "changed",
        "data/default-test.parquet": "changed",
        "manifest.json": "changed",
        "data/default-fewshot.jsonl": "deleted",
        "data/default-fewshot.parquet": "deleted",
    }
    changed = [line for line in outcome.plan.card_diff.splitlines() if line[:1] in "+-"]
    assert "-Version 1." in changed and "+Version 2." in changed
    assert state(hub) == before


def test_a_dry_run_sends_nothing_but_reading_requests(hub: HubServer, folder: Path, tmp_path: Path) -> None:
    send(folder, dry_run=True)
    send(folder)
    hub.log.clear()
    send(demo(tmp_path / "next", version=2), dry_run=True)
    assert hub.log and {asked.method for asked in hub.log} <= {"GET", "HEAD"}


def test_a_dry_run_needs_no_token_for_what_is_public(
    hub: HubServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(folder)
    monkeypatch.delenv("HF_TOKEN")
    assert send(folder, dry_run=True).plan.empty


def no_token(hub: HubServer, patch: pytest.MonkeyPatch) -> None:
    patch.delenv("HF_TOKEN")


def unknown_token(hub: HubServer, patch: pytest.MonkeyPatch) -> None:
    hub.users.clear()


def reading_token(hub: HubServer, patch: pytest.MonkeyPatch) -> None:
    hub.users[TOKEN] = User("ada", ("sums",), role="read")


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (no_token, "no token for the Hub: set HF_TOKEN or run `hf auth login`"),
        (unknown_token, "the Hub does not accept the token"),
        (reading_token, "the token can only read"),
    ],
)
def test_a_missing_or_refused_token_is_told_before_anything_is_written(
    prepare: Callable[[HubServer, pytest.MonkeyPatch], None],
    said: str,
    hub: HubServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prepare(hub, monkeypatch)
    assert said in refusal(lambda: Hub(REPO, "dataset").check_token())
    assert hub.writes() == []


@pytest.mark.parametrize("prepare", [unknown_token, reading_token])
def test_a_token_that_stops_working_later_leaves_no_trace(
    prepare: Callable[[HubServer, pytest.MonkeyPatch], None],
    hub: HubServer,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub.add_repo("dataset", REPO)
    before = state(hub)

    def revoke(asked: Asked) -> None:
        if "/preupload/" in asked.path:
            prepare(hub, monkeypatch)

    hub.hook = revoke
    said = refusal(lambda: send(folder))
    assert "token" in said and ("401" in said or "403" in said)
    assert state(hub) == before


@pytest.mark.parametrize("name", ["nobody/demo", "elsewhere/demo"])
def test_an_organisation_that_is_not_there_or_not_yours_is_one_clear_line(
    name: str, hub: HubServer, folder: Path
) -> None:
    said = refusal(lambda: publish(DatasetFolder(folder), Hub(name, "dataset")))
    assert "the token may not do this (403" in said and name.split("/")[0] in said
    assert hub.repos == {}


@pytest.mark.parametrize("name", ["demo", "a/b/c", "sums/", "sums/de mo", "/demo", "sums/demo.git"])
def test_a_name_that_is_no_repository_is_refused_at_once(name: str, hub: HubServer) -> None:
    refusal(lambda: Hub(name, "dataset"))
    assert [asked for asked in hub.log if "/api/" in asked.path and "agent" not in asked.path] == []


def test_no_answer_at_all_is_one_clear_line(hub: HubServer, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    assert "no answer from the Hub" in refusal(lambda: send(folder))


STEPS = {
    "/api/validate-yaml": "POST",
    f"/api/datasets/{REPO}/preupload/main": "POST",
    f"/datasets/{REPO}.git/info/lfs/objects/batch": "POST",
    "/lfs/": "PUT",
    f"/api/datasets/{REPO}/commit/main": "POST",
}


@pytest.mark.parametrize("path", STEPS)
def test_a_connection_cut_on_the_way_leaves_nothing_half_published(
    path: str, hub: HubServer, folder: Path, tmp_path: Path
) -> None:
    send(folder)
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


def test_an_upload_cut_once_goes_on_by_itself(hub: HubServer, folder: Path) -> None:
    cuts: list[Asked] = []

    def cut(asked: Asked) -> None:
        if asked.method == "PUT" and not cuts:
            cuts.append(asked)
            raise Cut

    hub.hook = cut
    assert send(folder).commit and len(cuts) == 1


@pytest.mark.parametrize("fault", [Cut(), Refusal(500, "Internal Server Error")])
def test_a_commit_whose_answer_is_lost_is_found_and_checked(fault: Exception, hub: HubServer, folder: Path) -> None:
    def lose(repo: Any) -> None:
        raise fault

    hub.after_commit = lose
    outcome = send(folder)
    repo = hub.dataset(REPO)
    assert outcome.commit == repo.branches["main"] and len(repo.commits) == 2
    assert any("data/default-test.parquet" in asked.path for asked in hub.log), "it was loaded back"


def test_when_the_hub_is_gone_after_the_commit_it_is_said_to_be_unknown(hub: HubServer, folder: Path) -> None:
    def gone(asked: Asked) -> None:
        raise Cut

    def lose(repo: Any) -> None:
        hub.hook = gone
        raise Cut

    hub.after_commit = lose
    assert "is unknown: run the command again" in refusal(lambda: send(folder))
    hub.hook, hub.after_commit = (lambda asked: None), (lambda repo: None)
    assert send(folder).plan.empty


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


def test_a_branch_starts_at_main_and_main_stays(hub: HubServer, folder: Path, tmp_path: Path) -> None:
    send(folder)
    before = hub.dataset(REPO).branches["main"]
    later = demo(tmp_path / "later", ("default", "test", rows(without="flag")), version=2)
    outcome = send(later, revision="trial")
    assert hub.dataset(REPO).branches == {"main": before, "trial": outcome.commit}
    loaded = datasets.load_dataset(REPO, split="test", revision="trial", cache_dir=str(tmp_path / "cache"))
    assert list(loaded) == rows(without="flag")
    assert send(later, revision="trial").plan.empty
    assert len(datasets.load_dataset(REPO, cache_dir=str(tmp_path / "cache"))) == 2


def test_a_new_repository_with_a_branch_has_the_data_on_the_branch_only(hub: HubServer, folder: Path) -> None:
    outcome = send(folder, revision="trial")
    repo = hub.dataset(REPO)
    assert repo.branches["trial"] == outcome.commit
    assert sorted(repo.files("main")) == [".gitattributes"] and "manifest.json" in repo.files("trial")


def test_a_private_repository_is_private_from_the_start_and_loads_with_the_token(
    hub: HubServer, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(folder, private=True)
    assert hub.dataset(REPO).private
    assert send(folder, private=True).plan.empty
    assert len(datasets.load_dataset(REPO, split="test", token=OTHER, cache_dir=str(tmp_path / "a"))) == 50
    monkeypatch.setenv("HF_TOKEN", "hf_stranger")
    hub.users["hf_stranger"] = User("eve")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "of another person"))
    with pytest.raises(datasets.exceptions.DatasetNotFoundError):
        datasets.load_dataset(REPO, split="test", cache_dir=str(tmp_path / "b"))


def test_private_is_refused_where_the_repository_is_public(hub: HubServer, folder: Path) -> None:
    send(folder)
    hub.log.clear()
    assert "is public already" in refusal(lambda: send(folder, private=True))
    assert hub.writes() == []


def test_a_repository_that_the_token_may_not_see_is_not_taken_for_a_missing_one(hub: HubServer, folder: Path) -> None:
    hub.add_repo("dataset", "sums/hidden", private=True)

    def hide(asked: Asked) -> None:
        if "hidden" in asked.path and "create" not in asked.path:
            raise Refusal(404, "Repository not found", "RepoNotFound")

    hub.hook = hide
    said = refusal(lambda: publish(DatasetFolder(folder), Hub("sums/hidden", "dataset")))
    assert "exists, but the token may not see it" in said


def foreign_data(hub: HubServer) -> None:
    hub.edit(hub.add_repo("dataset", REPO), "data/train.csv", "a,b\n1,2\n")


def foreign_manifest(hub: HubServer) -> None:
    hub.edit(hub.add_repo("dataset", REPO), "manifest.json", '{"name": "an extension"}')


def broken_manifest(hub: HubServer) -> None:
    hub.edit(hub.add_repo("dataset", REPO), "manifest.json", "{")


def loose_marker(hub: HubServer) -> None:
    hub.edit(hub.add_repo("dataset", REPO), "README.md", "# Mine\n<!-- arithmark:begin use -->\n")


def broken_metadata(hub: HubServer) -> None:
    hub.edit(hub.add_repo("dataset", REPO), "README.md", "---\na: [\n---\n")


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (foreign_data, "holds data that arithmark did not publish, such as data/train.csv"),
        (foreign_manifest, "manifest.json is not one of arithmark's"),
        (broken_manifest, "no readable manifest.json"),
        (loose_marker, "'use' begins and does not end"),
        (broken_metadata, "metadata of the published README.md"),
    ],
)
def test_what_somebody_else_put_there_is_refused_and_left_alone(
    prepare: Callable[[HubServer], None], said: str, hub: HubServer, folder: Path
) -> None:
    prepare(hub)
    before = state(hub)
    assert said in refusal(lambda: send(folder))
    assert state(hub) == before and hub.writes() == []


def test_another_dataset_of_ours_is_refused(hub: HubServer, folder: Path, tmp_path: Path) -> None:
    send(demo(tmp_path / "other", dataset="others"))
    assert "holds others, not demo" in refusal(lambda: send(folder))


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
    spoil: Callable[[dict[str, Blob], Path], None], said: str, hub: HubServer, folder: Path, tmp_path: Path
) -> None:
    hub.after_commit = lambda repo: spoil(repo.commits[repo.branches["main"]], tmp_path)
    told = refusal(lambda: send(folder))
    assert f"commit {hub.dataset(REPO).branches['main']} is published but not as it was built" in told
    assert said in told


def test_loading_back_compares_counts_features_and_hashes(hub: HubServer, folder: Path, tmp_path: Path) -> None:
    commit = send(folder).commit
    assert commit is not None
    assert list(DatasetFolder(folder).differences(REPO, commit, TOKEN)) == []
    other = demo(tmp_path / "other", ("default", "test", rows(1)), ("default", "fewshot", rows(45, without="flag")))
    found = list(DatasetFolder(other).differences(REPO, commit, TOKEN))
    assert any(line.startswith("default/test: 50 rows, not 49") for line in found)
    assert any(line.startswith("default/test: rows have sha256") for line in found)
    assert any(line.startswith("default/fewshot: features are") for line in found)
    more = demo(tmp_path / "more", ("default", "test", rows()), ("more", "test", rows()))
    assert list(DatasetFolder(more).differences(REPO, commit, TOKEN)) == [
        "configs are ['default'], not ['default', 'more']"
    ]
