"""The self-contained page: what it shows, in order."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from .entries import Entry
from .leaderboard import Board, Row, placement, unless_whole
from .sections import Report
from .table import interval_text, share

# More cards than this are no summary; the leaderboards have all rows.
_MOST_CARDS = 12


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
