"""``eval.yaml`` at a dataset's root: the tasks by which ``inspect eval hf/ORG/NAME`` runs it, from the manifest.

The fields are those that inspect_ai's Hub loader takes (0.3.285; it refuses others). A task is known by its ``id``:
those of ``OURS`` are ours to write, all other tasks and keys of the file are a person's and stay.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..generators.errors import InputError

EVAL = "eval.yaml"
FLAT = "flat"
_KEYS = ("name", "description", "evaluation_framework")
OURS = (
    *(f"deeparithmark{tier}{form}" for tier in ("", "_control", "_deep", "_xl") for form in ("", "_gen")),
    "zenyx_arith",
    "zenyx_arith_extended",
    "calcgpt_heldout",
)
# A time is asked for in the one form that inspect-ai's `match` can compare: it takes the points of "a.m." for ends.
PROBLEM = (
    'Problem: {prompt}\nWork step by step and end with "The answer is" and the missing value. '
    'Write a time of day as in "9:05 am".\nSolution:'
)
QUESTION = "{prompt} Think it through if that helps, then give the answer as a plain integer."
SUM = "What is {left} {operator} {right}? Think it through if that helps, then give the answer as a plain integer."
# The name and description of a benchmark, and its tasks.
Found = tuple[str, str, list[dict[str, Any]]]
Items = Mapping[tuple[str, str], int]
_NUMBER = [{"name": "match", "args": {"location": "end", "numeric": True}}]


def eval_yaml(manifest: Mapping[str, Any]) -> str | None:
    """The file of a built folder; None where the folder holds no set that the loader can ask.

    >>> eval_yaml({"dataset": "demo", "splits": []}) is None
    True
    """
    make = _TASKS.get(str(manifest.get("dataset")))
    found = make(manifest, _items(manifest)) if make else None
    if found is None:
        return None
    name, description, tasks = found
    head = {"name": name, "description": description, "evaluation_framework": "inspect-ai"}
    return _text({**head, "tasks": tasks})


def task_names(manifest: Mapping[str, Any]) -> list[str]:
    """The tasks of the file, as ``inspect eval hf/ORG/NAME/TASK`` names them."""
    text = eval_yaml(manifest)
    return [] if text is None else [str(task["id"]) for task in _read(text, EVAL)["tasks"]]


def merge(published: str, built: str, where: object = EVAL) -> str:
    """The built file with the tasks and keys of the published one that are not ours; the very text where none of ours
    differs. ``InputError`` when the published file is not a mapping with a list of tasks, each with an ``id``.

    >>> mine = "tasks:\\n- id: mine\\n  split: test\\n"
    >>> print(merge(mine, "name: sums\\ntasks:\\n- id: zenyx_arith\\n"), end="")
    name: sums
    tasks:
    - id: zenyx_arith
    - id: mine
      split: test
    """
    old, new = _read(published, where), _read(built, where)
    if not any(differences(published, built)):
        return published
    kept = [task for task in old.get("tasks", []) if task["id"] not in OURS]
    others = {key: value for key, value in old.items() if key not in (*_KEYS, "tasks")}
    return _text({**new, **others, "tasks": [*new["tasks"], *kept]})


def differences(found: str, built: str) -> Iterator[str]:
    """Where a file differs from the built one in what is ours; a person's tasks and keys are free."""
    stated, wanted = _read(found, EVAL), _read(built, EVAL)
    for key in _KEYS:
        if stated.get(key) != wanted.get(key):
            yield f"{key} is {stated.get(key)!r} where {wanted.get(key)!r} belongs"
    tasks = [(task["id"], task) for task in stated.get("tasks", [])]
    ours = {task["id"]: task for task in wanted["tasks"]}
    for name, task in ours.items():
        there = [other for other_name, other in tasks if other_name == name]
        if len(there) != 1:
            yield f"task {name!r} is there {len(there)} times"
        elif there[0] != task:
            key = next(key for key in [*task, *there[0]] if task.get(key) != there[0].get(key))
            yield f"task {name!r}: {key} is {there[0].get(key)!r} where {task.get(key)!r} belongs"
    yield from (f"task {name!r} is none of this folder" for name, _ in tasks if name in OURS and name not in ours)


def _read(text: str, where: object) -> dict[str, Any]:
    import yaml

    try:
        found = yaml.safe_load(text) if text.strip() else {}
    except yaml.YAMLError as error:
        raise InputError(f"is not YAML: {' '.join(str(error).split())}", file=where) from None
    tasks = found.get("tasks", []) if isinstance(found, dict) else None
    if not isinstance(tasks, list) or not all(isinstance(task, dict) and "id" in task for task in tasks):
        raise InputError("is not a mapping with a list of tasks that have an id each", file=where)
    return dict(found)


def _text(content: Mapping[str, Any]) -> str:
    import yaml

    # A part that two tasks share is written out in both: the Hub's readers need not know of anchors.
    return yaml.safe_dump(json.loads(json.dumps(content)), sort_keys=False, allow_unicode=True, width=100)


def _items(manifest: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    return {(split["config"], split["split"]): split["items"] for split in manifest["splits"]}


def _task(name: str, config: str, split: str, fields: Mapping[str, Any], prompt: str) -> dict[str, Any]:
    """A question that is answered in words of the model's own, by its last number."""
    solvers = [{"name": "prompt_template", "args": {"template": prompt}}, {"name": "generate"}]
    return {
        "id": name,
        "config": config,
        "split": split,
        "field_spec": dict(fields),
        "solvers": solvers,
        "scorers": _NUMBER,
    }


def flat_config(manifest: Mapping[str, Any]) -> str | None:
    """The tier whose test split the config ``flat`` holds: the first that has one; None for training data alone."""
    return next((split["config"] for split in manifest["splits"] if split["split"] == "test"), None)


def _deeparithmark(manifest: Mapping[str, Any], items: Items) -> Found | None:
    tier = flat_config(manifest)
    if tier is None or (FLAT, "test") not in items:
        return None
    name = "deeparithmark" if tier == "default" else f"deeparithmark_{tier}"
    depths = [int(depth) for depth in manifest["tiers"][tier]["depths"]]
    shown = {"metadata": ["depth", "template"]}
    choice = {
        "id": name,
        "config": FLAT,
        "split": "test",
        "field_spec": {"input": "question", "target": "target", "choices": "choices", **shown},
        "solvers": [{"name": "multiple_choice"}],
        "scorers": [{"name": "choice"}],
    }
    asked = _task(f"{name}_gen", FLAT, "test", {"input": "question", "target": "answer", **shown}, PROBLEM)
    title = "DeepArithmark-1 (independent re-implementation)" + f", {tier}" * (tier != "default")
    told = (
        f"{items[FLAT, 'test']:,} arithmetic word problems of {min(depths)} to {max(depths)} dependent steps, seed "
        f"{manifest['seed']}: one of four endings (chance 25 %), or the missing value in the model's own words."
    )
    return title, told, [choice, asked]


def _zenyx(manifest: Mapping[str, Any], items: Items) -> Found | None:
    names = {"default": "zenyx_arith", "extended": "zenyx_arith_extended"}
    held = [config for config in names if (config, "test") in items]
    if not held:
        return None
    fields = {"input": "question", "target": "answer", "metadata": ["type"]}
    count = sum(items[config, "test"] for config in held)
    return (
        "Zenyx Arithmetic Bench (independent re-implementation)",
        f"{count:,} single operations with exact integer answers, seed {manifest['seed']}.",
        [_task(names[config], config, "test", fields, QUESTION) for config in held],
    )


def _calcgpt(manifest: Mapping[str, Any], items: Items) -> Found | None:
    config = next((config for config, split in items if split == "heldout"), None)
    if config is None:
        return None
    fields = {"input": "semantic_key", "target": "answer", "metadata": ["left", "operator", "right"]}
    told = (
        f"{items[config, 'heldout']:,} additions and subtractions, held out of training by the contract "
        f"{manifest['contract']}, seed {manifest['seed']}."
    )
    return "CalcGPT arithmetic tasks", told, [_task("calcgpt_heldout", config, "heldout", fields, SUM)]


_TASKS = {"calcgpt": _calcgpt, "deeparithmark": _deeparithmark, "zenyx": _zenyx}
