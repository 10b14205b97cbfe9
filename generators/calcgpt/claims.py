"""The claims of a holdout, each checked apart: the roster was evaluated, and training does not cover it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..claims import Failure, Result, result
from ..expression import Expression, SemanticKey, evaluate, semantic_key
from . import contracts, representations
from .manifest import load_manifest, roster, roster_hash
from .reading import read_tasks

Manifest = Mapping[str, Any]
Rows = Sequence[tuple[int, Mapping[str, Any]]]


def check_manifest(
    manifest: Manifest, train: Iterable[Expression] | None = None, evaluated: Iterable[Expression] | None = None
) -> list[Result]:
    """One result per claim, offending tasks named. A claim that needs a file that was not given is left out."""
    results = [result("the manifest agrees with itself", map(_failure, _inconsistencies(manifest)))]
    if evaluated is not None:
        results.append(result("the evaluated tasks are the roster", map(_failure, _strangers(manifest, evaluated))))
    if train is not None:
        name = manifest["policy"].get("contract")
        claim = f"the roster is disjoint from training under {name!r}"
        results.append(result(claim, map(_failure, _leaks(manifest, train))))
    return results


def verify_manifest(
    manifest: Manifest, train: Iterable[Expression] | None, evaluated: Iterable[Expression] | None
) -> list[str]:
    """The claims that fail, one sentence for each offending task; an empty list when all hold."""
    return [failure.message for found in check_manifest(manifest, train, evaluated) for failure in found.failures]


def check_files(
    manifest: Path | str, train: Path | str | None = None, evaluated: Path | str | None = None
) -> list[Result]:
    """:func:`check_manifest` over files; ``train`` and ``evaluated`` are text or JSONL in any representation."""
    loaded = load_manifest(manifest)
    sides = (None if path is None else [task.expression for task in read_tasks(path)] for path in (train, evaluated))
    return check_manifest(loaded, *sides)


def check_config(manifest: Manifest, width: int, representation: str, splits: Mapping[str, Rows]) -> list[Result]:
    """The claims of one built config: rows by split, as (line, row)."""
    form = representations.get(representation)
    tasks = {
        name: [Expression(row["left"], row["operator"], row["right"]) for _, row in rows]
        for name, rows in splits.items()
    }
    rows = [numbered for split in splits.values() for numbered in split]
    keys = {name: set(map(semantic_key, listed)) for name, listed in tasks.items()}
    crossing = keys.get("train", set()) & keys.get("validation", set())
    results = [
        result(
            f"{representation}: every row states one task in all its columns",
            (Failure(line, message) for line, row in rows for message in _row_faults(row, form, width)),
        ),
        result(
            f"{representation}: no task stands in both train and validation",
            (Failure(None, f"{left}{operator}{right}") for operator, left, right in sorted(crossing)),
        ),
    ]
    training = [*tasks.get("train", []), *tasks.get("validation", [])]
    holdout = check_manifest(manifest, training, tasks.get("heldout", []))
    return [*results, *(Result(f"{representation}: {found.claim}", found.failures) for found in holdout)]


def _row_faults(row: Mapping[str, Any], form: representations.Representation, width: int) -> Iterator[str]:
    task = Expression(row["left"], row["operator"], row["right"])
    try:
        if form.parse(row["text"], width) != task:
            yield f"{row['text']!r} is not {task}"
    except ValueError as error:
        yield str(error)
    if row["answer"] != evaluate(task):
        yield f"answer of {task} is {row['answer']}"
    if row["semantic_key"] != " ".join(map(str, semantic_key(task))):
        yield f"semantic_key of {task} is {row['semantic_key']!r}"


def _inconsistencies(manifest: Manifest) -> Iterator[str]:
    tasks = roster(manifest)
    keys: set[SemanticKey] = set()
    for row, task in zip(manifest["tasks"], tasks, strict=True):
        if row["key"] != list(semantic_key(task)):
            yield f"manifest task {task} has the key {row['key']}, not {list(semantic_key(task))}"
        if semantic_key(task) in keys:
            yield f"manifest task {task} stands twice in the roster"
        keys.add(semantic_key(task))
    if len(tasks) != manifest["sample_count"]:
        yield f"manifest lists {len(tasks)} tasks, but its sample_count is {manifest['sample_count']}"
    if roster_hash(tasks) != manifest["task_roster_sha256"]:
        yield "the tasks listed do not have the manifest's task_roster_sha256"
    if manifest["policy"].get("contract") not in contracts.CONTRACTS:
        yield f"unknown contract {manifest['policy'].get('contract')!r}"


def _strangers(manifest: Manifest, evaluated: Iterable[Expression]) -> Iterator[str]:
    held_out = {semantic_key(task): task for task in roster(manifest)}
    seen = {semantic_key(task): task for task in evaluated}
    yield from (f"evaluated task {task} is not in the roster" for key, task in seen.items() if key not in held_out)
    yield from (f"roster task {task} was not evaluated" for key, task in held_out.items() if key not in seen)


def _leaks(manifest: Manifest, train: Iterable[Expression]) -> Iterator[str]:
    name = manifest["policy"].get("contract")
    if name not in contracts.CONTRACTS:
        return  # said by the claim on the manifest itself
    contract = contracts.get(name)
    trained: dict[contracts.Key, Expression] = {}
    for task in train:
        trained.setdefault(contract.key(task), task)
    keys = set(trained)
    for task in roster(manifest):
        if contract.conflicts(task, keys):
            twin = trained.get(contract.key(task)) or trained[max(keys, key=lambda key: key[1])]
            yield f"roster task {task} is not held out under {name!r}: training has {twin}"


def _failure(message: str) -> Failure:
    return Failure(None, message)
