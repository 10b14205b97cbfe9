"""``arithmark eval``: score a model on the tasks through lm-eval."""

import json
import os
from collections.abc import Callable, Iterator
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
        list[str] | None,
        typer.Option(
            "--model",
            help="The model, as an option, which can be given several times: also a training run's folder of "
            "checkpoint-* folders, a glob of folders, or ORG/NAME@REVISION,REVISION.",
            show_default=False,
            rich_help_panel=MODEL,
        ),
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
        typer.Option(
            help="Write the result to this JSON file; else print only. Of several models: a folder, in which each "
            "that has no result yet gets one.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help="Go on as checkpoints appear, until --until, --idle, Ctrl-C or the end of the training: the step "
            "max_steps of its trainer_state.json.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    until: Annotated[
        int | None, typer.Option(min=1, help="With --watch: the step after which it ends.", rich_help_panel=OUTPUT)
    ] = None,
    idle: Annotated[
        float,
        typer.Option(
            min=0, help="With --watch: end after so many minutes without a new checkpoint.", rich_help_panel=OUTPUT
        ),
    ] = 60.0,
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

    A training run is scored checkpoint by checkpoint, the newest last:
    [bold]arithmark eval --model RUN --watch --out results[/bold]

    Example: [bold]arithmark eval HuggingFaceTB/SmolLM2-135M --dtype bf16 --compare --out smollm2.json[/bold]
    """
    names = list(dict.fromkeys([*([model] if model is not None else []), *(named or [])]))
    several = _are_several(names, watch, out)
    if out is not None and not several:
        check_writable(out, force=force)
    from ..evaluation.settings import Settings, parsed

    name, revision = (None, revision) if several else _model_and_revision(names, revision)
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
    if several and out is not None:
        with _kept_when_interrupted(out):
            _run_several(names, settings, out, force, as_json, (until, idle) if watch else None)
        return
    with _kept_when_interrupted(out):
        result = _run(settings, out, force)
    if result is not None:
        _show(result, out, as_json)


def _are_several(names: list[str], watch: bool, out: Path | None) -> bool:
    """Whether checkpoints are meant; ``InputError`` where their results have no folder to go to."""
    if not names:
        if watch:
            raise InputError("--watch goes with a training run: name its folder with --model")
        return False
    from ..evaluation.checkpoints import holds_several

    if not (watch or len(names) > 1 or holds_several(names[0])):
        return False
    if out is None or out.is_file() or (out.suffix == ".json" and not out.is_dir()):
        raise InputError("several models have several results: name a folder for them with --out", file=out)
    return True


def _model_and_revision(names: list[str], revision: str | None) -> tuple[str | None, str | None]:
    name = names[0] if names else None
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


@contextmanager
def _told() -> Iterator[tuple[Callable[[str], None], Callable[[str], None]]]:
    """A spinner that shows the stage of the work, and what prints facts beside it, in the first process only."""
    from rich.text import Text

    first = os.environ.get("RANK", "0") == "0"
    lines = plain_console(stderr=True, soft_wrap=True)
    with plain_console(stderr=True).status("starting") as status, own_bars_only():
        if not first:
            status.stop()

        def notify(stage: str) -> None:
            if first:
                status.update(Text(stage))
                status.start() if stage else status.stop()

        def tell(fact: str) -> None:
            if first:
                lines.print(fact)

        yield notify, tell


def _run(settings: "Settings", out: Path | None, force: bool) -> "Result | None":
    with _told() as (notify, tell):
        from ..evaluation.run import run, save

        result = run(settings, out=out, force=force, notify=notify, tell=tell)
    if result is not None and out is not None:
        save(out, result)
    return result


def _run_several(
    names: list[str],
    settings: "Settings",
    out: Path,
    force: bool,
    as_json: bool,
    watched: tuple[int | None, float] | None,
) -> None:
    """Score the checkpoints; exit status 1 when one of them could not be."""
    with _told() as (notify, tell):
        from ..evaluation.checkpoints import Watch, score_all

        def show(path: Path, result: "Result") -> None:
            notify("")
            _show(result, path, as_json)

        watch = Watch(until=watched[0], idle=60 * watched[1]) if watched else None
        done = score_all(names, settings, out, watch=watch, force=force, notify=notify, tell=tell, show=show)
        failed = f", {len(done.failed)} failed: {', '.join(done.failed)}" if done.failed else ""
        tell(f"{len(done.scored)} scored, {len(done.there)} there before{failed}; results in {out}")
    if done.failed:
        raise typer.Exit(1)


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
    logs = sorted(out.glob("*.items*.jsonl")) if out.is_dir() else log_paths(out)
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
