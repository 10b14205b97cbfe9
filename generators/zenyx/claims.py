"""What the bench claims of its items, checked on the items: each question is read anew and calculated anew.

Of the four-way form each option is calculated anew from its slips. The generator works a question out column by column
with the slips made; here each slip is what it adds to the right result, or a change of digits. The two share the names
of the places, and nothing else.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ..choices import claims
from ..choices.item import METADATA_KEYS
from ..claims import Failure, Item, NumberedItem, Result, per_item, result
from ..expression import Expression, SemanticKey, evaluate, parse, semantic_key
from .build import FEWSHOT_PER_TYPE, PER_TYPE
from .types import DEFAULT_TYPES, EXTENDED_TYPES, LEGACY_TYPES, TYPES
from .written import PLACES

CORRECT, JOIN = "correct", "; "
_IN = f"({'|'.join(PLACES)})"
_SWAP = re.compile(rf"swapped the {_IN} and {_IN} digits of the (first number|second number|answer)")
_CARRIES = {
    re.compile(rf"dropped the carry into the {_IN}"): -1,
    re.compile(rf"carried 1 into the {_IN} without need"): 1,
    re.compile(rf"carry off by a power of ten: into the {_IN}, not the {_IN}"): 9,
}
# Turned round, a column changes by how far it is below zero.
_TURNED = 0
_BORROWS = {
    re.compile(rf"borrow from the {_IN} not taken"): 1,
    re.compile(rf"borrowed from the {_IN} without need"): -1,
    re.compile(rf"borrow off by a power of ten: from the {_IN}, not the {_IN}"): -9,
    re.compile(rf"borrow not taken in the {_IN}: smaller digit from the larger"): _TURNED,
}
_ROWS = {
    re.compile(rf"left out the partial product of the {_IN}"): 0,
    re.compile(rf"added the partial product of the {_IN} twice"): 20,
    re.compile(rf"partial product of the {_IN} off by a power of ten: too far left"): 100,
    re.compile(rf"partial product of the {_IN} off by a power of ten: too far right"): 1,
}
_ROW_CARRIES = {
    re.compile(rf"dropped the carry into the {_IN} of the partial product of the {_IN}"): -1,
    re.compile(rf"added the carry into the {_IN} of the partial product of the {_IN} twice"): 1,
}
_DROPPED, _ZEROED = 10, 20
_DIGITS = {
    re.compile(rf"dropped the {_IN} digit of the quotient"): _DROPPED,
    re.compile(rf"dropped the {_IN} digit of the quotient, a 0 in its place"): _ZEROED,
    re.compile(rf"{_IN} digit of the quotient one too low"): -1,
    re.compile(rf"{_IN} digit of the quotient one too high"): 1,
}
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
_NAME = "zenyx-arithmetic-mc"
_VERSION = 2
_METADATA = tuple(key for key in METADATA_KEYS if not key.endswith("_steps"))
_PROMPT = re.compile(r"Question: (What is (\d{1,18}) ([-+*/]) (\d{1,18})\?)\nAnswer:", re.ASCII)
_FACTOR = 3


def value_of(left: int, sign: str, right: int, source: str) -> int:
    """What a solver gets who makes the slips of ``source``; ``ValueError`` for one that the operation does not know.

    >>> value_of(58, "+", 67, "dropped the carry into the tens"), value_of(5895, "/", 15, "correct")
    (115, 393)
    """
    names = [] if source == CORRECT else source.split(JOIN)
    swaps = {match[3]: match for match in map(_SWAP.fullmatch, names) if match}
    made = [name for name in names if not _SWAP.fullmatch(name)]
    left, right = _swapped(left, swaps.get("first number")), _swapped(right, swaps.get("second number"))
    return _swapped(_RESULTS[sign](left, right, made), swaps.get("answer"))


def _swapped(number: int, swap: re.Match[str] | None) -> int:
    if swap is None:
        return number
    digits = list(f"{number:0{len(PLACES)}d}"[::-1])
    upper, lower = PLACES.index(swap[1]), PLACES.index(swap[2])
    digits[upper], digits[lower] = digits[lower], digits[upper]
    return int("".join(reversed(digits)))


def _read(name: str, forms: Mapping[re.Pattern[str], int]) -> tuple[list[int], int]:
    """The places that a slip names, in reading order, and its number in ``forms``."""
    for form, number in forms.items():
        match = form.fullmatch(name)
        if match:
            return [PLACES.index(place) for place in match.groups()], number
    raise ValueError(f"unknown slip {name!r}")


def _sum(left: int, right: int, names: Sequence[str]) -> int:
    slips = [_read(name, _CARRIES) for name in names]
    return left + right + sum(factor * 10 ** places[-1] for places, factor in slips)


def _difference(left: int, right: int, names: Sequence[str]) -> int:
    change = 0
    for places, factor in sorted((_read(name, _BORROWS) for name in names), key=lambda slip: slip[0][-1]):
        ten = 10 ** places[-1]
        if factor == _TURNED:
            column = (left % (10 * ten) - right % (10 * ten) + change) // ten
            factor = -2 * column
        change += factor * ten
    return left - right + change


def _product(left: int, right: int, names: Sequence[str]) -> int:
    total = 0
    rows = {places[0]: tenths for places, tenths in (_read(name, _ROWS) for name in names if " carry " not in name)}
    carries = [_read(name, _ROW_CARRIES) for name in names if " carry " in name]
    for row, digit in enumerate(map(int, reversed(str(right)))):
        product = left * digit
        for (place, of_row), sign in carries:
            if of_row == row:
                ten = 10**place
                product += sign * (left % ten * digit // ten * ten)
        total += product * 10**row * rows.get(row, 10) // 10
    return total


def _quotient(left: int, right: int, names: Sequence[str]) -> int:
    value = left // right
    for (place,), change in sorted((_read(name, _DIGITS) for name in names), reverse=True):
        text = str(value)
        head, digit, tail = text[: -place - 1], text[-place - 1], text[len(text) - place :]
        new = {_DROPPED: "", _ZEROED: "0"}.get(change, str(int(digit) + change))
        value = int(f"{head}{new}{tail}")
    return value


_RESULTS: Mapping[str, Callable[[int, int, Sequence[str]], int]] = {
    "+": _sum,
    "-": _difference,
    "*": _product,
    "/": _quotient,
}


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


def check_choices(split: str, items: Sequence[NumberedItem]) -> list[Result]:
    """The claims of one split."""
    complete = per_item("fields", partial(claims.schema, metadata_keys=_METADATA), items)
    if not complete.holds:
        return [complete]
    results = [
        complete,
        per_item("activity_label, split, topic and unit agree with the type", partial(_names, split), items),
        per_item("options differ by value and by text", claims.distinct, items),
        per_item("label, answer, source and rank point at the exact result", _label, items),
        per_item("every option recomputed from the slips that its source names", _slips, items),
        per_item("all options of an item are equally round", claims.one_look, items),
        per_item("all options end in the same digit, none is over three times another", _likeness, items),
        result("ind counts from 0, no question twice", _numbering(items)),
    ]
    return [*results, result("balance: slot x rank within each type", _balance(items))] if split == "test" else results


def _names(split: str, item: Item) -> Iterator[str]:
    metadata = item["metadata"]
    kind = TYPES.get(metadata["template"])
    if kind is None or kind.code not in DEFAULT_TYPES:
        yield f"unknown type {metadata['template']!r}"
        return
    label = f"zenyx::{_NAME}::{kind.operation}::{kind.code}"
    wanted = (label, split, "synthetic", "", kind.operation, 1)
    found = (item["activity_label"], item["split"], item["split_type"], metadata["unit"], metadata["topic"])
    if (*found, metadata["depth"]) != wanted:
        yield f"{(*found, metadata['depth'])!r}, not {wanted!r}"


def _operands(item: Item) -> tuple[int, str, int] | None:
    match = _PROMPT.fullmatch(item["ctx"])
    return (int(match[2]), match[3], int(match[4])) if match else None


def _label(item: Item) -> Iterator[str]:
    metadata, asked = item["metadata"], _operands(item)
    values = metadata["option_values"]
    if asked is None:
        yield f"not a prompt of the bench: {item['ctx']!r}"
        return
    if item["endings"] != [f" {value}" for value in values]:
        yield f"the endings {item['endings']} are not the option_values {values}"
    if item["label"] not in ("0", "1", "2", "3"):
        yield f"label is not 0, 1, 2 or 3: {item['label']!r}"
        return
    slot = int(item["label"])
    try:
        answer = evaluate(Expression(*asked))
    except ValueError as error:
        yield str(error)
        return
    if values[slot] != answer or metadata["answer"] != str(answer):
        yield f"label and answer say {values[slot]} and {metadata['answer']!r}, calculated {answer}"
    marked = [place for place, source in enumerate(metadata["option_sources"]) if source == CORRECT]
    if marked != [slot]:
        yield f"the label is {slot}, but option_sources have {CORRECT!r} at {marked}"
    rank = sum(value < values[slot] for value in values)
    if rank != metadata["answer_rank"]:
        yield f"the label points at the option of rank {rank}, answer_rank is {metadata['answer_rank']}"


def _slips(item: Item) -> Iterator[str]:
    metadata, asked = item["metadata"], _operands(item)
    if asked is None:
        return
    for slot, (source, value) in enumerate(zip(metadata["option_sources"], metadata["option_values"], strict=True)):
        try:
            again = value_of(*asked, source)
        except (ValueError, IndexError, ZeroDivisionError) as error:
            yield f"option {slot}: {source!r}: {error}"
            continue
        if again != value:
            yield f"option {slot} is {value}, but {source!r} gives {again}"


def _likeness(item: Item) -> Iterator[str]:
    values = item["metadata"]["option_values"]
    if len({value % 10 for value in values}) > 1 or max(values) > _FACTOR * min(values):
        yield f"the options are {values}"


def _numbering(items: Sequence[NumberedItem]) -> Iterator[Failure]:
    first: dict[str, int] = {}
    for place, (line, item) in enumerate(items):
        if item["ind"] != place:
            yield Failure(line, f"ind is {item['ind']}, the item's place is {place}")
        if first.setdefault(item["ctx"], line) != line:
            yield Failure(line, f"the same question as on line {first[item['ctx']]}")


def asked_of(items: Sequence[NumberedItem], questions: Sequence[NumberedItem]) -> Iterator[Failure]:
    """Items that ask another question than the one of the bench whose id they carry."""
    known = {question.get("id"): question for _, question in questions}
    for line, item in items:
        source = known.get(str(item.get("source_id")).removeprefix(f"zenyx_mc_v{_VERSION}_"))
        match = _PROMPT.fullmatch(str(item.get("ctx")))
        if source is None or match is None or source.get("question") != match[1]:
            yield Failure(line, f"{item.get('source_id')} does not ask {item.get('ctx')!r}")
        elif source.get("type") != item["metadata"]["template"]:
            yield Failure(line, f"template {item['metadata']['template']} of a question of type {source.get('type')}")


def _balance(items: Sequence[NumberedItem]) -> Iterator[Failure]:
    cells = Counter((item["metadata"]["template"], item["label"], item["metadata"]["answer_rank"]) for _, item in items)
    for code in DEFAULT_TYPES:
        sizes = [cells[code, slot, rank] for slot in ("0", "1", "2", "3") for rank in range(4)]
        if len(set(sizes)) > 1 or not sizes[0]:
            yield Failure(None, f"slot x rank cells of {code} hold from {min(sizes)} to {max(sizes)} items")
    if len({cells[code, "0", 0] for code in DEFAULT_TYPES}) > 1:
        yield Failure(None, "not as many items of each type")
