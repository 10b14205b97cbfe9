"""Running totals that keep every shortcut at chance while a set is being built.

Each item has many possible option sets. The one chosen is the one that brings the shortcuts' totals nearest to a
quarter of the items, over the whole set and within the item's template. The totals stay bounded, so the balance holds
at any size and an item costs the same whatever came before it.

The same is kept of what the endings are written with. A classifier over character 3-grams learns that ``" 11"`` is
seldom right as soon as it is, whatever the reason: the families reach some values by the right steps and others by a
mistake. On 1,000 items that is lost in the noise; on 10,000 it is not. So each 3-gram is watched as every shortcut is,
and allowed no more than chance itself leaves.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import sqrt

from .item import ending_text
from .options import OPTIONS, OptionSet
from .quantities import added
from .shortcuts import STRATEGIES, gains
from .watched import Leans

# The graph's centre, preferences for a size, and the strategies but the slots.
POWERS = (-5, -2, 2, 5)
# A model that prefers small endings meets the same lean in every item: it counts thrice.
_PREFERENCE = 3.0
STRATEGY_PLACES = 1 + len(POWERS) + len(STRATEGIES) - OPTIONS

# Chance itself leaves a total of about half the root of the count. A total within this share of the root costs nothing:
# a set balanced to the last item would betray itself, since what a learner counts in one part of it is reversed in the
# rest. Templates are held to it as well as the whole set, so that no template's lean makes up for another's.
_WHOLE_SLACK, _TEMPLATE_SLACK = 0.15, 0.3
_WHOLE_WEIGHT = 10
# 3-gram, the right option's count less the mean of the options, the variance over the options.
Text = tuple[tuple[str, float, float], ...]
GRAM = 3
# Free are so many items and so many standard deviations of a 3-gram's total under chance. With less, the set would be
# balanced to the last item, and what a learner counts in one part of it would be reversed in the rest.
_FLOOR, _SLACK = 3.0, 1.0


def place_of(strategy: str) -> int:
    """Where a fixed strategy stands in an entry: after the graph's centre and the preferences, without the slots."""
    return STRATEGY_PLACES - len(STRATEGIES) + STRATEGIES.index(strategy)


Entry = tuple[tuple[int, float], ...]


def entry(
    options: OptionSet,
    numbers: Sequence[int],
    unit: str,
    first_step: int | None,
    leans: Leans,
) -> Entry:
    """What an option set adds to the totals: the right option's credit, less chance, under everything watched.

    Watched are the graph's centre, options drawn by a power of their size, the fixed strategies (but the slots, which
    the plan deals), and the leans. Only the places that change are listed.
    """
    texts = [ending_text(value, unit) for value in options.values]
    gained = gains(numbers, options.values, texts, first_step, right=0)[OPTIONS:]
    changes = [options.centre - 1 / OPTIONS, *_preferences(options.values)]
    changes += [0.0 if credit is None else credit - 1 / OPTIONS for credit in gained]
    found = [(place, change) for place, change in enumerate(changes) if change]
    return (*found, *[(STRATEGY_PLACES + place, lean) for place, lean in leans])


def _preferences(values: Sequence[int]) -> list[float]:
    top = max(values) or 1
    parts = [max(value, 1) / top for value in values]
    wholes = [added([part**power for part in parts]) for power in POWERS]
    return [
        _PREFERENCE * (parts[0] ** power / whole - 1 / OPTIONS) for power, whole in zip(POWERS, wholes, strict=True)
    ]


class Totals:
    """The totals of one group of items whose entries have so many leans, with so many times the slack."""

    def __init__(self, slack: float, leans: int, freedom: float) -> None:
        self._slack = [slack] * STRATEGY_PLACES + [slack * freedom] * leans
        self._totals = [0.0] * len(self._slack)
        self._free = [0.0] * len(self._slack)
        self._count = 0

    def cost(self, entry: Entry) -> float:
        """How much the squared excess over the slack would grow."""
        totals, frees, cost = self._totals, self._free, 0.0
        # No function is called in here: it is the innermost loop of a build.
        for place, change in entry:
            before, free = totals[place], frees[place]
            after = before + change
            after = after - free if after >= 0 else -after - free
            before = before - free if before >= 0 else -before - free
            if after > 0:
                cost += after * after
            if before > 0:
                cost -= before * before
        return cost

    def add(self, entry: Entry) -> None:
        """Take an entry into the totals."""
        for place, change in entry:
            self._totals[place] += change
        self._counted(1)

    def remove(self, entry: Entry) -> None:
        """Take an entry back out of the totals."""
        for place, change in entry:
            self._totals[place] -= change
        self._counted(-1)

    def _counted(self, more: int) -> None:
        self._count += more
        root = sqrt(self._count)
        self._free = [slack * root for slack in self._slack]

    def farthest(self) -> float:
        """By how many items the strategy that is farthest from chance is off."""
        return max(map(abs, self._totals[:STRATEGY_PLACES]))


class Ledger:
    """Totals over the set and per template; ``leans`` and ``freedom`` as in ``Totals``.

    ``within`` is the freedom of the leans within a template, if it is another one.
    """

    def __init__(self, leans: int, freedom: float, within: float | None = None) -> None:
        self._leans = leans, freedom if within is None else within
        self._whole = Totals(_WHOLE_SLACK, leans, freedom)
        self._templates: dict[str, Totals] = {}

    def cost(self, template: str, entry: Entry) -> float:
        """How much worse the balance would get with ``entry``; less than nothing when it would get better."""
        within = self._templates.setdefault(template, Totals(_TEMPLATE_SLACK, *self._leans))
        return within.cost(entry) + _WHOLE_WEIGHT * self._whole.cost(entry)

    def add(self, template: str, entry: Entry) -> None:
        """Take the chosen option set into the totals."""
        self._templates.setdefault(template, Totals(_TEMPLATE_SLACK, *self._leans)).add(entry)
        self._whole.add(entry)

    def remove(self, template: str, entry: Entry) -> None:
        """Take an option set back out of the totals."""
        self._templates[template].remove(entry)
        self._whole.remove(entry)

    def farthest(self) -> float:
        """By how many items the strategy that is farthest from chance is off, over the whole set."""
        return self._whole.farthest()


def text(endings: Sequence[str]) -> Text:
    """What a set of endings, the right one first, adds to the totals; a 3-gram that all share adds nothing.

    >>> text([" 12.", " 13."])
    ((' 12', 0.5, 0.25), ('12.', 0.5, 0.25), (' 13', -0.5, 0.25), ('13.', -0.5, 0.25))
    """
    counts = [_grams(ending) for ending in endings]
    size, found = len(counts), []
    for gram in dict.fromkeys([gram for count in counts for gram in count]):
        row = [count.get(gram, 0) for count in counts]
        if row.count(row[0]) < size:
            mean = sum(row) / size
            found.append((gram, row[0] - mean, sum([(one - mean) ** 2 for one in row]) / size))
    return tuple(found)


@lru_cache(maxsize=4096)
def _grams(ending: str) -> Mapping[str, int]:
    return dict(Counter([ending[at : at + GRAM] for at in range(len(ending) - GRAM + 1)]))


class TextTotals:
    """The totals of a set, one for each 3-gram."""

    def __init__(self) -> None:
        self._totals: dict[str, float] = {}
        self._spreads: dict[str, float] = {}

    def cost(self, text: Text) -> float:
        """How much the squared excess over what chance leaves would grow."""
        cost = 0.0
        for gram, change, _ in text:
            total = self._totals.get(gram, 0.0)
            free = _FLOOR + _SLACK * sqrt(max(0.0, self._spreads.get(gram, 0.0)))
            after, before = abs(total + change) - free, abs(total) - free
            if after > 0:
                cost += after * after
            if before > 0:
                cost -= before * before
        return cost

    def add(self, text: Text) -> None:
        """Take the endings of a chosen option set into the totals."""
        for gram, change, spread in text:
            self._totals[gram] = self._totals.get(gram, 0.0) + change
            self._spreads[gram] = self._spreads.get(gram, 0.0) + spread

    def remove(self, text: Text) -> None:
        """Take the endings of an option set back out of the totals."""
        for gram, change, spread in text:
            self._totals[gram] -= change
            self._spreads[gram] -= spread
