"""How much do scores of solvers scatter that follow a preference and compute nothing? Against the binomial, per tier.

Run: python benchmarks/preference_noise.py [--seeds 1 2 3] [--preferences 2000] [--sets DIR] [--out FILE]
     (with --out arithmark_tasks/statistics/scatter.json verdicts go by what is found)

A model at chance does not toss a coin: it prefers some looks of an ending, the same on every item, so its errors are
not independent. A random preference here is a random weight for each of some columns of `option_rows` (size, digits,
gaps to the other endings, relations to the prompt's numbers); the ending with the largest sum is picked. Were a set
without any lean, the scores would scatter as the binomial does. What they scatter more is the spread that a verdict
must add.
"""

import argparse
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from audit_seeds import Sets

from arithmark_tasks.builders.classifiers import MAX_ITEMS
from arithmark_tasks.builders.files import write_json
from arithmark_tasks.generators.choices.option_features import option_rows

TIERS = ("default", "deep", "xl", "train", "control")
# How many columns a preference goes by; 0 stands for all of them.
ACTIVE = (1, 2, 4, 8, 0)
CHANCE = 0.25


def looks(questions: Any) -> tuple[np.ndarray, np.ndarray]:
    """The columns of every option (items x 4 x columns), each of mean 0 in an item and of spread 1, and the labels."""
    rows = np.array([option_rows(asked) for asked in questions], dtype=np.float32)
    rows -= rows.mean(axis=1, keepdims=True)
    spread = rows.std(axis=(0, 1))
    return rows[:, :, spread > 0] / spread[spread > 0], np.array([asked.label for asked in questions])


def scores(rows: np.ndarray, labels: np.ndarray, preferences: int, seed: int) -> np.ndarray:
    """The score of each random preference; equal endings share the credit."""
    random = np.random.default_rng(seed)
    columns = rows.shape[2]
    found = []
    for number in range(preferences):
        active = ACTIVE[number % len(ACTIVE)] or columns
        chosen = random.choice(columns, active, replace=False)
        utility = (rows[:, :, chosen] @ random.standard_normal(active).astype(np.float32)).round(5)
        best = utility == utility.max(axis=1, keepdims=True)
        found.append((best[np.arange(len(labels)), labels] / best.sum(axis=1)).mean())
    return np.array(found)


def measure(tier: str, seeds: list[int], preferences: int, sets: Sets) -> dict[str, Any]:
    """Spread of the scores about 25 % over preferences and seeds, the binomial's, and what one adds to the other."""
    found, items = [], 0
    for seed in seeds:
        questions = sets.questions(tier, seed, None)[:MAX_ITEMS]
        items = len(questions)
        found.append(scores(*looks(questions), preferences, seed))
    spread = float(np.sqrt(np.mean((np.concatenate(found) - CHANCE) ** 2)))
    binomial = sqrt(CHANCE * (1 - CHANCE) / items)
    added = sqrt(max(0.0, spread**2 - binomial**2))
    return {
        "tier": tier,
        "items": items,
        "seeds": seeds,
        "preferences": preferences,
        "spread": round(spread, 5),
        "binomial": round(binomial, 5),
        "added": round(added, 5),
    }


def main() -> None:
    """Print the table, and write it with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiers", nargs="+", default=TIERS, choices=TIERS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--preferences", type=int, default=2000)
    parser.add_argument("--sets", type=Path)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    sets = Sets(options.sets)
    rows = [measure(tier, options.seeds, options.preferences, sets) for tier in options.tiers]
    print("| tier | items | spread of preferences | binomial | added |\n|---|---|---|---|---|")
    for row in rows:
        figures = " | ".join(f"{100 * row[key]:.2f}" for key in ("spread", "binomial", "added"))
        print(f"| `{row['tier']}` | {row['items']:,} | {figures} |")
    if options.out is not None:
        write_json(options.out, {"chance": CHANCE, "tiers": rows}, indent=1)


if __name__ == "__main__":
    main()
