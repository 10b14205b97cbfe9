"""Items of the published schema for tests of what stores and shows them; no generator needed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from arithmark_tasks.generators import deeparithmark
from arithmark_tasks.generators.deeparithmark import edition


def sample_item(index: int, split: str = "test") -> dict[str, Any]:
    """A small item with every field of the schema; slot, rank and depth vary with the index."""
    held, sold, size = 400 + index, 90, 5 + index % 7
    answer = (held - sold) // size
    wrong = [answer + offset for offset in ((3, 7, 12), (-4, 5, 9), (-9, -4, 6), (-8, -5, -3))[index // 4 % 4]]
    options = [*wrong[: index % 4], answer, *wrong[index % 4 :]]
    depth, template = (2, "crates") if index % 32 < 16 else (3, "boxes")
    return {
        "ind": index,
        "activity_label": f"deeparithmark::deeparithmark-1::packing::depth{depth}::easy",
        "ctx": f"A shop held {held} jars and sold {sold}, then packed the rest {size} to a crate. The full crates were",
        "endings": [f" {value} crates." for value in options],
        "label": str(index % 4),
        "source_id": f"deeparithmark_v1_packing_depth{depth}_{index:04d}",
        "split": split,
        "split_type": "synthetic",
        "metadata": {
            "answer": str(answer),
            "unit": "crates",
            "topic": "packing",
            "template": template,
            "depth": depth,
            "option_values": options,
            "option_sources": ["correct" if value == answer else f"slip of {value - answer}" for value in options],
            "answer_rank": sorted(options).index(answer),
            "solution_steps": [
                f"left: {held} - {sold} = {held - sold}",
                f"full crates: {held - sold} / {size} = {answer}",
            ],
            "option_steps": [None if value == answer else 2 for value in options],
        },
    }


def first_index(seed: int) -> int:
    """The index of a set's first sample item; no other seed under 97 shares an item with the default one."""
    return 0 if seed == edition.SEED else 2000 + seed % 97


@contextmanager
def generator() -> Iterator[list[tuple[int, int]]]:
    """Sample items in the place of the DeepArithmark generator; the list records (seed, items) of each build."""
    calls: list[tuple[int, int]] = []

    def build_split(tier: str, split: str, seed: int = edition.SEED, items: int | None = None) -> list[dict[str, Any]]:
        first = first_index(seed)
        if split == "fewshot":
            return [sample_item(5000 + first + index, "fewshot") for index in range(40)]
        calls.append((seed, items or 1000))
        return [sample_item(first + index) for index in range(items or 1000)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deeparithmark, "build_split", build_split)
        yield calls
