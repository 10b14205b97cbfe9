"""Depth 4, a mixture divided into portions."""

from ...choices.problem import Problem, Trace
from ...streams import Stream
from .words import Wordings, fill, multiple

_MIX_WORDINGS = (
    (
        "millilitres",
        "{name} mixed {first} millilitres of juice with {second} of water and spilled {lost}. The rest was poured "
        "equally into {parts} glasses, each topped with {extra} millilitres of syrup. Each glass held",
    ),
    (
        "grams",
        "A cook mixed {first} grams of rice with {second} of vegetables and set {lost} grams aside. The rest made "
        "{parts} equal portions, each topped with {extra} grams of cheese. Each portion weighed",
    ),
    (
        "grams",
        "{name} stirred {first} grams of oats into {second} of nuts and ate {lost}. The rest was divided equally "
        "among {parts} jars, and {extra} grams of raisins went into each. Each jar held",
    ),
    (
        "millilitres",
        "A painter blended {first} millilitres of blue with {second} of white and used {lost}. The rest went equally "
        "into {parts} tins, with {extra} millilitres of thinner added to each. Each tin held",
    ),
)


def _mix(trace: Trace, first: int, second: int, lost: int, parts: int, extra: int) -> int:
    total = trace.add("mixed", first, second)
    rest = trace.subtract("left", total, lost)
    share = trace.divide("each part", rest, parts)
    return trace.add("with the extra", share, extra)


def mix_split(
    draw: Stream, wordings: Wordings = _MIX_WORDINGS, shares: tuple[int, int] = (3, 8), scale: int = 1
) -> Problem:
    """Two amounts mixed, some lost, the rest divided, the same extra added to each part."""
    parts = draw.integer(*shares)
    step = parts * draw.choice((1, 1, parts - 1, parts + 1))
    first, second = multiple(draw, step, 260, 900 * scale), multiple(draw, step, 120, 480 * scale)
    lost, extra = multiple(draw, step, 24, 160 * scale), draw.integer(6, 48)
    unit, prompt = fill(draw, wordings, first=first, second=second, lost=lost, parts=parts, extra=extra)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"first": first, "second": second, "lost": lost, "parts": parts, "extra": extra},
        solve=_mix,
        bounds=(extra, (first + second) // parts + extra),
        mistakes={
            "mixing": {
                "left out the second amount": {"second": 0},
                "counted the second amount twice": {"second": 2 * second},
            },
            "loss": {
                "forgot the amount taken away": {"lost": 0},
                "added the amount taken away": {"lost": -lost},
                "took the amount away twice": {"lost": 2 * lost},
            },
            "parts": {
                "divided into one part too few": {"parts": parts - 1},
                "divided into one part too many": {"parts": parts + 1},
            },
            "extra": {
                "forgot the extra": {"extra": 0},
                "added the extra twice": {"extra": 2 * extra},
                "subtracted the extra": {"extra": -extra},
            },
        },
    )
