"""Small item sets with a known shortcut, or with none, for tests of the audit.

A story is a sum with a few dropped terms; what differs is how the options are drawn around it.
"""

import random
from collections.abc import Callable

Item = dict[str, object]
Options = tuple[list[int], int]
TEMPLATES = ("shed", "shop", "bus", "farm", "port", "school")


def item(prompt: str, values: list[int], label: int, template: str = "shed", unit: str = "crates") -> Item:
    """An item of the schema with the fields that the audit reads."""
    return {
        "ctx": prompt,
        "endings": [f" {value} {unit}." for value in values],
        "label": str(label),
        "metadata": {"template": template},
    }


def shuffled(rng: random.Random, right: int, wrong: list[int]) -> Options:
    """The options in random order and the place of the right one."""
    values = [right, *wrong]
    rng.shuffle(values)
    return values, values.index(right)


def story(rng: random.Random) -> tuple[str, list[int]]:
    """A prompt and its four numbers, all different, none the sum or difference of two others' halves."""
    while True:
        a, b, c, d = rng.randint(700, 990), rng.randint(100, 299), rng.randint(30, 99), rng.randint(11, 29)
        if len({b, c, d, 2 * b, 2 * c, 2 * d, b + c, b - c, b + d, b - d, c + d, c - d}) == 12:
            break
    prompt = f"A shed held {a} crates, {b} were sold, {c} were lost and {d} came back. The crates left were"
    return prompt, [a, b, c, d]


def star(rng: random.Random) -> Options:
    """Three single mistakes around the right answer: the published form, in which the right option is the hub."""
    _, (a, b, c, d) = story(rng)
    right = a - b - c + d
    return shuffled(rng, right, [right + b, right - c, right - d])


def build(count: int, draw: Callable[[random.Random, list[int]], Options], seed: int = 1) -> list[Item]:
    """``count`` items whose options ``draw`` makes from the numbers of a story."""
    rng = random.Random(seed)
    items = []
    for index in range(count):
        prompt, numbers = story(rng)
        values, label = draw(rng, numbers)
        items.append(item(prompt, values, label, TEMPLATES[index % len(TEMPLATES)]))
    return items
