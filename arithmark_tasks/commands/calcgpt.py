"""``arithmark calcgpt``: grouped split, held-out sampler, leak audit, training, evaluation and the ablation."""

import json
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from ..builders.files import write_json, write_text
from ..console import plain_console
from ..generators.calcgpt import contracts, dataset, manifest, reading, representations
from ..generators.calcgpt.dataset import augment as add_swapped
from ..generators.calcgpt.dataset import grouped_split
from ..generators.calcgpt.reading import audit as compare
from ..generators.errors import InputError
from ..generators.expression import Expression
from ..generators.jsonl import to_line

SHOWN = 20

app = typer.Typer(
    help="CalcGPT: what counts as held out, and a small GPT-2 trained under it.\n\n"
    "Example: [bold]arithmark calcgpt train --out runs/pr41 --representation padded-reversed[/bold]",
    no_args_is_help=True,
)
out = plain_console(soft_wrap=True)

Seed = Annotated[int, typer.Option(help="Seed of the shuffle or the draw.")]
Width = Annotated[int, typer.Option(min=1, max=representations.MAX_WIDTH, help="Digits per operand.")]
ContractName = Annotated[
    str, typer.Option("--contract", help=f"What counts as the same: {', '.join(contracts.CONTRACTS)}.")
]
RepresentationName = Annotated[
    str, typer.Option("--representation", help=f"Text form: {', '.join(representations.REPRESENTATIONS)}.")
]


@app.command()
def split(
    file: Annotated[Path, typer.Argument(help="One equation a line, in the declared representation.")],
    to: Annotated[Path, typer.Option("--out", help="Folder for train.txt, validation.txt and split.json.")],
    fraction: Annotated[float, typer.Option(help="Share of the examples that validate.")] = dataset.FRACTION,
    seed: Seed = dataset.SEED,
    contract: ContractName = contracts.DEFAULT,
    representation: RepresentationName = representations.DEFAULT,
    width: Width = dataset.WIDTH,
    augment: Annotated[bool, typer.Option("--augment", help="Add the swapped order of training additions.")] = False,
) -> None:
    """Split a file by group: nothing the contract calls the same stands on both sides.

    Example: arithmark calcgpt split tasks.txt --out split --fraction 0.2 --seed 42
    """
    form = representations.get(representation)
    try:
        tasks = [form.parse(line, width, number) for number, line in _lines(file)]
    except InputError as error:
        raise InputError(str(error), file=file) from None
    result = grouped_split(tasks, fraction, seed, contracts.get(contract), task=lambda task: task)
    train = add_swapped(result.train) if augment else result.train
    record = result.record.as_dict() | {"augmented_examples": len(train) - len(result.train)}
    _write_tasks(to / "train.txt", train, form, width)
    _write_tasks(to / "validation.txt", result.validation, form, width)
    write_json(to / "split.json", record)
    for name, value in record.items():
        out.print(f"{name}: {value}")
    if result.record.warning:
        out.print(f"warning: {result.record.warning}")


@app.command()
def sample(
    training: Annotated[
        list[Path], typer.Option("--train", help="Training file, any representation; repeat for more files.")
    ],
    to: Annotated[Path, typer.Option("--out", help="Folder for manifest.json and the roster in every representation.")],
    per_bucket: Annotated[int, typer.Option(min=1, help="Tasks held out per digit bucket.")] = dataset.PER_BUCKET,
    seed: Seed = dataset.SEED,
    contract: ContractName = contracts.DEFAULT,
    width: Width = dataset.WIDTH,
    digits: Annotated[
        list[int] | None, typer.Option(help="Draw operands of this many digits; repeat for more.")
    ] = None,
    operators: Annotated[
        list[str] | None, typer.Option("--operator", help="Draw + or - only; those of training by default.")
    ] = None,
    operand_range: Annotated[
        str | None, typer.Option("--range", help="Draw operands from LOW-HIGH instead of whole lengths.")
    ] = None,
    mixed: Annotated[bool, typer.Option("--mixed", help="Also draw tasks whose operands differ in length.")] = False,
    seen: Annotated[
        Path | None, typer.Option(help="Seen-index of a corpus: what stands in it is excluded, too.")
    ] = None,
) -> None:
    """Draw a held-out roster from what the training files leave over, and write its manifest.

    Only operations and operand lengths that training has are drawn, unless options name others.

    Example: arithmark calcgpt sample --train split/train.txt --train split/validation.txt --out holdout
    """
    holdout = manifest.hold_out(
        [task.expression for file in training for task in reading.read_tasks(file)],
        width=width,
        per_bucket=per_bucket,
        seed=seed,
        contract_name=contract,
        draw=_draw(width, digits or [], operators or [], operand_range, mixed),
        seen=_seen_tasks(seen),
    )
    for form in representations.REPRESENTATIONS.values():
        _write_tasks(to / f"heldout-{form.name}.txt", holdout.tasks, form, width)
    write_text(to / "manifest.json", manifest.dump_manifest(holdout.manifest))
    _print_holdout(holdout.manifest)


def _seen_tasks(index: Path | None) -> list[Expression]:
    if index is None:
        return []
    from ..builders.contamination.index import read_expressions

    return read_expressions(index, "+-")


def _draw(width: int, digits: list[int], operators: list[str], operand_range: str | None, mixed: bool) -> manifest.Draw:
    if operand_range is not None and (digits or mixed):
        raise InputError("--range does not go with --digits or --mixed")
    wrong = [sign for sign in operators if sign not in ("+", "-")]
    if wrong:
        raise InputError(f"--operator is + or -, not {wrong[0]!r}")
    labels: list[int | str] = [*dict.fromkeys(digits)] if operand_range is None else [operand_range]
    if mixed:
        labels = [*(labels or range(1, width + 1)), "mixed"]
    return manifest.Draw(tuple(labels), "".join(sign for sign in "+-" if sign in operators))


def _print_holdout(drawn: dict[str, Any]) -> None:
    for row in drawn["buckets"]:
        named = "bucket {bucket}" if isinstance(row["bucket"], str) else "{bucket}-digit bucket"
        out.print((named + ": {sampled} of {remaining} remaining, {tasks} in all").format_map(row))
    for what in drawn["left_out"]:
        out.print(f"left out: {what}")
    figures = drawn["figures"]
    outside = figures["roster_tasks_outside_training_range"]
    if outside:
        out.print(f"{outside} of {drawn['sample_count']} tasks have an operand outside the range of training's")
    if figures["roster_tasks_sharing_a_class"]:
        out.print(f"the {drawn['sample_count']} tasks come from {figures['roster_classes']} classes of the contract")
    out.print(f"task roster sha256: {drawn['task_roster_sha256']}")


@app.command()
def audit(
    train: Annotated[Path, typer.Argument(help="Training tasks: text, JSON, JSONL or CSV, also .gz.")],
    test: Annotated[Path, typer.Argument(help="Test tasks, in the same or another form.")],
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the result here, every pair.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with status 1 when anything overlaps.")] = False,
    skip_unread: Annotated[bool, typer.Option("--skip-unread", help="Leave lines out that hold no task.")] = False,
    operands: Annotated[str, typer.Option(help="How both files write operands: forward or reversed.")] = "forward",
    adder_digits: Annotated[
        int, typer.Option(min=0, help="Both files are rows of minGPT's adder with operands of N digits.")
    ] = 0,
) -> None:
    """List every test task that training covers: the same string, another form, or the swapped twin.

    Example: arithmark calcgpt audit train.txt benchmark.txt --json leaks.json
    """
    if operands not in ("forward", "reversed"):
        raise InputError(f"--operands is forward or reversed, not {operands!r}")
    files = {}
    for side, path in (("train", train), ("test", test)):
        found = reading.read_file(
            path,
            skip_unread=skip_unread,
            read=partial(_digit_row, adder_digits) if adder_digits else reading.parse_task,
        )
        _print_some(f"{side}: not read", [f"line {line}: {why}" for line, why in found.unread])
        tasks = found.tasks
        files[side] = [task.with_operands_reversed() for task in tasks] if operands == "reversed" else tasks
    result = compare(files["train"], files["test"])
    counts = result.as_dict()
    if json_file is not None:
        write_json(json_file, counts)
    for name, value in counts.items():
        if isinstance(value, int):
            out.print(f"{name.replace('_', ' ')}: {value}")
    _print_some("overlap", [f"{overlap.kind}: {overlap}" for overlap in (*result.overlaps, *result.repeated)])
    _print_some("wrong answer", [f"{side} line {task.line} {task.text}" for side, task in result.wrong])
    _hint_at_reversed_operands(files)
    if strict and result.overlaps:
        raise typer.Exit(1)


@app.command()
def train(
    to: Annotated[Path, typer.Option("--out", help="Run folder; an unfinished run there goes on.")],
    representation: Annotated[
        str, typer.Option(help=f"Text form: {', '.join(representations.REPRESENTATIONS)}.")
    ] = representations.DEFAULT,
    seed: Annotated[int, typer.Option(help="Seed of the weights and the order of examples.")] = 41,
    data_seed: Annotated[int, typer.Option(help="Seed of the tasks, the split and the roster.")] = dataset.SEED,
    width: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=representations.MAX_WIDTH,
            help=f"Digits per operand: {dataset.WIDTH}, or those of the files.",
            show_default=False,
        ),
    ] = None,
    tasks: Annotated[
        int, typer.Option(min=2, help="Distinct tasks to draw, to train and validate on.")
    ] = dataset.TASKS,
    contract: ContractName = contracts.DEFAULT,
    train_file: Annotated[
        Path | None, typer.Option(help="Train on the tasks of this file instead of drawn ones.", show_default=False)
    ] = None,
    validation_file: Annotated[
        Path | None, typer.Option(help="Validate on this file; else on a share of the first.", show_default=False)
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="Any other setting as NAME=VALUE, such as examples=64000.")
    ] = None,
) -> None:
    """Train a GPT-2 of 535 thousand parameters; a killed run goes on to the same weights.

    Example: arithmark calcgpt train --out runs/pr41 --representation padded-reversed --seed 41

    Example: arithmark calcgpt train --out runs/mine --train-file split/train.txt --validation-file split/validation.txt
    """
    from ..calcgpt.console import train_with_progress
    from ..calcgpt.settings import read_settings

    files = {"train_file": train_file, "validation_file": validation_file}
    named = {name: str(path) for name, path in files.items() if path is not None}
    values = _assignments(setting or [])
    values |= {"representation": representation, "seed": seed, "data_seed": data_seed, "tasks": tasks}
    values |= {"contract": contract, "width": width or _widest(named.values()), **named}
    record = train_with_progress(read_settings(values), to)
    last = record["curve"][-1]
    out.print(
        f"{record['examples_seen']:,} examples in {record['train_seconds']} s; "
        f"{last['validation_exact']:.2%} of the monitored validation tasks exact; model in {to / 'model'}"
    )


def _widest(files: Iterable[str]) -> int:
    """The digits of the widest operand in these files; the default width without any."""
    tasks = [task.expression for file in files for task in reading.read_tasks(file)]
    return max((len(str(abs(operand))) for task in tasks for operand in (task.left, task.right)), default=dataset.WIDTH)


@app.command()
def evaluate(
    model: Annotated[str, typer.Argument(help="Run folder, model folder or Hub id.")],
    representation: Annotated[
        str | None, typer.Option(help="Text form; the run's own by default, plain for other models.")
    ] = None,
    split_name: Annotated[str, typer.Option("--split", help="heldout, validation or train.")] = "heldout",
    manifest_file: Annotated[
        Path | None, typer.Option("--manifest", help="Ask the roster of this manifest instead of a split.")
    ] = None,
    tasks: Annotated[Path | None, typer.Option(help="Ask the tasks of this file instead of a split.")] = None,
    width: Annotated[
        int | None,
        typer.Option(min=1, max=representations.MAX_WIDTH, help="Digits per operand; the run's own by default."),
    ] = None,
    prefix: Annotated[str, typer.Option(help="Text before each prompt, for models that are not ours.")] = "",
    suffix: Annotated[str, typer.Option(help="Text after each prompt.")] = "",
    batch: Annotated[int, typer.Option(min=1, help="Prompts at a time.")] = 256,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the report here.")] = None,
    answers: Annotated[
        Path | None, typer.Option(help="Also write every answer here, JSONL: `verify --evaluated` reads it.")
    ] = None,
) -> None:
    """Score a model by greedy decoding; a low score is a result and exits with status 0.

    Example: arithmark calcgpt evaluate runs/pr41 --json pr41.json

    Example: arithmark calcgpt evaluate runs/mine --manifest holdout/manifest.json --answers answers.jsonl
    """
    from ..calcgpt.console import Question, evaluate_with_progress, print_report

    question = Question(split_name, manifest_file, tasks, representation, width, prefix, suffix, batch)
    report, graded = evaluate_with_progress(model, question)
    if json_file is not None:
        write_json(json_file, report)
    if answers is not None:
        write_text(answers, "".join(to_line(item.as_dict()) + "\n" for item in graded))
    print_report(out, report)


@app.command()
def ablation(
    plan: Annotated[Path, typer.Option(help="The predeclared plan, JSON.")],
    to: Annotated[Path, typer.Option("--out", help="Folder for the runs and ablation.json; goes on where it was.")],
    parts: Annotated[list[str] | None, typer.Option("--part", help="Run this part only; repeat for more.")] = None,
    results: Annotated[Path | None, typer.Option(help="Also write the collected results here.")] = None,
    figure: Annotated[Path | None, typer.Option(help="Also draw the learning curves here, PNG.")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Run failed cells again.")] = False,
) -> None:
    """Run the cells of a plan that are not finished; exit status 1 when one has failed.

    A plan in a repository must be committed. Several of these may work on one folder at the same time.

    Example: arithmark calcgpt ablation --plan benchmarks/calcgpt-ablation-plan.json --out runs/ablation
    """
    from ..calcgpt.ablation import draw_curves, tables
    from ..calcgpt.console import run_ablation_with_progress

    summary = run_ablation_with_progress(plan, to, retry_failed, parts or [])
    if results is not None:
        write_json(results, summary)
    failed = [cell for cell in summary["cells"] if cell["status"] != "completed"]
    for cell in failed:
        out.print(f"{cell['name']}: {cell['status']}: {cell['error']}")
    if len(failed) < len(summary["cells"]):
        if figure is not None:
            draw_curves(summary, figure)
        out.print(tables(summary))
    if failed:
        raise typer.Exit(1)


def _digit_row(digits: int, text: str, line: int) -> reading.WrittenTask:
    return reading.parse_digits(text, digits, line)


def _print_some(what: str, lines: list[str]) -> None:
    """The first lines of a list, and how many more there are; ``--json`` has them all."""
    for line in lines[:SHOWN]:
        out.print(f"{what}: {line}" if not line.startswith(("exact", "reformatted", "twin", "repeated")) else line)
    if len(lines) > SHOWN:
        out.print(f"{what}: and {len(lines) - SHOWN:,} more")


def _hint_at_reversed_operands(files: dict[str, list[reading.WrittenTask]]) -> None:
    """``43+21=64`` is right when every number is read units first."""
    for side, tasks in files.items():
        answered = [task for task in tasks if task.answer]
        wrong = [task for task in answered if not task.answer_reads_right(backwards=False)]
        turned = [task.with_operands_reversed() for task in wrong]
        if len(wrong) > len(answered) / 2 and all(task.answer_reads_right(backwards=True) for task in turned):
            out.print(
                f"{side}: the answers are right when operands, too, are read units first: try --operands reversed"
            )


def _lines(file: Path) -> list[tuple[int, str]]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 text ({error.reason})", file=file) from None
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise InputError("no tasks in the file", file=file)
    return lines


def _write_tasks(
    path: Path, tasks: list[Expression] | tuple[Expression, ...], form: representations.Representation, width: int
) -> None:
    write_text(path, "".join(form.text(task, width) + "\n" for task in tasks))


def _assignments(pairs: list[str]) -> dict[str, Any]:
    values = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise InputError(f"--set takes NAME=VALUE, not {pair!r}")
        try:
            values[name] = json.loads(value)
        except ValueError:
            values[name] = value
    return values
