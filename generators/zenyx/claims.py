"""What the bench claims of its items, checked on the items: each question is read anew and calculated anew."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..claims import Failure, Item, NumberedItem, Result, per_item, result
from ..expression import Expression, SemanticKey, evaluate, parse, semantic_key
from .build import PER_TYPE
from .candidates import FEWSHOT_PER_TYPE
from .types import DEFAULT_TYPES, EXTENDED_TYPES, LEGACY_TYPES, TYPES

_FIELDS: dict[str, type] = {
    "id": str,
    "type": str,
    "operation": str,
    "a": int,
    "operator": str,
    "b": int,
    "question": str,
    "answer": str,
}
FLAGS = {"default": "in_legacy_14k", "extended": "in_legacy_14k", "legacy": "seen_in_training"}
_CONFIG_TYPES = {"default": DEFAULT_TYPES, "extended": EXTENDED_TYPES, "legacy": LEGACY_TYPES}
# The words around the operation; this type drops a remainder, and says so.
_ROUNDED = "divr"
_WORDS = {_ROUNDED: ("What is the whole quotient of ", ", without the remainder?")}
_PLAIN_WORDS = ("What is ", "?")


def check_split(config: str, split: str, items: Sequence[NumberedItem], checked: bool) -> list[Result]:
    """The claims of one split; ``checked`` says whether the build was made with a seen-index."""
    complete = per_item("fields", lambda item: _fields(item, FLAGS[config], checked), items)
    claims = [complete]
    if not complete.holds:
        return claims
    per_type = PER_TYPE if split == "test" else FEWSHOT_PER_TYPE
    return [
        *claims,
        per_item("question, operands and operation agree with the type", _question, items),
        per_item("the answer is exact", _answer, items),
        result("ids count up within each type", _ids(split, items)),
        result(f"{per_type:,} questions of each type", _counts(config, per_type, items)),
        result("no two questions are the same task", _repeated(items)),
    ]


def keys(items: Iterable[NumberedItem]) -> dict[SemanticKey, int]:
    """The semantic key of each item that has one, with its line."""
    found: dict[SemanticKey, int] = {}
    for line, item in items:
        key = key_of(item)
        if key is not None:
            found.setdefault(key, line)
    return found


def key_of(item: Item) -> SemanticKey | None:
    """The semantic key of an item, None where its fields name no expression (which other claims report)."""
    try:
        return semantic_key(Expression(item["a"], item["operator"], item["b"]))
    except (KeyError, ValueError):
        return None


def shared(items: Iterable[NumberedItem], others: Mapping[SemanticKey, int], name: str) -> Iterator[Failure]:
    """Items that are another split's items too."""
    for key, line in keys(items).items():
        if key in others:
            yield Failure(line, f"the same task as line {others[key]} of {name}")


def _fields(item: Item, flag: str, checked: bool) -> Iterator[str]:
    if list(item) != [*_FIELDS, flag]:
        yield f"fields are {', '.join(item)}, not {', '.join([*_FIELDS, flag])}"
        return
    for name, kind in _FIELDS.items():
        if type(item[name]) is not kind:
            yield f"{name} is {item[name]!r}, not a value of type {kind.__name__}"
    allowed: tuple[Any, ...] = (None,) if flag == FLAGS["legacy"] and not checked else (True, False)
    if not any(item[flag] is value for value in allowed):
        yield f"{flag} is {item[flag]!r}, not one of {', '.join(map(str, allowed))}"


def _question(item: Item) -> Iterator[str]:
    kind = TYPES.get(item["type"])
    if kind is None:
        yield f"unknown type {item['type']!r}"
        return
    if (item["operation"], item["operator"]) != (kind.operation, kind.operator):
        yield f"type {kind.code} with {item['operation']} and {item['operator']}"
    before, after = _WORDS.get(item["type"], _PLAIN_WORDS)
    if item["question"] != f"{before}{item['a']} {item['operator']} {item['b']}{after}":
        yield f"question {item['question']!r} does not ask {item['a']} {item['operator']} {item['b']}"
    key = key_of(item)
    if key is None or key not in kind.space or (kind.code in ("34m", "35m") and item["a"] > item["b"]):
        yield f"{item['a']} {item['operator']} {item['b']} breaks the operand rules of {kind.code}"


def _answer(item: Item) -> Iterator[str]:
    before, after = _WORDS.get(item["type"], _PLAIN_WORDS)
    try:
        asked = parse(item["question"].removeprefix(before).removesuffix(after))
        value = asked.left // asked.right if item["type"] == _ROUNDED else evaluate(asked)
    except (ValueError, ZeroDivisionError) as error:
        yield str(error)
        return
    if item["answer"] != str(value):
        yield f"answer {item['answer']!r}, calculated {value}"


def _ids(split: str, items: Sequence[NumberedItem]) -> Iterator[Failure]:
    counts: Counter[str] = Counter()
    for line, item in items:
        code = item["type"]
        wanted = f"{code}-{counts[code]:04d}" if split == "test" else f"{code}-fewshot-{counts[code]}"
        counts[code] += 1
        if item["id"] != wanted:
            yield Failure(line, f"id {item['id']!r} where {wanted!r} belongs")


def _counts(config: str, per_type: int, items: Sequence[NumberedItem]) -> Iterator[Failure]:
    wanted = dict.fromkeys(_CONFIG_TYPES[config], per_type)
    counts = Counter(item["type"] for _, item in items)
    for code in {**wanted, **counts}:
        if counts[code] != wanted.get(code, 0):
            yield Failure(None, f"{counts[code]:,} of {code}")


def _repeated(items: Sequence[NumberedItem]) -> Iterator[Failure]:
    first = keys(items)
    for line, item in items:
        key = key_of(item)
        if key is not None and first[key] != line:
            yield Failure(line, f"the same task as line {first[key]}: {item['question']}")
