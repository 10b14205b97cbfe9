"""What the functions of this package return: plain dictionaries of JSON values with fixed keys.

A ``p`` is None where there is nothing to test against, or too few items for the test; ``p_holm`` is the same p adjusted
for the tests that are shown together with it.
"""

from typing import TypedDict


class Score(TypedDict):
    """A mean over ``n`` items with its standard error and 95 % interval.

    ``interval_method`` is ``"wilson"`` for shares of right items and ``"normal"`` for mean probabilities; ``test`` is
    ``"binomial"`` (exact, two-sided) or ``"t"``, against chance, or None. ``p_wide`` is the larger p that follows from
    how models without arithmetic scatter (``scatter``), None where that was not measured; where it is there, ``p_holm``
    adjusts it instead of ``p``.
    """

    value: float
    n: int
    stderr: float | None
    interval: list[float]
    interval_method: str
    test: str | None
    p: float | None
    p_wide: float | None
    p_holm: float | None


class Mean(TypedDict):
    """A mean in bits over ``n`` items with its standard error and 95 % t interval, both None for one item."""

    value: float
    n: int
    stderr: float | None
    interval: list[float] | None


class Trend(TypedDict):
    """A Cochran-Armitage test: ``z`` is positive when the share rises; ``slope`` is its change per unit."""

    z: float
    slope: float
    p: float | None
    p_holm: float | None


class Homogeneity(TypedDict):
    """A chi-square test of several shares against one common share."""

    chi2: float
    df: int
    p: float | None
    p_holm: float | None


class Preference(TypedDict):
    """How often each position is chosen; ``expected`` counts are those of an equally good model without preference."""

    counts: list[float]
    shares: list[float]
    expected: list[float]
    chi2: float
    df: int
    p: float | None
    p_holm: float | None


class MistakeRow(TypedDict):
    """How often one mistake, or the mistakes of one step, led to the chosen option.

    ``offered`` items have an option that involves it; of these, ``chosen`` went to such an option (ties share) and
    ``wrong`` were answered wrongly. ``share`` is chosen / offered, ``given_wrong`` is chosen / wrong, and ``expected``
    is what ``given_wrong`` would be if every wrong option were as likely. ``step`` counts from 1; it and ``stage`` are
    None where unknown, ``template`` and ``mistake`` where the row sums over them.
    """

    template: str | None
    depth: int | None
    mistake: str | None
    stage: str | None
    step: int | None
    offered: int
    chosen: float
    wrong: float
    share: float
    interval: list[float]
    given_wrong: float | None
    given_wrong_interval: list[float] | None
    expected: float | None


class Paired(TypedDict):
    """Two scores of the same ``n`` items: ``difference`` is a - b, ``interval`` its 95 % interval.

    ``only_a`` items went better for a, ``only_b`` for b. ``test`` is ``"mcnemar"`` (exact; Tango's score interval) or
    ``"t"`` for mean probabilities. ``detectable`` is the smallest true difference that as many items of this kind show
    in four of five times.
    """

    n: int
    a: float
    b: float
    difference: float
    interval: list[float] | None
    only_a: int
    only_b: int
    test: str
    p: float
    p_holm: float | None
    detectable: float | None


class Cut(TypedDict):
    """How many of the ``known`` items had the beginning of their prompt cut off, and how many tokens in all."""

    known: int
    prompts: int
    tokens: int


class Corrected(TypedDict):
    """The mean over groups of tasks of (score - chance) / (1 - chance): 0 is guessing, 1 everything right."""

    value: float
    interval: list[float]
    groups: dict[str, float]


class Verdict(TypedDict):
    """``code``: ``above_chance``, ``at_chance``, ``below_chance``, ``stable_wrong_path``, ``no_chance_level`` or
    ``withheld``."""

    code: str
    text: str
