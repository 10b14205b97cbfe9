"""Statistics of scored items: pure functions from ``ItemScore`` records to JSON-able numbers.

``summarise`` gives everything about one model; ``paired`` compares two models, or two sets, item by item.
``docs/statistics.md`` says which test answers which question.
"""

from ..metrics import SIGNALS
from .credit import METRICS, chosen, credits_of, headline, kind_of
from .differences import control_gaps, control_key, item_key, paired, paired_by, paired_credits, unpaired
from .inference import adjust, binomial_p, holm, homogeneity, mean, score, spent, trend
from .mistakes import mistake_steps, mistakes
from .records import Corrected, Cut, Homogeneity, Mean, MistakeRow, Paired, Preference, Score, Trend, Verdict
from .summary import corrected, judge, preference, signals_of, summarise
from .verdicts import is_clear, verdict

__all__ = [
    "METRICS",
    "SIGNALS",
    "Corrected",
    "Cut",
    "Homogeneity",
    "Mean",
    "MistakeRow",
    "Paired",
    "Preference",
    "Score",
    "Trend",
    "Verdict",
    "adjust",
    "binomial_p",
    "chosen",
    "control_gaps",
    "control_key",
    "corrected",
    "credits_of",
    "headline",
    "holm",
    "homogeneity",
    "is_clear",
    "item_key",
    "judge",
    "kind_of",
    "mean",
    "mistake_steps",
    "mistakes",
    "paired",
    "paired_by",
    "paired_credits",
    "preference",
    "score",
    "signals_of",
    "spent",
    "summarise",
    "trend",
    "unpaired",
    "verdict",
]
