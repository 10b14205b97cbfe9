"""Depth 8, the pallets that a factory shift fills."""

from math import gcd

from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .slips import miscounted, misused
from .words import fill, multiple, whole_for

_SHIFT_WORDINGS = (
    (
        "pallets",
        "In a factory, {makers} machines each made {rate} bolts an hour for {hours} hours. Of all the bolts, {bad}% "
        "failed the test. The good ones filled boxes of {size}. Of the full boxes, {sent} were sent off and the "
        "others stacked {stack} to a pallet. With {held} full pallets from before, the number of full pallets was",
    ),
    (
        "cases",
        "{name} ran {makers} ovens, each baking {rate} biscuits an hour, for {hours} hours. Of all the biscuits, "
        "{bad}% broke. The whole ones filled tins of {size}. Shops took {sent} of the full tins, and the others went "
        "{stack} to a case. Including {held} full cases made earlier, the number of full cases was",
    ),
    (
        "crates",
        "On a farm near {place}, {makers} pickers gathered {rate} plums an hour each, for {hours} hours. Then {bad}% "
        "of the plums were thrown away. The good ones filled punnets of {size}. Of the full punnets, {sent} were "
        "sold and the others packed {stack} to a crate. Including {held} earlier full crates, the number of full "
        "crates was",
    ),
    (
        "cartons",
        "A mint in {place} ran {makers} presses, each striking {rate} coins an hour, for {hours} hours. It rejected "
        "{bad}% of the coins, and the accepted ones filled rolls of {size}. Of the full rolls, {sent} went to a bank "
        "and the others were packed {stack} to a carton. With {held} full cartons from earlier, the number of full "
        "cartons was",
    ),
)


def _shift_to_pallets(
    trace: Trace, makers: int, rate: int, hours: int, bad: int, size: int, sent: int, stack: int, held: int,
    times: int = 1, loose: int = 0, loose_packs: int = 0,
) -> int:  # fmt: skip
    hourly = trace.multiply("in an hour", makers, rate)
    made = trace.multiply("made", hourly, hours)
    rejected = trace.percent("rejected", made, bad)
    good = trace.subtract("good ones", made, times * rejected)
    packs = trace.divide_down("full packs", good, size) + (1 if loose and good % size else 0)
    left = trace.subtract("packs left", packs, sent)
    full = trace.divide_down("new full ones", left, stack) + (1 if loose_packs and left % stack else 0)
    return trace.add("full ones in all", full, held)


def shift_pallets(draw: Stream) -> Problem:
    """Makers at a rate for some hours, a percentage rejected, packs, packs sent off, stacks, and earlier stacks."""
    bad, makers, hours = draw.choice((2, 4, 5, 6, 8, 10, 12, 15, 20)), draw.integer(3, 12), draw.integer(4, 11)
    step = whole_for(bad)
    rate = multiple(draw, step // gcd(step, makers * hours) * draw.choice((1, 1, gcd(step, makers))), 36, 260)
    size, stack = draw.integer(8, 30), draw.integer(4, 16)
    packs = makers * rate * hours * (100 - bad) // (100 * size)
    if packs < 12 * stack or packs > 120 * stack:
        raise UnusableError(f"{packs} packs, {stack} to a stack")
    sent = draw.integer(2 * stack, packs // 2)
    held = draw.integer(3, 4 + packs // stack // 2)
    operands = {"makers": makers, "rate": rate, "hours": hours, "bad": bad, "size": size, "sent": sent}
    operands |= {"stack": stack, "held": held}
    unit, prompt = fill(draw, _SHIFT_WORDINGS, **operands)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands=operands,
        solve=_shift_to_pallets,
        bounds=(held, makers * rate * hours // (size * stack) + held),
        mistakes={
            "makers": miscounted("makers", makers, "counted one maker"),
            "hours": miscounted("hours", hours, "counted one hour"),
            "rejects": {
                "forgot the rejects": {"times": 0},
                "took off the rejects twice": {"times": 2},
                "added the rejects": {"times": -1},
            },
            "packs": {
                "packed one fewer in each": {"size": size - 1},
                "packed one more in each": {"size": size + 1},
                "counted the loose ones as a full pack": {"loose": 1},
            },
            "sent": misused(
                "sent",
                sent,
                "forgot the packs sent off",
                "took off the packs sent off twice",
                "added the packs sent off",
            ),
            "stacks": {
                "stacked one fewer in each": {"stack": stack - 1},
                "stacked one more in each": {"stack": stack + 1},
                "counted the loose packs as a full stack": {"loose_packs": 1},
            },
            "earlier": misused(
                "held", held, "forgot the earlier ones", "counted the earlier ones twice", "subtracted the earlier ones"
            ),
        },
    )
