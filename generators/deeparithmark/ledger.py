"""Running totals that keep every shortcut at chance while a set is being built.

Each item has many possible option sets. The one chosen is the one that brings the shortcuts' totals nearest to a
quarter of the items, over the whole set and within the item's template. The totals stay bounded, so the balance holds
at any size and an item costs the same whatever came before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .options import OPTIONS, OptionSet
from .schema import ending_text
from .shortcuts import STRATEGIES, credits

# How much a deviation within a template weighs against the same one over the whole set.
TEMPLATE_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Entry:
    """What one option set adds to the totals: excess credit per strategy, and signed steps per slip stage."""

    excess: tuple[float, ...]
    signs: tuple[tuple[str, int], ...]


def entry(options: OptionSet, numbers: Sequence[int], unit: str, first_step: int) -> Entry:
    """The entry of an option set; the right option is the first, and the slots, dealt by the plan, are left out."""
    texts = [ending_text(value, unit) for value in options.values]
    gained = credits(numbers, options.values, texts, first_step)
    excess = [0.0 if credit is None else credit[0] - 1 / OPTIONS for credit in gained[OPTIONS:]]
    return Entry((options.centre - 1 / OPTIONS, *excess), tuple((slip.stage, slip.sign) for slip in options.slips))


class Ledger:
    """Totals over the set and per template."""

    def __init__(self) -> None:
        self._all = [0.0] * (1 + len(STRATEGIES) - OPTIONS)
        self._templates: dict[str, list[float]] = {}
        self._signs: dict[tuple[str, str], int] = {}

    def cost(self, template: str, entry: Entry) -> float:
        """How much the sum of squared totals would grow."""
        within = self._templates.setdefault(template, [0.0] * len(self._all))
        cost = 0.0
        for total, inside, excess in zip(self._all, within, entry.excess, strict=True):
            cost += excess * (2 * (total + TEMPLATE_WEIGHT * inside) + (1 + TEMPLATE_WEIGHT) * excess)
        for stage, sign in entry.signs:
            cost += TEMPLATE_WEIGHT * (2 * sign * self._signs.get((template, stage), 0) + 1)
        return cost

    def add(self, template: str, entry: Entry) -> None:
        """Take the chosen option set into the totals."""
        within = self._templates[template]
        for index, excess in enumerate(entry.excess):
            self._all[index] += excess
            within[index] += excess
        for stage, sign in entry.signs:
            self._signs[template, stage] = self._signs.get((template, stage), 0) + sign
