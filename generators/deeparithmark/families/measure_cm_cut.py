"""Depth 3, metres in centimetres, a piece joined on and a piece cut off."""

from ...choices.problem import Problem, Trace
from ...streams import Stream
from .words import Wordings, fill

_MEASURE_WORDINGS = (
    (
        "centimetres",
        "{name} took a rail {metres} metres long, fixed a piece of {joined} centimetres to one end, and cut {cut} "
        "centimetres off the other. The length left over was",
    ),
    (
        "centimetres",
        "A ribbon of {metres} metres was too short, so {name} sewed another {joined} centimetres onto it. After "
        "{cut} centimetres were trimmed away, the ribbon measured",
    ),
    (
        "centimetres",
        "In {place}, a plank {metres} metres long was glued end to end with one of {joined} centimetres. {name} then "
        "sawed off {cut} centimetres. The plank now measured",
    ),
    (
        "centimetres",
        "{name} had {metres} metres of garden hose, added an extension of {joined} centimetres, and removed a "
        "leaking section of {cut} centimetres. The hose now measured",
    ),
    (
        "centimetres",
        "An electrician joined a cable of {metres} metres to another of {joined} centimetres, then snipped {cut} "
        "centimetres off the end. The cable that was left measured",
    ),
)


def _convert_join_cut(trace: Trace, metres: int, joined: int, cut: int, per_metre: int = 100) -> int:
    length = trace.multiply("in centimetres", metres, per_metre)
    length = trace.add("after joining", length, joined)
    return trace.subtract("after cutting", length, cut)


def measure_cm_cut(draw: Stream, wordings: Wordings = _MEASURE_WORDINGS, lengths: tuple[int, int] = (2, 9)) -> Problem:
    """Metres to centimetres, a piece joined on, a piece cut off."""
    metres = draw.integer(*lengths)
    joined, cut = draw.integer(24, 185), draw.integer(9, 98)
    unit, prompt = fill(draw, wordings, metres=metres, joined=joined, cut=cut)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"metres": metres, "joined": joined, "cut": cut},
        solve=_convert_join_cut,
        bounds=(100 * metres - cut, 100 * metres + joined),
        mistakes={
            "conversion": {
                "counted one metre too few": {"metres": metres - 1},
                "counted one metre too many": {"metres": metres + 1},
                "took a metre as 10 centimetres": {"per_metre": 10},
            },
            "joining": {
                "left out the joined piece": {"joined": 0},
                "joined the piece twice": {"joined": 2 * joined},
                "subtracted the joined piece": {"joined": -joined},
            },
            "cutting": {
                "forgot the cut": {"cut": 0},
                "made the cut twice": {"cut": 2 * cut},
                "added the cut": {"cut": -cut},
            },
        },
    )
