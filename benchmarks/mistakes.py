"""What the wrong endings of DeepArithmark are made of: a table per template, counted from the built sets.

Run: python benchmarks/mistakes.py [--tiers default deep xl train] [--seed N] [--out benchmarks/results/mistakes.json]

*Natural* are endings whose mistakes a person makes for a reason, alone or two together; the others hold an amount used
again or an operand one off (`Family.contrived`). *One off* are those with an operand one too few or too many. An ending
that is a number of the story, or whose two mistakes lead to the value of one, would have no single cause: these are
counted by the closed forms of `arithmark verify`. *Early* are endings whose first mistake shows before the last step.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from arithmark_tasks.builders.files import write_json
from arithmark_tasks.generators.choices.options import CORRECT, JOIN
from arithmark_tasks.generators.deeparithmark.build import build_split
from arithmark_tasks.generators.deeparithmark.edition import SEED
from arithmark_tasks.generators.deeparithmark.families import DEEP_FAMILIES, FAMILIES
from arithmark_tasks.generators.deeparithmark.tiers import TIERS
from arithmark_tasks.generators.deeparithmark.verify.fields import causes
from arithmark_tasks.generators.deeparithmark.verify.steps import chain

Item = dict[str, Any]
USUAL = ("default", "deep", "xl", "train")
ONE_OFF = (" too few", " too many")
CONTRIVED = {family.template: family.contrived for family in (*FAMILIES, *DEEP_FAMILIES)}
SHARES = ("natural", "joined", "one off", "same again", "early")


def counted(items: Iterable[Item]) -> Counter[str]:
    """Items, wrong endings, and how many endings (of items: for causes and chains) have each trait."""
    found: Counter[str] = Counter()
    for item in items:
        data = item["metadata"]
        found["items"] += 1
        found["without a single cause"] += len(list(causes(item)))
        found["chain shorter"] += chain(data["solution_steps"]) < data["depth"]
        for source, step in zip(data["option_sources"], data["option_steps"], strict=True):
            if source == CORRECT:
                continue
            names = source.split(JOIN)
            found["endings"] += 1
            found["joined"] += len(names) > 1
            found["natural"] += CONTRIVED[data["template"]].isdisjoint(names)
            found["one off"] += any(name.endswith(ONE_OFF) for name in names)
            found["same again"] += any(name.endswith("again") for name in names)
            found["early"] += step is not None and step < data["depth"]
    return found


def row(name: str, found: Counter[str]) -> dict[str, Any]:
    """One line of the table; shares are of the wrong endings."""
    shares = {trait: round(found[trait] / found["endings"], 4) for trait in SHARES}
    counts = ("items", "endings", "without a single cause", "chain shorter")
    return {"template": name, **{count: found[count] for count in counts}, **shares}


def table(items: Sequence[Item]) -> list[dict[str, Any]]:
    """A row for the whole set and one per template."""
    by_template: dict[str, list[Item]] = {}
    for item in items:
        by_template.setdefault(item["metadata"]["template"], []).append(item)
    found = {name: counted(rows) for name, rows in sorted(by_template.items())}
    return [row("all", sum(found.values(), Counter())), *[row(name, counts) for name, counts in found.items()]]


def show(tier: str, rows: Sequence[dict[str, Any]]) -> None:
    """Print the table as Markdown."""
    print(f"\n| `{tier}` | items | endings | {' | '.join(SHARES)} | no single cause | chain shorter than depth |")
    print("|---" * (len(SHARES) + 5) + "|")
    for line in rows:
        shares = " | ".join(f"{100 * line[trait]:.1f} %" for trait in SHARES)
        ends = f"{line['without a single cause']} | {line['chain shorter']}"
        print(f"| {line['template']} | {line['items']:,} | {line['endings']:,} | {shares} | {ends} |")


def main() -> None:
    """Build the sets, print a table of each, and write all with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiers", nargs="+", default=USUAL, choices=USUAL)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    result: dict[str, Any] = {"seed": options.seed, "tiers": {}}
    for tier in options.tiers:
        result["tiers"][tier] = table(build_split(tier, TIERS[tier].main, options.seed))
        show(tier, result["tiers"][tier])
    if options.out is not None:
        write_json(options.out, result)


if __name__ == "__main__":
    main()
