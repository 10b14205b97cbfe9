"""The checkpoints of a training run: found by name, waited for until they are whole, scored one after the other."""

import glob
import json
import re
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import Any

from ..console import natural
from ..generators.errors import InputError
from ..results import Result, read_result
from ..scoring.models import split_revision
from .provenance import digest_of, file_digests
from .run import Notify, Prepared, run, save
from .settings import Settings

CHECKPOINT = re.compile(r"checkpoint-(\d+)")
_STEP = re.compile(r"(?:^|[^a-z])(?:step|checkpoint|global_step)[-_]?(\d+)", re.IGNORECASE)
LOG = "log.jsonl"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model of a training run: what to load, the run's name, the step (None where the name has none)."""

    model: str
    revision: str | None
    run: str
    step: int | None

    @property
    def stem(self) -> str:
        """The name of its result file, without the ending, among those of its run."""
        name = self.revision if self.revision is not None else Path(self.model).resolve().name
        return re.sub(r"[^\w.-]+", "-", name)

    @property
    def label(self) -> str:
        """What it is called on the screen."""
        return f"{self.model}@{self.revision}" if self.revision else self.model


def expand(names: Sequence[str]) -> list[Checkpoint]:
    """The models that are meant, each once: of each name in natural order, which puts the newest last.

    A name is a folder with ``checkpoint-*`` folders (a model beside them comes last, as the end of the run), a glob of
    folders, ``ORG/NAME@REVISION,REVISION``, or one model. ``InputError`` for a glob without a match.
    """
    found = [checkpoint for name in names for checkpoint in _of_name(name)]
    return list({(one.model, one.revision): one for one in found}.values())


def holds_several(name: str) -> bool:
    """Whether a name means checkpoints of a run rather than one model."""
    path = Path(name).expanduser()
    return bool(not path.exists() and glob.has_magic(name)) or "," in name.rpartition("@")[2] or bool(_folders(path))


def _of_name(name: str) -> list[Checkpoint]:
    path = Path(name).expanduser()
    if not path.exists() and glob.has_magic(name):
        folders = sorted((Path(one) for one in glob.glob(str(path)) if Path(one).is_dir()), key=_order)  # noqa: PTH207
        if not folders:
            raise InputError("no folder of this pattern", file=name)
        return [inner for folder in folders for inner in _of_name(str(folder))]
    model, revisions = split_revision(name)
    if revisions is not None:
        named = sorted(filter(None, revisions.split(",")), key=natural)
        return [Checkpoint(model, revision, model, _step(revision)) for revision in named]
    checkpoints = [Checkpoint(str(folder), None, str(path), _step(folder.name)) for folder in _folders(path)]
    if not checkpoints:
        run_name = str(path.parent) if CHECKPOINT.fullmatch(path.name) else name
        return [Checkpoint(name, None, run_name, _step(path.name))]
    own = [Checkpoint(name, None, str(path), None)] if (path / "config.json").is_file() else []
    return checkpoints + own


def _folders(run_folder: Path) -> list[Path]:
    found = (path for path in run_folder.glob("checkpoint-*") if CHECKPOINT.fullmatch(path.name) and path.is_dir())
    return sorted(found, key=_order)


def _order(path: Path) -> Any:
    return natural(str(path))


def _step(name: str) -> int | None:
    found = _STEP.search(name)
    return int(found[1]) if found else None


def is_whole(folder: Path) -> bool:
    """Whether a checkpoint was written to its end: config and weights are all there, and what a Trainer writes last.

    Weights in safetensors say how long they are; of a ``.bin`` the end of the archive is looked for. Beside
    ``training_args.bin``, which a Trainer writes with the weights, it writes ``trainer_state.json`` after all else.
    """
    if not (folder / "config.json").is_file():
        return False
    if (folder / "training_args.bin").exists() and CHECKPOINT.fullmatch(folder.name) and trainer_state(folder) is None:
        return False
    files = {*folder.glob("*.safetensors"), *folder.glob("pytorch_model*.bin")}
    try:
        for index in (*folder.glob("*.safetensors.index.json"), *folder.glob("*.bin.index.json")):
            files |= {folder / name for name in json.loads(index.read_bytes())["weight_map"].values()}
        return bool(files) and all(map(_is_whole_file, files))
    except (OSError, ValueError, KeyError):
        return False


def _is_whole_file(weights: Path) -> bool:
    if weights.suffix == ".bin":
        return zipfile.is_zipfile(weights)
    with weights.open("rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        header = json.loads(stream.read(size)) if 0 < size < 2**30 else {}
    ends = [entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"]
    return bool(ends) and weights.stat().st_size == 8 + size + max(ends)


def trainer_state(folder: Path) -> dict[str, Any] | None:
    """What a Trainer wrote about the run at a checkpoint; None where there is none, or only half of it yet."""
    try:
        state = json.loads((folder / "trainer_state.json").read_bytes())
    except (OSError, ValueError):
        return None
    return state if isinstance(state, dict) else None


def training_facts(checkpoint: Checkpoint) -> dict[str, Any]:
    """The run's name, the step and, where the Trainer counted them, the tokens seen, for the result's ``model``."""
    state = (trainer_state(Path(checkpoint.model)) if checkpoint.revision is None else None) or {}
    step, tokens = state.get("global_step", checkpoint.step), state.get("num_input_tokens_seen")
    facts = {"run": Path(checkpoint.run).resolve().name if checkpoint.revision is None else checkpoint.run}
    return {**facts, "step": step, "tokens": tokens or None}


def has_ended(checkpoints: Sequence[Checkpoint], until: int | None) -> bool:
    """Whether the last checkpoint is that of the step ``until``, or of the last step that its Trainer was to take."""
    stepped = [(one.step, one) for one in checkpoints if one.step is not None]
    if not stepped:
        return False
    step, newest = max(stepped, key=itemgetter(0))
    if until is not None:
        return step >= until
    state = trainer_state(Path(newest.model)) if newest.revision is None else None
    return state is not None and 0 < state.get("max_steps", 0) <= state.get("global_step", 0)


@dataclass(slots=True)
class Outcome:
    """What was done: result files that were ``there``, those ``scored`` now, and the checkpoints that ``failed``."""

    there: list[Path]
    scored: list[Path]
    failed: list[str]


@dataclass(frozen=True, slots=True)
class Watch:
    """How to wait for further checkpoints: until a step, or so many seconds without a new one."""

    until: int | None = None
    idle: float = 3600.0
    pause: float = 5.0


def score_all(
    names: Sequence[str],
    settings: Settings,
    out: Path,
    *,
    watch: Watch | None = None,
    force: bool = False,
    notify: Notify = lambda stage: None,
    tell: Notify = lambda fact: None,
    show: Callable[[Path, Result], None] = lambda path, result: None,
    sleep: Callable[[float], None] = time.sleep,
) -> Outcome:
    """Score each checkpoint that has no result in the folder ``out`` yet, oldest first, and append to its log.

    One that is half-written is never scored: with ``watch`` it is waited for, else it is told and left. One that cannot
    be scored is told, and the others go on. ``InputError`` for a result in ``out`` that this command would not have
    made, unless ``force``.
    """
    notify("loading the tasks")
    prepared, outcome = Prepared(settings), Outcome([], [], [])
    done: set[tuple[str, str | None]] = set()
    last = time.monotonic()
    while True:
        found = expand(names)
        ready = [one for one in found if one.revision is not None or _is_ready(one)]
        for one in ready:
            if (one.model, one.revision) in done:
                continue
            done.add((one.model, one.revision))
            path = out / f"{_file_stem(one, found)}.json"
            if path.exists() and not force:
                _check_same(path, one, settings, prepared)
                outcome.there.append(path)
                tell(f"{path}: there already")
            else:
                _score_one(one, settings, path, prepared, outcome, force, notify, tell, show)
            last = time.monotonic()
        late = [one for one in found if one not in ready]
        if watch is None:
            for one in late:
                tell(f"{one.label}: not written to its end yet, left out; --watch waits for it")
            return outcome
        if not late and has_ended(ready, watch.until):
            tell("the training has ended, and so does the watch")
            return outcome
        if time.monotonic() - last > watch.idle:
            tell(f"no new checkpoint for {watch.idle / 60:.0f} minutes: the watch ends")
            return outcome
        notify(f"waiting for checkpoints ({len(done)} scored)")
        sleep(watch.pause)


def _is_ready(one: Checkpoint) -> bool:
    path = Path(one.model).expanduser()
    return not path.is_dir() or (one.step is None and not (path / "training_args.bin").exists()) or is_whole(path)


def _file_stem(one: Checkpoint, others: Sequence[Checkpoint]) -> str:
    if len({other.run for other in others}) == 1:
        return one.stem
    place = Path(one.run).resolve().name if one.revision is None else one.run
    return re.sub(r"[^\w.-]+", "-", f"{place}-{one.stem}")


def _score_one(
    one: Checkpoint,
    settings: Settings,
    path: Path,
    prepared: Prepared,
    outcome: Outcome,
    force: bool,
    notify: Notify,
    tell: Notify,
    show: Callable[[Path, Result], None],
) -> None:
    try:
        mine = replace(settings, model=one.model, revision=one.revision or settings.revision)
        result = run(mine, out=path, force=force, notify=notify, tell=tell, prepared=prepared)
    except InputError as error:
        outcome.failed.append(one.label)
        tell(f"{one.label}: not scored: {error}")
        return
    if result is None:
        return
    result = replace(result, model={**result.model, "training": training_facts(one)})
    save(path, result)
    _log(path.parent / LOG, one, path, result)
    outcome.scored.append(path)
    show(path, result)


def _log(log: Path, one: Checkpoint, path: Path, result: Result) -> None:
    groups = {
        name: {"metric": group["metric"], "value": group["metrics"].get(group["metric"], {}).get("value")}
        for name, group in result.summary["groups"].items()
    }
    line = {**training_facts(one), "result": path.name, "seconds": result.run["seconds"], "scores": groups}
    with log.open("a", encoding="utf-8", newline="\n") as stream:
        stream.write(json.dumps(line, ensure_ascii=False) + "\n")


def _check_same(path: Path, one: Checkpoint, settings: Settings, prepared: Prepared) -> None:
    """Refuse a result of other tasks, another way of asking, or other weights under the same name."""
    there = read_result(path)
    wanted: dict[str, tuple[Any, Any]] = {
        "tasks": (sorted(there.tasks), sorted(prepared.chosen.tasks)),
        "--limit": (there.run.get("limit"), settings.limit),
        "--num-fewshot": (there.run.get("num_fewshot"), prepared.chosen.num_fewshot()),
        "--model-type": (there.run.get("model_type"), settings.model_type),
        "--apply-chat-template": (there.run.get("chat_template"), settings.apply_chat_template),
    }
    folder = Path(one.model).expanduser()
    if folder.is_dir() and there.model.get("files_sha256"):
        wanted["the digest of its files"] = (there.model["files_sha256"], digest_of(file_digests(folder).items()))
    for name, (found, asked) in wanted.items():
        if found != asked:
            raise InputError(f"a result with {name} {found!r:.80} instead of {asked!r:.80}; use --force", file=path)
