"""Numbers that make the steps of a story come out whole."""

from math import gcd


def whole_for(percentage: int) -> int:
    """The smallest whole of which ``percentage`` per cent is an integer.

    >>> whole_for(15), whole_for(40)
    (20, 5)
    """
    return 100 // gcd(100, percentage)


def down_to(value: int, step: int) -> int:
    """The largest multiple of ``step`` up to ``value``, and ``step`` itself where there is none.

    >>> down_to(17, 5), down_to(3, 5)
    (15, 5)
    """
    return max(value // step, 1) * step
