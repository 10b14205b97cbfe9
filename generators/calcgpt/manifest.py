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
from .spaces import digit_bucket, space

VERSION = 1
SCHEMA = "calcgpt-holdout-2"
FIELDS = {"schema": str, "policy": dict, "seed": int, "operand_width": int, "sample_count": int, "tasks": list}
FIELDS |= {"task_roster_sha256": str, "excluded_roster_sha256": str, "excluded_count": int, "buckets": list}
FIELDS |= {"figures": dict, "digits": list}


@dataclass(frozen=True, slots=True)
class Holdout:
    """A roster and its manifest."""

    tasks: tuple[Expression, ...]
    manifest: dict[str, Any]


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
    digits: Sequence[int] = (),
) -> Holdout:
    """Draw ``per_bucket`` tasks from what training leaves of each digit bucket: ``digits``, or all from 1 to ``width``.

    By default the ``width`` contract draws from the one bucket that must be new, ``width`` itself. ``ValueError`` with
    both numbers when a bucket has too few left.
    """
    contract = contracts.get(contract_name)
    if per_bucket < 1:
        raise InputError(f"at least one task per bucket is needed, not {per_bucket}")
    buckets = sorted(set(digits)) or ([width] if contract.ordered else list(range(1, width + 1)))
    if not 1 <= buckets[0] <= buckets[-1] <= width:
        raise InputError(f"digit buckets must lie in 1 to {width}, not {', '.join(map(str, buckets))}")
    tasks: list[tuple[int, Expression]] = []
    rows = []
    for size in buckets:
        allowed = allow(space(contract.name, digit_bucket(size)), training)
        stream = Stream(f"calcgpt-holdout-{contract.name}", VERSION, seed, size)
        tasks += [(size, task) for task in _sample(allowed, per_bucket, size, stream)]
        rows.append(
            {
                "digits": size,
                "tasks": allowed.space.bucket.tasks,
                "remaining": allowed.capacity,
                "sampled": per_bucket,
            }
        )
    roster = tuple(task for _, task in tasks)
    manifest = {
        "schema": SCHEMA,
        "policy": policy(contract),
        "seed": seed,
        "operand_width": width,
        "digits": sorted(set(digits)),
        "sample_count": len(roster),
        "buckets": rows,
        "task_roster_sha256": roster_hash(roster),
        "excluded_roster_sha256": roster_hash(training),
        "excluded_count": len(set(map(semantic_key, training))),
        "figures": figures(contract, roster, training),
        "tasks": [{"task": str(task), "key": list(contract.key(task)), "bucket": size} for size, task in tasks],
    }
    return Holdout(roster, manifest)


def policy(contract: contracts.Contract) -> dict[str, str]:
    """What the manifest says of its contract, in the contract's own words."""
    return {
        "contract": contract.name,
        "relation": contract.relation,
        "claim": contract.claim,
        "representations": contract.representations,
    }


def figures(
    contract: contracts.Contract, roster: Iterable[Expression], training: Iterable[Expression]
) -> dict[str, int]:
    """What the claim rests on, counted: an accuracy over few classes is no accuracy over many tasks.

    ``roster_classes`` and ``training_classes`` under the contract; ``roster_tasks_sharing_a_class`` with another
    task of the roster; ``largest_roster_class`` in tasks.
    """
    sizes = Counter(map(contract.key, roster))
    return {
        "roster_classes": len(sizes),
        "training_classes": len(contract.keys(training)),
        "roster_tasks_sharing_a_class": sum(size for size in sizes.values() if size > 1),
        "largest_roster_class": max(sizes.values()),
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


def _sample(allowed: AllowedSpace, count: int, digits: int, stream: Stream) -> list[Expression]:
    try:
        return allowed.sample(count, stream)
    except InputError as error:
        raise InputError(f"{digits}-digit bucket: {error}") from None
