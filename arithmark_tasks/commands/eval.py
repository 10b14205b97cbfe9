"""``arithmark eval``: score a model on the tasks through lm-eval."""

from pathlib import Path
from typing import Annotated

import typer

from ..builders.files import check_writable
from ..console import plain_console


def evaluate(
    model: Annotated[
        str | None, typer.Option(help="A model folder, a Hub id or a .gguf file; default: the embedded SmolLM2-135M.")
    ] = None,
    tasks: Annotated[str, typer.Option(help="lm-eval task names, separated by commas.")] = "deeparithmark",
    dtype: Annotated[str, typer.Option(help="fp32, bf16, fp16, or auto for the checkpoint's own.")] = "fp32",
    batch_size: Annotated[str | None, typer.Option(help="A number, or auto; default: 8, and 32 on a GPU.")] = None,
    max_context: Annotated[
        int | None, typer.Option(min=2, help="Cut prompts to so many tokens; default: the model's window.")
    ] = None,
    model_type: Annotated[
        str, typer.Option(help="hf-shared computes a prompt once for all its options; hf is lm-eval's own way.")
    ] = "hf-shared",
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N items of each task.")] = None,
    num_fewshot: Annotated[int | None, typer.Option(min=0, help="Examples in the prompt; default: the task's.")] = None,
    apply_chat_template: Annotated[
        bool, typer.Option("--apply-chat-template", help="Wrap prompts in the model's chat template.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Write the result to this JSON file; else print only.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the result file.")] = False,
    compare: Annotated[
        bool, typer.Option("--compare", help="Also score the matched control and ArithMark 3.0, and compare.")
    ] = False,
    arithmark3: Annotated[
        Path | None, typer.Option(help="As --compare, with ArithMark 3.0 read from this JSONL instead of the Hub.")
    ] = None,
) -> None:
    """Score a model, print its scores with intervals and verdicts, and store every answer.

    A run with --out that was stopped goes on where it was when it is started again. On several GPUs:
    [bold]accelerate launch -m arithmark_tasks.cli eval --model ...[/bold]

    Example: [bold]arithmark eval --model HuggingFaceTB/SmolLM2-135M --dtype bf16 --compare --out smollm2.json[/bold]
    """
    import os

    from rich.text import Text

    if out is not None:
        check_writable(out, force=force)
    with plain_console(stderr=True, quiet=os.environ.get("RANK", "0") != "0").status("starting") as status:
        from ..evaluation.settings import Settings

        settings = Settings(
            model=model,
            tasks=tuple(tasks.replace(",", " ").split()),
            dtype=dtype,
            batch_size=batch_size,
            max_context=max_context,
            model_type=model_type,
            limit=limit,
            num_fewshot=num_fewshot,
            apply_chat_template=apply_chat_template,
            compare=compare or arithmark3 is not None,
            arithmark3=arithmark3,
        )
        from ..evaluation.run import run, save

        def notify(stage: str) -> None:
            status.update(Text(stage))
            status.start() if stage else status.stop()

        result = run(settings, out=out, force=force, notify=notify)
    if result is None:
        return
    if out is not None:
        save(out, result)
    from ..evaluation.tables import print_result

    print_result(result, plain_console())
    if out is not None:
        plain_console(stderr=True, soft_wrap=True).print(f"stored in {out}")
