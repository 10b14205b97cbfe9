"""Six dependent steps: the profit on a batch of goods, the takings of a hall; ``deep_clock.py`` has a third story."""

from math import gcd

from ..streams import Stream
from .problem import Problem, Trace, UnusableError
from .slips import miscounted, misused
from .words import fill, multiple, whole_for

_BATCH_WORDINGS = (
    (
        "dollars",
        "A bakery made {batches} trays of {size} rolls. {name} threw out {lost} burnt ones and put the rest in bags "
        "of {pack}. From the full bags, {given} went to a school, and the others sold for {price} dollars each. "
        "After paying {cost} dollars for flour, the bakery had a profit of",
    ),
    (
        "dollars",
        "{name} poured {batches} batches of {size} candles, of which {lost} cracked. The sound ones were boxed in "
        "sets of {pack}. {name} gave away {given} full boxes, sold the remaining full ones at {price} dollars "
        "each, and paid {cost} dollars for wax. The profit was",
    ),
    (
        "dollars",
        "A nursery in {place} raised {batches} beds of {size} pansies, but frost killed {lost}. The living ones were "
        "set {pack} to a tray. Of the full trays, {given} were donated and the rest sold at {price} dollars each. "
        "Soil had cost {cost} dollars, leaving a profit of",
    ),
    (
        "dollars",
        "A club printed {batches} sheets of {size} stickers, discarded {lost} faulty ones, and packed the good ones "
        "{pack} to a bag. Sponsors received {given} of the full bags, and the others sold for {price} dollars each. "
        "Less {cost} dollars for printing, the club earned",
    ),
    (
        "dollars",
        "{name}'s farm filled {batches} baskets with {size} eggs each. Of these, {lost} broke, and the rest went "
        "into cartons of {pack}. Neighbours got {given} full cartons for free, and the other full ones sold for "
        "{price} dollars each. After {cost} dollars for feed, the farm made",
    ),
)


def _batches_to_profit(
    trace: Trace, batches: int, size: int, lost: int, pack: int, given: int, price: int, cost: int, loose: int = 0
) -> int:
    made = trace.multiply("made", batches, size)
    good = trace.subtract("good ones", made, lost)
    packs = trace.divide_down("full packs", good, pack) + (1 if loose and good % pack else 0)
    sold = trace.subtract("packs sold", packs, given)
    takings = trace.multiply("takings", sold, price)
    return trace.subtract("profit", takings, cost)


def batch_profit(draw: Stream) -> Problem:
    """Batches of goods less the spoiled ones, packed, some packs given away, the rest sold, a cost paid."""
    batches, size = draw.integer(12, 36), draw.integer(14, 32)
    lost, pack = draw.integer(11, 64), draw.integer(5, 12)
    given, price = draw.integer(3, 18), draw.integer(2, 9)
    # Half of the costs are multiples of the price: else an option that is one would have left the cost out.
    cost = multiple(draw, draw.choice((1, price)), 31, 60 + batches * size * price // pack // 4)
    numbers = {"batches": batches, "size": size, "lost": lost, "pack": pack, "given": given}
    numbers |= {"price": price, "cost": cost}
    unit, prompt = fill(draw, _BATCH_WORDINGS, **numbers)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands=numbers,
        solve=_batches_to_profit,
        bounds=(2, batches * size // pack * price),
        mistakes={
            "batches": miscounted("batches", batches, "counted one batch"),
            "loss": misused(
                "lost", lost, "forgot the spoiled ones", "took off the spoiled ones twice", "added the spoiled ones"
            ),
            "packing": {
                "packed one fewer in each": {"pack": pack - 1},
                "packed one more in each": {"pack": pack + 1},
                "counted the loose ones as a full pack": {"loose": 1},
            },
            "gift": misused(
                "given",
                given,
                "forgot the packs given away",
                "took off the packs given away twice",
                "added the packs given away",
            ),
            "cost": misused("cost", cost, "forgot the cost", "took off the cost twice", "added the cost"),
        },
    )


_HALL_WORDINGS = (
    (
        "dollars",
        "A theatre has {rows} rows of {seats} seats. For one play, {share}% of the seats were sold, {cheap} of them "
        "to children at {low} dollars each and the others to adults at {high} dollars each. The takings were",
    ),
    (
        "dollars",
        "A stand at a stadium in {place} has {rows} rows of {seats} places. Tickets were sold for {share}% of the "
        "places, {cheap} of the tickets to students for {low} dollars each and the rest for {high} dollars each. "
        "Ticket sales brought in",
    ),
    (
        "dollars",
        "For a film in the park, {name} put out {rows} rows of {seats} chairs and rented out {share}% of them, {cheap} "
        "to club members at {low} dollars each and the others to visitors at {high} dollars each. The income was",
    ),
    (
        "dollars",
        "A circus tent holds {rows} rows of {seats} seats. One evening, {share}% of the seats were taken. Of the "
        "guests, {cheap} had paid {low} dollars each and all the others {high} dollars each. Together, the guests "
        "had paid",
    ),
    (
        "dollars",
        "A hall in {place} offers {rows} rows of {seats} seats. {name} sold {share}% of the seats for a concert, "
        "{cheap} of them in advance at {low} dollars each and the others at the door at {high} dollars each. The "
        "sales came to",
    ),
)


def _hall_takings(trace: Trace, rows: int, seats: int, share: int, off: int, paying: int, low: int, high: int) -> int:
    places = trace.multiply("seats", rows, seats)
    sold = trace.percent("sold", places, share)
    full_price = trace.subtract("at the high price", sold, off)
    high_sum = trace.multiply("high prices", full_price, high)
    low_sum = trace.multiply("low prices", paying, low)
    return trace.add("takings", high_sum, low_sum)


_SHARES_SOLD = (35, 36, 40, 44, 45, 48, 52, 54, 55, 56, 60, 62, 64, 65, 66, 68, 70, 72, 74, 75, 76, 78, 80, 82, 84, 85)


def hall_takings(draw: Stream) -> Problem:
    """Rows of seats, a percentage sold, some tickets at a low price and the others at a high one."""
    share, rows = draw.choice(_SHARES_SOLD), draw.integer(12, 30)
    step = whole_for(share) // gcd(whole_for(share), rows) * draw.choice((1, 1, gcd(whole_for(share), rows)))
    seats = multiple(draw, step, 14, 40)
    if seats > 50:
        raise UnusableError(f"no plausible row has a multiple of {step} seats")
    low = draw.integer(3, 12)
    high = low + draw.integer(2, 13)
    # Half of the low prices come to a multiple of the high one: else an option that is one would have left them out.
    cheap = multiple(draw, draw.choice((1, high // gcd(high, low))), 12, max(13, rows * seats * share // 160))
    numbers = {"rows": rows, "seats": seats, "share": share, "low": low, "high": high}
    unit, prompt = fill(draw, _HALL_WORDINGS, cheap=cheap, **numbers)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={**numbers, "off": cheap, "paying": cheap},
        solve=_hall_takings,
        bounds=(cheap * low, rows * seats * high),
        mistakes={
            "rows": miscounted("rows", rows, "counted one row"),
            "share": {
                "counted every seat as sold": {"share": 100},
                "took the percentage left over": {"share": 100 - share},
            },
            "high tickets": misused(
                "off", cheap, "charged the cheap tickets at the high price as well", "took off the cheap tickets twice"
            ),
            "low tickets": {
                **misused("paying", cheap, "left out the cheap tickets", "counted the cheap tickets twice"),
                "charged every ticket at the high price": {"low": high},
                "charged every ticket at the low price": {"high": low},
                "swapped the prices": {"low": high, "high": low},
            },
        },
    )
