"""The report folder: leaderboard as Markdown and JSON, plots as PNG and SVG, one page; complete or not there.

``leaderboard.json`` is one object:

``format``, ``format_version``, ``files``
    ``"arithmark-report"``, its version, and the names of all files of the folder.
``metric``, ``chance``
    What ``deep`` and the depths are made of, and what guessing scores.
``published``
    Title, source, protocol and items of the rows that are not ours.
``rows``
    Best first: ``leaderboard.Row``, whose scores are ``statistics.Score`` with shares from 0 to 1. ``published`` tells
    the copied rows, ``file`` the result file of the others.
``comparisons``, ``control``
    ``comparisons.Comparison`` with a ``statistics.Paired`` each: every two models on what both were scored on; each
    model on the control and on the set.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from ..builders.files import files_in, refuse_foreign, whole_folder
from ..generators.errors import InputError
from .entries import METRIC, Entry
from .escaping import markdown_text
from .leaderboard import CHANCE, MARK, placement
from .page import render_page
from .published import published
from .sections import Notify, Report, make_report

FORMAT, FORMAT_VERSION = "arithmark-report", 1
JSON_FILE, MARKDOWN_FILE, PAGE_FILE = "leaderboard.json", "leaderboard.md", "index.html"


def write_report(entries: Sequence[Entry], out: Path, notify: Notify = lambda stage: None) -> Report:
    """Write the report of these models to ``out``; ``InputError`` when that holds anything but an earlier report."""
    with whole_folder(out, lambda: check_target(out)) as folder:
        report = make_report(entries, notify)
        notify("writing")
        files = {MARKDOWN_FILE: markdown(report).encode(), PAGE_FILE: render_page(report).encode()}
        for plot in report.plots:
            files |= {f"plots/{plot.name}.png": plot.png, f"plots/{plot.name}.svg": plot.svg.encode()}
        files[JSON_FILE] = leaderboard_json(report, sorted([*files, JSON_FILE])).encode()
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
    return report


def check_target(out: Path) -> None:
    """``InputError`` unless ``out`` is free, empty or an earlier report with nothing else in it."""
    if not files_in(out):
        return
    try:
        content = json.loads((out / JSON_FILE).read_bytes())
    except (OSError, ValueError):
        content = None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError("not empty and not an earlier report; choose another --out", file=out)
    refuse_foreign(out, map(str, content.get("files") or []))


def leaderboard_json(report: Report, files: Sequence[str]) -> str:
    """The JSON file's text."""
    table = published()
    content = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "files": files,
        "metric": METRIC,
        "chance": CHANCE,
        "published": {name: value for name, value in asdict(table).items() if name != "rows"},
        "rows": [asdict(row) for row in report.rows],
        "comparisons": [asdict(comparison) for comparison in report.comparisons],
        "control": [asdict(gap) for gap in report.gaps],
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def markdown(report: Report) -> str:
    """The leaderboard and every other table that is short, with the plots."""
    parts = ["# Arithmetic of " + ", ".join(markdown_text(entry.label) for entry in report.entries) + "\n"]
    for section in report.sections:
        if not (section.tables or section.plots or section.text):
            continue
        parts.append(f"## {markdown_text(section.title)}\n")
        for found in section.tables:
            parts += [found.markdown(), f"{markdown_text(found.caption)}\n"]
            if found.name == "leaderboard":
                parts.append(_placements(report))
        parts += [f"{markdown_text(text)}\n" for text in section.text]
        for plot in section.plots:
            title, caption = markdown_text(plot.title), markdown_text(plot.caption)
            parts.append(f"![{title}](plots/{plot.name}.png)\n\n{caption}\n")
    return "\n".join(parts)


def _placements(report: Report) -> str:
    placed = [(row.model, row.verdict["text"], placement(report.rows, row)) for row in report.rows if row.verdict]
    lines = [f"- **{markdown_text(model)}**: {markdown_text(f'{said}; {place}')}" for model, said, place in placed]
    return "\n".join(lines) + f"\n\nRows marked “{MARK}” are copied.\n"
