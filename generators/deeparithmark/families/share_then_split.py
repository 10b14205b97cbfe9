"""Depth 3: two amounts, one deduction, and a division among a person and that person's friends."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, down_to, misused

_TELLINGS = tuple(
    Telling(unit, text)
    for unit, text in (
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
            "{friends} classmates divided the unbroken shells equally. Each had",
        ),
        (
            "marbles",
            "{name} won {first} marbles on Saturday and {second} on Sunday, then lost {spent}. The others were dealt "
            "out equally to {name} and {friends} teammates. Each player got",
        ),
        (
            "dollars",
            "Busking in {place}, {name} took in {first} dollars on one day and {second} on the next, and paid {spent} "
            "dollars for a permit. {name} and {friends} bandmates divided what was left equally. Each received",
        ),
        (
            "cards",
            "{name} bought {first} trading cards, found {second} in the attic and sold {spent}. The others were split "
            "equally between {name} and {friends} classmates. Each of them got",
        ),
        (
            "pears",
            "A tree gave {first} pears in one week and {second} in the next. Wasps spoiled {spent}, and the sound ones "
            "were shared equally by {name} and {friends} neighbours. Each had",
        ),
    )
)
_TRAINING = (
    Telling(
        "seeds",
        "{name} collected {first} seeds, inherited {second} and mislaid {spent}. Whatever was left over, {name} "
        "and {friends} botanists distributed evenly among themselves. Every botanist obtained",
    ),
    Telling(
        "pearls",
        "Off a reef, divers brought up {first} pearls at dawn and {second} at dusk, of which {spent} proved "
        "worthless. {name} and {friends} shipmates shared out the good ones evenly. Every shipmate owned",
    ),
    Telling(
        "tokens",
        "At an arcade {name} scooped {first} tokens from one slot and {second} from a second, and spent {spent}. "
        "{name} and {friends} siblings dealt out what was left evenly. Every sibling pocketed",
    ),
)


def _solve(trace: Trace, first: int, second: int, spent: int, friends: int, more: int = 1, from_each: int = 0) -> int:
    total = trace.add("altogether", first, second)
    if from_each:
        return trace.subtract("each share", trace.divide("to share", total, friends + more), spent)
    rest = trace.subtract("to share", total, spent)
    return trace.divide("each share", rest, friends + more)


def _mistakes(first: int, second: int, spent: int, friends: int) -> Mistakes:
    return {
        "first amount": misused("first", first, "left out the first amount", "counted the first amount again"),
        "second amount": misused("second", second, "left out the second amount", "counted the second amount again"),
        "deduction": {
            **misused("spent", spent, "forgot what was gone", "took off what was gone again", "added what was gone"),
            "took what was gone off each share": {"from_each": 1},
        },
        "people": {
            "left one person out of the sharing": {"more": 0},
            "shared with one person too many": {"more": 2},
        },
    }


FAMILY = Family(
    template="share_then_split",
    topic="equal_sharing",
    depth=3,
    share=44,
    ranges={
        "first": Range(range(50, 321), "what one person collects in a day"),
        "second": Range(range(20, 161), "less than the first time"),
        "spent": Range(range(10, 121), "less than the second amount, or not much more"),
        "friends": Range(range(2, 8), "a group that shares"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda first, second, spent, friends: (2, (first + second) // (friends + 1)),
    contrived=frozenset(
        (
            "counted the first amount again",
            "counted the second amount again",
            "took off what was gone again",
            "shared with one person too many",
        )
    ),
    fitted=lambda first, second, spent, friends: {
        "first": down_to(first, friends + 1),
        "second": down_to(second, friends + 1),
        "spent": down_to(spent, friends + 1),
    },
    sensible=lambda first, second, spent, friends: (
        3 * second <= 2 * first <= 8 * second and second <= 2 * spent <= 3 * second
    ),
    training=_TRAINING,
    apart={
        "first": Range(range(100, 900), "what a group collects"),
        "second": Range(range(40, 450), "less than the first time"),
        "spent": Range(range(20, 300), "less than the second amount"),
        "friends": Range(range(8, 14), "more than in a test tier"),
    },
)
