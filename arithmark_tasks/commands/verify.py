"""``arithmark verify``: every claim of a built folder or a DeepArithmark file, or its overlap with another set."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..console import plain_console, progress_bar, stages
from ..generators.claims import ClaimSection
from ..generators.errors import InputError

if TYPE_CHECKING:
    from arithmark_tasks.generators.expression import Expression
    from arithmark_tasks.generators.overlap import Overlap, Shared

EXAMPLES = 3
ROSTER = 300  # a holdout names every offending task, up to a whole roster


def verify(
    path: Annotated[
        Path | None,
        typer.Argument(help="Built folder, or DeepArithmark JSONL; with --against any JSONL.", show_default=False),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(help="Look only for contexts and eight-word runs shared with this JSONL.", show_default=False),
    ] = None,
    published: Annotated[
        Path | None,
        typer.Option(help="Check a downloaded copy of the original DeepArithmark-1.", show_default=False),
    ] = None,
    train: Annotated[
        list[Path] | None,
        typer.Option(
            help="PATH is a CalcGPT manifest; the tasks it was drawn against: repeat for each file.", show_default=False
        ),
    ] = None,
    evaluated: Annotated[
        Path | None,
        typer.Option(help="PATH is a CalcGPT manifest; the tasks or answers.jsonl evaluated.", show_default=False),
    ] = None,
    seen: Annotated[
        Path | None,
        typer.Option(help="PATH is a CalcGPT manifest; the seen-index that it excludes.", show_default=False),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List the claims that hold, too.")] = False,
) -> None:
    """Check every claim again, by other ways than the generator's; exit status 1 when one does not hold.

    Example: [bold]arithmark verify out/deeparithmark[/bold]

    Example: [bold]arithmark verify out/deeparithmark --against train.jsonl[/bold]

    Example: [bold]arithmark verify --published deeparithmark-1.jsonl[/bold]

    Example: [bold]arithmark verify holdout/manifest.json --train a.txt --train b.txt --evaluated heldout.txt[/bold]
    """
    if (path is None) == (published is None):
        raise InputError("give either a folder or file to verify, or --published FILE")
    if path is not None and (train or evaluated is not None or _is_holdout(path)):
        if against is not None:
            raise InputError("--against does not go with a CalcGPT manifest")
        from arithmark_tasks.generators.calcgpt.claims import check_files

        results = check_files(path, train or (), evaluated, _seen_tasks(seen))
        _report([ClaimSection(path.name, tuple(results))], verbose, shown=ROSTER)
    elif published is not None:
        if against is not None:
            raise InputError("--published and --against do not go together")
        from arithmark_tasks.builders.verify import verify_published

        _report([verify_published(published)], verbose)
    elif path is not None and against is not None:
        _report_overlap(path, against)
    elif path is not None:
        _report(_verify(path), verbose)


def _seen_tasks(index: Path | None) -> "list[Expression]":
    if index is None:
        return []
    from arithmark_tasks.builders.contamination.index import read_expressions

    return read_expressions(index, "+-")


def _is_holdout(path: Path) -> bool:
    """Whether this is a CalcGPT holdout manifest: it says so near its start."""
    from arithmark_tasks.generators.calcgpt.manifest import SCHEMA

    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return f'"schema": "{SCHEMA}"'.encode() in stream.read(200)


def _verify(path: Path) -> "list[ClaimSection]":
    with stages() as notify:
        from arithmark_tasks.builders.verify import verify_path

        return verify_path(path, notify)


def _report(sections: "Sequence[ClaimSection]", verbose: bool, shown: int = EXAMPLES) -> None:
    """Print how many claims of each section hold, every one that does not, and leave with status 1 if there is any."""
    broken, width = 0, max((len(section.title) for section in sections), default=0)
    for section in sections:
        held = sum(found.holds for found in section.results)
        _say(f"{section.title:<{width}}  {held} of {len(section.results)} claims hold", "bold" if verbose else None)
        for found in section.results:
            if found.holds:
                if verbose:
                    _say(f"  ok    {found.claim}", "green")
                continue
            broken += 1
            if found.skipped:
                _say(f"  ?     {found.claim}: not checked, {found.skipped}", "yellow")
                continue
            _say(f"  FAIL  {found.claim} ({len(found.failures):,})", "red")
            for failure in found.failures[:shown]:
                _say(f"          {failure}")
            if len(found.failures) > shown:
                _say(f"          and {len(found.failures) - shown:,} more")
    count = sum(len(section.results) for section in sections)
    if broken:
        _say(f"{broken} of {count} claims do not hold", "red")
        raise typer.Exit(1)
    _say(f"all claims hold: {count}" + ("" if verbose else " (-v lists them)"), "green")


def _say(text: str, style: str | None = None) -> None:
    plain_console(soft_wrap=True).print(text, style=style)


def _report_overlap(path: Path, against: Path) -> None:
    from arithmark_tasks.generators.overlap import overlap, read_texts

    if not against.is_file():
        raise InputError("no such file", file=against)
    with progress_bar(of_bytes=True) as progress:
        task = progress.add_task(f"reading {against.name}", total=against.stat().st_size)
        ours = [numbered for file in _prompt_files(path) for numbered in read_texts(file)]
        found = overlap(ours, read_texts(against, lambda count: progress.advance(task, count)))
    _print_overlap(found, len(ours))
    if found.contexts or found.runs:
        raise typer.Exit(1)


def _prompt_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError("no such file or folder", file=path)
    from arithmark_tasks.builders.folder import read_manifest

    return [path / split["jsonl"] for split in read_manifest(path)["splits"] if split["split"] == "test"]


def _print_overlap(found: "Overlap", ours: int) -> None:
    _say(f"{ours:,} texts here, {found.others:,} in the other set")
    _say(f"identical contexts: {len(found.contexts):,}", "red" if found.contexts else "green")
    _print_examples(found.contexts)
    shared = f"shared eight-word runs: {len(found.runs):,}, in {found.items:,} items here"
    _say(shared, "red" if found.runs else "green")
    _print_examples(found.runs)


def _print_examples(examples: "Sequence[Shared]") -> None:
    for shared in examples[:EXAMPLES]:
        _say(f"    line {shared.line} here, line {shared.other_line} there: {shared.text[:120]!r}")
