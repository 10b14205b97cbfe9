"""What an item tells of a model whose accuracy is still at chance: see ``metrics.choice_signals``."""

from ..metrics import SIGNALS, choice_signals, target_signals
from ..results import ItemScore
from .credit import kind_of

__all__ = ["SIGNALS", "signals_of"]


def signals_of(item: ItemScore) -> dict[str, float]:
    """The signals of one item, from its log-likelihoods; empty for a generated answer or unknown lengths in bytes."""
    kind = kind_of(item)
    if kind == "generated" or not item.bytes:
        return {}
    if kind == "target":
        return target_signals(item.loglikelihoods[0], item.bytes[0])
    return choice_signals(item.loglikelihoods, item.bytes, item.gold or 0)
