"""What the page says about its methods, and about the rows that are not ours."""

from collections.abc import Sequence

from ..statistics.verdicts import ALPHA, TEMPLATE_ALPHA
from .entries import DEFAULT, METRIC, Entry
from .published import Published

METHODS = (
    (
        "The score",
        "“Deep” and d2 to d5 are acc_norm_tok: the option with the highest log-likelihood per token is the model's "
        "answer, as in the published protocol. lm-eval's own acc_norm divides by characters and stands under “All "
        "scores”. soft is the right option's mean probability in a softmax over the same four scores.",
    ),
    (
        "Ties",
        "Options that tie share the credit: with two best options the right one earns a half. A test takes the less "
        "significant of the two whole counts around such a sum.",
    ),
    (
        "Intervals",
        "Shares of right items have 95 % Wilson intervals, mean probabilities the mean ± 1.96 standard errors, paired "
        "differences Tango's score interval, which holds 0 wherever McNemar's exact test does not refuse it.",
    ),
    (
        "Chance",
        f"p is the exact two-sided binomial test against 25 %. ▲ and ▼ mark scores with p < {ALPHA}, not adjusted: of "
        "twenty scores of a guessing model, one is marked on average.",
    ),
    (
        "Several tests",
        "p (Holm) is adjusted for the tests of the same kind: over the models of this report for “Deep”, over the "
        "pairs for comparisons, over the depths of a model for its control gaps.",
    ),
    (
        "Verdicts",
        f"Above or below chance: p < {ALPHA}. At chance: neither. Stable wrong path: at chance, but templates differ "
        f"(chi-square, p < {TEMPLATE_ALPHA}): the model does not guess but follows one path, right in some templates "
        "and wrong in others.",
    ),
    (
        "Two models",
        "Compared on the same items: McNemar's exact test counts the items that only one of the two did better on. Two "
        "overlapping intervals do not show that models are equal.",
    ),
    (
        "The control",
        "deeparithmark_control has the same prompts, answers, slots and ranks with adjacent integers as wrong endings. "
        "What a model gains there needs no arithmetic beyond the size of the answer.",
    ),
    (
        "Δ",
        "Deep minus ArithMark-3, on which the items are others: Newcombe's 95 % interval and Fisher's exact test, not "
        "adjusted.",
    ),
    (
        "Mistakes",
        "Every wrong ending is the exact result of one or two named mistakes; one made by two counts for both. A "
        "mistake that lies above the upright line is chosen more often than the other wrong options beside it.",
    ),
    (
        "Templates",
        "Ranks are balanced over the set, not within a template: read its row as preference first and skill second.",
    ),
)


def missing_rows(entries: Sequence[Entry]) -> list[str]:
    """Why a model that was scored on DeepArithmark has no row in the leaderboard, a sentence for each."""
    return [
        f"{entry.label} has no row: its items lack token counts, and the published table divides log-likelihoods by "
        "tokens. What can be computed without them, such as acc_norm, stands under “All scores”."
        for entry in entries
        if DEFAULT in entry.groups and not entry.score(DEFAULT, METRIC)
    ]


def published_note(table: Published) -> str:
    """Where the published rows come from and how far they compare."""
    source = f"{table.source['document']}, {table.source['file']}"
    return (
        f"Rows marked “published, not ours” are copied; source: {source}. They were scored by others on the original "
        f"items. {table.protocol} Models scored here answered other items of the same specification. Intervals and p "
        "of the published rows follow from the counts behind the printed percentages."
    )
