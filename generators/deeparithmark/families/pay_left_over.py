"""Depth 7: weeks of hours, some of them missed, a rate, a bonus, the tax on it all, and an expense."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, down_to, misused, whole_for

_TELLINGS = tuple(
    Telling("dollars", text)
    for text in (
        "{name} planned {weeks} weeks of {hours} hours each but missed {missed} hours through illness. The pay was "
        "{rate} dollars an hour, with a bonus of {bonus} dollars on top. Tax took {tax}% of it all. Out of the rest, "
        "{name} paid {spent} dollars in rent and then had",
        "A cook signed up for {weeks} weeks of {hours} hours and took {missed} hours off in all. Each hour worked "
        "paid {rate} dollars, and tips added {bonus} dollars. The restaurant in {place} held back {tax}% of "
        "everything as tax and {spent} dollars for board. The cook received",
        "{name} was hired to paint for {weeks} weeks, {hours} hours a week, but rain cost {missed} hours. At {rate} "
        "dollars an hour, plus {bonus} dollars for ladders brought along, {tax}% of the total went in tax. After "
        "spending {spent} dollars on tools, {name} kept",
        "A nurse had {weeks} weeks of {hours} hours on the roster and gave {missed} hours away. The hours worked "
        "paid {rate} dollars each, and night shifts added {bonus} dollars in all. Tax was {tax}% of the whole pay. "
        "The nurse then sent {spent} dollars home, which left",
        "For {weeks} weeks, {name} was to guide tours {hours} hours a week, but {missed} hours were called off. The "
        "hours held paid {rate} dollars each, and guests gave {bonus} dollars more. With {tax}% of everything taxed "
        "and {spent} dollars spent on trains, {name} still had",
        "{name} agreed to {weeks} weeks of {hours} hours in a shop in {place} and stayed away for {missed} hours. An "
        "hour brought {rate} dollars, and a sales prize {bonus} dollars on top. Of all that, {tax}% was tax. A new "
        "phone cost {spent} dollars, and what was left was",
        "A trainee was down for {weeks} weeks of {hours} hours, {missed} hours of them unpaid lessons. The paid "
        "hours brought {rate} dollars each, and a fare refund added {bonus} dollars. After {tax}% tax on the sum and "
        "{spent} dollars for a room, the trainee had",
        "Over {weeks} weeks, a lifeguard in {place} was due for {hours} hours a week, and storms closed the beach for "
        "{missed} hours. Wages were {rate} dollars an hour, and swimming lessons earned {bonus} dollars besides. Tax "
        "of {tax}% was due on the total. The lifeguard spent {spent} dollars on meals and saved",
    )
)


def _solve(
    trace: Trace, weeks: int, hours: int, missed: int, rate: int, bonus: int, tax: int, spent: int,
    times: int = 1, untaxed_bonus: int = 0, expense_first: int = 0,
) -> int:  # fmt: skip
    planned = trace.multiply("hours planned", weeks, hours)
    worked = trace.subtract("hours worked", planned, missed)
    wages = trace.multiply("wages", worked, rate)
    gross = trace.add("total pay", wages, bonus)
    if expense_first:
        gross = trace.subtract("without the expense", gross, spent)
    held_back = trace.percent("tax", gross - bonus if untaxed_bonus else gross, tax)
    after_tax = trace.subtract("after tax", gross, times * held_back)
    return after_tax if expense_first else trace.subtract("left", after_tax, spent)


def _mistakes(weeks: int, hours: int, missed: int, rate: int, bonus: int, tax: int, spent: int) -> Mistakes:
    return {
        "missed": {
            **misused(
                "missed", missed, "forgot the hours missed", "took the hours missed off again", "added the hours missed"
            ),
            "took the hours missed off every week": {"missed": weeks * missed},
        },
        "bonus": misused(
            "bonus", bonus, "left out the extra sum", "counted the extra sum again", "took the extra sum off"
        ),
        "tax": {
            "forgot the tax": {"times": 0},
            "took the tax off again": {"times": 2},
            "added the tax": {"times": -1},
        },
        "base": {"left the extra sum untaxed": {"untaxed_bonus": 1}},
        "order": {"took the expense off before the tax": {"expense_first": 1}},
        "expense": misused("spent", spent, "forgot the expense", "took the expense off again", "added the expense"),
    }


FAMILY = Family(
    template="pay_left_over",
    topic="household_pay",
    depth=7,
    share=84,
    ranges={
        "weeks": Range(range(2, 7), "a month or so"),
        "hours": Range(range(15, 43), "a part-time or a full week"),
        "missed": Range(range(6, 60), "a day or some"),
        "rate": Range(range(11, 36), "hourly wages"),
        "bonus": Range(range(60, 900, 5), "a twentieth to a third of the wages, in fives"),
        "tax": Range((10, 12, 15, 16, 18, 20, 22, 24, 25, 28, 30), "taxes on wages"),
        "spent": Range(range(60, 1200), "a tenth to a half of what is left"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda weeks, hours, missed, rate, bonus, tax, spent: (2, weeks * hours * rate + bonus),
    contrived=frozenset(
        (
            "took the hours missed off again",
            "counted the extra sum again",
            "took the tax off again",
            "took the expense off again",
        )
    ),
    fitted=lambda weeks, hours, missed, rate, bonus, tax, spent: {
        "bonus": down_to((weeks * hours - missed) * rate + bonus, whole_for(tax)) - (weeks * hours - missed) * rate
    },
    sensible=lambda weeks, hours, missed, rate, bonus, tax, spent: (
        missed * 3 <= weeks * hours
        and missed * 16 >= weeks * hours
        and bonus >= 40
        and bonus * 20 >= weeks * hours * rate
        and bonus * 3 <= weeks * hours * rate
        and spent * 10 >= weeks * hours * rate
        and spent * 3 <= weeks * hours * rate
    ),
)
