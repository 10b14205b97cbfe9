"""Fixed strategies that pick an option without doing the arithmetic of the story.

A strategy is a score per option. The options with the highest score share one credit, so the mean credit on the right
option is the accuracy of someone who follows the strategy and breaks ties by lot. ``scores`` computes all of them in
one pass, because the generator needs them while it chooses the options.
"""

from collections.abc import Sequence

from .neighbours import marks, neighbour_counts, one_step_counts
from .numerals import Scores, look_scores, roundness, spread_scores, trailing_zeros
from .quantities import Number

Credit = tuple[float, ...]
SLOTS = 4
__all__ = [
    "DIRECT_ARITHMETIC",
    "NEEDS_FIRST_STEP",
    "SLOTS",
    "STRATEGIES",
    "Credit",
    "credits",
    "gains",
    "roundness",
    "scores",
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
)
NEEDS_FIRST_STEP = frozenset(("nearest the first step", "farthest from the first step"))
# Where the prompt is one bare operation on two numbers, these compute its result or divide to check it.
DIRECT_ARITHMETIC = frozenset(
    (
        "nearest the prompt's sum",
        "multiple of most prompt numbers",
        "multiple of fewest prompt numbers",
        "most one-step results",
        "fewest one-step results",
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


def _text_scores(texts: Sequence[str]) -> list[Scores]:
    lengths = [len(text) for text in texts]
    return [lengths, [-length for length in lengths]]


def _near(values: Sequence[Number], target: Number) -> list[Number]:
    return [-abs(value - target) for value in values]


def _prompt_scores(numbers: Sequence[Number], values: Sequence[Number], clock: bool) -> list[Scores]:
    """How an option relates to the numbers of the prompt."""
    known = set(numbers)
    inside = [value in known for value in values]
    last = {number % 10 for number in numbers}
    zeros = {trailing_zeros(number) for number in numbers}
    multiples = [sum([value % number == 0 for number in numbers if number > 1]) for value in values]
    found = marks(tuple(numbers), clock)
    results = one_step_counts(found, values)
    scores: list[Scores] = [
        _near(values, sum(numbers)),
        _near(values, max(numbers, default=0)),
        inside,
        [not found for found in inside],
        [value % 10 in last for value in values],
        [trailing_zeros(value) in zeros for value in values],
    ]
    for counts in (multiples, results, *neighbour_counts(found, values, clock)):
        scores += (counts, [-count for count in counts])
    return scores


def scores(
    numbers: Sequence[Number], values: Sequence[Number], texts: Sequence[str], first_step: Number | None
) -> list[Scores | None]:
    """The score of every option under every strategy, in the order of ``STRATEGIES``; the highest wins.

    ``numbers`` are the prompt's numbers in reading order, ``values`` and ``texts`` the options' (a clock time is
    minutes after midnight, told by the colon in its text), ``first_step`` the result of the first solution step. None
    stands for a strategy that has nothing to go by: no first step, a slot that the item lacks.
    """
    count = len(values)
    clock = ":" in "".join(texts)
    slots = [[i == slot for i in range(count)] if slot < count else None for slot in range(SLOTS)]
    ordered = sorted(values)
    ranks = [[value == wanted for value in values] for wanted in (ordered[0], ordered[1], ordered[-2], ordered[-1])]
    steps: list[Scores | None] = [None, None]
    if first_step is not None:
        nearness = _near(values, first_step)
        steps = [nearness, [-score for score in nearness]]
    looks = (*_text_scores(texts), *ranks, *look_scores(values, clock), *spread_scores(values))
    return [*slots, *looks, *steps, *_prompt_scores(numbers, values, clock)]


def credits(
    numbers: Sequence[Number], values: Sequence[Number], texts: Sequence[str], first_step: Number | None
) -> list[Credit | None]:
    """The credit of every option under every strategy; arguments and None as in ``scores``.

    >>> table = dict(zip(STRATEGIES, credits([420, 40], [26, 29, 27, 31], [" 26", " 29", " 27", " 31"], 460)))
    >>> table["largest"], table["nearest the first step"], table["nearest the mean"]
    ((0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 0.0))
    """
    return [None if found is None else share(found) for found in scores(numbers, values, texts, first_step)]


def gains(
    numbers: Sequence[Number], values: Sequence[Number], texts: Sequence[str], first_step: Number | None, right: int
) -> list[float | None]:
    """The credit of option ``right`` alone: ``credits`` for a caller in a hurry.

    >>> gains([420, 40], [26, 29, 27, 31], [" 26", " 29", " 27", " 31"], 460, right=3)[STRATEGIES.index("largest")]
    1.0
    """
    gained: list[float | None] = []
    for found in scores(numbers, values, texts, first_step):
        if found is None:
            gained.append(None)
        else:
            top = max(found)
            gained.append(1 / found.count(top) if found[right] == top else 0.0)
    return gained
