"""Depth 5: normal hours, overtime hours, their sum, the tax on it, what is left."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, mistaken

_TELLINGS = tuple(
    Telling("dollars", text)
    for text in (
        "{name} worked {hours} hours at {rate} dollars an hour and {extra} hours of overtime at {extra_rate} dollars. "
        "From the total, {tax}% was held back as tax. {name} took home",
        "A welder is paid for {hours} normal hours at {rate} dollars each and {extra} overtime hours at {extra_rate} "
        "dollars each. Tax takes {tax}% of it all. The amount paid out is",
        "{name} drove a bus for {hours} hours at {rate} dollars an hour, plus {extra} overtime hours at {extra_rate} "
        "dollars. After {tax}% tax on everything, {name} received",
        "{name} worked {hours} hours for {rate} dollars an hour, then {extra} overtime hours for {extra_rate} "
        "dollars. All of the pay was taxed at {tax}%. After tax, {name} had",
        "A nurse in {place} had {hours} regular hours at {rate} dollars and {extra} overtime hours at {extra_rate} "
        "dollars. Of the whole pay, {tax}% goes to tax. What the nurse keeps is",
        "A week at the bakery brought {name} {hours} hours at {rate} dollars an hour and {extra} overtime hours at "
        "{extra_rate} dollars. The tax on the whole is {tax}%. After tax, the week brings",
        "{name} guards a museum for {hours} hours a week at {rate} dollars an hour. This week, {extra} hours of "
        "overtime at {extra_rate} dollars came on top. With {tax}% tax taken off it all, {name} gets",
        "A plumber logged {hours} hours at {rate} dollars an hour and {extra} hours of overtime at {extra_rate} "
        "dollars. The firm in {place} withholds {tax}% of everything. The plumber is paid",
    )
)
_TRAINING = (
    Telling(
        "euros",
        "In a fortnight {name}, a <miner|stonemason|glazier|nanny>, did {hours} daytime hours at {rate} euros and "
        "{extra} late ones at {extra_rate} euros. The treasury kept {tax}% of this salary. {name} netted",
    ),
    Telling(
        "euros",
        "A <sailor|butler|puppeteer|dressmaker> from {place} billed {hours} daytime hours at {rate} euros plus {extra} "
        "late ones at {extra_rate} euros. A levy of {tax}% applies to everything. Net of the levy, it is",
    ),
)


def _solve(
    trace: Trace, hours: int, rate: int, extra: int, extra_rate: int, tax: int,
    times: int = 1, normal_only: int = 0, extra_only: int = 0,
) -> int:  # fmt: skip
    normal = trace.multiply("normal pay", hours, rate)
    overtime = trace.multiply("extra pay", extra, extra_rate)
    gross = trace.add("total pay", normal, overtime)
    held_back = trace.percent("tax", normal if normal_only else overtime if extra_only else gross, tax)
    return trace.subtract("after tax", gross, times * held_back)


def _mistakes(hours: int, rate: int, extra: int, extra_rate: int, tax: int) -> Mistakes:
    return {
        "normal rate": {"paid the normal hours at the higher rate": {"rate": extra_rate}},
        "higher rate": {
            "paid the extra hours at the normal rate": {"extra_rate": rate},
            "paid the higher rate on top of the normal one": {"extra_rate": rate + extra_rate},
        },
        "extra hours": {
            "left out the extra hours": {"extra": 0},
            "counted the extra hours again": {"extra": 2 * extra},
        },
        "normal hours": {"took the extra hours out of the normal ones": {"hours": hours - extra}},
        "tax": mistaken("forgot the tax", "took the tax off again", "added the tax"),
        "base": {
            "taxed only the normal pay": {"normal_only": 1},
            "taxed only the extra pay": {"extra_only": 1},
        },
    }


FAMILY = Family(
    template="salary_overtime_tax",
    topic="wages_and_tax",
    depth=5,
    share=84,
    ranges={
        "hours": Range(range(16, 49), "a part-time or a full week"),
        "rate": Range(range(12, 51, 2), "hourly wages; even, so that half more is whole"),
        "extra": Range(range(2, 19), "overtime of a week"),
        "extra_rate": Range(range(18, 76), "one and a half times the wage, as is usual"),
        "tax": Range((10, 12, 15, 18, 20, 22, 24, 25, 28, 30, 32, 35), "taxes on wages"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda hours, rate, extra, extra_rate, tax: (2, hours * rate + extra * extra_rate),
    contrived=frozenset(("counted the extra hours again", "took the tax off again")),
    fitted=lambda hours, rate, extra, extra_rate, tax: {"extra_rate": rate * 3 // 2},
    sensible=lambda hours, rate, extra, extra_rate, tax: (hours * rate + extra * extra_rate) * tax % 100 == 0,
    training=_TRAINING,
    apart={
        "hours": Range(range(60, 85), "a fortnight"),
        "extra": Range(range(6, 29), "of a fortnight"),
    },
)
