"""GALLERY.md is what the registries give, and its parts are all there."""

import re

import pytest
from gallery import FILE, exemplars, text

from arithmark_tasks.generators.calcgpt.representations import REPRESENTATIONS
from arithmark_tasks.generators.choices.problem import Changes, Problem, UnusableError
from arithmark_tasks.generators.deeparithmark.families import DEEP_FAMILIES, FAMILIES, Family
from arithmark_tasks.generators.deeparithmark.tiers import TIERS
from arithmark_tasks.generators.streams import Stream
from arithmark_tasks.generators.zenyx import DEFAULT_TYPES, TYPES


def test_the_gallery_is_fresh() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "write it again: python -m tests.support.gallery"


def test_it_has_every_template_type_and_representation_once() -> None:
    page = FILE.read_text(encoding="utf-8")
    templates = {family.template for tier in TIERS.values() for family in tier.families}
    assert sorted(re.findall(r"^### `(\w+)`: ", page, re.MULTILINE)) == sorted(templates)
    assert sorted(re.findall(r"^### `(\w+)` as four-way", page, re.MULTILINE)) == sorted(DEFAULT_TYPES)
    for name in (*TYPES, *REPRESENTATIONS):
        assert len(re.findall(rf"^\| `{name}` \|", page, re.MULTILINE)) == 1, name


def test_every_mistake_behind_an_ending_stands_at_a_step() -> None:
    """Read back from the page: what an ending comes from is among the mistakes of its section's steps."""
    page = FILE.read_text(encoding="utf-8")
    for template in exemplars():
        section = page.split(f"### `{template}`")[1].split("\n### ")[0]
        endings, steps = section.split("| step | solution |")
        sources = [line.split(" | ")[1].removesuffix(" |") for line in endings.splitlines() if line.startswith("| ")][
            1:
        ]
        assert sources.count("correct") == 1 and len(sources) == 4
        at_steps = [
            line.rpartition(" | ")[2].removesuffix(" |").split("; ") for line in steps.splitlines() if line[:2] == "| "
        ]
        known = {name for names in at_steps for name in names}
        assert {name for source in sources if source != "correct" for name in source.split("; ")} <= known


@pytest.mark.parametrize("family", (*FAMILIES, *DEEP_FAMILIES), ids=lambda family: family.template)
def test_every_mistake_that_the_page_names_can_be_made_in_some_story(family: Family) -> None:
    section = FILE.read_text(encoding="utf-8").split(f"### `{family.template}`: ")[1].split("\n### ")[0]
    steps = section.split("| step | solution |")[1].split("| number | values |")[0].splitlines()
    named = {name for line in steps if line[:2] == "| " for name in line.split(" | ")[-1][:-2].split("; ")} - {""}
    assert len(named) > 4
    made: set[str] = set()
    for index in range(6_000):
        try:
            problem = family.draw(Stream("gallery", 1, 0, index))
        except UnusableError:
            continue
        right = problem.value({})
        for mistakes in problem.mistakes.values():
            made |= {name for name, changes in mistakes.items() if _value(problem, changes) not in (None, right)}
        if named <= made:
            break
    assert named <= made


def _value(problem: Problem, changes: Changes) -> int | None:
    try:
        return problem.value(changes)
    except UnusableError:
        return None
