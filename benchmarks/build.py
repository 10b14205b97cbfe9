"""Time the DeepArithmark generator: items per second, and whether an item costs more in a larger set.

Run: python benchmarks/build.py [--items 10000] [--out benchmarks/results/build.json]

Sets of 1,000, 10,000, ... up to --items are built in full. Between batches of items a reference is timed: draws from
one random stream, the generator's basic operation. An item's cost as a number of such draws does not depend on the
machine or its load. The exit status is 1 when an item of the largest set costs over --max-growth times one of the
smallest.
"""

import argparse
import json
import platform
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from arithmark_tasks.generators.deeparithmark.build import generate
from arithmark_tasks.generators.deeparithmark.edition import SEED
from arithmark_tasks.generators.deeparithmark.tiers import TIERS
from arithmark_tasks.generators.jsonl import to_line
from arithmark_tasks.generators.streams import Stream

SMALLEST = 1000
BATCH = 250
DRAWS = 20_000
REFERENCE = f"one draw, Stream.below(1000), mean of {DRAWS:,} after every {BATCH} items"


def sizes(largest: int) -> list[int]:
    """1,000 and its tenfolds up to ``largest``, and ``largest`` itself.

    >>> sizes(30_000)
    [1000, 10000, 30000]
    """
    found = [SMALLEST]
    while found[-1] * 10 < largest:
        found.append(found[-1] * 10)
    return found if largest <= SMALLEST else [*found, largest]


def reference_seconds() -> float:
    """Processor seconds of ``DRAWS`` draws."""
    draw = Stream("benchmark", 1, SEED, 0).below
    start = time.process_time()
    for _ in range(DRAWS):
        draw(1000)
    return time.process_time() - start


def measure(items: int, progress: Progress) -> dict[str, Any]:
    """Build one set to its last canonical line; processor and wall time, and the cost per item in reference draws."""
    task = progress.add_task(f"{items:,} items", total=items)
    lines: Iterator[str] = map(to_line, generate(TIERS["default"], "test", SEED, items))
    processor = wall = reference = 0.0
    batches = made = 0
    while made < items:
        wall_start, start = time.perf_counter(), time.process_time()
        count = sum(1 for _ in islice(lines, BATCH))
        processor += time.process_time() - start
        wall += time.perf_counter() - wall_start
        reference += reference_seconds()
        batches += 1
        made += count
        progress.update(task, completed=made)
    draw = reference / batches / DRAWS
    return {
        "items": items,
        "wall_seconds": round(wall, 2),
        "items_per_second": round(items / wall, 1),
        "processor_ms_per_item": round(1000 * processor / items, 3),
        "reference_ns_per_draw": round(1e9 * draw, 1),
        "draws_per_item": round(processor / items / draw, 1),
    }


def main() -> int:
    """Print a table and the growth, write the result, and say by the exit status whether the cost grew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--items",
        type=int,
        default=10_000,
        help="size of the largest set; the stories of one family run out below 100,000",
    )
    parser.add_argument("--max-growth", type=float, default=1.25)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with Progress(console=Console(stderr=True), transient=True) as progress:
        rows = [measure(items, progress) for items in sizes(options.items)]
    growth = round(rows[-1]["draws_per_item"] / rows[0]["draws_per_item"], 3)
    result = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "reference": REFERENCE,
        "sets": rows,
        "growth": growth,
    }
    for row in rows:
        print(
            f"{row['items']:>9,} items  {row['wall_seconds']:>8.2f} s  {row['items_per_second']:>7.1f} items/s  "
            f"{row['draws_per_item']:>8.1f} reference draws per item"
        )
    print(f"cost per item, largest set against smallest: {growth} (at most {options.max_growth})")
    if options.out is not None:
        options.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8", newline="\n")
    return int(growth > options.max_growth)


if __name__ == "__main__":
    sys.exit(main())
