"""Depth 8: makers at a rate for some hours, a percentage rejected, packs, packs sent off, stacks, earlier stacks."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, mistaken, misused, whole_for

_TELLINGS = tuple(
    Telling(unit, text)
    for unit, text in (
        (
            "pallets",
            "In a factory, {makers} machines each made {rate} bolts an hour for {hours} hours. Of all the bolts, "
            "{bad}% failed the test. The good ones filled boxes of {size}. Of the full boxes, {sent} were sent off "
            "and the others stacked {stack} to a pallet. With {held} full pallets from before, the number of full "
            "pallets was",
        ),
        (
            "cases",
            "{name} ran {makers} ovens, each baking {rate} biscuits an hour, for {hours} hours. Of all the biscuits, "
            "{bad}% broke. The whole ones filled tins of {size}. Shops took {sent} of the full tins, and the others "
            "went {stack} to a case. Including {held} full cases made earlier, the number of full cases was",
        ),
        (
            "crates",
            "On a farm near {place}, {makers} pickers gathered {rate} plums an hour each, for {hours} hours. Then "
            "{bad}% of the plums were thrown away. The good ones filled punnets of {size}. Of the full punnets, "
            "{sent} were sold and the others packed {stack} to a crate. Including {held} earlier full crates, the "
            "number of full crates was",
        ),
        (
            "cartons",
            "A mint in {place} ran {makers} presses, each striking {rate} coins an hour, for {hours} hours. It "
            "rejected {bad}% of the coins, and the accepted ones filled rolls of {size}. Of the full rolls, {sent} "
            "went to a bank and the others were packed {stack} to a carton. With {held} full cartons from earlier, "
            "the number of full cartons was",
        ),
        (
            "chests",
            "A tea garden had {makers} workers who each filled {rate} tea bags an hour for {hours} hours. Of the "
            "bags, {bad}% tore. The sound ones filled boxes of {size}. Guests bought {sent} of the full boxes, and "
            "the rest went {stack} to a chest. Counting {held} full chests from the day before, the number of full "
            "chests was",
        ),
        (
            "trolleys",
            "In a print shop, {makers} presses each printed {rate} cards an hour for {hours} hours. Of all the cards, "
            "{bad}% were smudged. The clean ones were cut into packs of {size}. Of the full packs, {sent} were posted "
            "and the others put {stack} to a trolley. With {held} full trolleys waiting, the number of full trolleys "
            "was",
        ),
        (
            "racks",
            "A dairy in {place} had {makers} lines, each filling {rate} cups an hour, for {hours} hours. It discarded "
            "{bad}% of the cups and put the others in trays of {size}. Of the full trays, {sent} were delivered and "
            "the rest pushed {stack} to a rack. Adding {held} full racks in the cold room, the number of full racks "
            "was",
        ),
        (
            "sacks",
            "At a toy works, {makers} robots each moulded {rate} blocks an hour for {hours} hours. Of the blocks, "
            "{bad}% were warped and thrown out. The straight ones were bagged {size} at a time. A shop got {sent} "
            "full bags, and {name} stuffed the others {stack} to a sack. With {held} full sacks before, the full "
            "sacks numbered",
        ),
    )
)


def _solve(
    trace: Trace, makers: int, rate: int, hours: int, bad: int, size: int, sent: int, stack: int, held: int,
    times: int = 1, up: int = 0, up_stack: int = 0,
) -> int:  # fmt: skip
    hourly = trace.multiply("in an hour", makers, rate)
    made = trace.multiply("made", hourly, hours)
    rejected = trace.percent("rejected", made, bad)
    good = trace.subtract("good ones", made, times * rejected)
    packs = trace.divide_up("full packs", good, size) if up else trace.divide_down("full packs", good, size)
    left = trace.subtract("packs left", packs, sent)
    full = (
        trace.divide_up("new full ones", left, stack) if up_stack else trace.divide_down("new full ones", left, stack)
    )
    return trace.add("full ones in all", full, held)


def _mistakes(makers: int, rate: int, hours: int, bad: int, size: int, sent: int, stack: int, held: int) -> Mistakes:
    return {
        "rejects": mistaken("forgot the rejects", "took off the rejects again", "added the rejects"),
        "packs": {"counted the loose ones as a full pack": {"up": 1}},
        "sent": {
            **misused(
                "sent", sent, "forgot the packs sent off", "took off the packs sent off again",
                "added the packs sent off",
            ),
        },
        "stacks": {"counted the loose packs as a full stack": {"up_stack": 1}},
        "earlier": misused(
            "held", held, "forgot the earlier ones", "counted the earlier ones again", "took off the earlier ones"
        ),
    }  # fmt: skip


FAMILY = Family(
    template="shift_pallets",
    topic="factory_shifts",
    depth=8,
    share=83,
    ranges={
        "makers": Range(range(3, 13), "a small works"),
        "rate": Range(range(36, 241), "pieces an hour"),
        "hours": Range(range(4, 11), "a shift"),
        "bad": Range((4, 5, 6, 8, 10, 12, 15, 20, 24, 25), "a part that fails"),
        "size": Range((6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 25, 30), "packs come in these sizes"),
        "sent": Range(range(8, 400), "a tenth to a third of the packs"),
        "stack": Range(range(4, 17), "packs in a stack"),
        "held": Range(range(3, 40), "a tenth to a half of the new ones"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda makers, rate, hours, bad, size, sent, stack, held: (
        held,
        makers * rate * hours // (size * stack) + held,
    ),
    contrived=frozenset(
        (
            "took off the rejects again",
            "took off the packs sent off again",
            "counted the earlier ones again",
        )
    ),
    fitted=lambda makers, rate, hours, bad, size, sent, stack, held: {"rate": _whole(makers, rate, hours, bad)},
    sensible=lambda makers, rate, hours, bad, size, sent, stack, held: (
        12 * stack * size <= makers * rate * hours * (100 - bad) // 100 <= 99 * stack * size
        and 12 * sent * size >= makers * rate * hours
        and 4 * sent * size <= makers * rate * hours
        and 10 * held * stack * size >= makers * rate * hours
        and 3 * held * stack * size <= makers * rate * hours
    ),
)


def _whole(makers: int, rate: int, hours: int, bad: int) -> int:
    """A rate from ``rate`` on at which the rejects are whole."""
    step = whole_for(bad)
    return next(number for number in range(rate, rate + step) if makers * number * hours % step == 0)
