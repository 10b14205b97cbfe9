"""How much of what is there does ``arithmark scan`` find, form by form, and how often does it find what is not there?

Run: python -m benchmarks.scan_recall CORPORA [--out FILE]

``CORPORA`` is a folder with ``gsm8k-train.jsonl`` and ``svamp.json`` (see ``builders/certificates/README.md``). What
must be found is told by the corpora themselves, GSM8K's annotations and SVAMP's equations, and by the operations that
the templates below write; the patterns of this script read it, and share no code and no table with the scanner:

- GSM8K as it is, and with its annotations cut out, which leaves ``30 snakes * 3 birds/snake = 90 birds``. Pairs of
  which the sentence holds both numbers with a sign between are counted apart from those told otherwise (half of 48);
- SVAMP's equations;
- the operations of the Zenyx bench, 16,000, written in every template: phrases, calls, LaTeX, columns of a table ...

False hits are counted in prose: the docstrings of Python's standard library, line by line. A hit there whose two
numbers do not stand beside a sign is taken for a false one and printed, which counts too many rather than too few.
"""

import argparse
import ast
import json
import platform
import re
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from arithmark_tasks.builders.contamination.scan import scan
from arithmark_tasks.builders.contamination.scanner import Scanner, Texts
from arithmark_tasks.generators.zenyx.build import build

Pair = tuple[str, int, int]
ANNOTATION = re.compile(r"<<(\d+(?:\.0+)?)\s*([-+*/])\s*(\d+(?:\.0+)?)=[^<>]*>>")
ANY_ANNOTATION = re.compile(r"<<[^<>]*>>")
EQUATION = re.compile(r"\( (\d+(?:\.0+)?) ([-+*/]) (\d+(?:\.0+)?) \)")
WRITTEN_OUT = re.compile(r"\d[^0-9\w]{0,6}[-+*/x\u00d7\u00f7\u2013\u2212][^0-9\w]{0,6}\d")
SIGN_BETWEEN = r"[^0-9]{0,60}?[-+*/x\u00d7\u00f7\u2013\u2212][^0-9]{0,60}?"

# How people write one operation, by its sign; {a} and {b} are the operands.
TEMPLATES: dict[str, dict[str, str]] = {
    "question": dict.fromkeys("+-*/", "What is {a} {s} {b}?"),
    "sum of, difference of, product of, quotient of": {
        "+": "Find the sum of {a} and {b}.",
        "-": "Find the difference between {a} and {b}.",
        "*": "Find the product of {a} and {b}.",
        "/": "Find the quotient of {a} and {b}.",
    },
    "add to, subtract from, multiply by, divide by": {
        "+": "Add {a} to {b}.",
        "-": "Subtract {b} from {a}.",
        "*": "Multiply {a} by {b}.",
        "/": "Divide {a} by {b}.",
    },
    "is added to, is divided by": {
        "+": "What do you get when {a} is added to {b}?",
        "-": "What is left when {b} is subtracted from {a}?",
        "*": "{a} is multiplied by {b}.",
        "/": "{a} is divided by {b}.",
    },
    "word between": {
        "+": "{a} plus {b}",
        "-": "{a} minus {b}",
        "*": "{a} times {b}",
        "/": "{a} divided by {b}",
    },
    "units": {
        "+": "{a} apples + {b} apples",
        "-": "{a} apples \u2013 {b} apples",
        "*": "{a} bags * {b} apples/bag",
        "/": "{a} apples / {b} bags",
    },
    "calls": {
        "+": "add({a}, {b})",
        "-": "subtract({a}, {b})",
        "*": "multiply({a}, {b})",
        "/": "divide({a}, {b})",
    },
    "prefix": dict.fromkeys("+-*/", "({s} {a} {b})"),
    "LaTeX": {
        "+": r"$x={a}+{b}$",
        "-": r"\({a} - {b}\)",
        "*": r"$${a} \times {b}$$",
        "/": r"\[\frac{{{a}}}{{{b}}}\]",
    },
    "MathML": {
        **{s: f"<mn>{{a}}</mn><mo>{s}</mo><mn>{{b}}</mn>" for s in "+-*"},
        "/": "<mfrac><mn>{a}</mn><mn>{b}</mn></mfrac>",
    },
    "Unicode": {
        "+": "{a}\uff0b{b}",
        "-": "{a} \u2212 {b}",
        "*": "{a} \u00d7 {b}",
        "/": "{a} \u00f7 {b}",
    },
    "cells": dict.fromkeys("+-*/", "| {a} | {s} | {b} |"),
    "quoted": dict.fromkeys("+-*/", '"{a}" {s} "{b}"'),
    "sign in quotation marks": dict.fromkeys("+-*/", "{a} \u201c{s}\u201d {b}"),
    "brackets": dict.fromkeys("+-*/", "({a}) {s} ({b})"),
}


def key(left: str | int, sign: str, right: str | int) -> Pair:
    """What counts as one task, stated once more: the order of a sum or product does not matter."""
    a, b = int(float(left)), int(float(right))
    return (sign, *sorted((a, b))) if sign in "+*" else (sign, a, b)  # type: ignore[return-value]


def keys_by_row(texts: Sequence[str]) -> list[set[Pair]]:
    """The keys that the scanner finds in each text."""
    found: list[set[Pair]] = [set() for _ in texts]
    column = pl.Series(texts, dtype=pl.String)
    for row, found_key in Scanner(lambda run: None).list_keys(
        Texts.from_series(column, np.arange(len(texts), dtype=np.int64))
    ):
        found[row].add(found_key)
    return found


def rate(pairs: int, found: int) -> dict[str, float]:
    """An entry of the report."""
    return {"pairs": pairs, "found": found, "recall": round(found / pairs, 5) if pairs else 1.0}


def recall_in_gsm8k(path: Path) -> dict[str, Any]:
    """Pairs of GSM8K's annotations, found in its text as it is and without them."""
    answers = [json.loads(line)["answer"] for line in path.read_text(encoding="utf-8").splitlines()]
    expected: list[tuple[int, Pair, bool]] = []
    for row, answer in enumerate(answers):
        for match in ANNOTATION.finditer(answer):
            a, sign, b = match.groups()
            before = ANY_ANNOTATION.sub("", answer[: match.start()].rsplit("\n", 1)[-1]).replace(",", "")
            numbers = [rf"(?<![0-9.]){int(float(one))}(?![0-9])" for one in (a, b)]
            told = re.search(numbers[0] + SIGN_BETWEEN + numbers[1], before) is not None
            expected.append((row, key(a, sign, b), told))
    whole, cut = keys_by_row(answers), keys_by_row([ANY_ANNOTATION.sub("", answer) for answer in answers])
    signed, otherwise = ([one for one in expected if one[2] is side] for side in (True, False))
    return {
        "GSM8K, annotations": rate(len(expected), sum(pair in whole[row] for row, pair, _ in expected)),
        "GSM8K without annotations, a sign between both numbers": rate(
            len(signed), sum(pair in cut[row] for row, pair, _ in signed)
        ),
        "GSM8K without annotations, told otherwise": rate(
            len(otherwise), sum(pair in cut[row] for row, pair, _ in otherwise)
        ),
    }


def recall_in_svamp(path: Path) -> dict[str, Any]:
    """SVAMP's equations."""
    equations = [row["Equation"] for row in json.loads(path.read_text(encoding="utf-8"))]
    expected = [(row, key(*match.groups())) for row, text in enumerate(equations) for match in EQUATION.finditer(text)]
    found = keys_by_row(equations)
    return {"SVAMP, equations": rate(len(expected), sum(pair in found[row] for row, pair in expected))}


def recall_in_templates(questions: Sequence[tuple[int, str, int]], folder: Path) -> dict[str, Any]:
    """The bench's operations in every template, each its row, and as a table of columns."""
    report = {}
    for name, templates in TEMPLATES.items():
        texts = [templates[sign].format(a=a, b=b, s=sign) for a, sign, b in questions]
        found = keys_by_row(texts)
        hits = sum(key(a, sign, b) in row for (a, sign, b), row in zip(questions, found, strict=True))
        report[name] = rate(len(questions), hits)
    table = folder / "rows.csv"
    table.write_text("a,operator,b\n" + "".join(f"{a},{sign},{b}\n" for a, sign, b in questions), encoding="utf-8")
    scan([str(table)], folder / "rows.parquet")
    rows = pl.read_parquet(folder / "rows.parquet")
    seen = set(zip(rows["operator"], rows["left"], rows["right"], strict=True))
    report["rows of a table"] = rate(len(questions), sum(key(a, sign, b) in seen for a, sign, b in questions))
    return report


def docstrings(folder: Path) -> Iterator[str]:
    """The docstrings of all Python files of a folder, tests and packages installed beside them left out."""
    for path in sorted(folder.rglob("*.py")):
        if {"site-packages", "dist-packages", "test", "tests", "idlelib", "lib2to3"} & set(path.parts):
            continue
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield ast.get_docstring(node) or ""


def hits_in_prose(lines: Iterable[str]) -> dict[str, Any]:
    """Lines without two numbers beside a sign that yield a key all the same."""
    rows = [line for line in lines if line.strip()]
    found = keys_by_row(rows)
    hits = [(row, found[number]) for number, row in enumerate(rows) if found[number]]
    false = [(row, keys) for row, keys in hits if not WRITTEN_OUT.search(row)]
    for row, keys in false:
        print(f"no sign: {row.strip()[:100]!r} {sorted(keys)}", file=sys.stderr)
    signs = Counter(sign for _, keys in false for sign, _, _ in keys)
    return {
        "lines": len(rows),
        "lines_with_a_key": len(hits),
        "false_hits": sum(signs.values()),
        "false_hits_per_100_000_lines": round(sum(signs.values()) / len(rows) * 100_000, 1),
    }


def main() -> None:
    """Measure, print and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--out", type=Path, help="also write the figures to this JSON file")
    arguments = parser.parse_args()
    items = build()
    questions = [(int(item["a"]), str(item["operator"]), int(item["b"])) for item in items]
    with tempfile.TemporaryDirectory() as folder:
        written = recall_in_templates(questions, Path(folder))
    prose = docstrings(Path(sysconfig.get_paths()["stdlib"]))
    report = {
        "python": platform.python_version(),
        "corpora": {
            **recall_in_gsm8k(arguments.corpora / "gsm8k-train.jsonl"),
            **recall_in_svamp(arguments.corpora / "svamp.json"),
        },
        "bench_written_as": written,
        "prose": hits_in_prose(line for text in prose for line in text.splitlines()),
    }
    text = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    print(text, end="")
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
