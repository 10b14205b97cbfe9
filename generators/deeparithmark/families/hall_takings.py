"""Depth 6: rows of seats, some closed, a percentage sold, some tickets free, a price, and what the bar took in."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, down_to, misused

_TELLINGS = tuple(
    Telling("dollars", text)
    for text in (
        "A theatre has {rows} rows of {seats} seats, but {closed} seats were closed. For one play, {share}% of the "
        "open seats were filled. Of the guests, {free} came in free and all others paid {price} dollars. The bar took "
        "in {bar} dollars more. The takings of the evening were",
        "A stand in {place} has {rows} rows of {seats} places, of which {closed} were out of use. Tickets were issued "
        "for {share}% of the usable places, {free} of the tickets for free and the rest at {price} dollars. With {bar} "
        "dollars from snacks, the stand brought in",
        "For a film in the park, {name} put out {rows} rows of {seats} chairs and took {closed} away for a path. "
        "Visitors filled {share}% of the remaining chairs. Apart from {free} helpers, each visitor paid {price} "
        "dollars. Drinks added {bar} dollars. The income was",
        "A circus tent holds {rows} rows of {seats} seats, {closed} of them behind a pole and left empty. Of the other "
        "seats, {share}% were taken. There were {free} free tickets, and all the rest cost {price} dollars. Popcorn "
        "brought {bar} dollars. Altogether the circus took in",
        "A hall in {place} offers {rows} rows of {seats} seats. {name} roped off {closed} of them and filled {share}% "
        "of the others for a concert. The band's {free} friends paid nothing, everyone else {price} dollars. Records "
        "sold for {bar} dollars. The evening's takings came to",
        "A cinema with {rows} rows of {seats} seats had {closed} seats under repair. It filled {share}% of the usable "
        "seats. Winners of a contest used {free} of the tickets without paying, and the others cost {price} dollars "
        "each. Sweets earned {bar} dollars. In all, the cinema took",
        "For a school play, {name} set up {rows} rows of {seats} chairs and kept {closed} for the orchestra. Guests "
        "used {share}% of the chairs left. The actors' {free} relatives came free, and each other guest paid {price} "
        "dollars. Cakes sold for {bar} dollars. The school took in",
        "An arena in {place} has {rows} rows of {seats} seats, and {closed} were blocked by cameras. Of those not "
        "blocked, {share}% were filled. Besides {free} guests of honour, who paid nothing, everyone paid {price} "
        "dollars. Parking brought in {bar} dollars. The arena's takings were",
    )
)


def _solve(
    trace: Trace, rows: int, seats: int, closed: int, share: int, free: int, price: int, bar: int,
    empty: int = 0, closed_times: int = 1, late: int = 0,
) -> int:  # fmt: skip
    places = trace.multiply("seats", rows, seats)
    usable = trace.subtract("usable seats", places, 0 if late else closed_times * closed)
    guests = trace.percent("guests", usable, 100 - share if empty else share)
    if late:
        guests = trace.subtract("guests without the closed seats", guests, closed_times * closed)
    paying = trace.subtract("paying guests", guests, free)
    tickets = trace.multiply("tickets", paying, price)
    return trace.add("takings", tickets, bar)


def _mistakes(rows: int, seats: int, closed: int, share: int, free: int, price: int, bar: int) -> Mistakes:
    return {
        "closed": {
            **misused(
                "closed_times",
                1,
                "forgot the closed seats",
                "took off the closed seats again",
                "added the closed seats",
            ),
            "took the closed seats off the guests": {"late": 1},
        },
        "share": {
            "counted every seat as filled": {"share": 100},
            "took the percentage of the empty seats": {"empty": 1},
        },
        "free": misused(
            "free",
            free,
            "charged those who came free",
            "took off those who came free again",
            "added those who came free",
        ),
        "bar": misused(
            "bar", bar, "left out the other income", "counted the other income again", "took the other income off"
        ),
    }


FAMILY = Family(
    template="hall_takings",
    topic="ticket_sales",
    depth=6,
    share=83,
    ranges={
        "rows": Range(range(8, 25), "a hall of a small town"),
        "seats": Range(range(10, 31), "seats in a row"),
        "closed": Range(range(8, 120), "a row or more"),
        "share": Range((40, 45, 48, 55, 60, 64, 65, 70, 72, 75, 80, 85, 90), "a house from half full to nearly full"),
        "free": Range(range(6, 100), "a few rows"),
        "price": Range(range(4, 17), "whole dollars for a ticket"),
        "bar": Range(range(60, 900), "a tenth to a half of the tickets"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda rows, seats, closed, share, free, price, bar: (2, rows * seats * price + bar),
    contrived=frozenset(
        (
            "took off the closed seats again",
            "took off those who came free again",
            "counted the other income again",
        )
    ),
    fitted=lambda rows, seats, closed, share, free, price, bar: {
        "closed": rows * seats - down_to(rows * seats - closed, 20 if share % 5 == 0 else 25)
    },
    sensible=lambda rows, seats, closed, share, free, price, bar: (
        closed >= 8
        and 12 * closed >= rows * seats
        and 4 * closed <= rows * seats
        and 10 * free >= rows * seats * share // 100
        and 4 * free <= rows * seats * share // 100
        and 10 * bar >= rows * seats * share * price // 100
        and 3 * bar <= rows * seats * share * price // 100
    ),
)
