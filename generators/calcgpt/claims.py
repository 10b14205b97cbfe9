"""The claims of a holdout, each checked apart: the manifest says what its contract says, its roster is the one that its
seed draws from what training leaves, training does not cover it, and it is what was evaluated, with right answers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..claims import Failure, Result, result
from ..errors import InputError
from ..expression import Expression, evaluate, semantic_key
from ..jsonl import read_items
from . import contracts, representations
from .manifest import FIELDS, SCHEMA, Draw, figures, hold_out, load_manifest, policy, roster, roster_hash
from .reading import WrittenTask, read_tasks
from .spaces import Bucket, MixedBucket, bucket_of

Manifest = Mapping[str, Any]
Rows = Sequence[tuple[int, Mapping[str, Any]]]


def check_manifest(
    manifest: Manifest,
    train: Iterable[Expression] | None = None,
    evaluated: Iterable[Expression] | None = None,
    seen: Sequence[Expression] = (),
) -> list[Result]:
    """One result per claim, offending tasks named. A claim that needs a file that was not given is left out.

    ``train`` and ``seen`` together are the whole excluded roster: everything that the sampler was told to leave out.
    """
    results = [
        _result("the policy is the contract's, word for word", _policy_faults(manifest)),
        _result("the roster agrees with its keys, buckets, count and hash", _roster_faults(manifest)),
    ]
    known = not results[0].failures
    if evaluated is not None:
        results.append(_result("the evaluated tasks are the roster, each once", _strangers(manifest, evaluated)))
    if train is not None:
        training = list(train)
        excluded = [*training, *seen]
        results.append(_result("the training tasks are the excluded roster", _exclusion_faults(manifest, excluded)))
        if known:
            name = manifest["policy"]["contract"]
            leaks = _leaks(manifest, excluded)
            results.append(_result(f"the roster is disjoint from training under {name!r}", leaks))
            redrawn = _redrawing_faults(manifest, training, seen)
            results.append(_result("seed, buckets and training draw this very roster", redrawn))
    return results


def verify_manifest(
    manifest: Manifest, train: Iterable[Expression] | None, evaluated: Iterable[Expression] | None
) -> list[str]:
    """The claims that fail, one sentence for each offending task; an empty list when all hold."""
    return [failure.message for found in check_manifest(manifest, train, evaluated) for failure in found.failures]


def check_files(
    manifest: Path | str,
    train: Sequence[Path | str] = (),
    evaluated: Path | str | None = None,
    seen: Sequence[Expression] = (),
) -> list[Result]:
    """:func:`check_manifest` over files in any representation; ``train`` files and ``seen`` are the excluded roster."""
    loaded = load_manifest(manifest)
    trained = [(path, task) for path in train for task in read_tasks(path)]
    answered = None if evaluated is None else [(evaluated, task) for task in read_tasks(evaluated)]
    results = check_manifest(
        loaded,
        [task.expression for _, task in trained] if train else None,
        None if answered is None else [task.expression for _, task in answered],
        seen,
    )
    if answered is not None:
        results.append(_result("every expected answer of the evaluated file is right", _wrong_answers(answered)))
    if evaluated is not None and (rows := _answers(evaluated)):
        results.append(_result("every verdict follows from what was answered", _wrong_verdicts(evaluated, rows)))
    if train:
        results.append(_result("every answer of the training files is right", _wrong_answers(trained)))
    return results


def _answers(path: Path | str) -> Rows:
    """The rows of a file of answers, as ``arithmark calcgpt evaluate --answers`` writes it; none of any other file."""
    try:
        rows = read_items(path)
    except ValueError:
        return []
    return rows if all({"task", "expected", "produced", "exact"} <= row.keys() for _, row in rows) else []


def _wrong_verdicts(path: Path | str, rows: Rows) -> Iterator[str]:
    for line, row in rows:
        if row["exact"] is not (row["produced"] == row["expected"]):
            yield (
                f"{path}, line {line}: {row['produced']!r} where {row['expected']!r} is right is marked "
                f"{'exact' if row['exact'] else 'wrong'}"
            )


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


def _policy_faults(manifest: Manifest) -> Iterator[str]:
    name = manifest["policy"].get("contract")
    if manifest["schema"] != SCHEMA:
        yield f"schema {manifest['schema']!r}, not {SCHEMA!r}"
    if not isinstance(name, str) or name not in contracts.CONTRACTS:
        yield f"unknown contract {name!r}"
        return
    yield from _differences("policy", manifest["policy"], policy(contracts.get(name)))


def _roster_faults(manifest: Manifest) -> Iterator[str]:
    tasks = roster(manifest)
    name = manifest["policy"].get("contract")
    contract = contracts.CONTRACTS.get(name) if isinstance(name, str) else None
    counts = Counter(map(semantic_key, tasks))
    for name in sorted(set(manifest) - set(FIELDS)):
        yield f"unknown field {name!r}: nothing here checks what it says"
    for row, task in zip(manifest["tasks"], tasks, strict=True):
        if row["task"] != str(task) or set(row) != {"task", "key", "bucket"}:
            yield f"manifest row {row!r} is not of the form task, key, bucket"
        if contract is not None and row["key"] != list(contract.key(task)):
            yield f"manifest task {task} has the key {row['key']}, not {list(contract.key(task))}"
        bucket = _bucket(row.get("bucket"), manifest)
        if bucket is None or task not in bucket:
            yield f"manifest task {task} does not lie in its bucket {row.get('bucket')!r}"
    yield from (
        f"manifest task {operator!r} {left} {right} stands {count} times in the roster"
        for (operator, left, right), count in counts.items()
        if count > 1
    )
    if len(tasks) != manifest["sample_count"]:
        yield f"manifest lists {len(tasks)} tasks, but its sample_count is {manifest['sample_count']}"
    if roster_hash(tasks) != manifest["task_roster_sha256"]:
        yield "the tasks listed do not have the manifest's task_roster_sha256"
    yield from _bucket_faults(manifest)
    if contract is not None and tasks:
        counted = figures(contract, tasks)
        for figure in sorted(counted):
            if manifest["figures"].get(figure) != counted[figure]:
                yield f"figure {figure} is {manifest['figures'].get(figure)!r}, not {counted[figure]}"


def _bucket_faults(manifest: Manifest) -> Iterator[str]:
    listed = Counter(str(row.get("bucket")) for row in manifest["tasks"])
    named = []
    for row in manifest["buckets"]:
        label = row.get("bucket") if isinstance(row, dict) else None
        bucket = _bucket(label, manifest)
        if bucket is None:
            yield f"{row!r} is no bucket of operands of at most {manifest['operand_width']} digits"
            continue
        named.append(str(label))
        count = listed[str(label)]
        if row.get("tasks") not in (bucket.tasks, bucket.pairs):  # all operations, or one
            yield f"bucket {label} has {bucket.tasks} tasks, not {row.get('tasks')!r}"
        if row.get("sampled") != count:
            yield f"bucket {label} lists {count} tasks, not {row.get('sampled')!r}"
        if not isinstance(row.get("remaining"), int) or not count <= row["remaining"] <= bucket.tasks:
            yield f"bucket {label} cannot have {row.get('remaining')!r} tasks left"
    yield from (f"bucket {label} stands {count} times" for label, count in Counter(named).items() if count > 1)
    yield from (f"tasks of bucket {label} are listed, but no such bucket" for label in listed if label not in named)


def _bucket(label: object, manifest: Manifest) -> Bucket | MixedBucket | None:
    """The bucket that a manifest names, None where its name stands for none."""
    width = manifest["operand_width"]
    if not isinstance(label, int | str) or not 1 <= width <= representations.MAX_WIDTH:
        return None
    try:
        return bucket_of(label, width)
    except InputError:
        return None


def _strangers(manifest: Manifest, evaluated: Iterable[Expression]) -> Iterator[str]:
    held_out = {semantic_key(task): task for task in roster(manifest)}
    seen: dict[tuple[str, int, int], Expression] = {}
    for task in evaluated:
        if semantic_key(task) in seen:
            yield f"evaluated task {task} stands twice"
        elif semantic_key(task) not in held_out:
            yield f"evaluated task {task} is not in the roster"
        seen.setdefault(semantic_key(task), task)
    yield from (f"roster task {task} was not evaluated" for key, task in held_out.items() if key not in seen)


def _exclusion_faults(manifest: Manifest, training: Sequence[Expression]) -> Iterator[str]:
    count = len(set(map(semantic_key, training)))
    if count != manifest["excluded_count"]:
        yield (
            f"the training tasks given are {count} operand pairs, the manifest excluded {manifest['excluded_count']}: "
            "give every file that it was drawn against"
        )
    elif roster_hash(training) != manifest["excluded_roster_sha256"]:
        yield f"the {count} training tasks given do not have the manifest's excluded_roster_sha256"


def _leaks(manifest: Manifest, train: Iterable[Expression]) -> Iterator[str]:
    name = manifest["policy"]["contract"]
    contract = contracts.get(name)
    trained: dict[contracts.Key, Expression] = {}
    for task in train:
        trained.setdefault(contract.key(task), task)
    keys = set(trained)
    for task in roster(manifest):
        if contract.conflicts(task, keys):
            twin = trained.get(contract.key(task)) or trained[max(keys, key=lambda key: key[1])]
            yield f"roster task {task} is not held out under {name!r}: training has {twin}"


def _redrawing_faults(manifest: Manifest, training: Sequence[Expression], seen: Sequence[Expression]) -> Iterator[str]:
    """Draw the roster again from seed, buckets and training, and compare every field."""
    counts = {row.get("sampled") for row in manifest["buckets"] if isinstance(row, dict)}
    per_bucket = next(iter(counts), None)
    if len(counts) != 1 or not isinstance(per_bucket, int):
        yield f"the buckets hold {sorted(map(str, counts))} tasks: one number for all of them is drawn"
        return
    try:
        drawn = hold_out(
            training,
            width=manifest["operand_width"],
            per_bucket=per_bucket,
            seed=manifest["seed"],
            contract_name=manifest["policy"]["contract"],
            draw=Draw(tuple(manifest["drawn_from"]["buckets"]), manifest["drawn_from"]["operators"]),
            seen=seen,
        )
    except (InputError, TypeError, KeyError) as error:
        yield f"cannot be drawn: {error}"
        return
    expected = drawn.manifest
    if manifest["tasks"] != expected["tasks"]:
        ours, theirs = ([row["task"] for row in found["tasks"]] for found in (manifest, expected))
        wrong = next((pair for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1]), None)
        yield (
            f"seed {manifest['seed']} draws {wrong[1]} where the roster has {wrong[0]}"
            if wrong
            else "the rows of the tasks drawn differ"
        )
    rest = {name: value for name, value in expected.items() if name != "tasks"}
    yield from _differences("manifest", {name: manifest.get(name) for name in rest}, rest)


def _differences(place: str, found: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted({*found, *expected}):
        if found.get(name) != expected.get(name):
            yield f"{place} field {name!r} is {found.get(name)!r}, not {expected.get(name)!r}"


def _wrong_answers(tasks: Sequence[tuple[Path | str, WrittenTask]]) -> Iterator[str]:
    """Of each file, the answers that are wrong in the one direction of reading that fits more of them."""
    for path in dict.fromkeys(path for path, _ in tasks):
        ours = [task for other, task in tasks if other == path]
        wrong = [
            [task for task in ours if not task.answer_reads_right(backwards=backwards)] for backwards in (False, True)
        ]
        for task in min(wrong, key=len):
            yield f"{path}, line {task.line}: {task.text} is not right"


def _result(claim: str, messages: Iterable[str]) -> Result:
    return result(claim, (Failure(None, message) for message in messages))
