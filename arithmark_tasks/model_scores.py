"""What a result file states for the repository of its model: one score for each group that was scored whole."""

from pathlib import Path

from .builders.publishing.hub import check_repository
from .builders.publishing.results import Scored
from .generators.errors import InputError
from .results import Result, limited_groups
from .statistics import summarise


def model_of(result: Result, path: Path) -> str:
    """The Hub repository that was scored; ``InputError`` names the result's file where it was a folder."""
    name = str(result.model.get("pretrained"))
    if name.count("/") != 1 or Path(name).exists():
        raise InputError(f"the scored model {name} is no Hub repository: give --model ORG/NAME", file=path)
    return check_repository(name)


def scores_of(result: Result, path: Path) -> list[Scored]:
    """The main score of every group; ``InputError`` names the file for a group of which items were left out."""
    limited = limited_groups(result.items, result.tasks, result.datasets, result.run.get("limit"))
    scores = []
    for name, group in summarise(result.items, limited)["groups"].items():
        if group["limited"]:
            raise InputError(f"{name}: --limit left items out, which is no score of the set", file=path)
        dataset = next(str(task.get("dataset")) for task in result.tasks.values() if task.get("group") == name)
        facts = result.datasets.get(dataset, {})
        if group["n"] != facts.get("items"):
            raise InputError(f"{name}: {group['n']} items scored, {dataset} has {facts.get('items')}", file=path)
        metric = group["metric"]
        value = group["metrics"][metric]["value"]
        date = str(result.run.get("started"))
        scores.append(Scored(name, value, date, _notes(result, metric, group), dataset, str(facts.get("sha256"))))
    return scores


def _notes(result: Result, metric: str, group: dict[str, object]) -> str:
    """How it was measured: everything that another measurement of the same model could do otherwise."""
    run = result.run
    shots = {task.get("num_fewshot") for task in result.tasks.values()}
    told = [
        f"arithmark eval, {metric}",
        f"{run.get('dtype')}",
        f"{shots.pop()}-shot" if len(shots) == 1 else "shots differ between tasks",
        "chat template" if run.get("chat_template") else "no chat template",
    ]
    cut = group.get("cut")
    if isinstance(cut, dict) and cut.get("prompts"):
        told.append(f"{cut['prompts']} prompts cut by the model's window")
    return ", ".join(told)
