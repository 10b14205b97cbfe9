"""The four operations as written on paper, with named slips: column by column, row by row, digit by digit.

``slips`` maps a place (``carry 2``, ``row 0``) to what goes wrong there; ``UnusableError`` where there is nothing to go
wrong, so that no slip vanishes silently.
"""

from collections.abc import Mapping

from ..choices.problem import UnusableError

PLACES = (
    "units",
    "tens",
    "hundreds",
    "thousands",
    "ten thousands",
    "hundred thousands",
    "millions",
    "ten millions",
    "hundred millions",
    "billions",
)
# What can happen to a carry or borrow, to a partial product, and to a digit of the quotient.
LOST, NEEDLESS, FAR, TURNED = 1, 2, 3, 4
LEFT_OUT, TWICE, TOO_LEFT, TOO_RIGHT = 1, 2, 3, 4
DROPPED, ZEROED, TOO_LOW, TOO_HIGH = 1, 2, 3, 4


def swapped(number: int, place: int) -> int:
    """``number`` with the digit at ``place`` (0 for units) and the one to its left exchanged.

    >>> swapped(1234, 1)
    1324
    """
    upper, lower = number // 10 ** (place + 1) % 10, number // 10**place % 10
    if upper == lower or number < 10 ** (place + 1) or (lower == 0 and number < 10 ** (place + 2)):
        raise UnusableError(f"swapping digits of {number} at place {place} gives no other number of its length")
    return number + 9 * (lower - upper) * 10**place


def added(left: int, right: int, slips: Mapping[str, int]) -> int:
    """``left + right``; ``carry N`` is the carry into column N.

    >>> added(58, 67, {"carry 1": LOST})
    115
    """
    total, carry, later = 0, 0, 0
    for place in range(len(str(max(left, right))) + 2):
        slip = slips.get(f"carry {place}", 0)
        _require((carry > 0) == (slip != NEEDLESS) if slip else True, "carry", place)
        kept = carry if slip in (0, NEEDLESS) else 0
        column = left // 10**place % 10 + right // 10**place % 10 + kept + (slip == NEEDLESS) + later
        later = slip == FAR
        carry, digit = divmod(column, 10)
        total += digit * 10**place
    return total


def subtracted(left: int, right: int, slips: Mapping[str, int]) -> int:
    """``left - right``; ``borrow N`` is what column N has to lend to the one before it.

    >>> subtracted(706, 434, {"borrow 2": LOST})
    372
    """
    total, borrow, later = 0, 0, 0
    for place in range(len(str(left)) + 1):
        slip = slips.get(f"borrow {place}", 0)
        if slip in (LOST, FAR, NEEDLESS):
            _require((borrow > 0) == (slip != NEEDLESS), "borrow", place)
            borrow = int(slip == NEEDLESS)
        column = left // 10**place % 10 - right // 10**place % 10 - borrow - later
        later = slip == FAR
        if slip == TURNED:
            _require(-9 <= column < 0, "borrow", place)
            column = -column
        borrowed, digit = divmod(column, 10)
        borrow = -borrowed
        total += digit * 10**place
    if borrow:
        raise UnusableError(f"{left} - {right} falls below zero")
    return total


def multiplied(left: int, right: int, slips: Mapping[str, int]) -> int:
    """``left * right``; ``row N`` is a partial product, ``carry N`` the place of a carry in it (negative: twice).

    >>> multiplied(12, 34, {"row 1": LEFT_OUT}), multiplied(12, 34, {"row 1": TOO_RIGHT})
    (48, 84)
    """
    total = 0
    for row in range(len(str(right))):
        digit = right // 10**row % 10
        product = left * digit - _carry_change(left, digit, slips.get(f"carry {row}", 0))
        slip = slips.get(f"row {row}", 0)
        _require(digit > 0 if slip else True, "partial product", row)
        factor = {LEFT_OUT: 0, TWICE: 2, TOO_LEFT: 10}.get(slip, 1)
        total += factor * product * 10**row // (10 if slip == TOO_RIGHT else 1)
    return total


def _carry_change(left: int, digit: int, place: int) -> int:
    """What a row loses when its carry into ``place`` is dropped; for ``-place``, that less than nothing."""
    if place == 0:
        return 0
    at = 10 ** abs(place)
    carry = left % at * digit // at
    _require(carry > 0, "carry", abs(place))
    return carry * at if place > 0 else -carry * at


def divided(left: int, right: int, slips: Mapping[str, int]) -> int:
    """``left / right``, rounded down; ``digit N`` is a digit of the quotient.

    >>> divided(5895, 15, {"digit 1": DROPPED}), divided(5895, 15, {"digit 1": ZEROED})
    (33, 303)
    """
    value = left // right  # a swapped dividend or divisor may leave a remainder, which is dropped
    for place in range(len(str(value)) - 1, -1, -1):
        slip, at = slips.get(f"digit {place}", 0), 10**place
        digit = value // at % 10
        if slip == DROPPED:
            value = value // (10 * at) * at + value % at
        elif slip == ZEROED:
            _require(digit > 0, "digit", place)
            value -= digit * at
        elif slip:
            change = 1 if slip == TOO_HIGH else -1
            _require(0 <= digit + change <= 9, "digit", place)
            value += change * at
    return value


def _require(holds: bool, what: str, place: int) -> None:
    if not holds:
        raise UnusableError(f"no {what} to go wrong at the {PLACES[place] if place < len(PLACES) else place}")
