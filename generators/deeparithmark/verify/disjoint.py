"""What two sets share: contexts, tasks, and, for the training tier, runs of words, words, and classes of numbers.

The training tier is kept apart from every set of the test tiers, of any seed, by one operand of each template: its
values there and here are stated below, apart from the families that draw them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...choices.claims import prompt_numbers
from ...claims import Failure, Item, NumberedItem
from ...overlap import overlap
from .recompute import identity

# Whether the numbers of a prompt, in reading order, are of the training tier; those of a test tier never are.
_OFFS = (14, 18, 22, 26, 34, 38, 42, 44, 48, 50)
_SOLD = (8, 18, 22, 26, 34, 38, 42, 52, 54, 56, 58, 62, 66, 68)
_FIRST = (5, 12, 16, 52, 56, 68, 70, 72)
_GIVEN = (4, 6, 14, 18, 22, 26, 34, 38, 42, 44, 50, 52)
TRAINING_NUMBERS: Mapping[str, tuple[str, Callable[..., bool]]] = {
    "money_discount_fee": (f"discount one of {_OFFS}", lambda price, off, fee: off in _OFFS),
    "time_clock_end": ("a stretch over 230 minutes", lambda start, first, second: max(first, second) > 230),
    "measure_cm_cut": ("10 metres or more", lambda metres, joined, cut: metres >= 10),
    "share_then_split": ("8 companions or more", lambda first, second, spent, friends: friends >= 8),
    "two_rate_pay": ("19 or more at the first rate", lambda first, low, second, high: first >= 19),
    "stock_percent_pack": (f"percentage one of {_SOLD}", lambda stock, sold, lost, size: sold in _SOLD),
    "trip_minutes": ("7 hours or more", lambda distance, speed, stop: distance >= 7 * speed),
    "schedule_sessions": ("6 a week or more", lambda weekly, weeks, cancelled, length: weekly >= 6),
    "inventory_boxes": ("25 or more to a package", lambda held, more, less, lost, size: size >= 25),
    "mix_split": ("9 parts or more", lambda first, second, lost, parts, extra: parts >= 9),
    "tank_fill": ("29 minutes or more", lambda start, minutes, inflow, leak, drawn: minutes >= 29),
    "discount_tax_coupon_split": ("7 people or more", lambda price, off, tax, coupon, people: people >= 7),
    "salary_overtime_tax": ("60 hours or more", lambda hours, rate, extra, extra_rate, tax: hours >= 60),
    "inventory_percent_chain": (f"first percentage one of {_FIRST}", lambda stock, first, *_: first in _FIRST),
    "prize_ratio_charity": (f"percentage one of {_GIVEN}", lambda pool, mine, theirs, given: given in _GIVEN),
}
# Words that prompts of the training tier and of a test tier may both hold: measures and plain words, no other noun.
_MEASURES = "a.m. centimetres clock hour hours kilometres metres minute minutes p.m. week weeks"
_PLAIN = (
    "a added agreed all along among an and as asked at away became besides bought brought but by came comes dealt "
    "did divided down each early ended every everything fell first for found from full gathered gave get go goes "
    "good got grew had handed has in into is it kept late left less let long made more near needed normally of off "
    "offered on one ones out over owed owes owned plus proved put remained same second shared since so sold spent "
    "still that the them then this to took top under up was way went were what when which who with worth yielded"
)
COMMON_WORDS = frozenset(f"{_MEASURES} {_PLAIN}".split())
_WORD = re.compile(r"[a-z]+(?:\.[a-z]\.|'s)?")


@dataclass(frozen=True, slots=True)
class Shared:
    """How often items of one set come back in another."""

    contexts: int
    tasks: int
    runs: int
    words: tuple[str, ...]

    def problems(self, training: bool) -> list[str]:
        """What must not be, in words; runs and words count against a training set only.

        >>> Shared(0, 2, 5, ("the",)).problems(training=False)
        ['2 with the same template and numbers']
        """
        found = [f"{self.contexts} with the same context"] * bool(self.contexts)
        found += [f"{self.tasks} with the same template and numbers"] * bool(self.tasks)
        if training:
            found += [f"{self.runs} runs of eight words"] * bool(self.runs)
            nouns = [word for word in self.words if word not in COMMON_WORDS]
            found += [f"the words {', '.join(nouns)}"] * bool(nouns)
        return found


def compare(items: Iterable[Item], others: Iterable[Item]) -> Shared:
    """What ``items`` share with ``others``."""
    items, others = list(items), list(others)
    tasks = {task_of(item) for item in others}
    found = overlap(enumerate(item["ctx"] for item in items), enumerate(item["ctx"] for item in others))
    both = vocabulary(items) & vocabulary(others)
    return Shared(
        contexts=len(found.contexts),
        tasks=sum(task_of(item) in tasks for item in items),
        runs=len(found.runs),
        words=tuple(sorted(both)),
    )


def task_of(item: Item) -> str:
    """What makes two items the same task."""
    return identity(item["metadata"]["template"], item["ctx"])


def vocabulary(items: Sequence[Item]) -> set[str]:
    """The words of the prompts and units, in lower case and without a possessive ``'s``."""
    texts = {f"{item['ctx']} {item['metadata']['unit']}" for item in items}
    return {word.removesuffix("'s") for text in texts for word in _WORD.findall(text.lower())}


def is_training(item: Item) -> bool:
    """Whether an item's numbers are of the class that only the training tier draws."""
    known = TRAINING_NUMBERS.get(item["metadata"]["template"])
    return known is not None and known[1](*prompt_numbers(item["ctx"]))


def training_numbers(items: Sequence[NumberedItem]) -> Iterator[Failure]:
    """Items of the training tier whose numbers a test tier could hold."""
    for line, item in items:
        template = item["metadata"]["template"]
        try:
            apart = is_training(item)
        except (TypeError, ValueError) as error:
            yield Failure(line, f"the numbers of {template} cannot be read: {error}")
            continue
        if not apart:
            rule = TRAINING_NUMBERS[template][0] if template in TRAINING_NUMBERS else "no known template"
            yield Failure(line, f"{template} is kept apart by: {rule}; the prompt is {item['ctx']!r}")
