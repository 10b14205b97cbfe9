"""What a closed form is: stages with the named mistakes at each, and how they combine.

A stage maps the name of a mistake to what the quantity becomes, the empty name to the right quantity. Numbers are exact
fractions; only stories of full boxes round, and they say so.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

JOIN = "; "
Stage = Mapping[str, Any]
Recipe = tuple[tuple[Stage, ...], Callable[..., Fraction | int]]


def counted(value: Fraction, what: str) -> Stage:
    """A count that may be off by one."""
    return {"": value, f"{what} too few": value - 1, f"{what} too many": value + 1}
