"""Time the group-space sampler: 300 tasks with 40,000 blocked, buckets from empty to nearly full, and width 9.

Run: python benchmarks/sampler.py [--out FILE]. Times are the best of several repeats, in milliseconds.
"""

import argparse
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path

from arithmark_tasks.generators.calcgpt.dataset import Recipe, build
from arithmark_tasks.generators.calcgpt.sampler import allow
from arithmark_tasks.generators.calcgpt.spaces import digit_bucket, space
from arithmark_tasks.generators.streams import Stream

FILLS = (0.0, 0.5, 0.9, 0.99, 0.9999)


def best_ms(action: Callable[[], object], repeats: int = 7) -> float:
    """The fastest of several runs: the one that other work on the machine disturbed least."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return round(1000 * min(times), 3)


def documented_case() -> dict[str, float]:
    """100 tasks from each of three buckets, all 40,000 training tasks blocked."""
    data = build(Recipe())
    training = data.train + data.validation
    spaces = [allow(space("operand_pair", digit_bucket(digits)), training) for digits in (1, 2, 3)]
    return {
        "encode_and_sort_40000_blocked_ms": best_ms(
            lambda: [allow(space("operand_pair", digit_bucket(digits)), training) for digits in (1, 2, 3)]
        ),
        "sample_300_ms": best_ms(lambda: [s.sample(100, Stream("bench", 1, 42, i)) for i, s in enumerate(spaces)]),
    }


def filling(fill: float) -> dict[str, float]:
    """Sample 80 tasks from the three-digit bucket with a share of its 810,900 tasks blocked."""
    numbered = space("operand_pair", digit_bucket(3))
    everything = allow(numbered, [])
    training = [everything.task(rank) for rank in range(int(fill * everything.capacity))]
    allowed = allow(numbered, training)
    sample = best_ms(lambda: allowed.sample(80, Stream("bench", 1, 42, 0)))
    return {"blocked_share": fill, "remaining": allowed.capacity, "sample_80_ms": sample}


def wide(contract: str) -> dict[str, object]:
    """300 tasks of nine digits, 1,000 training tasks blocked, space built anew each time."""
    training = allow(space("operand_pair", digit_bucket(9)), []).sample(1000, Stream("bench", 1, 1, 0))
    if contract == "width":
        training = allow(space("operand_pair", digit_bucket(8)), []).sample(1000, Stream("bench", 1, 1, 0))
    if contract == "carry":
        training = training[:5]

    def draw() -> object:
        return allow(space(contract, digit_bucket(9)), training).sample(300, Stream("bench", 1, 2, 0))

    return {"contract": contract, "tasks": digit_bucket(9).tasks, "block_and_sample_300_ms": best_ms(draw)}


def main() -> None:
    """Print, and write with ``--out``, all three measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    out = parser.parse_args().out
    result = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "documented_case": documented_case(),
        "fill": [filling(fill) for fill in FILLS],
        "width_9": [wide(contract) for contract in ("operand_pair", "result", "carry", "width")],
    }
    text = json.dumps(result, indent=1) + "\n"
    print(text, end="")
    if out is not None:
        out.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
