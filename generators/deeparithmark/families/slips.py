"""The commonest slips, as changes of one operand."""

from ...choices.problem import Changes


def miscounted(key: str, value: int, what: str) -> dict[str, Changes]:
    """One too few and one too many of an operand.

    >>> miscounted("rows", 8, "counted one row")
    {'counted one row too few': {'rows': 7}, 'counted one row too many': {'rows': 9}}
    """
    return {f"{what} too few": {key: value - 1}, f"{what} too many": {key: value + 1}}


def misused(key: str, value: int, forgot: str, twice: str, turned: str = "") -> dict[str, Changes]:
    """An amount left out, used twice, and, where ``turned`` names it, used with the wrong sign.

    >>> misused("cost", 40, "forgot the cost", "took the cost off twice", "added the cost")
    {'forgot the cost': {'cost': 0}, 'took the cost off twice': {'cost': 80}, 'added the cost': {'cost': -40}}
    """
    slips: dict[str, Changes] = {forgot: {key: 0}, twice: {key: 2 * value}}
    return {**slips, turned: {key: -value}} if turned else slips
