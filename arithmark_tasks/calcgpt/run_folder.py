"""What a run leaves on disk and how it is read back, written so that a kill at any moment leaves a run that can go on.

``run.json`` (settings, versions, roster hashes, counts, curve), ``manifest.json`` (the holdout), ``model/`` (loads with
``AutoModelForCausalLM``), and while training ``checkpoint/``.
"""

import json
import platform
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..builders import machine
from ..builders.files import write_json, write_text
from ..generators.calcgpt.manifest import dump_manifest
from ..generators.errors import InputError
from ..scoring.weights import load_error
from .settings import RunSettings, read_settings
from .tokenizer import save_tokenizer

if TYPE_CHECKING:
    from accelerate import Accelerator
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@dataclass(slots=True)
class Progress:
    """Where a run stands; saved with every checkpoint."""

    step: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    curve: list[dict[str, float]] = field(default_factory=list)
    reached: dict[str, float] | None = None


class RunFolder:
    """One run's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def model(self) -> Path:
        """Where the finished model lies."""
        return self.path / "model"

    def open(self, settings: RunSettings) -> dict[str, Any]:
        """The run's record: the earlier one if the folder has it, else a new one.

        ``InputError`` when the folder holds something else, or a run of other settings.
        """
        record = read_record(self.path) if (self.path / "run.json").exists() else None
        if record is None:
            if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
                raise InputError("not empty and not a run; choose another --out", file=self.path)
            return self._create(settings)
        differing = [
            f"{name} {record['settings'].get(name)!r}, not {value!r}"
            for name, value in settings.as_dict().items()
            if record["settings"].get(name) != value
        ]
        if differing:
            raise InputError(f"holds a run of other settings: {'; '.join(differing)}", file=self.path)
        return record

    def _create(self, settings: RunSettings) -> dict[str, Any]:
        from ..builders.calcgpt import tasks

        data = tasks(settings.recipe)
        record = {
            "status": "running",
            "settings": settings.as_dict(),
            "versions": versions(),
            "task_roster_sha256": data.manifest["task_roster_sha256"],
            "excluded_roster_sha256": data.manifest["excluded_roster_sha256"],
            "grouped_split": data.split.as_dict(),
        }
        write_text(self.path / "manifest.json", dump_manifest(data.manifest))
        write_json(self.path / "run.json", record)
        return record

    def write_record(self, accelerator: "Accelerator", record: dict[str, Any]) -> None:
        """Replace ``run.json``, on the main process only."""
        if accelerator.is_main_process:
            write_json(self.path / "run.json", record)

    def save_checkpoint(self, accelerator: "Accelerator", progress: Progress) -> None:
        """Save weights, optimizer state and progress beside the last checkpoint, then take its place."""
        fresh = self.path / "checkpoint.new"
        if accelerator.is_main_process:
            shutil.rmtree(fresh, ignore_errors=True)
        accelerator.wait_for_everyone()
        accelerator.save_state(str(fresh), safe_serialization=False)
        accelerator.wait_for_everyone()
        if accelerator.is_main_process:
            write_json(fresh / "progress.json", asdict(progress))
            old = self.path / "checkpoint.old"
            shutil.rmtree(old, ignore_errors=True)
            if (self.path / "checkpoint").exists():
                (self.path / "checkpoint").rename(old)
            fresh.rename(self.path / "checkpoint")
            shutil.rmtree(old, ignore_errors=True)
        accelerator.wait_for_everyone()

    def load_checkpoint(self, accelerator: "Accelerator") -> dict[str, Any] | None:
        """Restore the newest complete checkpoint and return its progress, None when there is none."""
        for name in ("checkpoint", "checkpoint.new", "checkpoint.old"):
            progress = self.path / name / "progress.json"
            if progress.is_file():
                accelerator.load_state(str(progress.parent))
                state: dict[str, Any] = json.loads(progress.read_text(encoding="utf-8"))
                return state
        return None

    def finish(
        self, accelerator: "Accelerator", model: "PreTrainedModel", record: dict[str, Any], positions: int
    ) -> None:
        """Write the model and its tokenizer, then the record, then drop the checkpoints."""
        accelerator.wait_for_everyone()
        if not accelerator.is_main_process:
            return
        partial = self.path / ".model.new"
        shutil.rmtree(partial, ignore_errors=True)
        model.save_pretrained(partial)
        save_tokenizer(partial, positions)
        shutil.rmtree(self.model, ignore_errors=True)
        partial.rename(self.model)
        self.write_record(accelerator, record)
        for name in ("checkpoint", "checkpoint.new", "checkpoint.old"):
            shutil.rmtree(self.path / name, ignore_errors=True)


def read_record(path: Path) -> dict[str, Any]:
    """The ``run.json`` of a run folder; ``InputError`` when it is not one."""
    try:
        record = json.loads((path / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise InputError("no readable run.json", file=path) from None
    if not isinstance(record, dict) or not isinstance(record.get("settings"), dict):
        raise InputError("run.json has no settings", file=path)
    return record


def versions() -> dict[str, str]:
    """What produced the run."""
    return machine.versions("torch", "transformers", "accelerate") | {"machine": platform.machine()}


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in evaluation mode, its tokenizer, and the settings it was trained under where they are known."""

    model: "PreTrainedModel"
    tokenizer: "PreTrainedTokenizerBase"
    settings: RunSettings | None


def load_model(name: str) -> LoadedModel:
    """A run folder, its ``model`` folder, another model folder or a Hub id; ``InputError`` when nothing loads."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path, settings, source = Path(name), None, name
    run = next((folder for folder in (path, path.parent) if (folder / "run.json").is_file()), None)
    if run is not None:
        record = read_record(run)
        settings, source = read_settings(record["settings"]), str(run / "model")
        if record.get("status") != "completed":
            raise InputError("this run is not completed; run `arithmark calcgpt train` again to go on", file=run)
    if (path.exists() or run) and not (Path(source) / "config.json").is_file():
        raise InputError("neither a run folder nor a model folder", file=name)
    try:
        tokenizer = AutoTokenizer.from_pretrained(source)
        model = AutoModelForCausalLM.from_pretrained(source, dtype=torch.float32).eval()
    except Exception as error:  # what reads configs, tokenizers and weights has no class of errors in common
        raise load_error(source, error) from error
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return LoadedModel(model, tokenizer, settings)
