"""GALLERY.md, one exemplar of everything that the generators make. Writes it: ``python -m tests.support.gallery``."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from arithmark_tasks.builders.cards.render import markdown_environment
from arithmark_tasks.generators.calcgpt.representations import REPRESENTATIONS
from arithmark_tasks.generators.choices.options import CORRECT
from arithmark_tasks.generators.deeparithmark import build_split
from arithmark_tasks.generators.deeparithmark.families import Family
from arithmark_tasks.generators.deeparithmark.tiers import TIERS, Tier
from arithmark_tasks.generators.expression import Expression
from arithmark_tasks.generators.zenyx import DEFAULT_TYPES, TYPES, build_fewshot
from arithmark_tasks.generators.zenyx.multiple_choice import build_multiple_choice_fewshot
from arithmark_tasks.statistics.mistakes import family_places

FILE = Path(__file__).resolve().parents[2] / "GALLERY.md"
_WIDTH = 3
_TASKS = (Expression(57, "+", 284), Expression(320, "-", 45))

Item = dict[str, Any]


def text() -> str:
    """The whole page, from the registries as they are."""
    environment = markdown_environment(Path(__file__).parent)
    stories, families = exemplars(), _families()
    first = next(iter(stories))
    return environment.get_template("gallery.md.jinja").render(
        correct=CORRECT,
        stories=[_story(item, families[template]) for template, item in stories.items()],
        control=_facts(_firsts(build_split("control", "fewshot"))[first]),
        default_types=DEFAULT_TYPES,
        questions=_questions(),
        choices=[_facts(item) for item in _firsts(build_multiple_choice_fewshot()).values()],
        width=_WIDTH,
        representations=[
            (name, [form.text(task, _WIDTH) for task in _TASKS]) for name, form in REPRESENTATIONS.items()
        ],
    )


@cache
def exemplars() -> dict[str, Item]:
    """The first exemplar of every template, in the order of the registry; ``KeyError`` for a template without one."""
    found: dict[str, Item] = {}
    for tier in _told():
        items = _firsts(build_split(tier.name, "fewshot"))
        found |= {family.template: items[family.template] for family in tier.families}
    return found


def _told() -> list[Tier]:
    """The tiers with exemplars of their own."""
    return [tier for tier in TIERS.values() if "fewshot" in tier.splits and tier.rewrite is None]


def _families() -> dict[str, Family]:
    return {family.template: family for tier in _told() for family in tier.families}


def _firsts(items: Iterable[Item]) -> dict[str, Item]:
    firsts: dict[str, Item] = {}
    for item in items:
        firsts.setdefault(item["metadata"]["template"], item)
    return firsts


def _facts(item: Item) -> dict[str, Any]:
    """What the page says of an item with options."""
    data = item["metadata"]
    return {
        "template": data["template"],
        "question": item["ctx"].removeprefix("Question: ").removesuffix("\nAnswer:"),
        "options": [
            (ending.strip(), source) for ending, source in zip(item["endings"], data["option_sources"], strict=True)
        ],
    }


def _story(item: Item, family: Family) -> dict[str, Any]:
    data = item["metadata"]
    mistakes: Mapping[int, list[str]] = {step: [] for step in range(1, data["depth"] + 1)}
    for name, place in sorted(family_places(family).items()):
        if place.step:
            mistakes[place.step].append(name)
    return _facts(item) | {
        "ctx": item["ctx"],
        "depth": data["depth"],
        "steps": data["solution_steps"],
        "mistakes": mistakes,
        "ranges": [(name, _values(values), why) for name, (values, why) in family.ranges.items()],
    }


def _values(values: Sequence[int]) -> str:
    """A range by its ends, anything else in full."""
    if isinstance(values, range):
        every = "" if values.step == 1 else f", every {values.step}"
        return f"{values[0]} to {values[-1]}{every}"
    return ", ".join(map(str, values)) if len(values) < 20 else f"{len(values)} from {values[0]} to {values[-1]}"


def _questions() -> list[dict[str, str]]:
    first = {item["type"]: item for item in reversed(build_fewshot(types=tuple(TYPES)))}
    return [
        {"code": code, "operands": kind.operands, **{key: first[code][key] for key in ("question", "answer")}}
        for code, kind in TYPES.items()
    ]


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8", newline="\n")
