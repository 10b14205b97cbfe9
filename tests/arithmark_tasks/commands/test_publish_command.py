"""``arithmark publish`` as a user runs it: what it prints, what it refuses, and that the token is never among it."""

import json
import logging
import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

import datasets
import pytest
from hub_client import TOKEN
from hub_parts import Asked, Cut, Refusal, User
from hub_server import HubServer
from installed import Environment, checkout
from installed import run as run_clean
from typer.testing import CliRunner

from arithmark_tasks import __version__
from arithmark_tasks.builders import calcgpt, release
from arithmark_tasks.builders.verify import verify_folder
from arithmark_tasks.cli import app, main
from arithmark_tasks.generators.calcgpt.dataset import Recipe

REPO = "sums/calc"
ROWS = {"train": 64, "validation": 16, "heldout": 20}


def build_small(out: Path, **options: object) -> object:
    return calcgpt_build(out, config="plain", recipe=Recipe(seed=1, width=1, tasks=80, per_bucket=20))


calcgpt_build = calcgpt.build_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    build_small(tmp_path / "calc")
    return tmp_path / "calc"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs the command line in this process: exit status, stdout and stderr, logs and tracebacks among them."""

    def call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["arithmark", "publish", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        out, err = capfd.readouterr()
        assert TOKEN not in out + err
        return int(caught.value.code or 0), out, err

    return call


Run = Callable[..., tuple[int, str, str]]


def test_a_dataset_is_built_verified_published_and_loaded_back(
    hub: HubServer, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calcgpt, "build_folder", build_small)
    status, out, _ = run("calcgpt", "--repo", REPO)
    repo = hub.dataset(REPO)
    assert status == 0 and f"commit {repo.branches['main']} in {hub.endpoint}/datasets/{REPO}" in out
    assert "loaded back: 100 rows in 3 splits have the features and hashes of the build" in out
    loaded = datasets.load_dataset(REPO, cache_dir=str(tmp_path / "cache"))
    assert {name: len(split) for name, split in loaded.items()} == ROWS
    card = repo.files()["README.md"].decode()
    assert f'load_dataset("{REPO}", "plain", split="train")' in card and "path/to/this/folder" not in card
    status, out, _ = run("calcgpt", "--repo", REPO)
    assert (status, out.splitlines()) == (
        0,
        [f"nothing changed, nothing pushed: {hub.endpoint}/datasets/{REPO} is up to date"],
    )
    assert len(repo.commits) == 2


def test_a_dry_run_prints_files_with_sizes_and_the_card_diff(hub: HubServer, run: Run, folder: Path) -> None:
    status, out, _ = run("calcgpt", "--repo", REPO, "--folder", folder, "--dry-run", "--private")
    assert status == 0 and hub.writes() == [] and hub.repos == {}
    assert f"a new private repository, {hub.endpoint}/datasets/{REPO}:" in out
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "README.md":  # on the Hub the card names the repository, not a folder
            size = f"{path.stat().st_size:,} bytes"
            assert any(size in line and path.name in line and line.startswith("new") for line in out.splitlines())
    assert "+# CalcGPT arithmetic tasks" in out.splitlines() and out.endswith("dry run: nothing pushed\n")


def refuse(hub: HubServer) -> None:
    hub.users.clear()


def demote(hub: HubServer) -> None:
    hub.users[TOKEN] = User("ada", ("sums",), role="read")


def expel(hub: HubServer) -> None:
    hub.users[TOKEN] = User("ada")


def cut_uploads(hub: HubServer) -> None:
    def cut(asked: Asked) -> None:
        if asked.method == "PUT":
            raise Cut

    hub.hook = cut


def overtake(hub: HubServer) -> None:
    def commit(asked: Asked) -> None:
        if "/commit/" in asked.path:
            hub.edit(hub.dataset(REPO), "notes.txt", "first")

    hub.hook = commit


def fail(hub: HubServer) -> None:
    def answer(asked: Asked) -> None:
        if "/preupload/" in asked.path:
            raise Refusal(418, f"I am a teapot, {asked.token}")  # a server that repeats what it was sent

    hub.hook = answer


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (refuse, "the Hub does not accept the token"),
        (demote, "the token can only read"),
        (expel, "the token may not do this, or there is no such organisation (403"),
        (cut_uploads, "no answer from the Hub"),
        (overtake, "somebody else has published there meanwhile; nothing was pushed, run the command again"),
        (fail, "the Hub answers 418: I am a teapot, ***"),
    ],
)
def test_every_failure_is_one_line_without_the_token(
    prepare: Callable[[HubServer], None],
    said: str,
    hub: HubServer,
    run: Run,
    folder: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    prepare(hub)
    status, out, err = run("calcgpt", "--repo", REPO, "--folder", folder)
    lines = [line for line in err.splitlines() if line.startswith("arithmark: ")]
    assert status == 1 and out == "" and len(lines) == 1 and said in lines[0]
    assert "Traceback" not in err and TOKEN not in caplog.text
    assert all("manifest.json" not in repo.files() for repo in hub.repos.values())


def test_without_a_token_nothing_is_built_or_asked(hub: HubServer, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN")
    monkeypatch.setattr(calcgpt, "build_folder", lambda *_, **__: pytest.fail("was built"))
    status, _, err = run("calcgpt", "--repo", REPO)
    assert status == 1 and "no token for the Hub: set HF_TOKEN or run `hf auth login`" in err
    assert hub.writes() == []


def test_a_folder_whose_claims_do_not_hold_is_not_published(hub: HubServer, run: Run, folder: Path) -> None:
    file = folder / "data" / "plain-train.jsonl"
    file.write_text(file.read_text().replace('"answer": ', '"answer": 1', 1))
    status, _, err = run("calcgpt", "--repo", REPO, "--folder", folder)
    assert status == 1 and "not published, a claim does not hold: " in err and "sha256" in err
    assert hub.repos == {} and hub.writes() == []


def test_a_folder_of_another_dataset_is_refused(hub: HubServer, run: Run, folder: Path) -> None:
    status, _, err = run("zenyx", "--repo", REPO, "--folder", folder)
    assert status == 1 and "holds calcgpt, not zenyx" in err and hub.writes() == []


def test_a_name_without_an_organisation_is_refused(hub: HubServer, run: Run, folder: Path) -> None:
    status, _, err = run("calcgpt", "--repo", "calc", "--folder", folder)
    assert status == 1 and "--repo takes ORG/NAME, not 'calc'" in err


def test_a_branch_that_cannot_be_is_refused_before_the_build(
    hub: HubServer, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calcgpt, "build_folder", lambda *_, **__: pytest.fail("was built"))
    for more in ([], ["--dry-run"]):
        status, out, err = run("calcgpt", "--repo", REPO, "--revision", "bad..branch", *more)
        assert (status, out) == (1, "") and err.count("arithmark: ") == 1
        assert "--revision takes the name of a branch, which 'bad..branch' cannot be" in err
    assert hub.log == []


@pytest.mark.parametrize("kind", ["deeparithmark", "zenyx", "calcgpt", "calcgpt-model"])
def test_help_shows_an_example_and_the_options(kind: str) -> None:
    output = CliRunner().invoke(app, ["publish", kind, "--help"], env={"COLUMNS": "120"}).output
    assert f"arithmark publish {kind}" in output
    for option in ("--repo", "--private", "--dry-run", "--revision"):
        assert option in output


def command(hub: HubServer, home: Path, *arguments: object, token: str = TOKEN) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, whose libraries read HF_ENDPOINT as they do anywhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    ours = {"HF_ENDPOINT": hub.endpoint, "HF_TOKEN": token, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1"}
    code = "from arithmark_tasks.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "publish", *map(str, arguments)],
        env={**kept, **ours, "HF_DEBUG": "1"},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_a_process_of_its_own_publishes_where_hf_endpoint_points(hub: HubServer, folder: Path, tmp_path: Path) -> None:
    done = command(hub, tmp_path, "calcgpt", "--repo", REPO, "--folder", folder, "--revision", "trial")
    assert done.returncode == 0, done.stderr
    assert f"commit {hub.dataset(REPO).branches['trial']}" in done.stdout and "branch trial" in done.stdout
    assert TOKEN not in done.stdout + done.stderr and not hub.unknown


def test_a_process_of_its_own_with_a_refused_token_does_not_print_it(
    hub: HubServer, folder: Path, tmp_path: Path
) -> None:
    refused = "hf_ThisTokenIsNoLongerAccepted"
    done = command(hub, tmp_path, "calcgpt", "--repo", REPO, "--folder", folder, token=refused)
    assert done.returncode == 1 and "the Hub does not accept the token" in done.stderr
    assert refused not in done.stdout + done.stderr and "Traceback" not in done.stderr
    assert hub.writes() == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["deeparithmark", "zenyx", "calcgpt"])
def test_each_dataset_in_full_is_published_and_loads_from_the_hub(
    name: str, hub: HubServer, run: Run, tmp_path: Path
) -> None:
    status, out, err = run(name, "--repo", f"sums/{name}")
    assert status == 0, err
    assert "have the features and hashes of the build" in out
    repo = hub.dataset(f"sums/{name}")
    assert len(repo.commits) == 2 and not hub.unknown
    for split in json.loads(repo.files()["manifest.json"])["splits"]:
        loaded = datasets.load_dataset(repo.name, split["config"], split=split["split"], cache_dir=str(tmp_path))
        lines = repo.files()[split["jsonl"]].decode().splitlines()
        assert list(loaded) == [json.loads(line) for line in lines] and len(lines) == split["items"]


INSTALL = re.compile(r"`pip install ([^`]+)`")


def wheel_file(folder: Path, *, name: str = release.WHEEL, version: str = __version__) -> Path:
    """What passes for a wheel of ours: its metadata."""
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / name, "w") as archive:
        archive.writestr(
            f"arithmark-{__version__}.dist-info/METADATA",
            f"Metadata-Version: 2.1\nName: arithmark\nVersion: {version}\n",
        )
    return folder / name


def downloaded(hub: HubServer, folder: Path) -> Path:
    """Every file of the repository in a folder."""
    for path, content in hub.dataset(REPO).files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def broken(folder: Path) -> list[str]:
    return [str(found.failures[0]) for part in verify_folder(folder) for found in part.results if not found.holds]


def test_the_card_installs_a_file_that_lies_beside_the_data(
    hub: HubServer, run: Run, folder: Path, tmp_path: Path
) -> None:
    status, told, _ = run("calcgpt", "--repo", REPO, "--folder", folder)
    assert status == 0
    assert "the card installs the software from a checkout (`pip install .`): --wheel FILE" in told
    wheel = wheel_file(tmp_path / "dist")
    status, told, _ = run("calcgpt", "--repo", REPO, "--folder", folder, "--wheel", wheel)
    assert status == 0, told
    assert "from a checkout" not in told
    files = hub.dataset(REPO).files()
    card = files["README.md"].decode()
    addresses = set(INSTALL.findall(card))
    assert addresses == {f"{hub.endpoint}/datasets/{REPO}/resolve/main/{release.WHEEL}"}
    assert "(the software lies in this repository as a wheel)" in card
    with urllib.request.urlopen(addresses.pop()) as answer:
        assert answer.read() == wheel.read_bytes()
    there = downloaded(hub, tmp_path / "there")
    assert broken(there) == []
    (there / release.WHEEL).unlink()
    assert any(f"{release.WHEEL} is not in the folder" in line for line in broken(there))


def test_a_wheel_that_is_there_stays_and_one_of_another_version_goes(
    hub: HubServer, run: Run, folder: Path, tmp_path: Path
) -> None:
    run("calcgpt", "--repo", REPO, "--folder", folder, "--wheel", wheel_file(tmp_path / "dist"))
    _, told, _ = run("calcgpt", "--repo", REPO, "--folder", folder)
    assert "nothing changed" in told  # nor does the card forget it
    hub.edit(hub.dataset(REPO), "arithmark-0.0.1-py3-none-any.whl", "old")
    run("calcgpt", "--repo", REPO, "--folder", folder)
    assert [path for path in hub.dataset(REPO).files() if path.endswith(".whl")] == [release.WHEEL]


@pytest.mark.parametrize(
    ("name", "version", "fault"),
    [
        ("arithmark-9.9.9-py3-none-any.whl", __version__, "not the wheel of this version"),
        (release.WHEEL, "9.9.9", "its metadata are not those of arithmark"),
    ],
)
def test_what_is_not_the_wheel_of_this_version_is_refused_before_anything_is_built(
    hub: HubServer, run: Run, tmp_path: Path, name: str, version: str, fault: str
) -> None:
    wheel = wheel_file(tmp_path / "dist", name=name, version=version)
    status, _, error = run("calcgpt", "--repo", REPO, "--wheel", wheel)
    assert status == 1
    assert fault in error and str(wheel) in error
    assert hub.writes() == []


@pytest.mark.parametrize(("content", "fault"), [(None, "No such file"), (b"no archive", "not a zip file")])
def test_a_wheel_that_cannot_be_read_is_one_line(
    hub: HubServer, run: Run, tmp_path: Path, content: bytes | None, fault: str
) -> None:
    wheel = tmp_path / release.WHEEL
    if content is not None:
        wheel.write_bytes(content)
    status, _, error = run("calcgpt", "--repo", REPO, "--wheel", wheel)
    assert status == 1
    assert fault in error and error.count("\n") == 1


@pytest.mark.slow
def test_the_line_on_the_card_installs_the_software(hub: HubServer, run: Run, folder: Path, tmp_path: Path) -> None:
    source = checkout(tmp_path / "source")
    build = ["wheel", source, "--no-deps", "--no-build-isolation", "--no-index", "-w", tmp_path / "dist"]
    run_clean([sys.executable, "-m", "pip", *build])
    (wheel,) = (tmp_path / "dist").iterdir()
    assert run("calcgpt", "--repo", REPO, "--folder", folder, "--wheel", wheel)[0] == 0
    (address,) = set(INSTALL.findall(hub.dataset(REPO).files()["README.md"].decode()))
    environment = Environment(tmp_path / "environment")
    environment.pip("install", "--no-deps", address)
    shown = environment.run(environment.python, "-c", "import arithmark_tasks; print(arithmark_tasks.__version__)")
    assert shown == __version__
