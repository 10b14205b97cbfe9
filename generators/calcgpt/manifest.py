"""The holdout manifest: which tasks were held out, from what, and under which relation. It never mentions a text form.

A report that has the manifest, the training file and the evaluated file can check two separate claims: the evaluated
tasks are the roster, and the roster is disjoint from training under the declared relation.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..expression import Expression, parse, semantic_key
from ..streams import Stream
from . import contracts
from .sampler import AllowedSpace, allow
from .spaces import Label, bucket_of, lengths, space

VERSION = 1
SCHEMA = "calcgpt-holdout-3"
FIELDS = {"schema": str, "policy": dict, "seed": int, "operand_width": int, "sample_count": int, "tasks": list}
FIELDS |= {"task_roster_sha256": str, "excluded_roster_sha256": str, "excluded_count": int, "buckets": list}
FIELDS |= {"figures": dict, "drawn_from": dict, "left_out": list, "seen_count": int}


@dataclass(frozen=True, slots=True)
class Holdout:
    """A roster and its manifest."""

    tasks: tuple[Expression, ...]
    manifest: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Draw:
    """What a roster is drawn from. What is left empty follows from training: its operations, its operand lengths.

    ``buckets``: numbers of digits that both operands have, ``mixed`` (different lengths) or a range ``LOW-HIGH``.
    """

    buckets: tuple[Label, ...] = ()
    operators: str = ""

    def __post_init__(self) -> None:
        if self.operators not in ("", "+", "-", "+-"):
            raise InputError(f"operators are +, - or both, not {self.operators!r}")
        if len(set(self.buckets)) < len(self.buckets):
            raise InputError(f"a bucket stands twice in {', '.join(map(str, self.buckets))}")

    def as_dict(self) -> dict[str, Any]:
        """For the manifest."""
        return {"buckets": list(self.buckets), "operators": self.operators}


def roster_hash(tasks: Iterable[Expression]) -> str:
    """sha256 of the sorted semantic keys as canonical JSON: order, text form and operand order do not enter.

    >>> roster_hash([Expression(1, "+", 2)]) == roster_hash([Expression(2, "+", 1)])
    True
    """
    keys = sorted(set(map(semantic_key, tasks)))
    return hashlib.sha256(json.dumps(keys, separators=(",", ":")).encode()).hexdigest()


def hold_out(
    training: Sequence[Expression],
    *,
    width: int,
    per_bucket: int,
    seed: int,
    contract_name: str = contracts.DEFAULT,
    draw: Draw | None = None,
    seen: Sequence[Expression] = (),
) -> Holdout:
    """Draw ``per_bucket`` tasks from what training leaves of each bucket.

    Without a ``draw``, only operations and operand lengths that training has are drawn, and the manifest says what was
    left out; the ``width`` contract draws from the one bucket that must be new, ``width`` itself. ``seen`` tasks are
    excluded as training is, but do not decide what is drawn. ``ValueError`` with both numbers when a bucket has too few
    left.
    """
    contract, draw = contracts.get(contract_name), draw or Draw()
    if per_bucket < 1:
        raise InputError(f"at least one task per bucket is needed, not {per_bucket}")
    labels, operators, left_out = _drawn_from(contract, draw, width, training)
    excluded = [*training, *seen]
    tasks: list[tuple[Label, Expression]] = []
    rows = []
    for label, bucket in [(label, bucket_of(label, width)) for label in labels]:
        allowed = allow(space(contract.name, bucket, operators), excluded)
        number = label if isinstance(label, int) else 0
        named = f"calcgpt-holdout-{contract.name}" + ("" if number else f"-{label}")
        tasks += [(label, task) for task in _sample(allowed, per_bucket, label, Stream(named, VERSION, seed, number))]
        rows.append(
            {"bucket": label, "tasks": allowed.tasks, "remaining": allowed.capacity, "sampled": per_bucket},
        )
    roster = tuple(task for _, task in tasks)
    manifest = {
        "schema": SCHEMA,
        "policy": policy(contract),
        "seed": seed,
        "operand_width": width,
        "drawn_from": draw.as_dict(),
        "left_out": left_out,
        "sample_count": len(roster),
        "buckets": rows,
        "task_roster_sha256": roster_hash(roster),
        "excluded_roster_sha256": roster_hash(excluded),
        "excluded_count": len(set(map(semantic_key, excluded))),
        "seen_count": len(set(map(semantic_key, seen))),
        "figures": figures(contract, roster) | training_figures(contract, roster, training),
        "tasks": [{"task": str(task), "key": list(contract.key(task)), "bucket": label} for label, task in tasks],
    }
    return Holdout(roster, manifest)


def _drawn_from(
    contract: contracts.Contract, draw: Draw, width: int, training: Sequence[Expression]
) -> tuple[list[Label], str, list[str]]:
    """The buckets and operations of a draw, and in words what training did not have and is therefore left out."""
    trained = {task.operator for task in training} & set("+-")
    operators = draw.operators or "".join(sign for sign in "+-" if sign in trained) or "+-"
    words = {"+": "additions", "-": "subtractions"}
    left_out = [f"{words[sign]}: training has none" for sign in "+-" if not draw.operators and sign not in operators]
    if draw.buckets:
        return sorted(draw.buckets, key=lambda label: (isinstance(label, str), label)), operators, left_out
    if contract.ordered:
        return [width], operators, left_out
    known = {length for task in training for length in lengths(task)}
    labels: list[Label] = [digits for digits in range(1, width + 1) if digits in known or not known]
    if not labels:
        raise InputError(f"no operand of training has {width} digits or fewer; give a wider width")
    missing = [digits for digits in range(1, width + 1) if digits not in labels]
    left_out += [f"{digits}-digit operands: training has none" for digits in missing]
    return labels, operators, left_out


def policy(contract: contracts.Contract) -> dict[str, str]:
    """What the manifest says of its contract, in the contract's own words."""
    return {
        "contract": contract.name,
        "relation": contract.relation,
        "claim": contract.claim,
        "representations": contract.representations,
    }


def figures(contract: contracts.Contract, roster: Iterable[Expression]) -> dict[str, int]:
    """What the claim rests on, counted: an accuracy over few classes is no accuracy over many tasks.

    ``roster_classes`` under the contract; ``roster_tasks_sharing_a_class`` with another task of the roster;
    ``largest_roster_class`` in tasks.
    """
    sizes = Counter(map(contract.key, roster))
    return {
        "roster_classes": len(sizes),
        "roster_tasks_sharing_a_class": sum(size for size in sizes.values() if size > 1),
        "largest_roster_class": max(sizes.values()),
    }


def training_figures(
    contract: contracts.Contract, roster: Iterable[Expression], training: Sequence[Expression]
) -> dict[str, int]:
    """``training_classes`` under the contract, and roster tasks with an operand below or above all of training's."""
    operands = [operand for task in training for operand in (task.left, task.right)] or [0]
    low, high = min(operands), max(operands)
    return {
        "training_classes": len(contract.keys(training)),
        "roster_tasks_outside_training_range": sum(
            min(task.left, task.right) < low or max(task.left, task.right) > high for task in roster
        ),
    }


def dump_manifest(manifest: Mapping[str, Any]) -> str:
    """The manifest as JSON text, one task a line so that a difference can be read."""
    tasks = ",\n".join("  " + json.dumps(task) for task in manifest["tasks"])
    head = json.dumps({key: value for key, value in manifest.items() if key != "tasks"}, indent=1)
    return f'{head[:-2]},\n "tasks": [\n{tasks}\n ]\n}}\n'


def load_manifest(path: Path | str) -> dict[str, Any]:
    """Read and shape-check a manifest, or the one inside a built folder's ``manifest.json``.

    ``InputError`` names the file and what is missing.
    """
    try:
        manifest = json.loads(Path(path).read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"not JSON ({error})", file=path) from None
    if isinstance(manifest, dict) and isinstance(manifest.get("holdout"), dict):
        manifest = manifest["holdout"]
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise InputError(f"not a manifest of schema {SCHEMA}", file=path)
    for name, kind in FIELDS.items():
        if not isinstance(manifest.get(name), kind) or isinstance(manifest.get(name), bool):
            raise InputError(f"manifest field {name!r} is missing or not {kind.__name__}", file=path)
    try:
        roster(manifest)
    except ValueError as error:
        raise InputError(str(error), file=path) from None
    return manifest


def roster(manifest: Mapping[str, Any]) -> list[Expression]:
    """The held-out tasks of a manifest, in its order; ``ValueError`` names a malformed entry."""
    tasks = []
    for number, row in enumerate(manifest["tasks"]):
        if not isinstance(row, dict) or not isinstance(row.get("task"), str) or not isinstance(row.get("key"), list):
            raise InputError(f"manifest task {number} lacks 'task' or 'key': {row!r}")
        tasks.append(parse(row["task"]))
    return tasks


def _sample(allowed: AllowedSpace, count: int, label: Label, stream: Stream) -> list[Expression]:
    try:
        return allowed.sample(count, stream)
    except InputError as error:
        name = f"{label}-digit bucket" if isinstance(label, int) else f"bucket {label}"
        raise InputError(f"{name}: {error}") from None
