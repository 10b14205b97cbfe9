"""Small item sets with a known shortcut, or with none, for tests of the audit.

Every story is a sum with dropped terms; what differs is how the options are drawn around it.
"""

import random
from collections.abc import Callable
from typing import Any

Item = dict[str, Any]
Options = tuple[list[int], int | None]
TEMPLATES = ("shed", "shop", "bus", "farm", "port", "school")


def item(prompt: str, values: list[int], label: int, template: str = "shed") -> Item:
    """An item of the schema with the fields that the audit reads."""
    return {
        "ctx": prompt,
        "endings": [f" {value} crates." for value in values],
        "label": str(label),
        "metadata": {"template": template},
    }


def story(rng: random.Random) -> tuple[str, list[int]]:
    """A prompt and its four numbers."""
    a, b, c, d = rng.randint(700, 990), rng.randint(150, 290), rng.randint(50, 99), rng.randint(11, 24)
    prompt = f"A shed held {a} crates, {b} were sold, {c} were lost and {d} came back. The crates left were"
    return prompt, [a, b, c, d]


def star(rng: random.Random, numbers: list[int]) -> Options:
    """Three single mistakes around the right answer: the published form, in which the right option is the hub."""
    a, b, c, d = numbers
    right = a - b - c + d
    values = [right, right + rng.choice((-b, b)), right + rng.choice((-c, c)), right + rng.choice((-d, d))]
    rng.shuffle(values)
    return values, values.index(right)


def clean(rng: random.Random, numbers: list[int]) -> Options:
    """A square of two mistakes in which no corner is more right than another: the numbers tell nothing."""
    a, b, c, d = numbers
    first, second = rng.sample((b, c, d), 2)
    start = a - b - c + d
    values = [start, start + first, start + second, start + first + second]
    rng.shuffle(values)
    return values, None


def placed(values: list[int], index: int) -> Options:
    """The options with the right one's rank and slot going round in step with ``index``, all pairs equally often."""
    rank, slot = index % 4, index // 4 % 4
    right = sorted(values)[rank]
    wrong = [value for value in values if value != right]
    return [*wrong[:slot], right, *wrong[slot:]], slot


def build(count: int, draw: Callable[[random.Random, list[int]], Options], seed: int = 1) -> list[Item]:
    """``count`` items whose options ``draw`` makes from the numbers of a story; a label of None is ``placed``."""
    rng = random.Random(seed)
    items = []
    for index in range(count):
        prompt, numbers = story(rng)
        values, label = draw(rng, numbers)
        if label is None:
            values, label = placed(values, index // len(TEMPLATES))
        items.append(item(prompt, values, label or 0, TEMPLATES[index % len(TEMPLATES)]))
    return items
