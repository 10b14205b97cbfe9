"""Depth 3, two amounts less a deduction, shared out."""

from ...choices.problem import Problem, Trace
from ...streams import Stream
from .words import Wordings, fill, multiple

_SHARE_WORDINGS = (
    (
        "dollars",
        "{name} earned {first} dollars at a bake sale and {second} at a raffle, then paid {spent} dollars for "
        "supplies. {name} and {friends} friends split the rest equally. Each person got",
    ),
    (
        "stickers",
        "{name} had {first} stickers, was given {second} more and lost {spent}. The remaining stickers were shared "
        "equally among {name} and {friends} cousins. Each of them received",
    ),
    (
        "apples",
        "{name} picked {first} apples in the morning and {second} later, but {spent} were rotten and thrown away. "
        "{name} and {friends} neighbours shared the good ones equally. Each took home",
    ),
    (
        "shells",
        "{name} found {first} shells on one beach and {second} on another, then broke {spent} of them. {name} and "
        "{friends} classmates divided the whole shells equally. Each had",
    ),
    (
        "marbles",
        "{name} won {first} marbles on Saturday and {second} on Sunday, then lost {spent}. The others were dealt out "
        "equally to {name} and {friends} teammates. Each player got",
    ),
)


def _share(trace: Trace, first: int, second: int, spent: int, people: int) -> int:
    total = trace.add("altogether", first, second)
    rest = trace.subtract("to share", total, spent)
    return trace.divide("each share", rest, people)


def share_then_split(
    draw: Stream, wordings: Wordings = _SHARE_WORDINGS, groups: tuple[int, int] = (3, 8), scale: int = 1
) -> Problem:
    """Two amounts, one deduction, and a division among a person and that person's friends."""
    people = draw.integer(*groups)
    unit_share = people * draw.choice((1, people - 1, people + 1))
    spent = multiple(draw, unit_share, 6 * scale, 60 * scale)
    second = multiple(draw, unit_share, 20 * scale, 150 * scale)
    first = multiple(draw, unit_share, spent + 10, 260 * scale)
    unit, prompt = fill(draw, wordings, first=first, second=second, spent=spent, friends=people - 1)
    return Problem(
        prompt=prompt,
        unit=unit,
        operands={"first": first, "second": second, "spent": spent, "people": people},
        solve=_share,
        bounds=(2, (first + second) // people),
        mistakes={
            "first amount": {
                "left out the first amount": {"first": 0},
                "counted the first amount twice": {"first": 2 * first},
            },
            "second amount": {
                "left out the second amount": {"second": 0},
                "counted the second amount twice": {"second": 2 * second},
            },
            "deduction": {
                "forgot the deduction": {"spent": 0},
                "added the deduction": {"spent": -spent},
                "made the deduction twice": {"spent": 2 * spent},
            },
            "people": {
                "left one person out of the sharing": {"people": people - 1},
                "counted one person too many": {"people": people + 1},
            },
        },
    )
