"""The value of a four-way option from the question's numbers and the names of its slips, in closed forms.

The generator works a question out column by column with the slips made; here each slip is what it adds to the right
result, or a change of digits. The two share the names of the places, and nothing else.
"""

import re
from collections.abc import Callable, Mapping, Sequence

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
