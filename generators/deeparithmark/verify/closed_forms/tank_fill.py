"""``tank_fill`` in closed form."""

from fractions import Fraction as F

from .recipe import Recipe


def tank_fill(start: F, minutes: F, inflow: F, leak: F, drawn: F) -> Recipe:
    """A level after an inflow and a leak, less a draw."""
    loss = {"": leak, "ignored the loss": 0, "counted the loss twice": leak + leak, "added the loss": -leak}
    time = {"": minutes, "counted one minute too few": minutes - 1, "counted one minute too many": minutes + 1}
    before = {"": start, "forgot the starting amount": 0, "counted the starting amount twice": start + start}
    after = {
        "": drawn,
        "forgot the amount drawn off": 0,
        "drew the amount off twice": drawn + drawn,
        "added the amount drawn off": -drawn,
    }
    return (loss, time, before, after), lambda out, t, level, taken: level + t * inflow - t * out - taken
