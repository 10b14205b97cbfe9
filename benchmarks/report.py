"""How long a report of thirty results takes, and how large it becomes.

Thirty scripted models, from guessing to able, answer the 1,000 items of DeepArithmark and of its control; names are as
long as those of training runs are. Nothing is scored.

Run: taskset -c 0 python -m benchmarks.report --out DIR; it keeps the results and the report in DIR and writes
benchmarks/results/report.json.
"""

import argparse
import random
import time
from pathlib import Path
from typing import Any

from arithmark_tasks.builders.files import write_json
from arithmark_tasks.generators.deeparithmark.build import build_split
from arithmark_tasks.metrics import multiple_choice_results
from arithmark_tasks.report.entries import CONTROL, DEFAULT, read_entries
from arithmark_tasks.report.writing import write_report
from arithmark_tasks.results import ItemScore, Result, write_result
from benchmarks.readme_figure import REPOSITORY

RESULT = REPOSITORY / "benchmarks" / "results" / "report.json"
MODELS = 30
NAME = "/data/experiments/2026-11/arithmetic-curriculum-long-run-{}/checkpoint-{}"


def answered(item: dict[str, Any], group: str, draw: random.Random, skill: float) -> ItemScore:
    """An answer that is right with probability ``skill``, a guess otherwise."""
    data, gold = item["metadata"], int(item["label"])
    chosen = gold if draw.random() < skill else draw.randrange(4)
    tokens = tuple(1 + len(ending.split()) for ending in item["endings"])
    scores = tuple(-(draw.uniform(1.2, 1.6) + (option != chosen) * 0.5) * tokens[option] for option in range(4))
    return ItemScore(
        task=f"{group}_d{data['depth']}",
        group=group,
        id=item["source_id"],
        traits={"depth": data["depth"], "template": data["template"]},
        metrics=multiple_choice_results(item, [(score, False) for score in scores]),
        gold=gold,
        loglikelihoods=scores,
        greedy=(False,) * 4,
        characters=tuple(map(len, item["endings"])),
        bytes=tuple(len(ending.encode()) for ending in item["endings"]),
        tokens=tokens,
        values=tuple(data["option_values"]),
        sources=tuple(data["option_sources"]),
        cut=0,
    )


def results(folder: Path) -> list[Path]:
    """Thirty result files, written."""
    sets = {DEFAULT: build_split("default", "test"), CONTROL: build_split("control", "test")}
    paths = []
    for number in range(MODELS):
        draw = random.Random(number)
        items = [
            answered(item, group, draw, skill=max(0, number - 10) / 40 + 0.1 * (group == CONTROL))
            for group, rows in sets.items()
            for item in rows
        ]
        tasks = {item.task: {"version": 1.1, "group": item.group, "dataset": item.group} for item in items}
        data = {group: {"version": "1.0.0", "seed": 0, "items": 1000, "sha256": group} for group in sets}
        model = {"name": NAME.format(number % 3, 200 * (number + 1)), "parameters": 10**7 * (number + 1)}
        run = {"dtype": "float32", "max_context": 2048, "limit": None, "num_fewshot": None, "chat_template": False}
        paths.append(folder / f"run-{number}.json")
        write_result(paths[-1], Result(model, run, data, tasks, tuple(items)))
    return paths


def main() -> None:
    """Write the results, time the report, and store what it took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    folder = parser.parse_args().out
    paths = results(folder)
    wall, cpu = time.perf_counter(), time.process_time()
    write_report(read_entries(paths), folder / "report")
    seconds = {"wall_seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}
    sizes = {name: (folder / "report" / name).stat().st_size for name in ("index.html", "leaderboard.md", "pairs.md")}
    found = {"results": MODELS, "items_each": 2000, **seconds, "bytes": sizes}
    write_json(RESULT, found)
    print(found)


if __name__ == "__main__":
    main()
