"""Two dependent steps: a discount and a charge; a clock time and two stretches of minutes."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..streams import Stream
from .clock import HALF_DAY, clock_text
from .clock_end import CARRY_SLIPS, HALF_SLIPS, carried_at_100
from .problem import Changes, Problem, Trace
from .schema import CLOCK_UNIT
from .words import Wordings, fill, multiple, whole_for

Good = tuple[str, int, int, int]
Offs = tuple[Sequence[int], Sequence[int]]
# (what, cheapest, dearest, dearest delivery) in dollars.
_GOODS = (
    ("a winter coat", 80, 260, 18),
    ("a mountain bike", 260, 900, 75),
    ("a desk lamp", 40, 140, 15),
    ("a bookcase", 100, 420, 68),
    ("a microwave", 80, 300, 35),
    ("a family tent", 120, 600, 45),
    ("a guitar", 160, 900, 48),
    ("a camera", 240, 1200, 32),
    ("a suitcase", 60, 320, 28),
    ("an office chair", 80, 480, 62),
    ("a coffee machine", 100, 700, 38),
    ("a wool rug", 80, 640, 55),
    ("a keyboard", 40, 220, 14),
    ("a folding table", 60, 260, 52),
    ("a washing machine", 320, 980, 95),
    ("a wall mirror", 50, 280, 46),
    ("a sewing machine", 120, 560, 36),
    ("a garden bench", 90, 400, 85),
    ("a backpack", 40, 180, 16),
    ("a telescope", 140, 800, 42),
    ("a toaster", 30, 95, 12),
    ("a raincoat", 40, 98, 14),
    ("a chess set", 30, 96, 13),
    ("a bedside table", 45, 98, 32),
    ("a floor lamp", 40, 98, 28),
    ("a wooden stool", 40, 95, 24),
    ("a plant stand", 30, 90, 22),
)

_DISCOUNT_WORDINGS = (
    (
        "dollars",
        "{name} bought {good} listed at {price} dollars. The shop took {off}% off the price and added {fee} dollars "
        "for delivery. In total, {name} paid",
    ),
    (
        "dollars",
        "The price of {good} was {price} dollars before a discount of {off}%. {name} bought it at the lower price "
        "and paid {fee} dollars for delivery. The total cost was",
    ),
    (
        "dollars",
        "In a sale, {good} marked at {price} dollars was reduced by {off}%. {name} bought it and also paid a "
        "delivery charge of {fee} dollars. Altogether {name} spent",
    ),
    (
        "dollars",
        "{name} ordered {good} online for {price} dollars. A voucher cut that price by {off}%, and shipping added "
        "{fee} dollars on top. The amount charged was",
    ),
    (
        "dollars",
        "A store in {place} sells {good} for {price} dollars, but members get {off}% off. {name}, a member, paid "
        "{fee} dollars extra for shipping. The bill was",
    ),
)


# Small and large percentages, equally often.
_OFFS = ((4, 5, 6, 8, 10), (12, 15, 16, 20, 24, 25, 28, 30, 32, 35, 36, 40, 45))


def _discount_then_fee(trace: Trace, price: int, off: int, fee: int, kept: int, cut: int = 0) -> int:
    if cut:
        reduced = trace.subtract("after the discount", price, cut)
    else:
        reduced = trace.percent(f"price less {off}%", price, kept)
    return trace.add("with delivery", reduced, fee)


def money_discount_fee(
    draw: Stream, wordings: Wordings = _DISCOUNT_WORDINGS, goods: Sequence[Good] = _GOODS, offs: Offs = _OFFS
) -> Problem:
    """A percentage off a price, then a delivery charge that the discount does not touch."""
    good, low, high, dearest_fee = draw.choice(goods)
    off = draw.choice(offs[0] if draw.below(2) else offs[1])
    price = multiple(draw, whole_for(off), low, high)
    fee = draw.integer(4, min(dearest_fee, price // 3))
    unit, prompt = fill(draw, wordings, good=good, price=price, off=off, fee=fee)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"price": price, "off": off, "fee": fee, "kept": 100 - off},
        solve=_discount_then_fee,
        bounds=(fee, price + fee),
        mistakes={
            "discount": {
                "forgot the discount": {"kept": 100},
                "took the discount off twice": {"kept": 100 - 2 * off},
                "added the discount": {"kept": 100 + off},
                "took the percentage as dollars": {"cut": off},
                "charged only the discount": {"kept": off},
            },
            "fee": {
                "forgot the delivery charge": {"fee": 0},
                "charged for delivery twice": {"fee": 2 * fee},
                "subtracted the delivery charge": {"fee": -fee},
            },
        },
    )


@dataclass(frozen=True, slots=True)
class ClockStory:
    """A wording with the ranges of its numbers, in minutes; a sign tells if a stretch moves the clock back."""

    starts: tuple[int, int]
    first: tuple[int, int]
    second: tuple[int, int]
    wording: str
    first_sign: int = 1
    second_sign: int = 1


# Nothing told here takes longer, in minutes.
_LONGEST = 480
_CLOCK_STORIES = (
    ClockStory(
        (630, 1370),
        (8, 45),
        (84, 165),
        "A film in {place} was due to start at {start} but began {first} minutes late. It ran for {second} minutes "
        "without a break. The film ended at",
    ),
    ClockStory(
        (330, 1400),
        (35, 190),
        (6, 28),
        "At {start}, {name} boarded a train. The ride to {place} took {first} minutes, and the walk to the hotel "
        "another {second} minutes. {name} reached the hotel at",
    ),
    ClockStory(
        (1140, 1430),
        (95, 200),
        (15, 50),
        "At {start}, {name} began a night shift. After {first} minutes of work came a break of {second} minutes. The "
        "break was over at",
    ),
    ClockStory(
        (510, 840),
        (45, 110),
        (35, 95),
        "A mock exam in {place} began at {start} with part one, which lasted {first} minutes. Part two followed at "
        "once and took {second} minutes. The exam finished at",
    ),
    ClockStory(
        (600, 1390),
        (5, 20),
        (50, 160),
        "A concert in {place} was planned for {start} but began {first} minutes early. It lasted {second} minutes. "
        "The concert ended at",
        first_sign=-1,
    ),
    ClockStory(
        (420, 1290),
        (3, 28),
        (45, 150),
        "{name}'s watch showed {start}, but it runs {first} minutes fast. At that moment a play began, and it lasted "
        "{second} minutes. By the correct time, the play ended at",
        first_sign=-1,
    ),
    ClockStory(
        (345, 1410),
        (80, 210),
        (5, 28),
        "{name} set off from {place} at {start} on a ride that should take {first} minutes, but arrived {second} "
        "minutes early. {name} arrived at",
        second_sign=-1,
    ),
    ClockStory(
        (1080, 1425),
        (95, 230),
        (6, 24),
        "An evening flight took off at {start} with {first} minutes of flying planned. A tailwind saved {second} "
        "minutes. By the clock at the departure airport, it landed at",
        second_sign=-1,
    ),
    ClockStory(
        (400, 1180),
        (50, 120),
        (4, 25),
        "At {start}, {name} put a roast in the oven for {first} minutes but took it out {second} minutes before the "
        "time was up. The roast came out at",
        second_sign=-1,
    ),
)


def _two_stretches(
    trace: Trace, start: int, first: int, second: int, carry: int = 0, hundred: int = 0, same_half: int = 0
) -> int:
    middle = trace.shift("after the first stretch", start, first)
    end = trace.shift("after the second stretch", middle, second + carry)
    if hundred:
        end = carried_at_100(start, first + second)
    return end % HALF_DAY + start // HALF_DAY * HALF_DAY if same_half else end


def _stretch_slips(name: str, minutes: int) -> dict[str, Changes]:
    wrong_way = "subtracted" if minutes > 0 else "added"
    return {
        f"left out the {name} stretch": {name: 0},
        f"counted the {name} stretch twice": {name: 2 * minutes},
        f"{wrong_way} the {name} stretch": {name: -minutes},
    }


def time_clock_end(draw: Stream, stories: Sequence[ClockStory] = _CLOCK_STORIES) -> Problem:
    """Two stretches of minutes from a clock time, across noon and midnight where the story allows."""
    story = draw.choice(stories)
    start, first, second = draw.integer(*story.starts), draw.integer(*story.first), draw.integer(*story.second)
    unit, prompt = fill(draw, ((CLOCK_UNIT, story.wording),), start=clock_text(start), first=first, second=second)
    first, second = first * story.first_sign, second * story.second_sign
    mistakes: dict[str, dict[str, Changes]] = {
        "first stretch": _stretch_slips("first", first),
        "second stretch": _stretch_slips("second", second),
        "carry": CARRY_SLIPS,
        "half of the day": HALF_SLIPS,
    }
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"start": start, "first": first, "second": second},
        solve=_two_stretches,
        bounds=(start, start + _LONGEST),
        mistakes=mistakes,
    )
