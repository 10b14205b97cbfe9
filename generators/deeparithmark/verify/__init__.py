"""Every claim of a DeepArithmark file, checked from its text by paths of their own."""

from collections.abc import Iterator

from ...choices import claims
from ...choices.audit import OK, Question, Row, question
from ...claims import Failure, Item, NumberedItem, Result, per_item, result
from . import balance, control, fields, steps
from .expected import tier_of_item
from .recompute import identity

ITEM_CLAIMS = (
    ("activity_label, source_id and split_type repeat topic, depth and number", fields.names),
    ("prompts: unfinished, no longer than the tier allows, no doubled spaces or stops", fields.prompt_form),
    ("unit: every ending is a value in the item's unit", claims.unit),
    ("option_values are the values of the endings", claims.values),
    ("options differ by value and by text", claims.distinct),
    ("label, answer, source and rank point at one option", claims.label),
    ("as many solution steps as the depth", steps.count),
    ("every step's arithmetic, evaluated again", steps.arithmetic),
    ("steps build on each other and on the prompt's numbers", steps.dependence),
    ("the longest chain of steps is the depth, one less where a template has two products", steps.follow_each_other),
    ("the answer is the result of the last step", steps.ends_in_answer),
    ("option_steps name the step of each option's first mistake", fields.option_steps),
)
DECOY_CLAIMS = (
    ("all options of an item are equally round", claims.one_look),
    ("every option recomputed from its source and the prompt", fields.decoys),
    ("every wrong option has one cause, and none is a number of the prompt", fields.causes),
)
CONTROL_CLAIMS = (
    ("the options are four adjacent integers, or minutes", control.adjacent),
    ("every option recomputed from the prompt and the distance that its source names", control.offsets),
)
SET_CLAIMS = (
    ("ind counts from 0, one split of one tier", balance.numbering),
    ("no context twice; numbers of a template differ, in sets of up to 1,000 at least two of them", balance.unique),
    ("shares of templates and depths", balance.counts),
    ("balance: slot x rank x depth", balance.placed_evenly),
    ("balance: answer rank within each template", balance.ranks_per_template),
    ("mean prompt length", balance.prompt_lengths),
)
SCHEMA_CLAIM = "schema: the published fields, in order, each of its type"
AUDIT_CLAIM = "shortcut audit"


def check_items(items: list[NumberedItem], unread: int = 0) -> list[Result]:
    """One result per claim on numbered items; ``unread`` lines gave no item.

    Claims on an item are checked on every item whose fields are all there, claims on the set only when all are.
    """
    schema = per_item(SCHEMA_CLAIM, claims.schema, items)
    broken = {failure.line for failure in schema.failures}
    whole = [(line, item) for line, item in items if line not in broken]
    checks = (*ITEM_CLAIMS, *(CONTROL_CLAIMS if is_control(whole) else DECOY_CLAIMS))
    results = [schema, *(per_item(claim, check, whole) for claim, check in checks)]
    left_out = unread + len(items) - len(whole)
    if left_out:
        reason = f"{left_out} lines have no complete item"
        return results + [Result(claim, skipped=reason) for claim, _ in SET_CLAIMS]
    return results + [result(claim, check(whole)) for claim, check in SET_CLAIMS]


def is_control(items: list[NumberedItem]) -> bool:
    """Whether the first item is of the control; that the others are too is a claim on the set."""
    return bool(items) and tier_of_item(items[0][1]) == "control"


def control_differences(items: list[NumberedItem], controlled: list[NumberedItem]) -> Iterator[Failure]:
    """Items of the control that differ from those of the set by more than their wrong endings."""
    return control.partners(items, controlled)


def questions(items: list[NumberedItem]) -> list[Question]:
    """The items as the audit reads them."""
    return [question(item, line=line) for line, item in items]


def audit_failures(rows: list[Row]) -> list[str]:
    """The rows of an audit that miss its goal, in words."""
    return [
        f"{row.strategy}: {row.score:.2%} against {row.chance:.2%} by chance ({row.verdict})"
        for row in rows
        if row.score is not None and row.kind != "reported" and row.verdict != OK
    ]


def shared_items(test: list[NumberedItem], fewshot: list[NumberedItem]) -> Iterator[Failure]:
    """Few-shot items whose context, or template and numbers, the test split holds too."""
    seen = {key: line for line, item in test for key in _identities(item)}
    for line, item in fewshot:
        for key in _identities(item):
            if key in seen:
                yield Failure(line, f"the same as line {seen[key]} of the test split: {item['ctx']!r}")
                break


def _identities(item: Item) -> tuple[object, ...]:
    if not isinstance(item.get("ctx"), str) or not isinstance(item.get("metadata"), dict):
        return ()
    return item["ctx"], identity(str(item["metadata"].get("template")), item["ctx"])
