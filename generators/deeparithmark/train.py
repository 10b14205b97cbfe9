"""The families of the training tier: the shapes of the published ones, on numbers that no test tier may hold.

In each family one operand keeps to values that the family of the test tiers never draws, so that no seed of either can
give the other's numbers; ``verify/disjoint.py`` states those values again and checks them.
"""

from dataclasses import replace

from ..choices.problem import Problem
from ..streams import Stream
from . import train_labels as labels
from . import train_words as words
from .families.discount_tax_coupon_split import discount_tax_coupon_split as published_discount_tax_coupon_split
from .families.inventory_boxes import inventory_boxes as published_inventory_boxes
from .families.inventory_percent_chain import inventory_percent_chain as published_inventory_percent_chain
from .families.measure_cm_cut import measure_cm_cut as published_measure_cm_cut
from .families.mix_split import mix_split as published_mix_split
from .families.money_discount_fee import money_discount_fee as published_money_discount_fee
from .families.prize_ratio_charity import prize_ratio_charity as published_prize_ratio_charity
from .families.registry import FAMILIES
from .families.salary_overtime_tax import salary_overtime_tax as published_salary_overtime_tax
from .families.schedule_sessions import schedule_sessions as published_schedule_sessions
from .families.share_then_split import share_then_split as published_share_then_split
from .families.stock_percent_pack import stock_percent_pack as published_stock_percent_pack
from .families.tank_fill import tank_fill as published_tank_fill
from .families.time_clock_end import ClockStory
from .families.time_clock_end import time_clock_end as published_time_clock_end
from .families.trip_minutes import trip_minutes as published_trip_minutes
from .families.two_rate_pay import two_rate_pay as published_two_rate_pay
from .train_labels import renamed
from .train_words import cast, chosen

# (what, cheapest, dearest, dearest charge) in euros.
_GOODS = (
    ("a harpsichord", 900, 2600, 240),
    ("a globe", 100, 450, 60),
    ("a samovar", 120, 500, 70),
    ("a grandfather's sabre", 200, 900, 55),
    ("a microscope", 150, 950, 40),
    ("a tapestry", 300, 1500, 90),
    ("an accordion", 250, 1200, 80),
    ("a kaleidoscope", 50, 200, 20),
    ("a barometer", 100, 400, 35),
    ("a violin", 400, 2000, 60),
    ("an etching", 50, 600, 30),
    ("a chandelier", 200, 1400, 120),
    ("a compass", 50, 250, 16),
    ("a porcelain vase", 100, 700, 45),
    ("an encyclopedia", 150, 650, 50),
    ("a typewriter", 100, 500, 48),
)
_OFFS = (14, 18, 22, 26), (34, 38, 42, 44, 48, 50)
_STORIES = (
    ClockStory(
        (330, 1400),
        (231, 400),
        (5, 50),
        "At {start}, a <snowplough|caravan|tram> rolled out of <town>. It crept along for {first} minutes and was then "
        "stuck {second} minutes in mud. It got loose at",
    ),
    ClockStory(
        (420, 1380),
        (6, 40),
        (231, 380),
        "An operation in <town> was put down for {start} but was put off by {first} minutes. Then the surgeon "
        "operated for {second} minutes. The patient was wheeled away at",
    ),
    ClockStory(
        (300, 1400),
        (240, 410),
        (5, 40),
        "At {start}, a <submarine|diver> off <town> went down on a mission of {first} minutes, but surfaced {second} "
        "minutes early. Surfacing took place at",
        second_sign=-1,
    ),
    ClockStory(
        (400, 1380),
        (4, 25),
        (231, 390),
        "A <marathon|regatta> in <town>, meant for {start}, kicked off {first} minutes early. Slowest was "
        "<person>, who needed {second} minutes and came in at",
        first_sign=-1,
    ),
)
_SOLD = (8, 18, 22, 26, 34, 38, 42, 50, 52, 54, 56, 58, 62, 66, 68, 72)
_FIRST_SHARES = (5, 12, 16, 52, 56, 68, 70, 72, 75, 80)
_GIFTS = (4, 6, 14, 18, 22, 26, 34, 38, 42, 44, 50, 52, 64, 65, 70, 75)


def money_discount_fee(draw: Stream) -> Problem:
    """Percentages that the test tiers do not take off."""
    return renamed(published_money_discount_fee(draw, cast(draw, words.DISCOUNT), _GOODS, _OFFS), labels.DISCOUNT)


def time_clock_end(draw: Stream) -> Problem:
    """One stretch longer than any of the test tiers."""
    story = draw.choice(_STORIES)
    told = ClockStory(
        story.starts, story.first, story.second, chosen(draw, story.wording), story.first_sign, story.second_sign
    )
    return published_time_clock_end(draw, (told,))


def measure_cm_cut(draw: Stream) -> Problem:
    """Ten metres or more."""
    return renamed(published_measure_cm_cut(draw, cast(draw, words.MEASURE), lengths=(10, 28)), labels.MEASURE)


def share_then_split(draw: Stream) -> Problem:
    """More than eight people."""
    return published_share_then_split(draw, cast(draw, words.SHARE), groups=(9, 14), scale=5)


def two_rate_pay(draw: Stream) -> Problem:
    """More than eighteen at the first rate."""
    return published_two_rate_pay(draw, cast(draw, words.TWO_RATES), firsts=(19, 38))


def stock_percent_pack(draw: Stream) -> Problem:
    """Percentages that the test tiers do not sell."""
    return renamed(published_stock_percent_pack(draw, cast(draw, words.PACK), _SOLD, most=18_000), labels.PACK)


def trip_minutes(draw: Stream) -> Problem:
    """Seven hours or more on the move."""
    speeds, stops, wording = draw.choice(words.TRIP)
    return renamed(published_trip_minutes(draw, ((speeds, stops, chosen(draw, wording)),), hours=(7, 11)), labels.TRIP)


def schedule_sessions(draw: Stream) -> Problem:
    """Six a week or more."""
    return renamed(published_schedule_sessions(draw, cast(draw, words.SESSIONS), times=(6, 12)), labels.SESSIONS)


def inventory_boxes(draw: Stream) -> Problem:
    """Larger stocks and larger packages."""
    return renamed(
        published_inventory_boxes(draw, cast(draw, words.INVENTORY), sizes=(25, 40), stocks=(640, 1400)),
        labels.INVENTORY,
    )


def mix_split(draw: Stream) -> Problem:
    """More than eight parts."""
    return renamed(published_mix_split(draw, cast(draw, words.MIX), shares=(9, 14), scale=5), labels.MIX)


def tank_fill(draw: Stream) -> Problem:
    """Longer than twenty-eight minutes."""
    return published_tank_fill(draw, cast(draw, words.TANK), spans=(29, 56))


def discount_tax_coupon_split(draw: Stream) -> Problem:
    """More than six people."""
    return renamed(
        published_discount_tax_coupon_split(draw, cast(draw, words.BILL), groups=(7, 12), most=9000),
        labels.BILL,
    )


def salary_overtime_tax(draw: Stream) -> Problem:
    """The hours of a fortnight."""
    return renamed(published_salary_overtime_tax(draw, cast(draw, words.SALARY), normal=(60, 84)), labels.SALARY)


def inventory_percent_chain(draw: Stream) -> Problem:
    """First percentages that the test tiers do not sell."""
    return renamed(
        published_inventory_percent_chain(draw, cast(draw, words.CHAIN), _FIRST_SHARES, most=60_000),
        labels.CHAIN,
    )


def prize_ratio_charity(draw: Stream) -> Problem:
    """Percentages that the test tiers do not give away."""
    return renamed(published_prize_ratio_charity(draw, cast(draw, words.PRIZE), _GIFTS), labels.PRIZE)


_DRAWS = {
    draw.__name__: draw
    for draw in (
        money_discount_fee,
        time_clock_end,
        measure_cm_cut,
        share_then_split,
        two_rate_pay,
        stock_percent_pack,
        trip_minutes,
        schedule_sessions,
        inventory_boxes,
        mix_split,
        tank_fill,
        discount_tax_coupon_split,
        salary_overtime_tax,
        inventory_percent_chain,
        prize_ratio_charity,
    )
}
# Topics, depths and shares are those of the published families.
TRAIN_FAMILIES = tuple(replace(family, draw=_DRAWS[family.template]) for family in FAMILIES)
