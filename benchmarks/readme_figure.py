"""README, its figure, the scores on the cards and the audits in docs/, all from stored results.

``python benchmarks/readme_figure.py`` writes anew, from benchmarks/results, everything between the lines
``<!-- made by benchmarks/readme_figure.py: NAME -->`` and ``<!-- end -->`` of README.md and docs/, the line ``TIME`` of
the Makefile, docs/smollm2.svg and builders/cards/scores.json. ``--measure`` first makes the results: it scores the
embedded model (about half an hour on one core) and audits every tier (some minutes). After a change of items, that one
command brings all of them up to date.
"""

import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arithmark_tasks.builders.audit import full_audit
from arithmark_tasks.builders.cards.scores import FILE as CARD_SCORES
from arithmark_tasks.builders.classifiers import SEEN, TRIGRAMS, UNSEEN
from arithmark_tasks.builders.files import write_json, write_text
from arithmark_tasks.generators.choices.audit import question
from arithmark_tasks.generators.deeparithmark import build_split
from arithmark_tasks.generators.deeparithmark.tiers import TIERS
from arithmark_tasks.generators.intervals import wilson
from arithmark_tasks.report.breakdowns import control_comparisons
from arithmark_tasks.report.entries import CONTROL, DEEP_TIER, DEFAULT, METRIC, SOFT, Entry, read_entries
from arithmark_tasks.report.plots import Points, depth_axes, depth_points, draw_points
from arithmark_tasks.report.style import INK, PAPER, Plot, finish, plot_style
from arithmark_tasks.report.table import (
    Shown,
    Table,
    count,
    interval_text,
    number,
    p_text,
    points,
    score_cell,
    share,
)
from arithmark_tasks.results import Result, read_result
from arithmark_tasks.statistics import Score, chosen, holm

if TYPE_CHECKING:
    from matplotlib.axes import Axes

REPOSITORY = Path(__file__).resolve().parent.parent
RESULT = REPOSITORY / "benchmarks" / "results" / "smollm2-135m-instruct.json"
ZENYX_RESULT = RESULT.with_name("smollm2-135m-instruct-zenyx.json")
AUDIT = RESULT.with_name("audit.json")
TASKS = "deeparithmark,deeparithmark_control,deeparithmark_deep,zenyx_arith_mc"
ZENYX_TASKS = "zenyx_arith,zenyx_arith_bare,zenyx_arith_ll"
MAKEFILE = REPOSITORY / "Makefile"
FIGURE = REPOSITORY / "docs" / "smollm2.svg"
ALPHA = 0.05
MARKER = "<!-- made by benchmarks/readme_figure.py: "
METRICS = ("acc", "acc_norm", METRIC, SOFT)


def figure(entry: Entry) -> Plot:
    """Accuracy by depth with 95 % intervals and, where it was scored, the control's beside it; every point labelled."""
    from matplotlib.figure import Figure

    series: tuple[tuple[Points, str, str, dict[str, Any]], ...] = (
        (depth_points(entry, DEFAULT, DEEP_TIER), "named mistakes", "-", {}),
        (depth_points(entry, CONTROL), "adjacent integers (control)", "none", {"markerfacecolor": PAPER}),
    )
    with plot_style("smollm2"):
        drawn = Figure((4.8, 3.0), layout="constrained")
        panel = drawn.subplots()
        depth_axes(panel, [depth for found, *_ in series for depth, *_ in found])
        for place, (found, label, line, looks) in enumerate(series):
            if found:
                shift = 0.07 * (2 * place - 1)
                draw_points(panel, found, shift, place, label=label, linestyle=line, linewidth=1.2, **looks)
                others = {depth: value for depth, value, *_ in series[1 - place][0]}
                _write_values(panel, found, others, shift)
        panel.set_ylim(0, 60 if max(high for found, *_ in series for *_, high in found) < 60 else 100)
        panel.set_xlabel("depth: dependent steps per problem")
        panel.set_ylabel(f"{METRIC}, %")
        panel.set_title(entry.label)
        drawn.legend(loc="outside lower center", ncols=2, title="wrong endings", handlelength=2)
        return finish(drawn, "smollm2", entry.label, "", "Accuracy by depth on the set and on its control.")


def _write_values(panel: "Axes", found: Points, others: Mapping[int, float], shift: float) -> None:
    """Each value at the end of its interval that points away from the other series."""
    looks: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "size": 8, "color": INK}
    for depth, value, low, high in found:
        # Of two equal values, the one on the right stands above.
        above = (value, shift) > (others.get(depth, 100), -shift)
        end, reach, side = (high, 2, "bottom") if above else (low, -2, "top")
        panel.annotate(f"{value:.1f}", (depth + shift, end), (0, reach), va=side, **looks)


def depth_table(entry: Entry) -> Table:
    """One row per depth and one for all: the set by every metric, then the control and the difference it makes."""
    gaps = {gap.part: gap.paired for gap in control_comparisons([entry]) if gap.paired}
    rows = []
    parts = _parts(entry)
    adjusted = holm([scores[METRIC]["p"] for _, _, scores in parts])
    for (part, group, scores), p_holm in zip(parts, adjusted, strict=True):
        gap = gaps.get(part) if group == DEFAULT else None
        main = scores[METRIC]
        cells = [number(scores[metric]["value"], share) if metric in scores else Shown() for metric in METRICS]
        cells[METRICS.index(METRIC)] = score_cell(main, None)
        rows.append(
            (
                Shown("all" if part == "all" else f"depth {part[1:]}"),
                number(main["n"], count),
                *cells,
                number(main["p"], p_text),
                number(p_holm, p_text),
                number(gap and gap["b"], share),
                number(gap and gap["difference"], points, interval_text(gap and gap["interval"], points)),
                number(gap and gap["p"], p_text),
            )
        )
    run = entry.result.run
    name = f"{entry.label}, {run.get('num_fewshot') or 0}-shot, {run.get('dtype')}"
    columns = (name, "n", *METRICS, "p", "p (Holm)", "control", "set − control", "p of that")
    return Table("depths", "", columns, tuple(rows), frozenset({name}))


def _parts(entry: Entry) -> list[tuple[str, str, dict[str, Score]]]:
    """Name, group and scores of each row: the depths of the set, all of it, and deeper ones."""
    by = {group: entry.groups[group]["by"].get("depth", {}) for group in (DEFAULT, DEEP_TIER) if group in entry.groups}
    rows = [(f"d{depth}", DEFAULT, scores) for depth, scores in by[DEFAULT].items()]
    rows.append(("all", DEFAULT, entry.groups[DEFAULT]["metrics"]))
    return rows + [(f"d{depth}", DEEP_TIER, scores) for depth, scores in by.get(DEEP_TIER, {}).items()]


def groups_table(entry: Entry) -> Table:
    """Every other group of tasks by its headline metric."""
    rows = []
    for group, summary in entry.groups.items():
        main = summary["metrics"].get(summary["metric"])
        if group not in (DEFAULT, CONTROL, DEEP_TIER) and main:
            cells = number(main["n"], count), score_cell(main, None), number(summary["chance"], share)
            rows.append((Shown(group), Shown(summary["metric"]), *cells))
    return Table("groups", "", ("tasks", "metric", "n", "score", "chance"), tuple(rows), frozenset({"tasks", "metric"}))


def tables(entry: Entry) -> str:
    """The README's tables in Markdown; the second is left out where nothing else was scored."""
    other = groups_table(entry)
    return depth_table(entry).markdown() + ("\n" + other.markdown() if other.rows else "")


def time_words(result: Result) -> str:
    """How long a thousand items take, at the rate of a stored run.

    >>> run = {"seconds": 480.0, "threads": 2}
    >>> time_words(Result({"name": "M", "parameters": 135_000_000}, run, {}, {}, (None,) * 4000))
    'about 2 minutes for 1,000 items of a model of 135 M parameters on two cores'
    """
    minutes = result.run["seconds"] / len(result.items) * 1000 / 60
    threads = result.run["threads"]
    said = "less than a minute" if minutes < 0.75 else f"about {_plural(max(1, round(minutes)), 'minute')}"
    cores = {1: "one core", 2: "two cores"}.get(threads, f"{threads} cores")
    return f"{said} for 1,000 items of a model of {result.model['parameters'] / 1e6:.0f} M parameters on {cores}"


def _plural(number: int, word: str) -> str:
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def depth_words(rows: Sequence[tuple[str, Score, float | None]]) -> str:
    """Which rows of the table are clear of chance, by the p that is adjusted for all of them."""
    chance = 0.25
    decisive = [(name, score) for name, score, p_holm in rows if p_holm is not None and p_holm < ALPHA]
    above = [name for name, score in decisive if score["value"] > chance]
    below = [name for name, score in decisive if score["value"] < chance]
    said = [f"{_listed(found)} {way} chance" for found, way in ((above, "above"), (below, "below")) if found]
    found = " and ".join(said) if said else "no row is above or below chance"
    if said and not above:
        found += ", and none is above it"
    ((_, score, p_holm),) = [row for row in rows if row[0] == "all"]
    adjusted = "" if p_holm is None else f", {p_holm:.2g} after Holm's adjustment for the {len(rows)} rows"
    return (
        f"At 5 % and adjusted for the {len(rows)} rows of the table, {found}: the {100 * score['value']:.1f} % of all "
        f"{score['n']:,} items have an exact binomial p of {score['p']:.2g}{adjusted}."
    )


def _listed(names: Sequence[str]) -> str:
    many = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return f"{many} {'are' if len(names) > 1 else 'is'}"


def smallest_words(entry: Entry) -> str:
    """How often the smallest ending is taken, and how often it is right."""
    items = [item for item in entry.result.items if item.group == DEFAULT]
    taken = entry.groups[DEFAULT]["preference"]["rank"]["shares"][0]
    right = sum(item.values[item.gold or 0] == min(item.values) for item in items) / len(items)
    return (
        f"It takes the smallest of the four endings in {100 * taken:.0f} % of the items, where it is right in "
        f"{100 * right:.0f} %."
    )


def fives(entry: Entry) -> dict[str, int]:
    """Of the control's items that offer exactly one multiple of five.

    ``offered``: how many there are; ``taken``: in how many the model takes the multiple; ``taken_right``: in how many
    of those it is the right ending; ``multiple_right``: in how many of all the multiple is the right ending; ``right``:
    in how many of all the model is right.
    """
    counts = dict.fromkeys(("offered", "taken", "taken_right", "multiple_right", "right"), 0)
    for item in entry.result.items:
        multiples = [option for option, value in enumerate(item.values) if value % 5 == 0]
        if item.group != CONTROL or len(multiples) != 1:
            continue
        credit, (multiple,) = chosen(item, METRIC), multiples
        took = credit[multiple] == 1
        counts["offered"] += 1
        counts["taken"] += took
        counts["taken_right"] += took and item.gold == multiple
        counts["multiple_right"] += item.gold == multiple
        counts["right"] += credit[item.gold or 0] == 1
    return counts


def control_words(entry: Entry, gap: Mapping[str, Any]) -> str:
    """The control's score beside the set's, and what the model does with round numbers there."""
    found = fives(entry)
    moved = "falls" if gap["b"] < gap["a"] else "rises" if gap["b"] > gap["a"] else "stays"
    return (
        f"On the matched control, which has the same prompts and answers with adjacent integers as wrong endings, it "
        f"{moved} to {100 * gap['b']:.1f} %. {found['offered']:,} of its items offer exactly one multiple of five: the "
        f"model takes the multiple in {found['taken']:,} of them, where that is right {found['taken_right']:,} times; "
        f"in all {found['offered']:,} it is right {found['right']:,} times."
    )


def zenyx_words(result: Result) -> str:
    """Right answers to the questions of Zenyx Arithmetic Bench, with exemplars and bare."""
    found = {}
    for group in ("zenyx_arith", "zenyx_arith_bare"):
        items = [item for item in result.items if item.group == group]
        shots = {task["num_fewshot"] for task in result.tasks.values() if task["group"] == group}
        found[group] = len(items), round(sum(item.metrics["exact_match"] for item in items)), shots.pop()
    (n, right, shots), (_, bare, none) = found.values()
    if none or not n:
        raise ValueError(f"the bare questions were asked with {none} exemplars")
    return (
        f"Of {n:,} Zenyx questions it answers {right:,} with {shots} exemplars in the prompt and {bare:,} without any."
    )


def audit_words(audit: Mapping[str, Any]) -> str:
    """What the fixed strategies score on one set."""
    fixed = audit["fixed"]
    cover = (
        "the 95 % interval of each covers 25 %"
        if fixed["off"] == 0
        else f"the 95 % interval of {fixed['count'] - fixed['off']} of them covers 25 %"
    )
    return (
        f"`arithmark audit` scores {fixed['count']} fixed ways of picking an option without the arithmetic (by slot, "
        f"rank, roundness, text, digits, distance to the prompt's numbers, ...): {100 * fixed['low']:.2f} to "
        f"{100 * fixed['high']:.2f} %, and {cover}. It also trains classifiers on {audit['items']:,} items to find one:"
    )


def audit_table(audit: Mapping[str, Any]) -> str:
    """The classifiers of one set as a table."""
    rows = ["| classifier (chance 25 %) | right | 95 % interval |", "| --- | ---: | ---: |"]
    for name, row in audit["classifiers"].items():
        rows.append(f"| {name} | {100 * row['score']:.1f} % | {100 * row['low']:.1f} to {100 * row['high']:.1f} |")
    return "\n".join(rows) + "\n"


def tiers_table(audits: Mapping[str, Any]) -> str:
    """What the audit finds in each tier."""
    names = list(next(iter(audits.values()))["classifiers"])
    rows = [f"| config | fixed strategies | {' | '.join(names)} |", "| --- |" + " ---: |" * (1 + len(names))]
    for config, audit in audits.items():
        fixed = f"{100 * audit['fixed']['low']:.2f} to {100 * audit['fixed']['high']:.2f} %"
        cells = [
            f"{100 * row['score']:.1f} ({100 * row['low']:.1f} to {100 * row['high']:.1f})"
            for row in audit["classifiers"].values()
        ]
        rows.append(f"| `{config}` | {fixed} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def rows_of(entry: Entry) -> list[tuple[str, Score, float | None]]:
    """The rows of the table by name: the score and its p, adjusted for the rows."""
    parts = _parts(entry)
    adjusted = holm([scores[METRIC]["p"] for _, _, scores in parts])
    names = ["all" if part == "all" else f"depth {part[1:]}" for part, _, _ in parts]
    return [(name, scores[METRIC], p) for name, (_, _, scores), p in zip(names, parts, adjusted, strict=True)]


def reading(entry: Entry, zenyx: Result) -> str:
    """What the table shows, in sentences."""
    gaps = {gap.part: gap.paired for gap in control_comparisons([entry]) if gap.paired}
    said = [depth_words(rows_of(entry)), smallest_words(entry)]
    if "all" in gaps:
        said.append(control_words(entry, gaps["all"]))
    return _wrapped(" ".join([*said, zenyx_words(zenyx)]))


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False) + "\n"


def card_scores(entry: Entry, zenyx: Result) -> dict[str, Any]:
    """The scores that cards show, each set with the SHA-256 of the rows that were scored."""
    result = entry.result
    run = result.run
    sets: dict[str, Any] = {}
    for task in result.tasks.values():
        group = entry.groups[task["group"]]
        if group["metric"] == METRIC and task["dataset"].startswith("deeparithmark/"):
            parts = [(f"depth {depth}", scores) for depth, scores in group["by"].get("depth", {}).items()]
            rows = [_card_row(name, scores) for name, scores in [*parts, ("all", group["metrics"])]]
            sets[task["dataset"]] = {"sha256": result.datasets[task["dataset"]]["sha256"], "rows": rows}
    tested = [row for scored in sets.values() for row in scored["rows"]]
    for row, adjusted in zip(tested, holm([row["p"] for row in tested]), strict=True):
        row["p_holm"] = adjusted
    for name, facts in zenyx.datasets.items():
        sets[name] = {"sha256": facts["sha256"], "rows": _exact_rows(zenyx)}
    return {
        "model": entry.label,
        "parameters": result.model["parameters"],
        "dtype": run["dtype"],
        "tests": len(tested),
        "conditions": f"{run.get('num_fewshot') or 0}-shot, {run['dtype']}, arithmark {run['versions']['arithmark']}",
        "sets": sets,
    }


def _card_row(part: str, scores: Mapping[str, Score]) -> dict[str, Any]:
    main = scores[METRIC]
    low, high = main["interval"]
    found = {"part": part, "n": main["n"], "value": main["value"], "low": low, "high": high, "p": main["p"]}
    return {**found, "soft": scores[SOFT]["value"]}


def _exact_rows(zenyx: Result) -> list[dict[str, Any]]:
    rows = []
    for group in dict.fromkeys(task["group"] for task in zenyx.tasks.values()):
        items = [item for item in zenyx.items if item.group == group and "exact_match" in item.metrics]
        shots = {task["num_fewshot"] for task in zenyx.tasks.values() if task["group"] == group}
        if items:
            right = round(sum(item.metrics["exact_match"] for item in items))
            low, high = wilson(right, len(items))
            row = {"task": group, "shots": shots.pop(), "n": len(items), "right": right}
            rows.append({**row, "value": right / len(items), "low": low, "high": high})
    return rows


def audits() -> dict[str, Any]:
    """Every tier's audit: how far the fixed strategies reach, and each classifier's score with its interval."""
    found: dict[str, Any] = {}
    for name, tier in TIERS.items():
        rows = full_audit(tuple(question(item) for item in build_split(name, tier.main)))
        fixed = [row for row in rows if row.kind == "fixed" and row.score is not None]
        off = sum(not (row.low or 0) <= (row.chance or 0) <= (row.high or 1) for row in fixed)
        scores = [row.score for row in fixed if row.score is not None]
        found[name] = {
            "items": fixed[0].items,
            "fixed": {"count": len(fixed), "low": min(scores), "high": max(scores), "off": off},
            "classifiers": {
                row.strategy: {"score": row.score, "low": row.low, "high": row.high}
                for row in rows
                if row.strategy in (TRIGRAMS, UNSEEN, SEEN)
            },
        }
    return found


def measure() -> None:
    """Score the embedded model and audit every tier, into benchmarks/results."""
    write_json(AUDIT, audits())
    command = [sys.executable, "-m", "arithmark_tasks.cli", "eval", "--force"]
    subprocess.run([*command, "--tasks", TASKS, "--out", RESULT], check=True)
    subprocess.run([*command, "--tasks", ZENYX_TASKS, "--limit", "50", "--out", ZENYX_RESULT], check=True)


def written(entry: Entry, zenyx: Result, audit: Mapping[str, Any]) -> dict[Path, dict[str, str]]:
    """The text of every region by page and name."""
    shown = audit_table(audit["default"])
    return {
        REPOSITORY / "README.md": {
            "time": f"On a CPU that is {time_words(entry.result)}.\n",
            "scores": depth_table(entry).markdown(),
            "reading": reading(entry, zenyx),
            "audit": _wrapped(audit_words(audit["default"])) + "\n" + shown,
        },
        REPOSITORY / "docs" / "tiers.md": {"audits": tiers_table(audit)},
    }


def with_regions(page: str, regions: Mapping[str, str]) -> str:
    """A page with the text between its markers replaced; ``ValueError`` where a marker is missing."""
    for name, text in regions.items():
        pattern = rf"({re.escape(MARKER)}{name} -->\n).*?(<!-- end -->)"
        page, count = re.subn(pattern, lambda found, text=text: f"{found[1]}{text}{found[2]}", page, flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"{count} regions are called {name}")
    return page


def main() -> None:
    """Write all of it."""
    if sys.argv[1:] == ["--measure"]:
        measure()
    (entry,) = read_entries([RESULT])
    zenyx, audit = read_result(ZENYX_RESULT), json.loads(AUDIT.read_text(encoding="utf-8"))
    write_text(FIGURE, figure(entry).svg)
    write_json(CARD_SCORES, card_scores(entry, zenyx))
    for page, regions in written(entry, zenyx, audit).items():
        rules = f"{audit['default']['fixed']['count']} rules, 3 classifiers"
        text = re.sub(r"\d+ rules, 3 classifiers", rules, page.read_text(encoding="utf-8"))
        write_text(page, with_regions(text, regions))
    makefile = MAKEFILE.read_text(encoding="utf-8")
    write_text(MAKEFILE, re.sub(r"(?m)^TIME := .*$", f"TIME := {time_words(entry.result)}", makefile))


if __name__ == "__main__":
    main()
