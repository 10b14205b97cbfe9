"""``tank_fill`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe, used


def tank_fill(start: F, minutes: F, inflow: F, leak: F, drawn: F) -> Recipe:
    """A level after an inflow and a leak, less a draw."""
    loss = used(leak * minutes, "ignored the loss", "counted the loss again", "added the loss")
    loss["took the loss of a minute off once"] = leak
    before = used(start, "forgot the starting amount", "counted the starting amount again")
    after = used(drawn, "forgot the amount drawn off", "took the amount drawn off again", "added the amount drawn off")
    return Recipe((loss, before, after), (1, 3, 4), lambda out, level, taken: level + minutes * inflow - out - taken)
