"""The commands in README.md and docs/: every one names options that exist, and those that need no Hub are run."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from arithmark_tasks.cli import app

REPOSITORY = Path(__file__).resolve().parent.parent
PAGES = [
    REPOSITORY / "README.md",
    *sorted((REPOSITORY / "docs").glob("*.md")),
    *sorted((REPOSITORY / "arithmark_tasks").rglob("README.md")),
]
# A block behind this comment needs the Hub, a cluster or a GPU: its options are checked, it is not run.
NOT_RUN = "<!-- not run in tests -->\n"
BLOCK = re.compile(rf"({re.escape(NOT_RUN)})?```sh\n(.*?)```", re.DOTALL)
CODE = re.compile(r"```\w*\n(.*?)```|`([^`\n]+)`", re.DOTALL)
COMMAND = re.compile(r"(?<![\w./-])arithmark ((?:[^\n`|;]|\\\n)+)")


def name_of(page: Path) -> str:
    return page.relative_to(REPOSITORY).as_posix()


def run_blocks(page: Path) -> list[str]:
    return [block for skipped, block in BLOCK.findall(page.read_text(encoding="utf-8")) if not skipped]


def commands(text: str) -> Iterator[list[str]]:
    """The words behind each ``arithmark`` in code, inline or in blocks; prose about the package is no command."""
    for block, inline in CODE.findall(text):
        for found in COMMAND.findall(block or inline):
            yield found.replace("\\\n", " ").split("#")[0].split()


def unknown_words(words: list[str]) -> list[str]:
    """Sub-commands and options of a command line that the program does not have."""
    command = typer.main.get_command(app)
    rest = list(words)
    while rest and hasattr(command, "commands"):
        if rest[0].startswith("-"):
            break
        if rest[0] not in command.commands:
            # `arithmark build {a,b}` and `arithmark build NAME` stand for several commands.
            return [] if re.match(r"[{A-Z]", rest[0]) else [rest[0]]
        command = command.commands[rest.pop(0)]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    asked = [word.strip("[]").split("=")[0] for word in rest if word.strip("[]").startswith("--")]
    return [option for option in asked if option not in known | {"--help"}]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_command_on_the_page_has_the_options_it_is_shown_with(page):
    wrong = {" ".join(words): unknown_words(words) for words in commands(page.read_text(encoding="utf-8"))}
    assert {line: words for line, words in wrong.items() if words} == {}


def test_a_misspelt_option_or_command_is_noticed():
    assert unknown_words(["scan", "x", "--outt", "y"]) == ["--outt"]
    assert unknown_words(["calcgpt", "splitt"]) == ["splitt"]
    assert [list(words) for words in commands("run `arithmark scan a --out b` or\n```sh\narithmark audit c\n```")] == [
        ["scan", "a", "--out", "b"],
        ["audit", "c"],
    ]


@pytest.mark.slow
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("page", [page for page in PAGES if run_blocks(page)], ids=name_of)
def test_the_commands_on_the_page_run(page, tmp_path):
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HF_HUB_OFFLINE": "1",
        "ARITHMARK_REPOSITORY": str(REPOSITORY),
    }
    for block in run_blocks(page):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=1200,
        )
        assert done.returncode == 0, f"{block}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
