"""``arithmark export``: the table says what the result says, in every form."""

import json
from dataclasses import replace

import polars as pl
import pytest
import scored
from typer.testing import CliRunner

from arithmark_tasks.cli import app
from arithmark_tasks.generators.deeparithmark import build
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.item_table import item_table
from arithmark_tasks.results import read_result, write_result
from arithmark_tasks.statistics import credits_of


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A scripted model on word problems and on questions with written answers."""
    scores = [
        *scored.choice_scores(build(items=40), "deeparithmark", 5, {2: 0.8}),
        *scored.generated_scores("zenyx", 5),
    ]
    path = tmp_path_factory.mktemp("results") / "a model.json"
    write_result(path, scored.result("scripted", scores))
    return path


def export(*words):
    return CliRunner().invoke(app, ["export", *map(str, words)])


def test_every_form_holds_a_row_for_each_item_with_every_metric(path, tmp_path):
    items = read_result(path).items
    for form, read in (("parquet", pl.read_parquet), ("jsonl", pl.read_ndjson)):
        out = tmp_path / f"new/items.{form}"
        done = export(path, f"--{form}", "--out", out)
        assert done.exit_code == 0 and done.stdout.startswith(f"{out}: {len(items):,} rows"), done.output
        table = read(out)
        for row, item in zip(table.to_dicts(), items, strict=True):
            assert (row["model"], row["task"], row["id"], row["gold"]) == ("scripted", item.task, item.id, item.gold)
            assert row["loglikelihoods"] == list(item.loglikelihoods)
            assert row["depth"] == item.traits.get("depth") and row["type"] == item.traits.get("type")
            assert {name: row[name] for name in credits_of(item)} == pytest.approx(credits_of(item))


def test_lists_are_json_in_csv_and_the_name_is_that_of_the_result(path):
    out = path.with_suffix(".csv")
    assert export(path, "--csv").exit_code == 0
    table = pl.read_csv(out, infer_schema_length=None)
    first = read_result(path).items[0]
    assert json.loads(table["values"][0]) == list(first.values)
    assert json.loads(table["sources"][0]) == list(first.sources)
    out.unlink()


def test_the_option_that_is_taken_is_the_best_by_token_and_none_where_two_tie(path):
    result = read_result(path)
    item = result.items[0]
    tie = replace(item, loglikelihoods=(-4.0, -4.0, -9.0, -9.0), tokens=(2, 2, 2, 2))
    one = replace(tie, loglikelihoods=(-9.0, -4.0, -5.0, -9.0), tokens=(2, 1, 5, 2))
    assert item_table([replace(result, items=(tie, one))])["chosen"].to_list() == [None, 2]


def test_two_models_stand_in_one_table_and_items_may_lack_what_others_have(path, tmp_path):
    other = tmp_path / "b.json"
    write_result(other, scored.result("other", list(scored.generated_scores("zenyx", 6))))
    table = item_table([read_result(other), read_result(path)])
    assert table["model"].unique(maintain_order=True).to_list() == ["other", "scripted"]
    assert table["loglikelihoods"].list.len().max() == 4 and table["depth"].null_count() > 0


def test_nothing_is_overwritten_and_one_form_is_wanted(path, tmp_path):
    out = tmp_path / "items.csv"
    out.write_text("precious", encoding="utf-8")
    assert str(export(path, "--csv", "--out", out).exception) == f"{out}: exists; --force overwrites it"
    for words in ((), ("--csv", "--jsonl")):
        refused = export(path, *words)
        assert isinstance(refused.exception, InputError) and "one of --csv" in str(refused.exception)
    assert out.read_text(encoding="utf-8") == "precious"
    assert export(path, "--csv", "--out", out, "--force").exit_code == 0
    assert export(tmp_path / "none.json", "--csv").exit_code == 1
