"""Depth 6, the takings of a hall at two prices."""

from math import gcd

from ...choices.problem import Problem, Trace, UnusableError
from ...streams import Stream
from .slips import miscounted, misused
from .words import fill, multiple, whole_for

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
