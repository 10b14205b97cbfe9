"""What commands print: data as it is, and an example in every help."""

import ast
import re
from io import StringIO
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from typer.testing import CliRunner

import arithmark_tasks
from arithmark_tasks.cli import Commands, app
from arithmark_tasks.console import own_bars_only, plain_console

ROOT = Path(arithmark_tasks.__file__).parent


def commands(command, *names):
    """The words of every command and group."""
    yield names
    for name, child in getattr(command, "commands", {}).items():
        yield from commands(child, *names, name)


@given(st.text(st.sampled_from("[/]b: car#\\\\"), max_size=12))
def test_any_text_is_printed_as_it_is_in_lines_titles_and_cells(text):
    shown = StringIO()
    console = plain_console(width=80, file=shown)
    console.print(f"<{text}>")
    table = Table(f"<{text}>", title=f"<{text}>", title_justify="left")
    table.add_row(f"<{text}>")
    console.print(table)
    assert shown.getvalue().count(f"<{text}>") == 4


def test_every_module_prints_through_that_console():
    for path in ROOT.rglob("*.py"):
        calls = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
        made = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Console"]
        assert not made or path.name == "console.py", path


@pytest.mark.parametrize("words", list(commands(typer.main.get_command(app))), ids=" ".join)
def test_every_help_has_an_example_of_the_command(words):
    shown = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "200"}).output
    assert f"Example: {' '.join(['arithmark', *words])} " in shown


@pytest.mark.parametrize("words", list(commands(typer.main.get_command(app))), ids=" ".join)
def test_no_help_gives_a_flag_a_type_and_every_line_fits_into_80_columns(words):
    shown = CliRunner().invoke(app, [*words, "-h"], env={"COLUMNS": "80"}).output
    assert "<bool>" not in shown and max(map(len, shown.splitlines())) <= 80
    assert not words or "COMMAND" in shown or re.search(r"--quiet\s+-q ", shown)


def test_the_version_is_printed():
    assert CliRunner().invoke(app, ["--version"]).output == f"arithmark {arithmark_tasks.__version__}\n"


def test_quiet_silences_what_goes_to_stderr_for_one_command():
    seen = []
    small = typer.Typer(cls=Commands)
    small.command("one")(lambda: seen.append(plain_console(stderr=True).quiet))
    small.command("two")(lambda: seen.append(plain_console().quiet))
    for words in (["one"], ["one", "-q"], ["two", "--quiet"], ["one"]):
        assert CliRunner().invoke(small, words).exit_code == 0
    assert seen == [False, True, False, False]


@pytest.mark.parametrize(("no_color", "coloured"), [(None, True), ("", True), ("1", False)])
def test_no_colour_where_the_environment_says_so(monkeypatch, no_color, coloured):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    shown = StringIO()
    plain_console(file=shown, force_terminal=True).print("a claim is broken", style="red")
    assert ("\x1b[31m" in shown.getvalue()) is coloured


def test_an_audit_prints_the_name_of_its_file_as_it_is(tmp_path):
    file = tmp_path / "[" / "b] :car:.jsonl"
    file.parent.mkdir()
    file.write_text('{"ctx": "3 + 4 is", "endings": [" 7", " 8"], "label": 0}\n', encoding="utf-8")
    done = CliRunner().invoke(app, ["audit", str(file), "--no-classifiers"], env={"COLUMNS": "400"})
    assert done.exit_code == 0, done.output
    assert f"{file} (1 items)" in " ".join(done.output.split())


def test_the_bars_of_the_libraries_are_off_for_a_while_and_then_as_they_were():
    import datasets
    import transformers
    from huggingface_hub import utils as hub

    def shown():
        return (
            datasets.is_progress_bar_enabled(),
            not hub.are_progress_bars_disabled(),
            transformers.utils.logging.is_progress_bar_enabled(),
        )

    before = shown()
    with pytest.raises(KeyError), own_bars_only():
        assert shown() == (False, False, False)
        raise KeyError
    assert shown() == before
