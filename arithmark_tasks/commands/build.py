"""``arithmark build``: a Hub-ready folder for each dataset."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ..console import stages
from ..generators.calcgpt.contracts import DEFAULT as CONTRACT
from ..generators.deeparithmark.tiers import TIERS, USUAL

build = typer.Typer()

Out = Annotated[
    Path, typer.Option(help="Folder to write; must be free, empty or an earlier build.", show_default=False)
]


@build.callback(no_args_is_help=True)
def _datasets() -> None:
    """Write a Hub-ready folder: README.md, data/*.parquet, data/*.jsonl, manifest.json.

    Example: [bold]arithmark build deeparithmark --out out/deeparithmark[/bold]
    """


@build.command("deeparithmark")
def build_deeparithmark(
    out: Out,
    config: Annotated[
        list[str] | None,
        typer.Option(
            help=f"A tier: {', '.join(TIERS)}. Once for each; {', '.join(USUAL)} without it.", show_default=False
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Names the set; the default one is the reference.")] = 20261027,
    items: Annotated[
        int | None,
        typer.Option(
            min=1, help="Size of each config's main split; every template keeps its share.", show_default=False
        ),
    ] = None,
) -> None:
    """Build DeepArithmark-1: word problems of dependent steps, each tier a config.

    Example: [bold]arithmark build deeparithmark --out out/deeparithmark[/bold]
    """
    with stages() as notify:
        from arithmark_tasks.builders.deeparithmark import build_folder

        manifest = build_folder(out, configs=config or USUAL, seed=seed, items=items, notify=notify)
    _summary(out, manifest)


@build.command("calcgpt")
def build_calcgpt(
    out: Out,
    seed: Annotated[int, typer.Option(help="Seed of the draw, the split and the roster.")] = 42,
    config: Annotated[str | None, typer.Option(help="One representation only; all four by default.")] = None,
    width: Annotated[int, typer.Option(min=1, max=18, help="Digits per operand.")] = 3,
    tasks: Annotated[int, typer.Option(min=2, help="Distinct tasks to train and validate on.")] = 40_000,
    per_bucket: Annotated[int, typer.Option(min=1, help="Held-out tasks per digit bucket.")] = 100,
    contract: Annotated[str, typer.Option(help="What counts as the same between training and roster.")] = CONTRACT,
) -> None:
    """Build CalcGPT: additions and subtractions split by semantic group, with a held-out roster.

    Example: [bold]arithmark build calcgpt --out out/calcgpt --config padded-reversed[/bold]
    """
    with stages() as notify:
        from arithmark_tasks.builders.calcgpt import build_folder
        from arithmark_tasks.generators.calcgpt.dataset import Recipe

        recipe = Recipe(seed=seed, width=width, tasks=tasks, per_bucket=per_bucket, contract=contract)
        manifest = build_folder(out, config=config, recipe=recipe, notify=notify)
    _summary(out, manifest)


@build.command("zenyx")
def build_zenyx(
    out: Out,
    seed: Annotated[int, typer.Option(help="Names the set; the default one is the reference.")] = 20261027,
    seen: Annotated[
        list[Path] | None, typer.Option(help="Seen-index of a corpus; give it once for each index.", show_default=False)
    ] = None,
    config: Annotated[
        list[str] | None,
        typer.Option(help="default, legacy, extended or mc. Once for each; all without it.", show_default=False),
    ] = None,
) -> None:
    """Build Zenyx Arithmetic Bench: 16,000 questions, those of a scanned corpus replaced, and its other configs.

    Example: [bold]arithmark build zenyx --out out/zenyx --seen seen.parquet[/bold]
    """
    with stages() as notify:
        from arithmark_tasks.builders.contamination.account import combine, rate, warnings
        from arithmark_tasks.builders.zenyx import CONFIG_TYPES, build_folder

        manifest = build_folder(out, configs=config or tuple(CONFIG_TYPES), seed=seed, seen=seen, notify=notify)
    _summary(out, manifest)
    certificate = manifest["certificate"]
    if certificate is None:
        typer.echo("not checked against any corpus")
    else:
        rows, distinct = certificate["rows"], certificate["distinct_expressions"]
        typer.echo(f"checked against {distinct:,} distinct expressions in {rows:,} rows")
        account = combine(certificate["indexes"], distinct)
        typer.echo(f"{rate(account)}; the card says what was not read")
        for warning in warnings(account):
            typer.echo(f"warning: {warning}")
        for code, found in certificate["types"].items():
            typer.echo(f"{code}: {found['dropped']:,} candidates dropped, {found['replaced']:,} of 2,000 replaced")


def _summary(out: Path, manifest: dict[str, Any]) -> None:
    for split in manifest["splits"]:
        typer.echo(f"{split['config']}/{split['split']}: {split['items']:,} items, sha256 {split['sha256'][:16]}")
    typer.echo(f"{out}")
