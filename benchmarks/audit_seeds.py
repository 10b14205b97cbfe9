"""Attack DeepArithmark and the four-way Zenyx bench on many seeds: which rule finds the right ending without the work?

Run: python benchmarks/audit_seeds.py [--tiers default deep xl train mc] [--seeds 1 2 3] [--items N] [--sets DIR]
     [--out benchmarks/results/audit-seeds.json] [--no-boosting]

Each row is one rule on all seeds together: the mean, the least and the largest score of a seed, and the 95 % Wilson
interval of all items. Besides the rows of `arithmark audit` there are attacks learned on one set and tried on another:
the right option's rank from the prompt's numbers (per template) and from the gaps, and gradient boosting, learned on a
set of the same templates (tier `xl`; for `deep` a set of its own) and on tier `train`, all of another seed and of
--learned items. With --sets, sets and what was found on each are kept in a folder: a run that was stopped goes on
where it was. The folder belongs to one state of the generator and of the attacks; take a new one after a change.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from arithmark_tasks.builders.classifiers import (
    GAPS,
    PROMPT,
    OptionLearner,
    RankLearner,
    boosted_rows,
    gap_row,
    prompt_row,
    trigram_row,
)
from arithmark_tasks.builders.files import write_json
from arithmark_tasks.generators.choices.audit import Question, Row, audit_questions, question
from arithmark_tasks.generators.choices.estimates import estimate_rows
from arithmark_tasks.generators.deeparithmark.build import build_split
from arithmark_tasks.generators.deeparithmark.tiers import TIERS
from arithmark_tasks.generators.intervals import wilson
from arithmark_tasks.generators.jsonl import read_items, to_line
from arithmark_tasks.generators.zenyx.multiple_choice import build_multiple_choice

MC = "mc"
# Attacks learn from a set of this seed, which is never among those tried.
LEARNED_SEED = 99
FOREIGN = "gradient boosting, learned on tier `train`"
OWN = "gradient boosting, learned on another seed of these templates"
# (kind of the row, credit on each item)
Found = dict[str, tuple[str, list[float]]]


class Sets:
    """The sets that are tried and learned from, built once and read again from a folder where one is given."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    @lru_cache(maxsize=4)  # noqa: B019 - one object for the whole run
    def questions(self, tier: str, seed: int, items: int | None) -> tuple[Question, ...]:
        """The questions of a tier's main split, of its usual size unless ``items`` says otherwise."""
        kept = None if self._folder is None else self._folder / f"{tier}-{seed}-{items or 'all'}.jsonl"
        if kept is not None and kept.exists():
            return tuple([question(item) for _, item in read_items(kept)])
        built = build_multiple_choice(seed) if tier == MC else build_split(tier, TIERS[tier].main, seed, items)
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text("".join(f"{to_line(item)}\n" for item in built), encoding="utf-8", newline="\n")
        return tuple([question(item) for item in built])


class Attacks:
    """What is learned once for a tier: ranks from prompts and gaps, options by boosting."""

    def __init__(self, sets: Sets, tier: str, learned: int, boosting: bool) -> None:
        own = sets.questions({"default": "xl"}.get(tier, tier), LEARNED_SEED, None if tier == MC else learned)
        self._ranks = {
            f"{PROMPT}, on another seed": RankLearner(prompt_row, True).fit(own),
            f"{GAPS}, on another seed": RankLearner(gap_row, False).fit(own),
        }
        self._options: dict[str, OptionLearner] = {}
        if boosting:
            self._options[OWN] = OptionLearner(own)
            if tier in ("default", "xl"):
                self._options[FOREIGN] = OptionLearner(sets.questions("train", LEARNED_SEED, learned))

    def credits(self, questions: Sequence[Question]) -> Found:
        """The credit of each attack on each item."""
        found: Found = {name: ("classifier", learner.gained(questions)) for name, learner in self._ranks.items()}
        return found | {name: ("reported", learner.gained(questions)) for name, learner in self._options.items()}


Tried = dict[str, tuple[str, float, int]]


class Seeds:
    """What was found on each set of a tier; attacks learn only when a set is tried that was not tried before."""

    def __init__(self, sets: Sets, tier: str, options: argparse.Namespace) -> None:
        self._sets, self._tier, self._options = sets, tier, options
        self._attacks: Attacks | None = None

    def found(self, seed: int) -> Tried:
        """Each rule's kind, sum of credits and number of items on the set of a seed."""
        options, items = self._options, None if self._tier == MC else self._options.items
        name = f"{self._tier}-{seed}-{items or 'all'}-{options.learned}-{options.boosting}.found.json"
        kept = None if options.sets is None else options.sets / name
        if kept is not None and kept.exists():
            return {rule: (row[0], row[1], row[2]) for rule, row in json.loads(kept.read_text("utf-8")).items()}
        if self._attacks is None:
            self._attacks = Attacks(self._sets, self._tier, options.learned, options.boosting)
        found = tried(self._attacks, self._sets.questions(self._tier, seed, items), options.boosting)
        if kept is not None:
            write_json(kept, found)
        return found


def tried(attacks: Attacks, questions: Sequence[Question], boosting: bool) -> Tried:
    """Each rule's kind, sum of credits and number of items on one set."""
    rows: list[Row] = [*audit_questions(questions), *estimate_rows(questions)]
    if boosting:
        rows += [trigram_row(questions), *boosted_rows(questions)]
    found = {row.strategy: (row.kind, row.score * row.items, row.items) for row in rows if row.score is not None}
    learned = attacks.credits(questions)
    return found | {name: (kind, sum(gained), len(gained)) for name, (kind, gained) in learned.items()}


def table(seeds: Sequence[Tried]) -> list[dict[str, Any]]:
    """One row per rule over all seeds."""
    rows = []
    for name in dict.fromkeys(name for found in seeds for name in found):
        parts = [found[name] for found in seeds if name in found]
        scores = [gained / items for _, gained, items in parts]
        gained, items = sum(part[1] for part in parts), sum(part[2] for part in parts)
        low, high = wilson(gained, items)
        rows.append(
            {
                "rule": name,
                "kind": parts[0][0],
                "items": items,
                "mean": round(sum(scores) / len(scores), 4),
                "least": round(min(scores), 4),
                "largest": round(max(scores), 4),
                "low": round(low, 4),
                "high": round(high, 4),
            }
        )
    return rows


def missed(row: dict[str, Any], chance: float = 0.25) -> bool:
    """Whether a row misses its goal: a fixed rule over a point off, a learned one whose interval excludes chance."""
    if row["kind"] == "reported":
        return False
    outside = not row["low"] <= chance <= row["high"]
    return abs(row["mean"] - chance) > 0.01 if row["kind"] == "fixed" else outside


def show(tier: str, rows: Sequence[dict[str, Any]], line: Callable[[str], None]) -> None:
    """Print the learned and reported rows, the range of the fixed ones, and every one that misses its goal."""
    fixed = [row for row in rows if row["kind"] == "fixed"]
    line(f"\n{tier}: {len(fixed)} fixed rules from {low_of(fixed):.2f} to {high_of(fixed):.2f} %")
    for row in rows:
        if row["kind"] != "fixed" or missed(row):
            mark = "MISSED" if missed(row) else row["kind"]
            spread = f"{100 * row['least']:.1f} to {100 * row['largest']:.1f}"
            interval = f"({100 * row['low']:.1f} to {100 * row['high']:.1f})"
            line(f"  {row['rule']:<66} {100 * row['mean']:6.2f} {interval:>16}  seeds {spread:<14} {mark}")


def low_of(rows: Sequence[dict[str, Any]]) -> float:
    """The lowest mean of some rows, in per cent."""
    return 100 * min(row["mean"] for row in rows)


def high_of(rows: Sequence[dict[str, Any]]) -> float:
    """The highest mean of some rows, in per cent."""
    return 100 * max(row["mean"] for row in rows)


def main() -> int:
    """Print a table per tier, write all rows; the exit status is 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiers", nargs="+", default=["default", "deep", "xl", "train", MC], choices=[*TIERS, MC])
    parser.add_argument("--seeds", nargs="+", type=int, default=[20261027, *range(1, 11)])
    parser.add_argument("--items", type=int, help="items of each set, instead of its usual size")
    parser.add_argument("--learned", type=int, default=10_000, help="items of the sets that the attacks learn from")
    parser.add_argument("--sets", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--boosting", action=argparse.BooleanOptionalAction, default=True)
    options = parser.parse_args()
    if LEARNED_SEED in options.seeds:
        parser.error(f"seed {LEARNED_SEED} is the one that the attacks learn from")
    sets = Sets(options.sets)
    result: dict[str, Any] = {
        "seeds": options.seeds,
        "learned_seed": LEARNED_SEED,
        "learned": options.learned,
        "tiers": {},
    }
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(options.tiers) * len(options.seeds))
        for tier in options.tiers:
            found, seeds = Seeds(sets, tier, options), []
            for seed in options.seeds:
                progress.update(task, description=f"{tier}, seed {seed}")
                seeds.append(found.found(seed))
                progress.advance(task)
            rows = table(seeds)
            result["tiers"][tier] = rows
            show(tier, rows, print)
    if options.out is not None:
        write_json(options.out, result, indent=1)
    return int(any(missed(row) for rows in result["tiers"].values() for row in rows))


if __name__ == "__main__":
    sys.exit(main())
