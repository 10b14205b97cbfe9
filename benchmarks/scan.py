"""Time ``arithmark scan`` on a reasoning-style corpus against a Python ``re`` loop with a set, in the same run.

Run: python -m benchmarks.scan --rows 4000000 [--rounds 3] [--workers N] [--folder F] [--out FILE]

The corpus is made from a seed: about 177 bytes and four steps a row, operands mixed so that 50 million rows would hold
about 13 million distinct expressions. Each round runs the whole command as a process of its own, start-up and writing
of the index included, then the bare decoding of the Parquet files with as many threads, then the loop over the same
column; the keys of the loop must be the plain keys of the index. ``--no-loop`` leaves the loop out, for sizes at which
only time and memory of the scan are of interest; ``--bare-loop`` spares it the calls of ``semantic_key``. Processor
seconds are kept beside wall seconds: on a busy machine the first say more.

Prose (rows of 5 kB, curly quotes, few digits) and LaTeX are read from memory by the kernel alone, on one core; beside
it stands what Polars' ``count_matches`` of a like pattern takes for the same texts, on all cores.
"""

import argparse
import json
import multiprocessing
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow.parquet as pq

from arithmark_tasks.builders.contamination.scanner import Scanner, Texts
from arithmark_tasks.generators.expression import Expression, SemanticKey, semantic_key

SEED = 20261027
SHARD_ROWS = 500_000
COLUMN = "reasoning"
PLAIN = re.compile(r"(?<![\w.,-])([0-9]+) ?([-+*/]) ?([0-9]+)(?![\w.])", re.ASCII)
SIZES = ((10, 99, 0.30), (100, 999, 0.645), (1_000, 999_999, 0.055))  # lowest and highest operand, share of steps


def operands(draw: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Two operands of one size for each row."""
    size = draw.choice(len(SIZES), rows, p=[share for _, _, share in SIZES])
    low, high = (np.array([bounds[end] for bounds in SIZES])[size] for end in (0, 1))
    return draw.integers(low, high + 1), draw.integers(low, high + 1)


def make_shard(number: int, rows: int) -> pl.DataFrame:
    """One shard: rows that solve a problem in four steps, one row in 25 with other signs, one in 25 with traps."""
    draw = np.random.default_rng([SEED, number])
    a, b, c, d = (*operands(draw, rows), *operands(draw, rows))
    e, f, g, h = (*operands(draw, rows), *operands(draw, rows))
    frame = pl.DataFrame(
        {"a": a, "b": b, "c": c, "d": d, "e": e, "f": f, "g": g, "h": h, "kind": draw.integers(0, 50, rows)}
    )
    plain = pl.format(
        "First we add what was there: {} + {} = {}. Each of them needs {}*{} = {} parts, "
        "and then we take away, {} - {} = {}, before sharing the {} left among all: {} / {} is done.",
        *("a", "b", pl.col("a") + pl.col("b"), "c", "d", pl.col("c") * pl.col("d")),
        *("e", "f", pl.col("e") - pl.col("f"), "g", "g", "h"),
    )
    signs = pl.format(
        "So \\({} \\times {}\\) and {} \u00d7 {} give the two products, then {} plus {}.", "a", "b", "c", "d", "e", "f"
    )
    traps = pl.format(
        "On 2024-03-{} version 1.2.{} cost ${}.50 + tax, x{} + 1 in all; see https://a.org/v{}-x for more.", *"aabcd"
    )
    kind = pl.col("kind")
    text = pl.when(kind < 2).then(signs).when(kind < 4).then(traps).otherwise(plain)
    return frame.select(pl.int_range(rows).alias("id"), text.alias(COLUMN))


def make_corpus(folder: Path, rows: int) -> list[Path]:
    """Shards of Parquet files that hold ``rows`` rows; those of an earlier run are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, start in enumerate(range(0, rows, SHARD_ROWS)):
        count = min(SHARD_ROWS, rows - start)
        path = folder / f"shard-{number:04d}-{count}.parquet"
        if not path.exists():
            make_shard(number, count).write_parquet(path.with_suffix(".tmp"), row_group_size=100_000)
            path.with_suffix(".tmp").replace(path)
        paths.append(path)
    return paths


def python_loop(paths: list[Path]) -> set[SemanticKey]:
    """The reference: every plain ``a op b`` of the column, by ``re``, ``semantic_key`` and a set."""
    seen = set()
    for path in paths:
        for batch in pq.ParquetFile(path).iter_batches(columns=[COLUMN]):
            for text in batch.column(0).to_pylist():
                for left, operator, right in PLAIN.findall(text):
                    seen.add(semantic_key(Expression(int(left), operator, int(right))))
    return seen


def bare_loop(paths: list[Path]) -> set[SemanticKey]:
    """The same with the key written out in place: as fast as a loop in Python gets."""
    seen = set()
    for path in paths:
        for batch in pq.ParquetFile(path).iter_batches(columns=[COLUMN]):
            for text in batch.column(0).to_pylist():
                for left, operator, right in PLAIN.findall(text):
                    one, two = int(left), int(right)
                    seen.add((operator, two, one) if one > two and operator in "+*" else (operator, one, two))
    return seen


def timed_loop(paths: list[Path], index: Path, bare: bool) -> dict[str, float]:
    """Wall and processor seconds of a loop. ``ValueError`` unless its keys are the plain ones of the index."""
    start, cpu_start = time.perf_counter(), time.process_time()
    keys = (bare_loop if bare else python_loop)(paths)
    row = {"loop_seconds": time.perf_counter() - start, "loop_cpu_seconds": time.process_time() - cpu_start}
    table = pl.read_parquet(index, columns=["operator", "left", "right", "surface"])
    plain = set(table.filter(pl.col("surface").str.contains("plain")).drop("surface").iter_rows())
    if keys != plain:
        raise ValueError(f"the loop found {len(keys):,} keys, the index has {len(plain):,} plain ones")
    return row


def timed_process(command: list[str]) -> dict[str, float]:
    """Wall and processor seconds and the peak of resident memory (MB) of one command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} ended with status {status}")
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "cpu_seconds": usage.ru_utime + usage.ru_stime, "peak_mb": usage.ru_maxrss / 1024}


def scan_command(paths: list[Path], out: Path, workers: int) -> list[str]:
    """``arithmark scan`` of the corpus."""
    options = ["--out", str(out), "--column", COLUMN, "--workers", str(workers)]
    return [sys.executable, "-m", "arithmark_tasks.cli", "scan", *map(str, paths), *options]


def decode_seconds(paths: list[Path], workers: int) -> float:
    """Seconds to decode the column of all files and do nothing with it."""

    def decode(path: Path) -> int:
        batches: Iterator[pl.DataFrame] = pl.scan_parquet(path).select(COLUMN).collect_batches(chunk_size=1 << 14)
        return sum(len(batch) for batch in batches)

    start = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(decode, paths))
    return time.perf_counter() - start


WORDS = (
    *("the", "old", "man", "and", "a", "sea", "of", "books", "were", "there", "when", "she", "came", "home", "late"),
    *("that", "night", "to", "read", "them", "again"),
)
TEX = (
    r"Let $x = {a}$ and $y = \frac{{{b}}}{{{a}}}$, so that $\alpha \cdot x \le \beta$ for all real $\alpha, \beta$.",
    r"By \textbf{{symmetry}} the angle is $180^\circ - {a}^\circ$, and $\sin\theta$ is positive there.",
    r"\begin{{align*}} x + y &= {a} \\ 2x - y &= {b} \end{{align*}} gives the claim of the theorem above.",
)


def make_prose(rows: int) -> list[str]:
    """Rows of about 5 kB: sentences in curly quotes, a number in every tenth."""
    draw = np.random.default_rng([SEED, 1])
    texts = []
    for _ in range(rows):
        sentences = []
        for number in range(75):
            words = " ".join(np.array(WORDS)[draw.integers(0, len(WORDS), 13)])
            ending = f" in {draw.integers(1800, 2020)}." if number % 10 == 0 else "."
            quoted = number % 3 == 0
            sentences.append(f"\u201c{words},\u201d she didn\u2019t say." if quoted else words + ending)
        texts.append(" ".join(sentences))
    return texts


def make_latex(rows: int) -> list[str]:
    """Rows of about 800 bytes: mathematics between words."""
    draw = np.random.default_rng([SEED, 2])
    lines = [template.format(a=draw.integers(2, 99), b=draw.integers(2, 999)) for _ in range(200) for template in TEX]
    return [" ".join(np.array(lines)[draw.integers(0, len(lines), 9)]) for _ in range(rows)]


def kernel_rates(name: str, texts: list[str]) -> dict[str, float]:
    """MB of text a second, by the kernel on one core (processor time) and by Polars' pattern on all (wall time)."""
    column = pl.Series(texts)
    size = sum(len(text.encode()) for text in texts) / 1e6
    read = Texts.from_series(column, np.arange(len(texts), dtype=np.int64))
    scanner, best, best_polars = Scanner(lambda run: None), float("inf"), float("inf")
    for _ in range(5):
        start = time.thread_time()
        scanner.feed(read)
        best = min(best, time.thread_time() - start)
        begun = time.perf_counter()
        column.str.count_matches(r"[0-9]+ ?[-+*/] ?[0-9]+").sum()
        best_polars = min(best_polars, time.perf_counter() - begun)
    return {
        f"{name}_mb_per_second_and_core": round(size / best),
        f"{name}_polars_mb_per_second": round(size / best_polars),
    }


def measure(paths: list[Path], arguments: argparse.Namespace) -> dict[str, Any]:
    """All rounds; medians, and the ratio as the median over rounds."""
    out = arguments.folder / "seen.parquet"
    warm = timed_process(scan_command(paths[:1], out, arguments.workers))
    rounds: list[dict[str, float]] = []
    for _ in range(arguments.rounds):
        row = timed_process(scan_command(paths, out, arguments.workers))
        row["decode_seconds"] = decode_seconds(paths, arguments.workers)
        if not arguments.no_loop:
            # A process of its own: the peak of memory of a child counts from that of its parent.
            with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
                row |= pool.submit(timed_loop, paths, out, arguments.bare_loop).result()
        rounds.append(row)
        print(json.dumps({name: round(value, 2) for name, value in row.items()}), file=sys.stderr, flush=True)
    return {"first_run_of_one_shard_seconds": warm["seconds"], "rounds": rounds, **summarise(rounds, out)}


def summarise(rounds: list[dict[str, float]], out: Path) -> dict[str, Any]:
    """Medians over the rounds, and rates in rows and bytes of text."""
    account = json.loads(pq.read_metadata(out).metadata[b"arithmark"])
    totals = account["totals"]
    middle = {name: statistics.median(row[name] for row in rounds) for name in rounds[0]}
    summary = {
        "rows": totals["rows"],
        "text_mb": totals["text_bytes"] / 1e6,
        "distinct": totals["distinct"],
        "occurrences": totals["occurrences"],
        "rows_per_second": totals["rows"] / middle["seconds"],
        "mb_per_second": totals["text_bytes"] / 1e6 / middle["seconds"],
        "decode_mb_per_second": totals["text_bytes"] / 1e6 / middle["decode_seconds"],
        "share_of_decode_rate": middle["decode_seconds"] / middle["seconds"],
        "peak_mb": max(row["peak_mb"] for row in rounds),
    }
    if "loop_seconds" in middle:
        summary["ratio_to_loop"] = statistics.median(row["loop_seconds"] / row["seconds"] for row in rounds)
        summary["same_plain_keys"] = True
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in summary.items()}


def main() -> None:
    """Make the corpus, measure, print and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--folder", type=Path, default=Path("out/scan-benchmark"), help="where the corpus is kept")
    parser.add_argument("--no-loop", action="store_true", help="leave out the Python loop")
    parser.add_argument("--bare-loop", action="store_true", help="write semantic_key out in the Python loop")
    parser.add_argument("--out", type=Path, help="also write the figures to this JSON file")
    arguments = parser.parse_args()
    paths = make_corpus(arguments.folder, arguments.rows)
    report = {
        "machine": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "workers": arguments.workers,
        **kernel_rates("prose", make_prose(1_000)),
        **kernel_rates("latex", make_latex(6_000)),
        **kernel_rates("steps", make_shard(0, 50_000)[COLUMN].to_list()),
        **measure(paths, arguments),
    }
    text = json.dumps(report, indent=1) + "\n"
    print(text, end="")
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
