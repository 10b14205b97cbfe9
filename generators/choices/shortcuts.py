"""Fixed strategies that pick an option without doing the arithmetic of the story.

A strategy is a score per option. The options with the highest score share one credit, so the mean credit on the right
option is the accuracy of someone who follows the strategy and breaks ties by lot. All of them are computed in one pass,
because the generator needs them while it chooses the options.
"""

from collections.abc import Sequence

from .quantities import Look, Number, Scores, look_scores, roundness, spread_scores, trailing_zeros
from .relations import (
    CLOSE,
    DIVISORS,
    FEWER,
    FURTHER,
    KEPT,
    OFF,
    OFF_TWICE,
    PAIRS,
    Marks,
    alike_counts,
    divided_counts,
    looked,
    marks,
    neighbour_counts,
    one_step_counts,
    pair_counts,
)

Credit = tuple[float, ...]
SLOTS = 4
__all__ = [
    "DIRECT_ARITHMETIC",
    "NEEDS_FIRST_STEP",
    "PART_OF_THE_WORK",
    "SLOTS",
    "STRATEGIES",
    "Credit",
    "credits",
    "gains",
    "roundness",
    "share",
]

# In the order in which `credits` returns them.
STRATEGIES = (
    *(f"slot {slot}" for slot in range(SLOTS)),
    "longest text",
    "shortest text",
    "smallest",
    "second smallest",
    "second largest",
    "largest",
    "roundest",
    "least round",
    "largest digit sum",
    "smallest digit sum",
    "smallest first digit",
    "parity odd one out",
    "shares most digits",
    "shares fewest digits",
    "shares most digit places",
    "nearest the mean",
    "farthest from the mean",
    "nearest the geometric mean",
    "closest to another option",
    "most isolated",
    "midpoint of two others",
    "multiple or part of another",
    "nearest the first step",
    "farthest from the first step",
    "nearest the prompt's sum",
    "nearest the largest prompt number",
    "in the prompt",
    "not in the prompt",
    "last digit of a prompt number",
    "trailing zeros of a prompt number",
    "multiple of most prompt numbers",
    "multiple of fewest prompt numbers",
    "most one-step results",
    "fewest one-step results",
    "hub: most neighbours",
    "hub: fewest neighbours",
    "wide hub: most neighbours",
    "wide hub: fewest neighbours",
    "divided hub: most neighbours",
    "divided hub: fewest neighbours",
    *(f"pair {pair}: {end} end" for pair in PAIRS for end in ("upper", "lower")),
    *(f"{most} divided: {what}" for what in DIVISORS for most in ("most", "least")),
    "largest divisor shared with another",
    "smallest divisor shared with another",
    "most divisors to 12",
    "fewest divisors to 12",
    "alike by nines",
    "unlike by nines",
    "alike by elevens",
    "unlike by elevens",
    "pair rule",
)
NEEDS_FIRST_STEP = frozenset(("nearest the first step", "farthest from the first step"))
# These do a step of the story, or add up all that it tells: a part of the work, and so no rule that must gain nothing.
PART_OF_THE_WORK = NEEDS_FIRST_STEP | {"nearest the prompt's sum"}
# Where the prompt is one bare operation on two numbers, these compute its result or divide to check it.
DIRECT_ARITHMETIC = frozenset(
    (
        "nearest the prompt's sum",
        "multiple of most prompt numbers",
        "multiple of fewest prompt numbers",
        "most one-step results",
        "fewest one-step results",
        *(f"{most} divided: {what}" for what in DIVISORS for most in ("most", "least")),
    )
)


def share(scores: Scores) -> Credit:
    """One credit shared by the highest scores.

    >>> share([3, 1, 3, 0])
    (0.5, 0.0, 0.5, 0.0)
    """
    top = max(scores)
    part = 1 / scores.count(top)
    return tuple([part if score == top else 0.0 for score in scores])


def _near(values: Sequence[Number], target: Number) -> list[Number]:
    return [-abs(value - target) for value in values]


def _prompt_looks(numbers: Sequence[Number], values: Sequence[Number], clock: bool) -> list[Look]:
    """How an option relates to the numbers of the prompt."""
    found = marks(tuple(numbers), clock)
    rows = []
    for value in values:
        row = found.looks.get(value)
        if row is None:
            row = found.looks[value] = _prompt_look(numbers, value, found)
        rows.append(row)
    return [
        *zip(zip(*rows, strict=True), (False, False, True, False, False, True, True), strict=True),
        *[(counts, True) for counts in neighbour_counts(found, values, clock)],
    ]


def _prompt_look(numbers: Sequence[Number], value: Number, found: Marks) -> tuple[Number, ...]:
    """By the sum of the numbers, the largest, as one of them, by last digit and zeros, as a multiple, as a result."""
    return (
        -abs(value - sum(numbers)),
        -abs(value - max(numbers, default=0)),
        value in numbers,
        value % 10 in [number % 10 for number in numbers],
        trailing_zeros(value) in [trailing_zeros(number) for number in numbers],
        sum([value % number == 0 for number in numbers if number > 1]),
        one_step_counts(found, (value,))[0],
    )


def _relation_looks(numbers: Sequence[Number], values: Sequence[Number]) -> list[Look]:
    """Directions of pairs, divisors, and the rule that an attack made of them by hand."""
    found = looked(tuple(numbers))
    upper, lower = pair_counts(found, values)
    ends = [[high - low for high, low in zip(*rows, strict=True)] for rows in zip(upper, lower, strict=True)]
    divided = divided_counts(found, values)
    rule = [
        4 * (ends[OFF_TWICE][i] - ends[OFF][i])
        + 2 * (ends[FURTHER][i] - ends[FEWER][i] + divided[KEPT][i])
        - ends[CLOSE][i]
        for i in range(len(values))
    ]
    counted = (*ends, *divided, *alike_counts([int(value) for value in values]))
    return [*[(counts, True) for counts in counted], (rule, False)]


def _looks(
    numbers: Sequence[Number], values: Sequence[Number], texts: Sequence[str], first_step: Number | None
) -> list[Look | None]:
    """What the strategies but the slots go by, in their order; None for two that have nothing to go by."""
    clock = ":" in "".join(texts)
    ordered = sorted(values)
    ranks = [[value == wanted for value in values] for wanted in (ordered[0], ordered[1], ordered[-2], ordered[-1])]
    return [
        ([len(text) for text in texts], True),
        *[(rank, False) for rank in ranks],
        *look_scores(values, clock),
        *spread_scores(values),
        None if first_step is None else (_near(values, first_step), True),
        *_prompt_looks(numbers, values, clock),
        *_relation_looks(numbers, values),
    ]


def credits(
    numbers: Sequence[Number], values: Sequence[Number], texts: Sequence[str], first_step: Number | None
) -> list[Credit | None]:
    """The credit of every option under every strategy, in the order of ``STRATEGIES``.

    ``numbers`` are the prompt's numbers in reading order, ``values`` and ``texts`` the options' (a clock time is
    minutes after midnight, told by the colon in its text), ``first_step`` the result of the first solution step. None
    stands for a strategy that has nothing to go by: no first step, a slot that the item lacks.

    >>> table = dict(zip(STRATEGIES, credits([420, 40], [26, 29, 27, 31], [" 26", " 29", " 27", " 31"], 460)))
    >>> table["largest"], table["nearest the first step"], table["nearest the mean"]
    ((0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 0.0))
    """
    count = len(values)
    found: list[Credit | None] = [
        tuple([float(place == slot) for place in range(count)]) if slot < count else None for slot in range(SLOTS)
    ]
    for look in _looks(numbers, values, texts, first_step):
        if look is None:
            found += (None, None)
            continue
        scores, both = look
        found.append(share(scores))
        if both:
            found.append(share([-score for score in scores]))
    return found


def gains(
    numbers: Sequence[Number], values: Sequence[Number], texts: Sequence[str], first_step: Number | None, right: int
) -> list[float | None]:
    """The credit of option ``right`` alone: ``credits`` for a caller in a hurry.

    >>> gains([420, 40], [26, 29, 27, 31], [" 26", " 29", " 27", " 31"], 460, right=3)[STRATEGIES.index("largest")]
    1.0
    """
    even = 1 / len(values)
    gained: list[float | None] = [float(right == slot) if slot < len(values) else None for slot in range(SLOTS)]
    for look in _looks(numbers, values, texts, first_step):
        if look is None:
            gained += (None, None)
            continue
        scores, both = look
        own = scores[right]
        equal = scores.count(own)
        if equal == len(values):
            gained.append(even)
            if both:
                gained.append(even)
            continue
        gained.append(1 / equal if own == max(scores) else 0.0)
        if both:
            gained.append(1 / equal if own == min(scores) else 0.0)
    return gained
