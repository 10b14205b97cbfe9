"""The report folder: leaderboard as Markdown and JSON, plots as PNG and SVG, one page; complete or not there.

``leaderboard.md`` is short enough for a model card; ``tables.md``, ``pairs.md``, ``mistakes.md`` and ``scores.md`` hold
the rest. ``leaderboard.json`` is one object:

``format``, ``format_version``, ``files``
    ``"arithmark-report"``, its version, and the names of all files of the folder.
``chance``
    What guessing scores.
``published``
    Title, source, protocol and items of the rows that are not ours.
``boards``
    One for models that were scored alike: ``metric``, ``conditions``, ``apart`` (what is different from the first),
    ``placed`` (whether the published rows are among them), ``unlike_published`` (why not) and ``rows``.
``rows``
    Of all boards, best first within each: ``leaderboard.Row`` with ``board``, whose scores are ``statistics.Score``
    with shares from 0 to 1. ``published`` tells the copied rows, ``file`` the result file of the others.
``models``
    By label: files, digest or revision, conditions, verdicts, signals and the chance-corrected mean.
``control``
    ``breakdowns.Comparison`` with a ``statistics.Paired`` each: the set minus its control.

``pairs.json`` holds ``pairs``: ``breakdowns.Comparison`` of two models each.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .. import __version__
from ..builders.files import files_in, refuse_foreign, whole_folder
from ..generators.errors import InputError
from .conditions import unlike_published
from .entries import Entry
from .leaderboard import CHANCE, MARK, SIZE, Board, Row, placement, published, unless_whole
from .sections import Notify, Report, Section, make_report
from .table import interval_text, markdown_text, share

# More cards than this are no summary; the leaderboards have all rows.
_MOST_CARDS = 12
FORMAT, FORMAT_VERSION = "arithmark-report", 2
JSON_FILE, MARKDOWN_FILE, PAGE_FILE = "leaderboard.json", "leaderboard.md", "index.html"
_SHORT = ("leaderboard", "depth")
_MOST_NAMES = 6


def render_page(report: Report) -> str:
    """The HTML of a report."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    folder = Path(__file__).parent
    environment = Environment(loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined)
    entries = report.entries
    cards = [card(board, row) for board in report.boards for row in board.own]
    models = f"{len(entries)} models" if len(entries) > 1 else entries[0].label
    page = environment.get_template("page.html.jinja").render(
        title=f"Arithmetic of {models}",
        lead=lead(entries),
        cards=cards[:_MOST_CARDS],
        more=f"{_MOST_CARDS} of {len(cards)} models; the leaderboards have all." if len(cards) > _MOST_CARDS else "",
        sections=report.sections,
        files=[entry.file for entry in entries],
        version=__version__,
        css=Markup((folder / "page.css").read_text(encoding="utf-8")),
        js=Markup((folder / "page.js").read_text(encoding="utf-8")),
    )
    return page + "\n"


def lead(entries: Sequence[Entry]) -> str:
    """What was scored, in one line."""
    groups = list(dict.fromkeys(group for entry in entries for group in entry.groups))
    items = sum(len(entry.result.items) for entry in entries)
    return f"{items:,} answers to {', '.join(groups)}."


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def card(board: Board, row: Row) -> dict[str, Any]:
    """The main score of one model, its verdict and its place."""
    if row.verdict is None:
        raise ValueError(f"{row.model} has no verdict: it is published")
    return {
        "model": row.model,
        "params": row.params,
        "score": share(row.deep["value"]),
        "interval": interval_text(row.deep["interval"]),
        "limit": unless_whole(row.deep),
        "code": row.verdict["code"],
        "text": _sentence(row.verdict["text"]),
        "placement": _sentence(placement(board, row)),
    }


def write_report(
    entries: Sequence[Entry], out: Path, notify: Notify = lambda stage: None, *, every_pair: bool = False
) -> Report:
    """Write the report of these models to ``out``; ``InputError`` when that holds anything but an earlier report."""
    with whole_folder(out, lambda: check_target(out)) as folder:
        report = make_report(entries, notify, every_pair=every_pair)
        notify("writing")
        files = {name: text.encode() for name, text in _texts(report).items()}
        for plot in report.plots:
            files |= {f"plots/{plot.name}.png": plot.png, f"plots/{plot.name}.svg": plot.svg.encode()}
        files[JSON_FILE] = leaderboard_json(report, sorted([*files, JSON_FILE])).encode()
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
    return report


def _texts(report: Report) -> dict[str, str]:
    """Every file that is a text, but the one that lists them."""
    short = [section for section in report.sections if section.name.partition("-")[0] in _SHORT]
    rest = [section for section in report.sections if section not in short]
    files = {
        MARKDOWN_FILE: markdown(report, short),
        "tables.md": "# Tables\n\n" + _sections(rest),
        "scores.md": f"# Every score\n\n{report.metrics.markdown()}\n{markdown_text(report.metrics.caption)}\n",
        PAGE_FILE: render_page(report),
    }
    if report.pairs:
        files["pairs.md"] = f"# Pairs\n\n{report.pairs.markdown()}\n{markdown_text(report.pairs.caption)}\n"
        files["pairs.json"] = _json({"pairs": [asdict(pair) for pair in report.comparisons]})
    if report.mistakes:
        parts = [f"## {markdown_text(label)}\n\n{table.markdown()}" for label, table in report.mistakes]
        caption = markdown_text(report.mistakes[0][1].caption)
        files["mistakes.md"] = "\n".join(["# Named mistakes", "", caption, "", *parts])
    return files


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
        "chance": CHANCE,
        "published": {name: value for name, value in asdict(table).items() if name != "rows"},
        "boards": [_board(board) for board in report.boards],
        "rows": [{**asdict(row), "board": n} for n, board in enumerate(report.boards) for row in board.rows],
        "models": {entry.label: _model(entry) for entry in report.entries},
        "control": [asdict(gap) for gap in report.gaps],
    }
    return _json(content)


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _board(board: Board) -> dict[str, Any]:
    found = board.cohort.conditions
    return {
        "metric": board.cohort.metric,
        "conditions": asdict(found),
        "apart": board.cohort.apart,
        "placed": board.placed,
        "unlike_published": unlike_published(found, SIZE),
    }


def _model(entry: Entry) -> dict[str, Any]:
    return {
        "files": [file for file, _ in entry.runs],
        "left_out": entry.repeats,
        "identity": entry.identity,
        "corrected": entry.summary["corrected"],
        "groups": {
            group: {
                "conditions": asdict(entry.conditions[group]),
                **{name: summary[name] for name in ("n", "metric", "verdict", "cut", "limited", "signals")},
            }
            for group, summary in entry.groups.items()
        },
    }


def markdown(report: Report, sections: Sequence[Section]) -> str:
    """The leaderboards with verdicts and curves, short enough for a model card."""
    names = ", ".join(markdown_text(entry.label) for entry in report.entries[:_MOST_NAMES])
    title = names if len(report.entries) <= _MOST_NAMES else f"{len(report.entries)} models"
    more = "Every other table: tables.md, scores.md"
    more += (
        ", pairs.md" * bool(report.pairs) + ", mistakes.md" * bool(report.mistakes) + "; all on one page: index.html."
    )
    placements = {section.name: _placements(board) for section, board in zip(sections, report.boards, strict=False)}
    return f"# Arithmetic of {title}\n\n" + _sections(sections, placements) + f"\n{more}\n"


def _sections(sections: Sequence[Section], behind: Mapping[str, str] = MappingProxyType({})) -> str:
    parts = []
    for section in sections:
        parts.append(f"## {markdown_text(section.title)}\n")
        for found in section.tables:
            parts += [found.markdown(), f"{markdown_text(found.caption)}\n"]
        parts += [behind[section.name]] if section.name in behind else []
        parts += [f"{markdown_text(text)}\n" for text in section.text]
        parts += [f"**{markdown_text(name)}.** {markdown_text(note)}\n" for name, note in section.notes]
        for plot in section.plots:
            heading, caption = markdown_text(plot.title), markdown_text(plot.caption)
            parts.append(f"![{heading}](plots/{plot.name}.png)\n\n{caption}\n")
    return "\n".join(parts)


def _placements(board: Board) -> str:
    said = [(row.model, f"{row.verdict['text']}; {placement(board, row)}") for row in board.own if row.verdict]
    lines = "\n".join(f"- **{markdown_text(model)}**: {markdown_text(words)}" for model, words in said)
    return lines + (f"\n\nRows marked “{MARK}” are copied.\n" if board.placed else "\n")
