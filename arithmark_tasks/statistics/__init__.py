"""Statistics of scored items: pure functions from ``ItemScore`` records to JSON-able numbers.

``summarise`` gives everything about one model; ``paired`` compares two models, or two sets, item by item.
``docs/statistics.md`` says which test answers which question.
"""

from .corrected import corrected
from .credit import METRICS, chosen, credits_of, headline, kind_of
from .differences import unpaired
from .inference import adjust, binomial_p, holm, homogeneity, mean, score, trend
from .mistakes import mistake_steps, mistakes
from .pairs import control_gaps, control_key, item_key, paired, paired_by, paired_credits
from .preference import preference
from .records import Corrected, Cut, Homogeneity, Mean, MistakeRow, Paired, Preference, Score, Trend, Verdict
from .signals import SIGNALS, signals_of
from .summary import judge, summarise
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
    "summarise",
    "trend",
    "unpaired",
    "verdict",
]
