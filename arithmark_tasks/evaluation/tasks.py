"""The lm-eval tasks of a run: found by name before a model is loaded, and what their data is."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import documents
from ..builders.loading import builder_class
from ..generators.errors import InputError
from ..generators.jsonl import hash_rows
from ..paths import task_folder

if TYPE_CHECKING:
    from lm_eval.tasks import TaskManager

logger = logging.getLogger(__name__)

FEWSHOT_SEED = 1234  # that of the lm_eval command
# The beginning of a task's name -> the dataset and config of its items; the longest that fits counts.
_DATASETS = {
    "calcgpt_heldout": ("calcgpt", "plain"),
    "calcgpt_heldout_padded": ("calcgpt", "padded"),
    "calcgpt_heldout_padded_reversed": ("calcgpt", "padded-reversed"),
    "calcgpt_heldout_reversed": ("calcgpt", "reversed"),
    "deeparithmark": ("deeparithmark", "default"),
    "deeparithmark_control": ("deeparithmark", "control"),
    "deeparithmark_deep": ("deeparithmark", "deep"),
    "zenyx_arith": ("zenyx", "default"),
    "zenyx_arith_extended": ("zenyx", "extended"),
    "zenyx_arith_mc": ("zenyx", "mc"),
}


def task_manager(names: Sequence[str]) -> "TaskManager":
    """A manager that knows the tasks; lm-eval's own thousands are only read when one of them is asked for."""
    from lm_eval.tasks import TaskManager

    if not names:
        raise InputError("no task given")
    manager = TaskManager(include_path=str(task_folder()), include_defaults=False)
    known = list(manager.all_tasks)
    families = {name.split("_")[0] for name in known}
    missing = [name for name in names if name not in known]
    if missing and not any(name.split("_")[0] in families for name in missing):
        manager = TaskManager(include_path=str(task_folder()))
        missing = [name for name in names if name not in manager.all_tasks]
    if missing:
        raise InputError(f"no such task: {', '.join(missing)}; ours are {', '.join(known)}")
    return manager


class TaskSet:
    """The tasks that were asked for, loaded once, and the group that each one's items count under."""

    def __init__(self, names: Sequence[str], extra: Iterable[Any] = ()) -> None:
        manager = task_manager(names)
        try:
            self.loaded: Any = manager.load([*_each_task_once(manager, names), *extra])
        except ValueError as error:  # a task that two groups share
            raise InputError(str(error)) from error
        self.tasks: dict[str, Any] = self.loaded["tasks"]
        asked = [self.loaded["groups"][name] for name in names if name in self.loaded["groups"]]
        self.group_of = {name: name for name in self.tasks}
        self.group_of |= {task.task_name: group.name for group in asked for task in group.get_all_tasks()}

    def set_fewshot(self, number: int | None) -> None:
        """So many examples in each prompt, in lm-eval's default draw; a task that fixes none keeps none.

        ``InputError`` where the pool of a task holds fewer, and where no task takes any; a line names those that
        keep none.
        """
        fixed = [name for name, task in self.tasks.items() if task.get_config("num_fewshot") == 0]
        if number and len(fixed) == len(self.tasks):
            raise InputError(f"--num-fewshot {number}: {fixed[0]} is always asked without examples")
        if number and fixed:
            logger.warning("%s: always asked without examples, not with %d", ", ".join(fixed), number)
        for name, task in self.tasks.items():
            own = task.get_config("num_fewshot")
            if own is None or (number is not None and own != 0):
                task.set_config("num_fewshot", number or 0)
            task.set_fewshot_seed(FEWSHOT_SEED)
            shots = task.get_config("num_fewshot")
            if shots and shots > (pool := _pool_size(task)):
                raise InputError(f"{shots:,} examples do not fit into a prompt: the pool of {name} holds {pool:,}")

    def num_fewshot(self) -> int | None:
        """How many examples every prompt has, ``None`` where the tasks differ."""
        numbers = {task.get_config("num_fewshot") for task in self.tasks.values()}
        return numbers.pop() if len(numbers) == 1 else None

    def set_generation(self, options: Mapping[str, Any]) -> None:
        """Other arguments for the generation of written answers; ``InputError`` where no task writes any."""
        writing = [task for task in self.tasks.values() if task.OUTPUT_TYPE == "generate_until"]
        if options and not writing:
            raise InputError(f"--gen-kwargs: no answer is generated in {', '.join(self.tasks)}")
        for task in writing:
            task.set_config("generation_kwargs", dict(options), update=True)


def _pool_size(task: Any) -> int:
    """How many examples a prompt can have: where items are drawn from the test split, one of them is asked about."""
    return len(task.sampler.df) - (task.fewshot_cfg.split == task.config.test_split)


def _each_task_once(manager: "TaskManager", names: Sequence[str]) -> list[Any]:
    """The tasks and groups of the names; one whose tasks all stand in another group too is left out."""
    loaded: dict[str, Any] = {name: manager.load([name]) for name in dict.fromkeys(names)}
    members = {name: set(found["tasks"]) for name, found in loaded.items()}
    kept = [name for name in loaded if not any(members[name] < members[other] for other in loaded)]
    groups = [loaded[name]["groups"].get(name) for name in kept]
    return [
        one
        for name, group in zip(kept, groups, strict=True)
        for one in ([group] if group else loaded[name]["tasks"].values())
    ]


def dataset_name(task: str) -> str | None:
    """The dataset and config that a task of ours takes its items from.

    >>> dataset_name("deeparithmark_control_d2"), dataset_name("zenyx_arith_bare_4da"), dataset_name("arc_easy")
    ('deeparithmark/control', 'zenyx/default', None)
    """
    fitting = [start for start in _DATASETS if task == start or task.startswith(f"{start}_")]
    return "/".join(_DATASETS[max(fitting, key=len)]) if fitting else None


def dataset_facts(name: str, task: Any) -> dict[str, Any]:
    """Version and seed, number of items and SHA-256 of the canonical JSONL of the whole split that a task is about.

    Other people's datasets have neither version nor seed, and count as far as the task uses them.
    """
    if "/" in name:
        return our_dataset(name, task.config.test_split)[1]
    rows = task.eval_docs
    return {"version": None, "seed": None, "items": len(rows), "sha256": digest(rows)}


def our_dataset(name: str, split: str) -> tuple[Any, dict[str, Any]]:
    """The rows of one split of a set of ours, by its dataset and config, and the facts about them."""
    dataset, config = name.split("/")
    settings = builder_class(dataset).builder_configs[config]
    rows = documents.load_dataset(dataset, config)[split]
    facts = {"version": str(settings.version), "seed": settings.seed, "items": len(rows), "sha256": digest(rows)}
    return rows, facts


def digest(rows: Iterable[Any]) -> str:
    """SHA-256 of rows as canonical JSONL: UTF-8, LF, keys in order.

    >>> digest([{"answer": "7", "note": None}]) == digest([{"answer": "7"}])
    True
    """
    return hash_rows(map(_without_nulls, rows), default=str)


def _without_nulls(value: Any) -> Any:
    # A key that a row does not have comes back from Arrow as a null.
    if isinstance(value, dict):
        return {key: _without_nulls(entry) for key, entry in value.items() if entry is not None}
    return value
