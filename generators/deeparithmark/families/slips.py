"""The commonest mistakes, as changes of one operand, and what makes them contrived."""

from ...choices.problem import Changes


def off_by_one(key: str, value: int, what: str) -> dict[str, Changes]:
    """One too few and one too many of an operand.

    >>> off_by_one("rows", 8, "counted one row")
    {'counted one row too few': {'rows': 7}, 'counted one row too many': {'rows': 9}}
    """
    return {f"{what} too few": {key: value - 1}, f"{what} too many": {key: value + 1}}


def misused(key: str, value: int, forgot: str, again: str, turned: str = "") -> dict[str, Changes]:
    """An amount left out, used again, and, where ``turned`` names it, used the wrong way round.

    >>> misused("cost", 40, "forgot the cost", "paid the cost again", "added the cost")
    {'forgot the cost': {'cost': 0}, 'paid the cost again': {'cost': 80}, 'added the cost': {'cost': -40}}
    """
    slips: dict[str, Changes] = {forgot: {key: 0}, again: {key: 2 * value}}
    return {**slips, turned: {key: -value}} if turned else slips


def mistaken(forgot: str, again: str, turned: str = "", key: str = "times") -> dict[str, Changes]:
    """As ``misused`` for a step that is made ``key`` times: not at all, once more, the wrong way round.

    >>> mistaken("forgot the tax", "took the tax off again")
    {'forgot the tax': {'times': 0}, 'took the tax off again': {'times': 2}}
    """
    return misused(key, 1, forgot, again, turned)
