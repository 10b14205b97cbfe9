"""Depth 3: a percentage of a stock is sold, some more drop out, the rest fills packs."""

from fractions import Fraction

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, down_to, mistaken, misused, whole_for

_TELLINGS = tuple(
    Telling(unit, text)
    for unit, text in (
        (
            "boxes",
            "A shop had {stock} candles and sold {sold}% of them. Of the rest, {lost} turned out to be broken. {name} "
            "put the sound ones in boxes of {size} and filled",
        ),
        (
            "nets",
            "Of the {stock} oranges picked on a farm, {sold}% went to a hotel. {name} threw away {lost} of the others "
            "and put what remained into nets of {size}, filling",
        ),
        (
            "bundles",
            "{name} printed {stock} postcards for a concert and handed out {sold}% of them. Rain ruined {lost} of the "
            "others, and the dry ones were tied {size} to a bundle. The number of full bundles was",
        ),
        (
            "crates",
            "A farm near {place} picked {stock} melons and sold {sold}% of them at once. It kept back {lost} for the "
            "kitchen and packed the remaining ones {size} to a crate, filling",
        ),
        (
            "bags",
            "A bakery made {stock} rolls, and {sold}% of them went to a school. {name} set {lost} aside for the staff "
            "and filled the others into bags of {size}. The number of full bags was",
        ),
        (
            "packs",
            "A club in {place} ordered {stock} badges and gave away {sold}% of them. Another {lost} had a flaw, and "
            "the good ones left were sorted into packs of {size}. The number of full packs was",
        ),
        (
            "trays",
            "A nursery raised {stock} seedlings and planted {sold}% of them. Slugs ate {lost} of the others, and "
            "{name} set those left {size} to a tray, filling",
        ),
        (
            "cartons",
            "From a stock of {stock} mugs, {sold}% were shipped to {place}. Of those still there, {lost} were chipped, "
            "and the sound mugs went {size} to a carton. The number of full cartons was",
        ),
    )
)
_TRAINING = tuple(
    Telling(unit, text)
    for unit, text in (
        (
            "sachets",
            "A chemist in {place} prepared {stock} lozenges and gave {sold}% of them to a clinic. Then {lost} "
            "dissolved, and {name} sealed up what remained, {size} lozenges to a sachet. Completely full were",
        ),
        (
            "albums",
            "{name} amassed {stock} <postmarks|autographs|banknotes|engravings>, swapped {sold}% of them for a globe "
            "and mislaid {lost}. What {name} still had went into albums of {size} each. Completely full were",
        ),
        (
            "garlands",
            "Of {stock} <beads|sequins|acorns> that an artisan from {place} bought, {sold}% went to an apprentice and "
            "{lost} rolled away. Whatever remained was strung, {size} to a garland. Completely full were",
        ),
    )
)


def _solve(
    trace: Trace, stock: int, sold: int, lost: int, size: int,
    times: int = 1, other_part: int = 0, after: int = 0, up: int = 0,
) -> int:  # fmt: skip
    left = trace.percent(f"left after {sold}%", stock, sold if other_part else 100 - times * sold)
    if after:
        lost -= times * trace.whole(Fraction(lost * sold, 100))
    rest = trace.subtract("to pack", left, lost)
    return trace.divide_up("full ones", rest, size) if up else trace.divide_down("full ones", rest, size)


def _mistakes(stock: int, sold: int, lost: int, size: int) -> Mistakes:
    return {
        "percentage": {
            **mistaken("forgot the percentage", "took the percentage off again"),
            "went on with the part that left": {"other_part": 1},
        },
        "loss": misused("lost", lost, "forgot those dropped", "took off those dropped again", "added those dropped"),
        "order": {"took off those dropped before the percentage": {"after": 1}},
        "packing": {"counted the loose ones as a full one": {"up": 1}},
    }


FAMILY = Family(
    template="stock_percent_pack",
    topic="percent_of_stock",
    depth=3,
    share=48,
    ranges={
        "stock": Range(range(120, 1200), "a shop's or a farm's stock of one thing"),
        "sold": Range(
            (10, 12, 15, 16, 20, 24, 25, 28, 30, 32, 35, 36, 40, 44, 45, 48, 55, 60), "a part that is sold at once"
        ),
        "lost": Range(range(12, 260), "a part of the rest that counts for some packs"),
        "size": Range((4, 5, 6, 8, 10, 12, 15, 16, 20, 24), "packs come in these sizes"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda stock, sold, lost, size: (2, stock // size),
    contrived=frozenset(("took the percentage off again", "took off those dropped again")),
    fitted=lambda stock, sold, lost, size: {"stock": down_to(stock, whole_for(sold))},
    sensible=lambda stock, sold, lost, size: (
        lost * 12 >= stock and lost * 200 <= stock * (100 - sold) and stock * (100 - sold) // 100 - lost >= 9 * size
    ),
    training=_TRAINING,
    apart={
        "stock": Range(range(200, 3000), "larger stocks"),
        "sold": Range((8, 18, 22, 26, 34, 38, 42, 52, 54, 56, 58, 62, 66, 68), "no percentage of a test tier"),
        "lost": Range(range(20, 600), "a part of the rest"),
    },
)
