"""``make eval``: from a model's name to a table."""

import io
import subprocess
import sys

import pytest
from rich.console import Console
from typer.testing import CliRunner

from arithmark_tasks import quick_eval
from arithmark_tasks.generators.errors import InputError


def rendered(results):
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(quick_eval.table(results, "a model"))
    return console.export_text()


RESULTS = {
    "results": {
        "deeparithmark": {"alias": "deeparithmark", "sample_len": 6, "acc,none": 0.5, "acc_stderr,none": 0.2236},
        "deeparithmark_d2": {"alias": "x", "sample_len": 4, "acc,none": 0.75, "acc_stderr,none": 0.25},
        "deeparithmark_d3": {"alias": "x", "sample_len": 2, "acc,none": 0.0, "acc_stderr,none": "N/A"},
        "deeparithmark_gen": {"alias": "x", "sample_len": 4, "no_answer,none": 1.0, "no_answer_stderr,none": 0.0},
    },
    "group_subtasks": {"deeparithmark": ["deeparithmark_d2", "deeparithmark_d3"]},
    "configs": {
        "deeparithmark_d2": {"output_type": "multiple_choice"},
        "deeparithmark_gen": {"output_type": "generate_until"},
    },
    "samples": {"deeparithmark_d2": [{"arguments": [1, 2, 3, 4]}], "deeparithmark_gen": [{"arguments": [1]}]},
}


def test_the_table_has_a_row_per_task_with_its_error_and_chance_last():
    rows = [
        [cell.strip() for cell in line.strip("│").split("│")] for line in rendered(RESULTS).splitlines() if "│" in line
    ]
    assert rows == [
        ["deeparithmark_d2", "4", "75.0 ± 25.0", ""],
        ["deeparithmark_d3", "2", "0.0", ""],
        ["deeparithmark", "6", "50.0 ± 22.4", ""],
        ["deeparithmark_gen", "4", "", "100.0 ± 0.0"],
        ["chance", "", "25.0", ""],
    ]


def test_chance_is_left_out_where_items_differ_in_their_number_of_options():
    mixed = {**RESULTS, "samples": {"deeparithmark_d2": [{"arguments": [1, 2]}, {"arguments": [1, 2, 3]}]}}
    assert quick_eval.chance_level(mixed) is None
    assert "chance" not in rendered(mixed)


def test_a_model_folder_is_scored_and_printed_by_depth(tiny_model_folder, small_deeparithmark):
    app = quick_eval.typer.Typer()
    app.command()(quick_eval.run)
    result = CliRunner().invoke(app, ["--model", str(tiny_model_folder), "--limit", "3"], env={"COLUMNS": "120"})
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    for name, count in [*((f"deeparithmark_d{depth}", 3) for depth in (2, 3, 4, 5)), ("deeparithmark ", 12)]:
        (line,) = [line for line in lines if f"│ {name}" in line]
        assert line.split("│")[2].strip() == str(count)
        assert line.count("±") == 3
    assert any("chance" in line and line.count("25.0") == 3 for line in lines)


def test_tasks_are_looked_up_before_the_model_is_loaded():
    with pytest.raises(InputError, match=r"no such task: deeparithmark_d9; ours are .*deeparithmark_d5"):
        quick_eval.evaluate("no/such/model", ["deeparithmark", "deeparithmark_d9"], None, Console())
    with pytest.raises(InputError, match="no task given"):
        quick_eval.evaluate("no/such/model", [], None, Console())


@pytest.mark.slow
def test_tasks_of_lm_eval_itself_are_known_too():
    assert "arc_easy" in quick_eval.task_manager(["arc_easy", "deeparithmark"]).all_tasks
    with pytest.raises(InputError, match="no such task: nothing_like_it"):
        quick_eval.task_manager(["nothing_like_it"])


def test_a_task_that_is_asked_for_twice_is_named(tiny_model_folder, small_deeparithmark):
    with pytest.raises(InputError, match="deeparithmark_d2"):
        quick_eval.evaluate(str(tiny_model_folder), ["deeparithmark", "deeparithmark_d2"], 2, Console())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "missing.gguf"], "missing.gguf: no such file"),
        (["--tasks", "deeparithmark_d9"], "no such task: deeparithmark_d9"),
    ],
)
def test_bad_input_ends_in_one_line_and_status_one(arguments, message, tmp_path):
    command = [sys.executable, "-m", "arithmark_tasks.quick_eval", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("quick_eval: ")
    assert message in line
