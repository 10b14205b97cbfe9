"""A finished run folder as something to publish."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..builders.cards import calcgpt_model as cards
from ..builders.folder import CARD
from ..builders.publishing.hub import Snapshot
from ..builders.release import Software, public_address
from ..generators.calcgpt.claims import verify_manifest
from ..generators.calcgpt.manifest import load_manifest
from ..generators.errors import InputError
from .run_folder import read_record
from .settings import RunSettings, read_settings

RECORD, HOLDOUT, WEIGHTS = "run.json", "manifest.json", "model.safetensors"
# Options of the train command that are no --set.
_OPTIONS = ("representation", "seed", "data_seed", "width", "tasks", "contract")


class ModelRun:
    """The model of a run in the root of its repository, with the run's record, its holdout manifest and a card."""

    kind = "model"

    def __init__(self, run: Path, card: Path) -> None:
        self.model, record = run / "model", read_record(run)
        settings = record["settings"]
        self.title = f"CalcGPT {settings['representation']}, seed {settings['seed']}"
        model = {path.name: path for path in sorted(self.model.iterdir()) if path.is_file()}
        self.files: Mapping[str, Path] = {**model, RECORD: run / RECORD, HOLDOUT: run / HOLDOUT, CARD: card}

    @property
    def software(self) -> Software:
        """What its card says of the software."""
        return Software(public_address())

    def outdated(self, published: Snapshot) -> list[str]:
        """Nothing to delete; ``InputError`` when the repository holds the weights of another run, or other weights."""
        if RECORD not in published.files:
            foreign = sorted(path for path in published.files if path in self.files and path != CARD)
            if foreign:
                raise InputError(f"{published.repo} holds a model that arithmark did not publish: {foreign[0]}")
        elif WEIGHTS in published.files and not published.files[WEIGHTS].holds(self.files[WEIGHTS].read_bytes()):
            there = _settings(published.read(RECORD))
            raise InputError(
                f"{published.repo} holds other weights ({there}), not those of {self.title}: "
                "published weights are not replaced, choose another repository"
            )
        return []

    def differences(self, repo: str, commit: str, token: str | bool) -> Iterator[str]:
        """Loads tokenizer and model as anybody does and compares them with those of the run."""
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        at: dict[str, Any] = {"revision": commit, "token": token}
        ours, theirs = (
            AutoTokenizer.from_pretrained(source, **more) for source, more in ((self.model, {}), (repo, at))
        )
        if ours.get_vocab() != theirs.get_vocab() or ours("12-3=")["input_ids"] != theirs("12-3=")["input_ids"]:
            yield "the tokenizer reads text differently"
        mine, published = (
            AutoModelForCausalLM.from_pretrained(source, dtype=torch.float32, **more).state_dict()
            for source, more in ((self.model, {}), (repo, at))
        )
        if mine.keys() != published.keys():
            yield f"weights are {sorted(published)}, not {sorted(mine)}"
            return
        yield from (f"weight {name} differs" for name, value in mine.items() if not torch.equal(value, published[name]))


def model_run(run: Path, repo: str, scratch: Path) -> ModelRun:
    """The run, its claims checked, with a card in ``scratch`` for which the model is evaluated on its roster.

    ``InputError`` when the run is not finished, or was trained under another roster than its manifest lists.
    """
    from .console import Question, evaluate_with_progress

    record = read_record(run)
    if record.get("status") != "completed" or not (run / "model" / WEIGHTS).is_file():
        raise InputError("this run is not completed; run `arithmark calcgpt train` again to go on", file=run)
    settings = read_settings(record["settings"])
    if settings.train_file:
        raise InputError("a run from files has no roster of its own, whose accuracy the card could state", file=run)
    holdout = load_manifest(run / HOLDOUT)
    _check_roster(run, settings, record, holdout)
    report, _ = evaluate_with_progress(str(run), Question())
    if report["task_roster_sha256"] != holdout["task_roster_sha256"]:
        raise InputError("the evaluated tasks are not the roster of its manifest.json", file=run)
    card = scratch / CARD
    text = cards.card(record, dict(holdout), report, repo.split("/")[-1], _command(settings))
    card.write_bytes(text.encode())
    return ModelRun(run, card)


def _check_roster(run: Path, settings: RunSettings, record: dict[str, Any], holdout: Mapping[str, Any]) -> None:
    from ..builders.calcgpt import tasks

    data = tasks(settings.recipe)
    problems = verify_manifest(holdout, [*data.train, *data.validation], data.heldout)
    if holdout["task_roster_sha256"] != record.get("task_roster_sha256"):
        problems.append("run.json names another roster")
    problems += [
        f"{name} is not that of the settings in run.json"
        for name, value in data.manifest.items()
        if name != "policy" and holdout.get(name) != value
    ]
    if problems:
        raise InputError(f"manifest.json is not the holdout of this run: {problems[0]}", file=run)


def _settings(record: bytes) -> str:
    try:
        settings = json.loads(record)["settings"]
        return f"{settings['representation']}, seed {settings['seed']}"
    except (ValueError, KeyError, TypeError):
        return "its run.json cannot be read"


def _command(settings: RunSettings) -> str:
    """The options of ``arithmark calcgpt train`` that give these settings.

    >>> _command(RunSettings(seed=43, batch=32))
    ' --representation plain --seed 43 --set batch=32'
    """
    usual, values = RunSettings().as_dict(), settings.as_dict()
    changed = [name for name in values if values[name] != usual[name] or name in ("representation", "seed")]
    told = (
        f" --{name.replace('_', '-')} {values[name]}"
        if name in _OPTIONS
        else f" --set {name}={values[name] if isinstance(values[name], str) else json.dumps(values[name])}"
        for name in changed
    )
    return "".join(told)
