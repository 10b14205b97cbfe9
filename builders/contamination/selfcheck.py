"""A positive control of recall: plant known expressions in every surface form among real text and look for each."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import polars as pl
import pyarrow as pa

from ...generators.errors import InputError
from ...generators.expression import OPERATORS, Expression, SemanticKey, semantic_key
from ...generators.streams import Stream
from .cutting import cut_sources
from .index import find_hits
from .planted_forms import FORMS, NOT_EXPRESSIONS, UNREAD_FORMS, Form
from .readers import read_piece
from .scan import scan
from .sources import find_sources

SEED = 20261027
NOT_AN_EXPRESSION = "not an expression"
COLUMNS = "columns"
UNREAD = "not read: "  # before the name of a form that no scan reads
_LONGEST_CARRIER = 2000  # characters

PROSE = (
    "Natalia packed 48 boxes in April, and then she packed half as many boxes in May.",
    "Half of the 36 children, about 50% of them, went home at 3:30 p.m.; the others stayed until 5.",
    "It cost $12.50 in 2019 (v1.2 of the catalogue said $11), which is why nobody bought more than 2-3 of them.",
    "See table 4.2 and section 3, where x2 and y3 are defined; on 2020-01-15 the page at 192.168.0.1 was updated.",
    "First we add the two amounts, then we divide by the number of friends: everybody gets the same share.",
    "The *average* reader needs 7 minutes, **not** 9, for a chapter of 1,200 words.",
    "\u201cSo how many are left?\u201d she asked. \u2018Seven\u2019, he said \u2014 or was it 8?",
)


@dataclass(frozen=True, slots=True)
class Recall:
    """How many plants of one form the scan found; ``examples`` are ones it got wrong, else the first.

    For ``NOT_AN_EXPRESSION`` a find is a mistake; for a form that is not read, named behind ``UNREAD``, one of the
    policy, which says so.
    """

    surface: str
    planted: int
    found: int
    examples: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Every expression was found, and nothing that is none."""
        return self.found == (self.planted if self.is_wanted else 0)

    @property
    def is_wanted(self) -> bool:
        """Whether the form is one that the scanner reads."""
        return _is_wanted(self.surface)


@dataclass(frozen=True, slots=True)
class _Plant:
    surface: str
    text: str
    keys: tuple[SemanticKey, ...]  # one of them is to be found; with NOT_AN_EXPRESSION none


def _is_wanted(surface: str) -> bool:
    return surface != NOT_AN_EXPRESSION and not surface.startswith(UNREAD)


def _operands(stream: Stream) -> tuple[int, int]:
    """Nine digits each: no corpus holds them by chance."""
    return stream.integer(100_000_000, 999_999_999), stream.integer(100_000_000, 999_999_999)


def _make_plants(repeats: int) -> Iterator[_Plant]:
    stream = Stream("selfcheck", 1, SEED, 0)
    for _ in range(repeats):
        for form in FORMS:
            for template in form.templates:
                left, right = _operands(stream)
                key = semantic_key(Expression(left, form.operator, right))
                yield _Plant(form.surface, form.render(template, left, right), (key,))
        for form in UNREAD_FORMS:
            for template in form.templates:
                left, right = _operands(stream)
                key = semantic_key(Expression(left, form.operator, right))
                yield _Plant(f"{UNREAD}{form.surface}", form.render(template, left, right), (key,))
        for template in NOT_EXPRESSIONS:
            left, right = _operands(stream)
            text = Form("plain", "+", (template,)).render(template, left, right)
            pairs = [(left, sign, right) for sign in OPERATORS] + [(right, sign, left) for sign in OPERATORS]
            yield _Plant(NOT_AN_EXPRESSION, text, tuple(semantic_key(Expression(*pair)) for pair in pairs))


def read_carriers(arguments: Sequence[str], columns: Sequence[str], count: int = 200) -> list[str]:
    """The first texts of a corpus, as real text to plant expressions in; built-in prose without a corpus."""
    if not arguments:
        return list(PROSE)
    carriers: list[str] = []
    for piece in islice(cut_sources(find_sources(arguments).sources), 8):
        for block in read_piece(piece, columns):
            for _, texts in block.texts:
                carriers += texts.to_strings(count)
            if len(carriers) >= count:
                break
    carriers = [text for text in carriers if " " in text.strip()]
    if not carriers:
        raise InputError("no text to plant expressions in", file=" ".join(arguments))
    return carriers[:count]


def _plant(carrier: str, plant: _Plant, stream: Stream) -> str:
    """The carrier with a text put between two of its words, where a letter or a comma ends the word before.

    What is no expression goes before all words: behind "48 boxes", ``x12+34`` is one.
    """
    words, text = carrier[:_LONGEST_CARRIER].split(" "), plant.text
    if not _is_wanted(plant.surface):
        return " ".join([f"Look: {text}", *words])
    places = [
        place for place in range(1, len(words)) if words[place - 1][-1:].isalpha() or words[place - 1][-1:] == ","
    ]
    place = stream.choice(places) if places else 0
    return " ".join([*words[:place], text, *words[place:]])


def _write_corpus(folder: Path, rows: Sequence[str]) -> list[str]:
    """The rows in one file of each kind that a scan reads differently."""
    parts = [list(rows[start::4]) for start in range(4)]
    pl.DataFrame({"text": parts[0]}).write_parquet(folder / "a.parquet")
    lines = "".join(json.dumps({"messages": [{"content": text}]}) + "\n" for text in parts[1])
    with pa.CompressedOutputStream(str(folder / "b.jsonl.gz"), "gzip") as stream:
        stream.write(lines.encode())
    pl.DataFrame({"text": parts[2]}).write_csv(folder / "c.csv")
    (folder / "d.txt").write_text("\n\n".join(parts[3]) + "\n", encoding="utf-8")
    return [str(folder / name) for name in ("a.parquet", "b.jsonl.gz", "c.csv", "d.txt")]


def _plants_of_columns(repeats: int) -> list[_Plant]:
    """Operations to write into columns of their own, each with the text of its cells."""
    stream = Stream("selfcheck", 1, SEED, 2)
    plants = []
    for number in range(4 * repeats):
        sign = OPERATORS[number % 4]
        left, right = _operands(stream)
        plants.append(_Plant(COLUMNS, f"{left}\t{sign}\t{right}", (semantic_key(Expression(left, sign, right)),)))
    return plants


def _write_columns(folder: Path, plants: Sequence[_Plant]) -> list[str]:
    """Operations in columns: of numbers in Parquet, of text in CSV, in objects, and without names."""
    rows = [plant.text.split("\t") for plant in plants if plant.surface == COLUMNS]
    parts = [rows[start::4] for start in range(4)]
    numbers = [{"num1": int(left), "num2": int(right), "op": sign} for left, sign, right in parts[0]]
    pl.DataFrame(numbers).write_parquet(folder / "e.parquet")
    (folder / "f.csv").write_text("".join(",".join(row) + "\n" for row in [["a", "op", "b"], *parts[1]]), "utf-8")
    objects = [{"left": int(left), "operator": sign, "right": int(right)} for left, sign, right in parts[2]]
    (folder / "g.json").write_text(json.dumps({"problems": objects}), encoding="utf-8")
    (folder / "h.tsv").write_text("".join("\t".join(row) + "\n" for row in parts[3]), encoding="utf-8")
    return [str(folder / name) for name in ("e.parquet", "f.csv", "g.json", "h.tsv")]


def check_recall(carriers: Sequence[str] = PROSE, *, repeats: int = 8, workers: int = 1) -> list[Recall]:
    """Plant every form ``repeats`` times in the carriers, scan the result as files, and look each plant up."""
    plants = list(_make_plants(repeats))
    stream = Stream("selfcheck", 1, SEED, 1)
    rows = [_plant(carriers[number % len(carriers)], plant, stream) for number, plant in enumerate(plants)]
    plants += _plants_of_columns(repeats)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        index = folder / "seen.parquet"
        files = [*_write_corpus(folder, rows), *_write_columns(folder, plants)]
        scan(files, index, workers=workers)
        hits = find_hits(index, (key for plant in plants for key in plant.keys))
    found: dict[str, list[tuple[_Plant, bool]]] = {}
    for plant in plants:
        is_found = any(key in hits for key in plant.keys)
        found.setdefault(plant.surface, []).append((plant, is_found))
    return [_summarise(surface, results) for surface, results in found.items()]


def _summarise(surface: str, results: Sequence[tuple[_Plant, bool]]) -> Recall:
    wanted = _is_wanted(surface)
    wrong = [plant.text for plant, is_found in results if is_found != wanted]
    found = sum(is_found for _, is_found in results)
    return Recall(surface, len(results), found, tuple(wrong[:5]) or (results[0][0].text,))
