"""What the page says about its methods, and about the rows that are not ours."""

from collections.abc import Sequence

from ..statistics import chosen
from ..statistics.scatter import SCATTER
from ..statistics.verdicts import ALPHA, TEMPLATE_ALPHA
from .cohorts import Cohort
from .entries import DEFAULT, METRIC, Entry
from .published import Published

Notes = tuple[tuple[str, str], ...]


def methods(entries: Sequence[Entry]) -> Notes:
    """How the figures of a report were made, by heading."""
    return (("The score", _score_note(entries)), *_METHODS, ("Scatter", _scatter_note()))


def _score_note(entries: Sequence[Entry]) -> str:
    words = (
        "“DeepArithmark” and d2 to d5 are acc_norm_tok: the option with the highest log-likelihood per token is the "
        "model's answer. The published page says “length-normalised”; that it means tokens is our reading. lm-eval's "
        "own acc_norm divides by characters."
    )
    both = [item for entry in entries for item in entry.result.items if item.group == DEFAULT and item.tokens]
    if both:
        differ = sum(chosen(item, METRIC) != chosen(item, "acc_norm") for item in both)
        words += f" In this report {differ:,} of {len(both):,} answers to DeepArithmark differ between the two."
    return words + " soft is the right option's mean probability in a softmax over the same four scores."


def _scatter_note() -> str:
    if not SCATTER:
        return (
            "Models without arithmetic have preferences, and scores of random preferences scatter more on one set than "
            "a coin's throws. How much more is not measured for these sets, and p does not count it: read a p a little "
            "below the limit with care."
        )
    known = ", ".join(f"{100 * found.deviation:.2f} points on {name}" for name, found in SCATTER.items())
    return (
        "Models without arithmetic have preferences, and scores of random preferences can scatter more on one set than "
        f"a coin's throws: their standard deviation is {known}. Verdicts and p (Holm) use the larger p that follows."
    )


_METHODS: Notes = (
    (
        "Ties",
        "Options that tie share the credit: with two best options the right one earns a half. A test takes the less "
        "significant of the two whole counts around such a sum.",
    ),
    (
        "Intervals",
        "Shares of right items have 95 % Wilson intervals, mean probabilities the mean ± 1.96 standard errors, means "
        "in bits t intervals, differences on the same items Tango's score interval, widened to 0 where McNemar's exact "
        "test does not refuse 0.",
    ),
    (
        "Chance and several tests",
        f"p is the exact two-sided binomial test against 25 %. Verdicts and ▲ ▼ go by p (Holm) < {ALPHA}, adjusted for "
        "all that is shown together: the main scores over all models and groups of tasks of this report, depths over "
        "all depths shown, templates over all cells, pairs over the pairs of the same tasks, control gaps over all "
        "gaps. The published rows are adjusted among themselves.",
    ),
    (
        "Verdicts",
        "Above or below chance, or at chance: neither. Stable wrong path: templates differ (chi-square, adjusted "
        f"p < {TEMPLATE_ALPHA}) while the whole is not above chance: right in some templates and wrong in others. "
        "Withheld: prompts were cut, or only the first items scored.",
    ),
    (
        "Like with like",
        "Models stand in one table, and are paired, only where tasks, data, items, shots, chat template, precision, "
        "normalisation and what the window cut are the same. Different windows that cut nothing make no difference. "
        "The published rows were scored in bfloat16; a float32 score is placed among them, differing by rounding.",
    ),
    (
        "Two models",
        "Compared on the same items: McNemar's exact test counts the items that only one of the two did better on. Two "
        "overlapping intervals do not show that models are equal, and a difference below the detectable one may well "
        "be missed.",
    ),
    (
        "The control",
        "deeparithmark_control has the same prompts, answers, slots and ranks with adjacent integers as wrong endings. "
        "The gap is the set minus its control: what the set's own wrong endings cost (−) or give (+).",
    ),
    (
        "Δ",
        "DeepArithmark minus ArithMark-3, on which the items are others: Newcombe's 95 % interval and Fisher's exact "
        "test, not adjusted; empty where the two were scored under other conditions.",
    ),
    (
        "Mistakes",
        "Every wrong ending is the exact result of one or two named mistakes; one made by two counts for both. A "
        "mistake that lies above the upright line is chosen more often than the other wrong options beside it.",
    ),
    (
        "Templates",
        "In the published set the rank of the answer is balanced over the set only. In ours it is balanced within each "
        "template too, so a preference for small or large numbers makes no row high or low; preferences that are not "
        "balanced may. Read a row with its interval.",
    ),
)


def cohort_note(cohort: Cohort) -> list[str]:
    """How the models of one table were scored, and what of that is different from the first."""
    said = [f"Scored alike: {cohort.conditions.text}."]
    if cohort.apart:
        said.insert(0, f"Apart from the first leaderboard: {'; '.join(cohort.apart)}.")
    if cohort.guests:
        names = ", ".join(entry.label for entry in cohort.guests)
        said.append(f"{names} stand here by characters too, because not all token counts are known.")
    return said


def published_note(table: Published) -> str:
    """Where the published rows come from and how far they compare."""
    source = f"{table.source['document']}, {table.source['file']}"
    return (
        f"Rows marked “published, not ours” are copied; source: {source}. They were scored by others on the original "
        f"items. {table.protocol} Models scored here answered other items of the same specification. Intervals and p "
        "of the published rows follow from the counts behind the printed percentages."
    )
