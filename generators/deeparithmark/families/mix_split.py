"""Depth 4: two amounts mixed, some lost, the rest divided, the same extra added to each part."""

from ...choices.problem import Trace
from .family import Family, Mistakes, Range, Telling, down_to, misused

_TELLINGS = tuple(
    Telling(unit, text)
    for unit, text in (
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
            "A painter blended {first} millilitres of blue with {second} of white and used {lost}. The rest went "
            "equally into {parts} tins, with {extra} millilitres of thinner added to each. Each tin held",
        ),
        (
            "grams",
            "{name} kneaded {first} grams of flour with {second} of butter and kept {lost} back. The rest was cut into "
            "{parts} equal pieces, and {extra} grams of jam went on each. Each piece weighed",
        ),
        (
            "millilitres",
            "For a party in {place}, {name} stirred {first} millilitres of tea into {second} of lemonade and tasted "
            "{lost}. The rest filled {parts} cups equally, with {extra} millilitres of ice each. Each cup held",
        ),
        (
            "grams",
            "A gardener mixed {first} grams of sand with {second} of peat and scattered {lost}. The rest was shared "
            "equally among {parts} pots, and {extra} grams of gravel went into each. Each pot got",
        ),
        (
            "millilitres",
            "{name} simmered {first} millilitres of broth with {second} of cream, and {lost} boiled away. The rest was "
            "ladled equally into {parts} bowls, each with {extra} millilitres of oil. Each bowl held",
        ),
    )
)
_TRAINING = (
    Telling(
        "milligrams",
        "An apothecary ground {first} milligrams of <sage|ginger|saffron> with {second} of chalk, and {lost} stuck to "
        "the mortar. The powder was pressed evenly into {parts} tablets, with {extra} milligrams of coating on each. "
        "One tablet weighs",
    ),
    Telling(
        "kilograms",
        "A foundry in {place} melted {first} kilograms of copper with {second} of zinc, and {lost} became slag. The "
        "alloy was cast evenly into {parts} bells, and a {extra} kilogram clapper hung in each. One bell weighs",
    ),
)


def _solve(
    trace: Trace, first: int, second: int, lost: int, parts: int, extra: int, early: int = 0, from_each: int = 0
) -> int:
    total = trace.add("mixed", first, second)
    rest = trace.subtract("left", total, 0 if from_each else lost)
    if early:
        rest = trace.add("with the extra", rest, extra)
    share = trace.divide("each part", rest, parts)
    if from_each:
        share = trace.subtract("each part", share, lost)
    return share if early else trace.add("with the extra", share, extra)


def _mistakes(first: int, second: int, lost: int, parts: int, extra: int) -> Mistakes:
    return {
        "mixing": {
            **misused("second", second, "left out the second amount", "counted the second amount again"),
        },
        "loss": {
            **misused(
                "lost", lost, "forgot the amount lost", "took off the amount lost again", "added the amount lost"
            ),
            "took the amount lost off each part": {"from_each": 1},
        },
        "extra": {
            **misused("extra", extra, "forgot the extra", "added the extra again", "took the extra off"),
        },
        "order": {"added the extra before dividing": {"early": 1}},
    }


FAMILY = Family(
    template="mix_split",
    topic="mixtures",
    depth=4,
    share=63,
    ranges={
        "first": Range(range(240, 980), "what one person mixes in a kitchen or a shed"),
        "second": Range(range(120, 660), "less than double the first"),
        "lost": Range(range(60, 420), "a part of the mixture that shows in each portion"),
        "parts": Range(range(3, 9), "glasses, jars or portions on a table"),
        "extra": Range(range(12, 97), "a topping, less than the portion"),
    },
    tellings=_TELLINGS,
    solve=_solve,
    mistakes=_mistakes,
    bounds=lambda first, second, lost, parts, extra: (extra, (first + second) // parts + extra),
    contrived=frozenset(
        (
            "counted the second amount again",
            "took off the amount lost again",
            "added the extra again",
        )
    ),
    fitted=lambda first, second, lost, parts, extra: {
        "first": down_to(first, parts),
        "second": down_to(second, parts),
        "lost": down_to(lost, parts),
    },
    sensible=lambda first, second, lost, parts, extra: (
        second <= 2 * first
        and lost * 3 <= first + second
        and 2 * extra * parts <= first + second
        and lost <= 3 * extra * parts
        and extra * parts <= 3 * lost
    ),
    training=_TRAINING,
    apart={
        "first": Range(range(800, 3500), "larger amounts"),
        "second": Range(range(500, 2200), "larger amounts"),
        "lost": Range(range(120, 900), "a part of the mixture"),
        "parts": Range(range(9, 15), "more than in a test tier"),
    },
)
