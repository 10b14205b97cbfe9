"""The positive control: it finds what it plants, and notices a scanner that misses a form."""

import json
from pathlib import Path

import pytest
from corpora import make_texts, write_corpus
from reference_scanner import scan_text

from arithmark_tasks.builders.contamination import selfcheck
from arithmark_tasks.builders.contamination.kernel import characters
from arithmark_tasks.builders.contamination.kernel.alphabet import OTHER, SURFACES
from arithmark_tasks.builders.contamination.policy import NOT_READ
from arithmark_tasks.builders.contamination.selfcheck import FORMS, NOT_EXPRESSIONS, UNREAD_FORMS, Form
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.generators.expression import Expression, semantic_key

WRITTEN = {*SURFACES} - {"columns"}  # what stands in columns of its own cannot be planted in a text


def test_every_surface_form_and_operator_is_planted() -> None:
    assert {form.surface for form in FORMS} == WRITTEN
    assert {form.operator for form in FORMS} == set("+-*/")


@pytest.mark.parametrize(("form", "template"), [(form, template) for form in FORMS for template in form.templates])
def test_the_reference_scanner_reads_each_planted_form_as_stated(form: Form, template: str) -> None:
    text = form.render(template, 123456789, 987654321)
    wanted = semantic_key(Expression(123456789, form.operator, 987654321))
    found = {semantic_key(item.expression): item.surface for item in scan_text(text)[0]}
    assert found[wanted] == form.surface


@pytest.mark.parametrize("template", NOT_EXPRESSIONS)
def test_the_reference_scanner_reads_no_expression_of_both_operands_in_the_negative_plants(template: str) -> None:
    text = Form("plain", "+", (template,)).render(template, 123456789, 987654321)
    pairs = {(item.expression.left, item.expression.right) for item in scan_text(text)[0]}
    assert not pairs & {(123456789, 987654321), (987654321, 123456789)}


def test_the_selfcheck_finds_all_it_plants_in_its_own_prose_and_in_a_corpus(tmp_path: Path) -> None:
    source = write_corpus(tmp_path / "a.jsonl", ["Some words, and a few more of them.", *make_texts(1, 60)])
    for carriers in (selfcheck.PROSE, selfcheck.read_carriers([str(source)], [])):
        results = selfcheck.check_recall(carriers, repeats=2)
        assert all(result.is_right for result in results), [result for result in results if not result.is_right]
        unread = {f"{selfcheck.UNREAD}{form.surface}" for form in UNREAD_FORMS}
        assert {one.surface for one in results} == {*WRITTEN, "columns", *unread, selfcheck.NOT_AN_EXPRESSION}
        assert all(result.found == 0 < result.planted for result in results if result.surface in unread)
        assert sum(result.planted for result in results) > 200


def test_the_forms_planted_as_unread_are_those_of_the_policy() -> None:
    assert {form.surface for form in UNREAD_FORMS} <= set(NOT_READ)


def test_the_selfcheck_notices_a_sign_that_the_scanner_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    table = characters.character_table().copy()
    table[0xD7] = OTHER
    monkeypatch.setattr("arithmark_tasks.builders.contamination.scanner.character_table", lambda: table)
    results = {result.surface: result for result in selfcheck.check_recall(repeats=1)}
    assert not results["unicode"].is_right
    assert results["unicode"].planted - results["unicode"].found == 2
    assert all("\u00d7" in example for example in results["unicode"].examples)
    assert results["word"].is_right


def test_a_corpus_without_text_cannot_carry_plants(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="no text to plant"):
        selfcheck.read_carriers([str(tmp_path / "a.txt")], [])


def test_the_page_shows_the_recall_and_the_false_hits_that_are_stored() -> None:
    repository = Path(__file__).resolve().parents[3]
    page = (repository / "docs" / "scanning.md").read_text(encoding="utf-8")
    stored = json.loads((repository / "benchmarks" / "results" / "scan_recall.json").read_text(encoding="utf-8"))
    for name, entry in stored["corpora"].items():
        assert f"| {name} | {entry['pairs']:,} | {entry['found']:,} |" in page
    written = stored["bench_written_as"].values()
    assert f"in each of {len(written)} other ways" in page and all(one["found"] == one["pairs"] for one in written)
    prose = stored["prose"]
    assert f"{prose['false_hits']} in {prose['lines']:,} lines" in page
    assert f"({prose['false_hits_per_100_000_lines']} per 100,000 lines)" in page
