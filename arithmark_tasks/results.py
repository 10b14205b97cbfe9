"""The result file of one scored model: what ``arithmark eval`` writes and ``arithmark report`` reads.

One JSON object. ``items`` holds what the model was asked and what it gave, per item, so that every score, interval
and test can be computed again from the file alone:

``format`` / ``format_version``
    ``"arithmark-result"`` and its version.
``model``
    ``name`` (label), ``pretrained`` (folder or Hub id), ``revision``, ``parameters`` (a count), ``architecture``.
``run``
    ``command``, ``started`` and ``seconds``, ``model_type``, ``dtype``, ``batch_size``, ``max_context``, ``device``,
    ``processes``, ``limit``, ``num_fewshot``, ``chat_template``, ``versions`` (of packages).
``datasets``
    By dataset and config (``"deeparithmark/control"``): ``version``, ``seed``, ``items``, ``sha256`` of the canonical
    JSONL.
``tasks``
    By lm-eval task name: ``version``, ``group``, ``dataset``, ``output_type``, ``chance`` (null without options).
``items``
    ``ItemScore`` objects, in the order of the tasks.
``summary``
    ``arithmark_tasks.statistics.summarise(items)`` at the time of writing, for readers without Python.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from .files import write_json
from .generators.errors import InputError

FORMAT = "arithmark-result"
FORMAT_VERSION = 1
_SECTIONS = ("model", "run", "datasets", "tasks", "items")


@dataclass(frozen=True, slots=True)
class ItemScore:
    """What one model gave for one item of one task.

    ``traits`` are the properties that scores are broken down by: ``depth`` and ``template``, or ``type``. For items
    with options, ``gold`` is the right one's index and the tuples hold one entry per option: log-likelihood in nats,
    whether greedy decoding would give it, its length in characters (leading space included) and in tokens, its value
    and its source (``"correct"`` or the named mistake). Items with one target have one entry and ``gold`` 0. For
    generated answers the tuples are empty, ``gold`` is None and ``text`` is what the model wrote. ``metrics`` are the
    task's own per-item metrics as lm-eval computed them.
    """

    task: str
    group: str
    id: str
    traits: dict[str, str | int]
    metrics: dict[str, float]
    gold: int | None = None
    loglikelihoods: tuple[float, ...] = ()
    greedy: tuple[bool, ...] = ()
    characters: tuple[int, ...] = ()
    tokens: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    sources: tuple[str, ...] = ()
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One model's scores; the sections are those of the file."""

    model: dict[str, Any]
    run: dict[str, Any]
    datasets: dict[str, dict[str, Any]]
    tasks: dict[str, dict[str, Any]]
    items: tuple[ItemScore, ...]
    summary: dict[str, Any] = field(default_factory=dict)


def write_result(path: Path, result: Result) -> None:
    """Write the file whole or not at all."""
    write_json(path, {"format": FORMAT, "format_version": FORMAT_VERSION, **asdict(result)})


def read_result(path: str | Path) -> Result:
    """A result file; ``InputError`` names the file, the item and what is wrong with it."""
    try:
        content = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error
    except ValueError as error:
        raise InputError(f"not JSON: {error}", file=path) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError("not a result of `arithmark eval`", file=path)
    if content.get("format_version") != FORMAT_VERSION:
        found = content.get("format_version")
        raise InputError(f"format version {found!r}; this arithmark reads {FORMAT_VERSION}", file=path)
    missing = [name for name in _SECTIONS if not isinstance(content.get(name), list if name == "items" else dict)]
    if missing:
        raise InputError(f"no {missing[0]!r} in it", file=path)
    items: list[ItemScore] = []
    try:
        items.extend(map(item_score, content["items"]))
    except ValueError as error:
        raise InputError(f"item {len(items)}: {error}", file=path) from error
    sections = {name: content[name] for name in _SECTIONS if name != "items"}
    return Result(**sections, items=tuple(items), summary=content.get("summary") or {})


def item_score(value: Any) -> ItemScore:
    """An ``ItemScore`` from its JSON object; ``ValueError`` says what is missing or does not fit together.

    >>> item_score({"task": "t", "group": "g", "id": "1", "traits": {}, "metrics": {"exact_match": 1.0}}).metrics
    {'exact_match': 1.0}
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"not an object: {value!r:.60}")
    known = {entry.name for entry in fields(ItemScore)}
    absent = {"task", "group", "id", "traits", "metrics"} - set(value)
    if absent:
        raise ValueError(f"no {min(absent)!r} in it")
    entries = {name: tuple(entry) if isinstance(entry, list) else entry for name, entry in value.items()}
    score = ItemScore(**{name: entry for name, entry in entries.items() if name in known})
    options = len(score.loglikelihoods)
    for name in ("greedy", "characters", "tokens", "values", "sources"):
        if len(getattr(score, name)) not in (0, options):
            raise ValueError(f"{options} log-likelihoods but {len(getattr(score, name))} {name}")
    if options and (score.gold is None or not 0 <= score.gold < options):
        raise ValueError(f"gold is {score.gold!r} with {options} options")
    if any(math.isnan(number) for number in score.loglikelihoods):
        raise ValueError("a log-likelihood is NaN")
    return score
