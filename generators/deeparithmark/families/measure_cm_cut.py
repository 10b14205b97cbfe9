"""Depth 3: metres to centimetres, a piece joined on, a piece cut off."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, misused

_TELLINGS = tuple(
    Telling("centimetres", text)
    for text in (
        "{name} took a rail {metres} metres long, fixed a piece of {joined} centimetres to one end, and sawed {cut} "
        "centimetres off the other. The finished rail measured",
        "A ribbon of {metres} metres was too short, so {name} sewed another {joined} centimetres onto it. After {cut} "
        "centimetres were trimmed away, the ribbon measured",
        "In {place}, a plank {metres} metres long was glued end to end with one of {joined} centimetres. {name} then "
        "sawed {cut} centimetres off the joined plank. It now measured",
        "{name} had {metres} metres of garden hose, added an extension of {joined} centimetres, and removed a leaking "
        "section of {cut} centimetres. The hose now measured",
        "An electrician joined a cable of {metres} metres to another of {joined} centimetres, then snipped {cut} "
        "centimetres off the end. The cable in use measured",
        "A curtain rod of {metres} metres was lengthened by {joined} centimetres. It then proved too long for the "
        "window, and {name} shortened it by {cut} centimetres. The rod now measured",
        "{name} knitted a banner {metres} metres long for the fair in {place}, knitted {joined} centimetres more, and "
        "then unravelled {cut} centimetres. The length of the banner became",
        "A rope of {metres} metres was tied to a rope of {joined} centimetres. The knot took up {cut} centimetres of "
        "their length, so from end to end the tied rope measured",
    )
)
_TRAINING = (
    Telling(
        "centimetres",
        "{name} had a <pipe|hawser|garland|lasso> of {metres} metres, spliced {joined} centimetres of the same stuff "
        "to it, and lopped off {cut} centimetres. Tip to tip it spans",
    ),
    Telling(
        "centimetres",
        "A <scarf|pennant|gutter|chain> measuring {metres} metres grew by {joined} centimetres when {name} "
        "enlarged it, then shrank by {cut} centimetres when its tip was clipped. Its span is",
    ),
)


def _solve(trace: Trace, metres: int, joined: int, cut: int, per_metre: int = 100, swapped: int = 0) -> int:
    length = trace.multiply("in centimetres", metres, per_metre)
    if swapped:
        joined, cut = cut, joined
    length = trace.add("with the piece added", length, joined)
    return trace.subtract("without the piece taken off", length, cut)


def _mistakes(metres: int, joined: int, cut: int) -> Mistakes:
    return {
        "conversion": {
            "left the metres unconverted": {"per_metre": 1},
            "took a metre as 10 centimetres": {"per_metre": 10},
        },
        "joining": misused(
            "joined", joined, "left out the piece added", "added the piece again", "took the added piece off"
        ),
        "cutting": misused(
            "cut", cut, "forgot the piece taken off", "took the piece off again", "added the piece taken off"
        ),
        "pieces": {"swapped the two pieces": {"swapped": 1}},
    }


FAMILY = Family(
    template="measure_cm_cut",
    topic="measurement",
    depth=3,
    share=33,
    ranges={
        "metres": Range(range(2, 10), "what is handled at home or on a site"),
        "joined": Range(range(24, 246), "a piece worth joining, under a few metres"),
        "cut": Range(range(15, 196), "a piece worth taking off"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda metres, joined, cut: (100 * metres - cut, 100 * metres + joined),
    contrived=frozenset(("added the piece again", "took the piece off again")),
    # Pieces of unlike lengths, but not so unlike that one correction decides how large the answer is.
    sensible=lambda metres, joined, cut: (
        4 * min(joined, cut) <= 3 * max(joined, cut) and max(joined, cut) <= 2 * min(joined, cut) and cut < 50 * metres
    ),
    training=_TRAINING,
    apart={"metres": Range(range(10, 29), "longer than anything in a test tier")},
)
