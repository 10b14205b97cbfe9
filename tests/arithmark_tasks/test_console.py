"""What commands print: data as it is, and an example in every help."""

import ast
from io import StringIO
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from typer.testing import CliRunner

import arithmark_tasks
from arithmark_tasks.cli import app
from arithmark_tasks.console import plain_console

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


def test_an_audit_prints_the_name_of_its_file_as_it_is(tmp_path):
    file = tmp_path / "[" / "b] :car:.jsonl"
    file.parent.mkdir()
    file.write_text('{"ctx": "3 + 4 is", "endings": [" 7", " 8"], "label": 0}\n', encoding="utf-8")
    done = CliRunner().invoke(app, ["audit", str(file), "--no-classifiers"], env={"COLUMNS": "400"})
    assert done.exit_code == 0, done.output
    assert f"{file} (1 items)" in " ".join(done.output.split())
