"""From lm-eval's logged samples to the items of a result file."""

from collections.abc import Callable, Mapping
from typing import Any

from ..results import ItemScore

Doc = Mapping[str, Any]
# The lengths in tokens of a continuation after its context and of what was cut off before it; None where not known.
TokenCounts = Callable[..., tuple[int | None, int | None]]


def item_score(sample: Mapping[str, Any], task: str, group: str, output_type: str, tokens: TokenCounts) -> ItemScore:
    """One sample as lm-eval logs it."""
    doc: Doc = sample["doc"]
    metadata: Doc = doc.get("metadata") or {}
    common: dict[str, Any] = {
        "task": task,
        "group": group,
        "id": item_id(doc, sample["doc_id"]),
        "traits": traits(doc),
        "metrics": {name: float(sample[name]) for name in sample["metrics"]},
    }
    # Parallel processes of which one has fewer items ask its last request several times.
    answers = [responses[0] for responses in sample["resps"]]
    asked = [tuple(arguments) for arguments in sample["arguments"]]
    lengths = [tokens(*arguments) for arguments in asked]
    counts, cuts = [count for count, _ in lengths], [cut for _, cut in lengths if cut is not None]
    common["cut"] = max(cuts) if len(cuts) == len(asked) else None
    if output_type not in ("multiple_choice", "loglikelihood"):
        return ItemScore(**common, text=answers[0] if output_type == "generate_until" else None)
    return ItemScore(
        **common,
        gold=int(sample["target"]) if output_type == "multiple_choice" else 0,
        loglikelihoods=tuple(score for score, _ in answers),
        greedy=tuple(greedy for _, greedy in answers),
        characters=tuple(len(continuation) for _, continuation in asked),
        bytes=tuple(len(continuation.encode()) for _, continuation in asked),
        tokens=tuple(count for count in counts if count is not None) if None not in counts else (),
        values=tuple(metadata.get("option_values") or doc.get("values") or ()) if len(asked) > 1 else (),
        sources=tuple(metadata.get("option_sources") or ()) if len(asked) > 1 else (),
    )


def item_id(doc: Doc, number: int) -> str:
    """The item's own name where it has one, else its number in the task.

    >>> item_id({"id": "3ds-0000"}, 7), item_id({"left": 1}, 7)
    ('3ds-0000', '7')
    """
    return str(next((doc[key] for key in ("source_id", "id", "ind") if key in doc), number))


def traits(doc: Doc) -> dict[str, str | int]:
    """What scores are broken down by: depth and template of a word problem, else the type of a question.

    >>> traits({"metadata": {"depth": 2, "template": "time_clock_end", "solution_steps": ["a = 1", "b = 2"]}})
    {'depth': 2, 'template': 'time_clock_end'}
    >>> traits({"type": "4da"}), traits({"left": 1, "operator": "+", "right": 2})
    ({'type': '4da'}, {'type': '+'})
    """
    metadata: Doc = doc.get("metadata") or {}
    if metadata.get("solution_steps"):
        return {"depth": metadata["depth"], "template": metadata["template"]}
    for found in (doc.get("type"), metadata.get("template"), doc.get("activity_label"), doc.get("operator")):
        if found:
            return {"type": str(found)}
    return {}
