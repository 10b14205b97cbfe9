"""What a run leaves on disk and how it is read back, written so that a kill at any moment leaves a run that can go on.

``run.json`` (settings, versions, roster hashes, counts, curve), ``manifest.json`` (the holdout of drawn tasks) or
``train.txt`` and ``validation.txt`` (the tasks of files), ``metrics.jsonl``, ``model/`` (loads with
``AutoModelForCausalLM``), and while training ``checkpoint/``.
"""

import json
import os
import platform
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout
from safetensors import SafetensorError

from ..builders import machine
from ..builders.files import hash_file, write_json, write_text
from ..generators.calcgpt import representations
from ..generators.calcgpt.manifest import dump_manifest, roster_hash
from ..generators.errors import InputError, one_line
from ..generators.jsonl import to_line
from ..scoring.weights import load_error
from .data import RunTasks, load_tasks, read_tasks
from .settings import RunSettings, read_settings
from .tokenizer import save_tokenizer

if TYPE_CHECKING:
    from accelerate import Accelerator
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

LOCK = ".lock"


@dataclass(slots=True)
class Progress:
    """Where a run stands; saved with every checkpoint."""

    step: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    curve: list[dict[str, float]] = field(default_factory=list)
    reached: dict[str, float] | None = None


class FolderInUse(InputError):
    """Another process trains in the folder."""


class RunFolder:
    """One run's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def model(self) -> Path:
        """Where the finished model lies."""
        return self.path / "model"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps a second start out; ``InputError`` where one is in it, or where the folder holds something else."""
        self._refuse_foreign()
        was_there = self.path.exists()
        self.path.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.path / LOCK)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise FolderInUse("another start is training in this folder", file=self.path) from None
        try:
            yield
        finally:
            lock.release()
            if not (self.path / "run.json").exists():
                (self.path / LOCK).unlink(missing_ok=True)
                if not was_there and not any(self.path.iterdir()):
                    self.path.rmdir()

    def _refuse_foreign(self) -> None:
        if (self.path / "run.json").exists() or not self.path.exists():
            return
        if not self.path.is_dir() or any(path.name != LOCK for path in self.path.iterdir()):
            raise InputError("not empty and not a run; choose another --out", file=self.path)

    def open(self, settings: RunSettings) -> tuple[dict[str, Any], RunTasks]:
        """The run's record and tasks: those that the folder has, else new ones.

        ``InputError`` when the folder holds something else, a run of other settings, or one whose files have changed.
        """
        record = read_record(self.path) if (self.path / "run.json").exists() else None
        if record is None:
            self._refuse_foreign()
            return self._create(settings)
        differing = [
            f"{name} {record['settings'].get(name)!r}, not {value!r}"
            for name, value in settings.as_dict().items()
            if record["settings"].get(name) != value
        ]
        if differing:
            raise InputError(f"holds a run of other settings: {'; '.join(differing)}", file=self.path)
        for name, digest in record.get("files", {}).items():
            if Path(name).is_file() and hash_file(Path(name)) != digest:
                raise InputError("is not the file that this run was begun with; choose another --out", file=name)
        if record.get("status") == "diverged":
            raise InputError(record["error"], file=self.path)
        return record, self.tasks(settings)

    def tasks(self, settings: RunSettings) -> RunTasks:
        """The tasks of an existing run: those of files are kept in the folder."""
        if not settings.train_file:
            return load_tasks(settings)
        train, validation = (read_tasks(str(self.path / f"{side}.txt"), settings) for side in ("train", "validation"))
        return RunTasks(train, validation)

    def _create(self, settings: RunSettings) -> tuple[dict[str, Any], RunTasks]:
        tasks = load_tasks(settings)
        record: dict[str, Any] = {"status": "running", "settings": settings.as_dict(), "versions": versions()}
        record |= {
            "excluded_roster_sha256": roster_hash([*tasks.train, *tasks.validation]),
            "grouped_split": tasks.split,
        }
        if tasks.manifest is not None:
            record["task_roster_sha256"] = tasks.manifest["task_roster_sha256"]
            write_text(self.path / "manifest.json", dump_manifest(tasks.manifest))
        else:
            files = [name for name in (settings.train_file, settings.validation_file) if name]
            record["files"] = {name: hash_file(Path(name)) for name in files}
            form = representations.get(settings.representation)
            for side in ("train", "validation"):
                lines = (form.text(task, settings.width) for task in tasks.of(side))
                write_text(self.path / f"{side}.txt", "".join(f"{line}\n" for line in lines))
        write_json(self.path / "run.json", record)
        return record, tasks

    def write_record(self, accelerator: "Accelerator", record: dict[str, Any]) -> None:
        """Replace ``run.json``, on the main process only."""
        if accelerator.is_main_process:
            write_json(self.path / "run.json", record)

    def write_metrics(self, accelerator: "Accelerator", curve: list[dict[str, float]]) -> None:
        """The curve so far as ``metrics.jsonl``, one look at the validation tasks a line."""
        if accelerator.is_main_process:
            write_text(self.path / "metrics.jsonl", "".join(to_line(row) + "\n" for row in curve))

    def save_checkpoint(self, accelerator: "Accelerator", progress: Progress) -> None:
        """Save weights, optimizer state and progress beside the last checkpoint, then take its place."""
        fresh = self.path / "checkpoint.new"
        if accelerator.is_main_process:
            shutil.rmtree(fresh, ignore_errors=True)
        accelerator.wait_for_everyone()
        try:
            accelerator.save_state(str(fresh), safe_serialization=False)
        except (OSError, RuntimeError) as error:  # torch reports a full disk as a RuntimeError
            raise _unwritten(fresh, error) from error
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
        """Restore the newest complete checkpoint and return its progress, None when there is none.

        ``InputError`` where one is damaged: nothing is trained again behind anybody's back.
        """
        for name in ("checkpoint", "checkpoint.new", "checkpoint.old"):
            progress = self.path / name / "progress.json"
            if not progress.is_file():
                continue
            try:
                state = json.loads(progress.read_text(encoding="utf-8"))
                asdict(Progress(**state))
                accelerator.load_state(str(progress.parent))
            except Exception as error:  # what reads weights and optimizer states has no class of errors in common
                raise InputError(
                    f"damaged ({one_line(error).splitlines()[0][:100]}); delete the folder to start over",
                    file=progress.parent,
                ) from error
            return dict(state)
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
        try:
            model.save_pretrained(partial)
            save_tokenizer(partial, positions)
        except (OSError, RuntimeError, SafetensorError) as error:
            raise _unwritten(partial, error) from error
        readable = 0o666 & ~_umask()
        for path in partial.iterdir():  # safetensors writes for the owner only
            path.chmod(readable)
        shutil.rmtree(self.model, ignore_errors=True)
        partial.rename(self.model)
        self.write_record(accelerator, record)
        for name in ("checkpoint", "checkpoint.new", "checkpoint.old"):
            shutil.rmtree(self.path / name, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _unwritten(path: Path, error: Exception) -> InputError:
    free = shutil.disk_usage(path.parent).free
    reason = (one_line(error).splitlines() or [type(error).__name__])[0][:200]
    return InputError(f"cannot be written, {free / 2**20:,.0f} MiB are free: {reason}", file=path)


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
    run: Path | None = None


def load_model(name: str) -> LoadedModel:
    """A run folder, its ``model`` folder, another model folder or a Hub id; ``InputError`` when nothing loads."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path, settings, source = Path(name), None, name
    run = next((folder for folder in (path, path.parent) if (folder / "run.json").is_file()), None)
    if run is not None:
        record = read_record(run)
        settings, source = read_settings(record["settings"]), str(run / "model")
        if record.get("status") == "diverged":
            raise InputError(record["error"], file=run)
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
    return LoadedModel(model, tokenizer, settings, run)
