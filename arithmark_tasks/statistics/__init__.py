"""Statistics of scored items: pure functions from ``ItemScore`` records to JSON-able numbers.

``summarise`` gives everything about one model; ``paired`` compares two models, or two sets, item by item.
``docs/statistics.md`` says which test answers which question.
"""

from .credit import METRICS, chosen, credits_of, headline, kind_of
from .inference import adjust, binomial_p, holm, homogeneity, score, trend
from .mistakes import mistake_steps, mistakes
from .pairs import control_key, item_key, paired, paired_by
from .preference import preference
from .records import Homogeneity, MistakeRow, Paired, Preference, Score, Trend, Verdict
from .summary import summarise
from .verdicts import verdict

__all__ = [
    "METRICS",
    "Homogeneity",
    "MistakeRow",
    "Paired",
    "Preference",
    "Score",
    "Trend",
    "Verdict",
    "adjust",
    "binomial_p",
    "chosen",
    "control_key",
    "credits_of",
    "headline",
    "holm",
    "homogeneity",
    "item_key",
    "kind_of",
    "mistake_steps",
    "mistakes",
    "paired",
    "paired_by",
    "preference",
    "score",
    "summarise",
    "trend",
    "verdict",
]
