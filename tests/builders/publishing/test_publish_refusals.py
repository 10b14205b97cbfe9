"""What is not published, and that a refusal is one line, leaves the Hub alone and keeps the token to itself."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hub_client import TOKEN
from hub_parts import Asked, Refusal, User
from hub_rules import branch_error
from hub_server import HubServer
from hypothesis import given
from hypothesis import strategies as st
from publishing import REPO, Rows, demo, refusal, rows, send, state

from arithmark_tasks.builders.publishing import Hub, publish
from arithmark_tasks.builders.publishing.dataset import DatasetFolder
from arithmark_tasks.builders.publishing.hub import check_branch
from arithmark_tasks.generators.errors import InputError


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


@pytest.mark.parametrize("token", ["hf_with\ttab", "hf_with space", "hf_\u00e9", "hf_line\nbreak"])
def test_a_token_that_no_header_can_hold_is_refused_without_being_shown(token: str, hub: HubServer) -> None:
    said = refusal(lambda: Hub(REPO, "dataset", token=token))
    assert "the token holds characters that no token has" in said
    assert not any(part in said for part in ("tab", "hf_", "break")) and hub.log == []


@pytest.mark.parametrize("prepare", [unknown_token, reading_token])
def test_a_token_that_stops_working_later_leaves_no_trace(
    prepare: Callable[[HubServer, pytest.MonkeyPatch], None],
    hub: HubServer,
    demo_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub.add_repo("dataset", REPO)
    before = state(hub)

    def revoke(asked: Asked) -> None:
        if "/preupload/" in asked.path:
            prepare(hub, monkeypatch)

    hub.hook = revoke
    said = refusal(lambda: send(demo_folder))
    assert "token" in said and ("401" in said or "403" in said)
    assert state(hub) == before


@pytest.mark.parametrize("name", ["nobody/demo", "elsewhere/demo"])
def test_an_organisation_that_is_not_there_or_not_yours_is_one_clear_line(
    name: str, hub: HubServer, demo_folder: Path
) -> None:
    said = refusal(lambda: publish(DatasetFolder(demo_folder), Hub(name, "dataset")))
    assert "the token may not do this, or there is no such organisation (403" in said and name.split("/")[0] in said
    assert hub.repos == {}


@pytest.mark.parametrize(
    "name",
    ["demo", "a/b/c", "https://huggingface.co/sums/demo", "", "sums/", "sums/de mo", "/demo", "sums/demo.git"],
)
def test_a_name_that_is_no_repository_is_refused_at_once(name: str, hub: HubServer) -> None:
    assert refusal(lambda: Hub(name, "dataset")).startswith(f"--repo takes ORG/NAME, not {name!r}")
    assert [asked for asked in hub.log if "/api/" in asked.path and "agent" not in asked.path] == []


PLAIN = ["main", "trial", "v1.0", "a/b/c", "a-b_c", "me@home", "{x}", "lock", "a.lock.b", "\u00e9t\u00e9", "refs/pr/1"]
ODD = ["bad..branch", "", ".a", "a/.b", "a.lock", "a.lock/b", "/a", "a/", "a//b", "a.", "@", "a@{1", "-a", "HEAD"]
ODD += [f"a{character}b" for character in " ~^:?*[\\\t\x00\x7f"]


@pytest.mark.parametrize("name", ODD)
def test_a_name_that_git_takes_for_no_branch_is_refused_at_once(name: str, hub: HubServer, demo_folder: Path) -> None:
    said = f"--revision takes the name of a branch, which {name!r} cannot be"
    assert said in refusal(lambda: send(demo_folder, revision=name))
    assert hub.log == [] and branch_error(name)


@pytest.mark.parametrize("name", PLAIN)
def test_a_name_that_git_takes_for_a_branch_is_taken(name: str) -> None:
    assert check_branch(name) == name and branch_error(name) is None


@given(st.text(st.sampled_from("ab./@{-lock~\\ *"), max_size=9))
def test_our_rules_for_branches_are_those_of_the_emulator(name: str) -> None:
    try:
        check_branch(name)
    except InputError:
        assert branch_error(name)
    else:
        assert branch_error(name) is None


@pytest.mark.skipif(shutil.which("git") is None, reason="asks git itself")
def test_git_agrees_on_branches() -> None:
    # "@" is short for HEAD, so git itself answers for that; no argument of a command can hold a zero byte
    asked = [name for name in (*PLAIN, *ODD) if name != "@" and "\0" not in name]
    for name in asked:
        done = subprocess.run(["git", "check-ref-format", "--branch", name], capture_output=True, check=False)
        assert (done.returncode == 0) == (name in PLAIN), name


def test_the_emulator_refuses_a_bad_branch_as_the_hub_does(hub: HubServer) -> None:
    there = hub.add_repo("dataset", REPO)
    said = refusal(lambda: Hub(REPO, "dataset").create_branch("bad..branch", there.branches["main"]))
    assert "the Hub answers 400: Invalid branch name: bad..branch" in said and list(there.branches) == ["main"]


def test_no_answer_at_all_is_one_clear_line(hub: HubServer, demo_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    assert "no answer from the Hub" in refusal(lambda: send(demo_folder))


def test_private_is_refused_where_the_repository_is_public(hub: HubServer, demo_folder: Path) -> None:
    send(demo_folder)
    hub.log.clear()
    assert "is public already" in refusal(lambda: send(demo_folder, private=True))
    assert hub.writes() == []


def test_a_repository_that_the_token_may_not_see_is_not_taken_for_a_missing_one(
    hub: HubServer, demo_folder: Path
) -> None:
    hub.add_repo("dataset", "sums/hidden", private=True)

    def hide(asked: Asked) -> None:
        if "hidden" in asked.path and "create" not in asked.path:
            raise Refusal(404, "Repository not found", "RepoNotFound")

    hub.hook = hide
    said = refusal(lambda: publish(DatasetFolder(demo_folder), Hub("sums/hidden", "dataset")))
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
    prepare: Callable[[HubServer], None], said: str, hub: HubServer, demo_folder: Path
) -> None:
    prepare(hub)
    before = state(hub)
    assert said in refusal(lambda: send(demo_folder))
    assert state(hub) == before and hub.writes() == []


def test_another_dataset_of_ours_is_refused(hub: HubServer, demo_folder: Path, tmp_path: Path) -> None:
    send(demo(tmp_path / "other", dataset="others"))
    assert "holds others, not demo" in refusal(lambda: send(demo_folder))
