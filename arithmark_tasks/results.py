"""The result file of one scored model: what ``arithmark eval`` writes and ``arithmark report`` reads.

One JSON object. ``items`` holds what the model was asked and what it gave, per item, so that every score, interval
and test can be computed again from the file alone:

``format`` / ``format_version``
    ``"arithmark-result"`` and its version.
``model``
    ``name`` (label), ``display_name`` (what the user calls it, else null), ``pretrained`` (folder or Hub id),
    ``revision`` (a Hub commit, else null), ``files_sha256`` (of a folder's weights, configuration and tokenizer, else
    null), ``weights_sha256`` (of the weights alone, wherever they lie: the same weights are one model), ``parameters``
    (a count), ``architecture``.
``run``
    ``command`` (repeats the run), ``started`` (UTC) and ``seconds`` (since the last start), ``model_type``, ``dtype``,
    ``batch_size`` (or "auto"), ``max_context`` (tokens), ``device``, ``threads`` and ``processes``, ``limit`` (null
    where not given; a share where it is below 1), ``num_fewshot`` (of every prompt; null where tasks differ),
    ``chat_template``, ``versions`` (of packages).
``datasets``
    By dataset and config (``"deeparithmark/control"``), else by task: ``version``, ``seed``, ``items`` and ``sha256``
    of the canonical JSONL of the whole split; ``arithmark3`` has ``source`` and ``revision`` too.
``tasks``
    By lm-eval task name: ``version``, ``group``, ``dataset``, ``output_type``, ``num_fewshot``, ``chance`` (null
    without options).
``items``
    ``ItemScore`` objects, in the order of the tasks.
``summary``
    ``arithmark_tasks.statistics.summarise(items)`` at the time of writing, for readers without Python, and
    ``comparison`` (``arithmark_tasks.evaluation.comparison.compare(items, tasks)``; null where there is nothing to
    compare).

Version 2 added ``cut`` and ``bytes`` of items, ``display_name`` and ``weights_sha256``; files of version 1 are read
with these unknown, except that the endings of our own tasks are ASCII: a byte per character.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from .builders.files import write_text
from .generators.errors import InputError

FORMAT = "arithmark-result"
FORMAT_VERSION = 2
_READ = (1, 2)
_ASCII_TASKS = ("deeparithmark", "zenyx_arith", "calcgpt_")
_SECTIONS = ("model", "run", "datasets", "tasks", "items")
_Types = tuple[type, ...]
_NUMBER: _Types = (int, float)
# What a field holds, or each of its entries.
_FIELDS: dict[str, _Types] = {
    "task": (str,),
    "group": (str,),
    "id": (str,),
    "gold": (int, type(None)),
    "cut": (int, type(None)),
    "text": (str, type(None)),
}
_TUPLES: dict[str, _Types] = {
    "loglikelihoods": _NUMBER,
    "greedy": (bool,),
    "characters": (int,),
    "bytes": (int,),
    "tokens": (int,),
    "values": (int,),
    "sources": (str,),
}
_MAPPINGS: dict[str, _Types] = {"traits": (str, int), "metrics": _NUMBER}
# Larger values are slips of a hand; they would overflow floats, plots and axes.
_MOST_DEPTH, _MOST_LEVELS, _MOST_PARAMETERS, _LARGEST = 1000, 20, 10**15, 2**63
# Rounding may leave the log-likelihood of a sure thing a little above 0.
_ROUNDING = 1e-3


@dataclass(frozen=True, slots=True)
class ItemScore:
    """What one model gave for one item of one task.

    ``traits`` are the properties that scores are broken down by: ``depth`` and ``template``, or ``type``. For items
    with options, ``gold`` is the right one's index and the tuples hold one entry per option: log-likelihood in nats,
    whether greedy decoding would give it, its length in characters (leading space included), in UTF-8 bytes and in
    tokens, its value and its source (``"correct"`` or the named mistake). Items with one target have one entry and
    ``gold`` 0. For generated answers the tuples are empty, ``gold`` is None and ``text`` is what the model wrote.
    ``metrics`` are the task's own per-item metrics as lm-eval computed them. ``cut`` is how many tokens of the prompt
    the model's window had no room for (the most of its options), None where that was not recorded.
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
    bytes: tuple[int, ...] = ()
    cut: int | None = None


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
    """Write the file whole or not at all, an item to a line."""
    items = ",\n  ".join(json.dumps(asdict(item), ensure_ascii=False) for item in result.items)
    head = json.dumps(without_items(result), indent=1, ensure_ascii=False).removesuffix("\n}")
    write_text(path, f'{head},\n "items": [\n  {items}\n ]\n}}\n')


def without_items(result: Result) -> dict[str, Any]:
    """The sections of the file but for the items."""
    sections = {name: getattr(result, name) for name in _SECTIONS if name != "items"}
    return {"format": FORMAT, "format_version": FORMAT_VERSION, **sections, "summary": result.summary}


def read_result(path: str | Path) -> Result:
    """A result file; ``InputError`` names the file, the item and what is wrong with it."""
    try:
        content = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error
    except RecursionError as error:
        raise InputError("not a result of ours: nested too deeply", file=path) from error
    except ValueError as error:
        raise InputError(f"not JSON: {error}", file=path) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError("not a result of `arithmark eval`", file=path)
    version = content.get("format_version")
    if version not in _READ:
        raise InputError(f"format version {version!r}; this arithmark reads {_READ[0]} to {_READ[-1]}", file=path)
    _check_sections(content, path)
    items: dict[tuple[str, str], ItemScore] = {}
    try:
        for value in content["items"]:
            item = item_score(value)
            if version == 1 and item.task.startswith(_ASCII_TASKS):
                item = replace(item, bytes=item.characters)
            if (item.task, item.id) in items:
                raise ValueError(f"{item.id} of {item.task} is there twice")
            items[item.task, item.id] = item
    except ValueError as error:
        raise InputError(f"item {len(items)}: {error}", file=path) from error
    sections = {name: content[name] for name in _SECTIONS if name != "items"}
    return Result(**sections, items=tuple(items.values()), summary=content.get("summary") or {})


def _check_sections(content: Mapping[str, Any], path: str | Path) -> None:
    missing = [name for name in _SECTIONS if not isinstance(content.get(name), list if name == "items" else dict)]
    if missing:
        raise InputError(f"no {missing[0]!r} in it", file=path)
    for section in ("datasets", "tasks"):
        for name, facts in content[section].items():
            if not isinstance(facts, dict):
                raise InputError(f"{section}: {name!r:.60} is {facts!r:.60}", file=path)
    level = [content[section] for section in _SECTIONS if section != "items"]
    for _ in range(_MOST_LEVELS):
        level = [part for found in level if isinstance(found, dict | list) for part in _parts(found)]
    if level:
        raise InputError("not a result of ours: nested too deeply", file=path)
    parameters = content["model"].get("parameters")
    if parameters is not None and not (type(parameters) is int and 0 <= parameters <= _MOST_PARAMETERS):
        raise InputError(f"model: parameters is {parameters!r:.60}", file=path)


def _parts(found: dict[str, Any] | list[Any]) -> list[Any]:
    return list(found.values()) if isinstance(found, dict) else found


def limited_groups(
    items: Iterable[ItemScore], tasks: Mapping[str, Any], datasets: Mapping[str, Any], limit: float | None
) -> frozenset[str]:
    """The groups of which a limit (a number of items of each task, or a share of them) left items out.

    A task with fewer items than the limit was scored whole, and so were tasks that together have all items of a set.
    """
    if limit is None:
        return frozenset()
    scored = Counter(item.task for item in items)
    of_set: Counter[str] = Counter()
    for task, n in scored.items():
        of_set[str(tasks[task].get("dataset"))] += n
    return frozenset(
        str(tasks[task].get("group", task))
        for task, n in scored.items()
        if (limit < 1 or n >= limit)
        and of_set[name := str(tasks[task].get("dataset"))] != datasets.get(name, {}).get("items")
    )


def item_score(value: Any) -> ItemScore:
    """An ``ItemScore`` from its JSON object; ``ValueError`` says what is missing or does not fit together.

    >>> item_score({"task": "t", "group": "g", "id": "1", "traits": {}, "metrics": {"exact_match": 1.0}}).metrics
    {'exact_match': 1.0}
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"not an object: {value!r:.60}")
    absent = {"task", "group", "id", "traits", "metrics"} - set(value)
    if absent:
        raise ValueError(f"no {min(absent)!r} in it")
    _check_types(value)
    given: dict[str, Any] = {name: value[name] for name in (*_FIELDS, *_MAPPINGS) if name in value}
    given |= {name: tuple(value[name]) for name in _TUPLES if name in value}
    score = ItemScore(**given)
    options = len(score.loglikelihoods)
    for name in ("greedy", "characters", "bytes", "tokens", "values", "sources"):
        if len(getattr(score, name)) not in (0, options):
            raise ValueError(f"{options} log-likelihoods but {len(getattr(score, name))} {name}")
    if options and (score.gold is None or not 0 <= score.gold < options):
        raise ValueError(f"gold is {score.gold!r} with {options} options")
    for number in score.loglikelihoods:
        if math.isnan(number) or number > _ROUNDING:
            raise ValueError(f"a log-likelihood is {number!r:.60}")
    if score.cut is not None and score.cut < 0:
        raise ValueError(f"cut is {score.cut!r:.60}")
    depth = score.traits.get("depth", 0)
    if not isinstance(depth, int) or not 0 <= depth <= _MOST_DEPTH:
        raise ValueError(f"depth is {depth!r:.60}")
    return score


def _check_types(value: Mapping[str, Any]) -> None:
    # Exact types, because True is an int to isinstance.
    for name, allowed in _FIELDS.items():
        if name in value and type(value[name]) not in allowed:
            raise ValueError(f"{name} is {value[name]!r:.60}")
        if name != "text" and not _can_be_shown(value.get(name)):
            raise ValueError(f"{name} is {value[name]!r:.60}")
    for name, allowed in (_TUPLES | _MAPPINGS).items():
        found, kind = value.get(name, ()), (dict if name in _MAPPINGS else (list, tuple))
        if not isinstance(found, kind):
            raise ValueError(f"{name} is {found!r:.60}")
        for entry in found.values() if isinstance(found, dict) else found:
            if type(entry) not in allowed or not _can_be_shown(entry):
                raise ValueError(f"{name} holds {entry!r:.60}")
        if isinstance(found, dict) and not all(map(_can_be_shown, found)):
            raise ValueError(f"{name} has a name that cannot be shown: {list(found)!r:.60}")


def _can_be_shown(value: str | float | None) -> bool:
    """Whether tables and plots can hold it: no control character, no broken Unicode, no number beyond 64 bits."""
    if isinstance(value, str):
        return value.isprintable()
    return not isinstance(value, int) or -_LARGEST <= value < _LARGEST
