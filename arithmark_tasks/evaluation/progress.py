"""What is done and how long the rest takes, on stderr."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import contextmanager

from ..console import progress_bar

TITLES = {"loglikelihood": "items scored", "generate_until": "items answered"}
# An estimate is told after so many seconds, and only of so long a rest.
_SECONDS, _WORTH_TELLING = 3.0, 10.0


class ItemProgress:
    """Counts items, of which each is done when all of its requests are answered.

    ``advance`` is called once for each item that gets done, ``tell`` once with the time that the rest will take.
    """

    def __init__(
        self,
        keys: Sequence[str],
        items: Sequence[Hashable],
        missing: Collection[str],
        advance: Callable[[], object],
        tell: Callable[[str], object],
    ) -> None:
        self._items: dict[str, set[Hashable]] = defaultdict(set)
        for key, item in zip(keys, items, strict=True):
            if key in missing:
                self._items[key].add(item)
        self._open = Counter(item for waiting in self._items.values() for item in waiting)
        self._advance, self._tell = advance, tell
        self._left, self._begun, self._answered, self._told = len(self._open), 0.0, 0, False

    @property
    def left(self) -> int:
        """How many items are not done yet."""
        return self._left

    def answered(self, key: str) -> None:
        """One request is answered."""
        for item in self._items.pop(key, ()):
            self._open[item] -= 1
            if not self._open[item]:
                self._left -= 1
                self._advance()
        if not self._told:
            self._estimate()
        self._answered += 1

    def _estimate(self) -> None:
        """From the batches after the first, which takes longer; the answers of a batch come at once."""
        now = time.monotonic()
        self._begun = self._begun or now
        if now - self._begun >= _SECONDS:
            self._told = True
            rest = (now - self._begun) * len(self._items) / self._answered
            if rest >= _WORTH_TELLING:
                self._tell(f"about {duration(rest)} for the other {self._left:,} items")


@contextmanager
def item_progress(
    kind: str,
    keys: Sequence[str],
    items: Sequence[Hashable],
    missing: Collection[str],
    *,
    show: bool = True,
    tell: Callable[[str], object] = lambda fact: None,
) -> Iterator[ItemProgress]:
    """A bar of the items that requests (``keys``) belong to; those without a ``missing`` one are done."""
    with progress_bar(transient=False, show=show) as progress:
        row = progress.add_task(TITLES.get(kind, kind), total=len(set(items)))
        counted = ItemProgress(keys, items, missing, lambda: progress.advance(row), tell)
        progress.advance(row, len(set(items)) - counted.left)
        yield counted


def duration(seconds: float) -> str:
    """Seconds as people say them, rounded to what an estimate is worth.

    >>> duration(42), duration(110), duration(5000)
    ('40 s', '2 min', '1 h 23 min')
    """
    if seconds < 90:
        return f"{max(1, round(seconds / 5)) * 5} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


@contextmanager
def without_tqdm_of_prompts() -> Iterator[None]:
    """lm-eval draws one bar per task while it builds prompts, most of them for a fraction of a second: not here."""
    from lm_eval.api import task

    shown = task.tqdm
    task.tqdm = lambda docs, **_: docs
    try:
        yield
    finally:
        task.tqdm = shown
