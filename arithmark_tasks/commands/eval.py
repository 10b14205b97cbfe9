"""``arithmark eval``: score a model on the tasks through lm-eval."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..builders.files import check_writable
from ..console import own_bars_only, plain_console
from ..generators.errors import InputError

if TYPE_CHECKING:
    from ..evaluation.settings import Settings
    from ..results import Result

MODEL, HARNESS, OUTPUT = "Model", "Tasks and prompts", "Result"
INTERRUPTED = 130  # what a shell makes of an end by Ctrl-C


def evaluate(
    model: Annotated[
        str | None,
        typer.Argument(
            help="A model folder, a Hub id (also as MODEL@REVISION) or a .gguf file; without it the embedded "
            "SmolLM2-135M-Instruct.",
            show_default=False,
        ),
    ] = None,
    named: Annotated[
        str | None, typer.Option("--model", help="The model, as an option.", rich_help_panel=MODEL)
    ] = None,
    revision: Annotated[
        str | None, typer.Option(help="Branch, tag or commit of a model on the Hub.", rich_help_panel=MODEL)
    ] = None,
    dtype: Annotated[
        str, typer.Option(help="fp32, bf16, fp16, or auto for the checkpoint's own.", rich_help_panel=MODEL)
    ] = "fp32",
    device: Annotated[
        str | None,
        typer.Option(help="cuda, xpu, mps or cpu, also as cuda:1; default: the best there is.", rich_help_panel=MODEL),
    ] = None,
    batch_size: Annotated[
        str | None, typer.Option(help="A number, or auto; default: 8, and 32 on a GPU.", rich_help_panel=MODEL)
    ] = None,
    max_context: Annotated[
        int | None,
        typer.Option(min=2, help="Cut prompts to so many tokens; default: the model's window.", rich_help_panel=MODEL),
    ] = None,
    model_type: Annotated[
        str,
        typer.Option(
            help="hf-shared computes a prompt once for all its options; hf is lm-eval's own way.", rich_help_panel=MODEL
        ),
    ] = "hf-shared",
    model_args: Annotated[
        str,
        typer.Option(
            help="Further arguments of lm-eval's model, as NAME=VALUE,NAME=VALUE or a JSON object.",
            show_default=False,
            rich_help_panel=MODEL,
        ),
    ] = "",
    trust_remote_code: Annotated[
        bool,
        typer.Option(
            "--trust-remote-code", help="Let the model run code from its own repository.", rich_help_panel=MODEL
        ),
    ] = False,
    tasks: Annotated[
        str, typer.Option(help="lm-eval task names, separated by commas.", rich_help_panel=HARNESS)
    ] = "deeparithmark",
    limit: Annotated[
        float | None,
        typer.Option(
            help="Only the first N items of each task or, below 1, that share of them.", rich_help_panel=HARNESS
        ),
    ] = None,
    num_fewshot: Annotated[
        int | None, typer.Option(min=0, help="Examples in the prompt; default: the task's.", rich_help_panel=HARNESS)
    ] = None,
    apply_chat_template: Annotated[
        bool,
        typer.Option(
            "--apply-chat-template", help="Wrap prompts in the model's chat template.", rich_help_panel=HARNESS
        ),
    ] = False,
    gen_kwargs: Annotated[
        str,
        typer.Option(
            help="How answers are generated, as NAME=VALUE,NAME=VALUE or a JSON object.",
            show_default=False,
            rich_help_panel=HARNESS,
        ),
    ] = "",
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Also score the matched control and ArithMark 3.0, and compare.",
            rich_help_panel=HARNESS,
        ),
    ] = False,
    arithmark3: Annotated[
        Path | None,
        typer.Option(
            help="As --compare, with ArithMark 3.0 read from this JSONL instead of the Hub.", rich_help_panel=HARNESS
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write the result to this JSON file; else print only.", rich_help_panel=OUTPUT),
    ] = None,
    display_name: Annotated[
        str | None,
        typer.Option("--name", help="What reports call the model; default: its own name.", rich_help_panel=OUTPUT),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the result file.", rich_help_panel=OUTPUT)] = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print the result without its items as JSON instead of tables.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
) -> None:
    """Score a model, print its scores with intervals and verdicts, and store every answer.

    A run with --out that was stopped goes on where it was when it is started again. On several GPUs:
    [bold]accelerate launch -m arithmark_tasks.cli eval MODEL ...[/bold]

    Example: [bold]arithmark eval HuggingFaceTB/SmolLM2-135M --dtype bf16 --compare --out smollm2.json[/bold]
    """
    if out is not None:
        check_writable(out, force=force)
    from ..evaluation.settings import Settings, parsed

    name, revision = _model_and_revision(model, named, revision)
    settings = Settings(
        model=name,
        revision=revision,
        tasks=tuple(tasks.replace(",", " ").split()),
        dtype=dtype,
        device=device,
        batch_size=batch_size,
        max_context=max_context,
        model_type=model_type,
        model_args=parsed("--model-args", model_args),
        trust_remote_code=trust_remote_code,
        gen_kwargs=parsed("--gen-kwargs", gen_kwargs),
        limit=int(limit) if limit is not None and limit == int(limit) else limit,
        num_fewshot=num_fewshot,
        apply_chat_template=apply_chat_template,
        compare=compare or arithmark3 is not None,
        arithmark3=arithmark3,
        display_name=display_name,
    )
    with _kept_when_interrupted(out):
        result = _run(settings, out, force)
    if result is not None:
        _show(result, out, as_json)


def _model_and_revision(model: str | None, named: str | None, revision: str | None) -> tuple[str | None, str | None]:
    if model is not None and named is not None and model != named:
        raise InputError(f"two models: {model} and --model {named}; give one")
    name = model if named is None else named
    if name is None:
        if revision is not None:
            raise InputError("--revision goes with a model on the Hub; name one")
        return None, None
    from ..scoring.models import split_revision

    name, behind = split_revision(name)
    if behind is not None and revision not in (None, behind):
        raise InputError(f"two revisions: @{behind} and --revision {revision}; give one")
    found = behind or revision
    if found is not None and Path(name).expanduser().exists():
        raise InputError(f"--revision {found} goes with a model on the Hub, and this is here", file=name)
    return name, found


def _run(settings: "Settings", out: Path | None, force: bool) -> "Result | None":
    from rich.text import Text

    first = os.environ.get("RANK", "0") == "0"
    lines = plain_console(stderr=True, soft_wrap=True)
    with plain_console(stderr=True).status("starting") as status:
        if not first:
            status.stop()
        from ..evaluation.run import run, save

        def notify(stage: str) -> None:
            if first:
                status.update(Text(stage))
                status.start() if stage else status.stop()

        def tell(fact: str) -> None:
            if first:
                lines.print(fact)

        with own_bars_only():
            result = run(settings, out=out, force=force, notify=notify, tell=tell)
    if result is not None and out is not None:
        save(out, result)
    return result


@contextmanager
def _kept_when_interrupted(out: Path | None) -> Iterator[None]:
    """Ctrl-C ends in one line that says what was kept."""
    try:
        yield
    except KeyboardInterrupt:
        if os.environ.get("RANK", "0") == "0":
            plain_console(stderr=True, soft_wrap=True).print(f"arithmark: stopped; {_kept(out)}", style="red")
        raise typer.Exit(INTERRUPTED) from None


def _kept(out: Path | None) -> str:
    from ..evaluation.item_log import log_paths

    if out is None:
        return "nothing was kept: a run with --out can be stopped and goes on when it is started again"
    logs = log_paths(out)
    answers = sum(max(0, path.read_bytes().count(b"\n") - 1) for path in logs)
    if not answers:
        return "no answer is kept: none was there yet, or they were drawn at random"
    return f"{answers:,} answers are kept in {', '.join(map(str, logs))}: the same command goes on from there"


def _show(result: "Result", out: Path | None, as_json: bool) -> None:
    if as_json:
        from ..results import without_items

        print(json.dumps(without_items(result), indent=1, ensure_ascii=False))
    else:
        from ..evaluation.tables import print_result

        print_result(result, plain_console())
    if out is not None:
        plain_console(stderr=True, soft_wrap=True).print(f"stored in {out}")
