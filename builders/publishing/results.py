"""Scores in model repositories: entries of ``.eval_results/deeparithmark.yaml``, which a benchmark's page collects."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...generators.errors import InputError
from ..eval_yaml import EVAL, OURS
from ..folder import MANIFEST, parse_manifest
from .hub import Hub, Snapshot

PATH = ".eval_results/deeparithmark.yaml"


@dataclass(frozen=True, slots=True)
class Scored:
    """One score of one model: the task's id, a share of 1, when it was measured, and how.

    ``dataset`` is ``NAME/CONFIG`` and ``sha256`` the hash of the rows that were asked.
    """

    task: str
    value: float
    date: str
    notes: str
    dataset: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """The file as it should be; ``changed`` lists the tasks whose entry is new or another."""

    text: str
    changed: tuple[str, ...]


def benchmark(hub: Hub) -> Snapshot:
    """The published set; ``InputError`` when there is none or it has no ``eval.yaml``."""
    found = hub.snapshot()
    if found is None:
        raise InputError(f"no dataset {hub.repo} on the Hub, or the token may not see it")
    for name in (MANIFEST, EVAL):
        if name not in found.files:
            raise InputError(f"{hub.repo} has no {name}: publish it with this version of arithmark")
    return found


def check_rows(published: Snapshot, scores: Sequence[Scored]) -> None:
    """``InputError`` names the first score of other rows than the published ones, or of a task that is not there."""
    import yaml

    manifest = parse_manifest(published.read(MANIFEST), f"{MANIFEST} of {published.repo}")
    held = {
        f"{manifest['dataset']}/{split['config']}": split["sha256"]
        for split in manifest["splits"]
        if split["split"] in ("test", "heldout")
    }
    listed = yaml.safe_load(published.read(EVAL)) or {}
    tasks = {str(task.get("id")) for task in listed.get("tasks", [])} & set(OURS)
    for score in scores:
        if score.task not in tasks:
            raise InputError(
                f"{published.repo} has no task {score.task} in its {EVAL}, only {', '.join(sorted(tasks))}"
            )
        if held.get(score.dataset) != score.sha256:
            raise InputError(
                f"{score.task} was scored on other rows of {score.dataset} than {published.repo} "
                "holds: another version of the data, or another seed"
            )


def propose(there: str, published: Snapshot, scores: Sequence[Scored], where: str) -> Proposal:
    """The file with an entry for each score; entries of others stay, the same score again keeps its entry and date."""
    from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml, parse_eval_result_entries
    from yaml import YAMLError, safe_dump, safe_load

    try:
        stated = safe_load(there) or []
        entries = [(parse_eval_result_entries([found])[0], found) for found in stated]
    except (YAMLError, KeyError, TypeError, IndexError, AttributeError, ValueError):
        raise InputError(f"{where}: {PATH} is not a list of evaluation results") from None
    changed: list[str] = []
    for score in scores:
        entry = EvalResultEntry(
            dataset_id=published.repo,
            task_id=score.task,
            value=round(score.value, 4),
            dataset_revision=published.commit,
            date=score.date,
            source_url=f"https://huggingface.co/datasets/{published.repo}",
            source_name="arithmark eval",
            notes=score.notes,
        )
        mine = [place for place, (old, _) in enumerate(entries) if _is_before(old, entry)]
        if any(_says_the_same(entries[place][0], entry) for place in mine):
            continue
        changed.append(score.task)
        new = (entry, eval_result_entries_to_yaml([entry])[0])
        if mine:
            entries[mine[0]] = new
        else:
            entries.append(new)
    text = safe_dump([data for _, data in entries], sort_keys=False, allow_unicode=True) if changed else there
    return Proposal(text, tuple(changed))


def _is_before(old: Any, new: Any) -> bool:
    """Whether it is an earlier entry of ours, measured in the same way."""
    return (old.dataset_id, old.task_id, old.notes) == (new.dataset_id, new.task_id, new.notes)


def _says_the_same(old: Any, new: Any) -> bool:
    # The data are known by the rows; a commit that changed the card alone is no other set, a new date no other score.
    return replace(old, date=None, dataset_revision=None) == replace(new, date=None, dataset_revision=None)
