"""The names of the training tier's mistakes and steps, stated apart from the families.

The closed forms know each mistake by its published name; a training item may use only the name given here.
"""

import re
from collections.abc import Iterator, Mapping

from ...choices.reread import RecomputeError
from ...claims import Item
from .closed_forms.recipe import JOIN

# Per template: the published name of a mistake and what the training tier calls it; others are called the same.
_MISTAKES: Mapping[str, Mapping[str, str]] = {
    "money_discount_fee": {
        "forgot the discount": "forgot the reduction",
        "took the discount off twice": "took the reduction off twice",
        "added the discount": "added the reduction",
        "took the percentage as dollars": "took the percentage as euros",
        "charged only the discount": "charged only the reduction",
        "forgot the delivery charge": "forgot the fee",
        "charged for delivery twice": "charged the fee twice",
        "subtracted the delivery charge": "subtracted the fee",
    },
    "measure_cm_cut": {
        "left out the joined piece": "left out the added length",
        "joined the piece twice": "added the length twice",
        "subtracted the joined piece": "subtracted the added length",
    },
    "stock_percent_pack": {
        "forgot the sale": "forgot those gone",
        "took the sale off twice": "took those gone off twice",
        "packed what was sold": "divided those gone instead",
        "packed one fewer in each": "put one fewer in each",
        "packed one more in each": "put one more in each",
    },
    "trip_minutes": {
        "forgot the stop": "forgot the delay",
        "counted the stop twice": "counted the delay twice",
        "subtracted the stop": "subtracted the delay",
    },
    "schedule_sessions": {
        "counted one session a week too few": "counted one a week too few",
        "counted one session a week too many": "counted one a week too many",
        "forgot the cancelled sessions": "forgot the lost ones",
        "added the cancelled sessions": "added the lost ones",
        "took off the cancelled sessions twice": "took off the lost ones twice",
        "took a session as a full hour": "took each one as a full hour",
    },
    "inventory_boxes": {
        "forgot the delivery": "forgot those added",
        "counted the delivery twice": "counted those added twice",
        "forgot what was sent out": "forgot those taken",
        "took off what was sent out twice": "took off those taken twice",
        "forgot the damaged ones": "forgot the bad ones",
        "added the damaged ones": "added the bad ones",
        "took off the damaged ones twice": "took off the bad ones twice",
    },
    "mix_split": {
        "forgot the amount taken away": "forgot the amount lost",
        "added the amount taken away": "added the amount lost",
        "took the amount away twice": "took the amount lost off twice",
    },
    "discount_tax_coupon_split": {
        "forgot the discount": "forgot the reduction",
        "took the discount off twice": "took the reduction off twice",
        "added the discount": "added the reduction",
        "forgot the tax": "forgot the duty",
        "subtracted the tax": "subtracted the duty",
        "added the tax twice": "added the duty twice",
        "forgot the coupon": "forgot the credit",
        "added the coupon": "added the credit",
        "used the coupon twice": "used the credit twice",
    },
    "salary_overtime_tax": {
        "paid every hour at the overtime rate": "paid every hour at the nighttime rate",
        "paid the overtime at the normal rate": "paid the nighttime hours at the daytime rate",
        "counted one normal hour too few": "counted one daytime hour too few",
        "counted one normal hour too many": "counted one daytime hour too many",
        "left out the overtime": "left out the nighttime hours",
        "counted the overtime twice": "counted the nighttime hours twice",
        "counted one overtime hour too few": "counted one nighttime hour too few",
        "counted one overtime hour too many": "counted one nighttime hour too many",
        "forgot the tax": "forgot the levy",
        "took the tax off twice": "took the levy off twice",
        "taxed only the normal pay": "took the levy off the daytime pay only",
    },
    "inventory_percent_chain": {
        "forgot the first sale": "forgot the first loss",
        "took the first sale off twice": "took the first loss off twice",
        "forgot the second sale": "forgot the second loss",
        "took the second sale off twice": "took the second loss off twice",
        "took the second percentage of the whole stock": "took the second percentage of them all",
        "packed one fewer in each": "put one fewer in each",
        "packed one more in each": "put one more in each",
    },
    "prize_ratio_charity": {
        "forgot the donation": "forgot the outlay",
        "made the donation twice": "made the outlay twice",
    },
}
# Per template: what its steps are called, with any number as "#".
_STEPS: Mapping[str, tuple[str, ...]] = {
    "money_discount_fee": ("price less #%", "with the fee"),
    "time_clock_end": ("after the first stretch", "after the second stretch"),
    "measure_cm_cut": ("in centimetres", "after lengthening", "after cutting"),
    "share_then_split": ("altogether", "to share", "each share"),
    "two_rate_pay": ("first part", "second part", "in total"),
    "stock_percent_pack": ("gone", "left", "portions"),
    "trip_minutes": ("hours on the move", "in minutes", "with the delay"),
    "schedule_sessions": ("planned", "left", "total minutes"),
    "inventory_boxes": ("with those added", "without those taken", "good ones", "full ones"),
    "mix_split": ("mixed", "left", "each part", "with the extra"),
    "tank_fill": ("net gain a minute", "gained", "before drawing off", "after drawing off"),
    "discount_tax_coupon_split": ("after the reduction", "with duty", "after the credit", "each pays"),
    "salary_overtime_tax": ("daytime pay", "nighttime pay", "total pay", "levy", "after the levy"),
    "inventory_percent_chain": ("first loss", "left after it", "second loss", "left after both", "groups"),
    "prize_ratio_charity": ("parts", "one part", "share", "outlay", "kept"),
}


def published_source(template: str, source: str) -> str:
    """A source of a training item by the names that the closed forms know; ``RecomputeError`` for a name not its own.

    >>> published_source("trip_minutes", "forgot the delay; counted one hour too few")
    'forgot the stop; counted one hour too few'
    """
    called = _MISTAKES.get(template, {})
    names = {own: published for published, own in called.items()}
    foreign = [name for name in source.split(JOIN) if name in called]
    if foreign:
        raise RecomputeError(f"{foreign[0]!r} is no mistake of the training tier")
    return JOIN.join(names.get(name, name) for name in source.split(JOIN))


def step_names(item: Item) -> Iterator[str]:
    """The steps of a training item are called what its template calls them."""
    template = item["metadata"]["template"]
    found = tuple(re.sub(r"\d+", "#", text.partition(": ")[0]) for text in item["metadata"]["solution_steps"])
    if found != _STEPS.get(template):
        yield f"{template} does not call its steps {', '.join(found)}"
