"""The answers of a run as they come, beside its result file, and a model that asks only for those that are missing.

``R.json.items.jsonl`` (and ``R.json.items.1.jsonl`` of the second process, and so on) begins with a line that says what
gave the answers; each further line is one request, by the SHA-256 of its text, and its answer. Items, tasks, shots and
templates all show in the text of a request, so a run may ask for other items than the last one and still use its log.
"""

import glob
import json
import math
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from filelock import FileLock, Timeout
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM, hash_args
from lm_eval.models.utils import normalize_gen_kwargs

from ..generators.errors import InputError
from ..generators.jsonl import parse_object
from .progress import ItemProgress, item_progress

SYNC_SECONDS = 1.0


class ItemLog:
    """The answers known so far, by request, in memory and on disk.

    With ``out`` None nothing is written. ``scorer`` is everything that an answer depends on beside the request. What
    another scorer left is refused with an ``InputError``, or dropped with ``restart``; so is a log that another run is
    writing now.
    """

    def __init__(self, out: Path | None, scorer: Mapping[str, Any], *, process: int = 0, restart: bool = False) -> None:
        self.answers: dict[str, Any] = {}
        self._pending: list[str] = []
        self._synced = 0.0
        self._file: TextIO | None = None
        self._lock: FileLock | None = None
        if out is None:
            return
        out.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(log_path(out, process))
        try:
            self._open(out, scorer, process, restart)
        except BaseException:
            self.close()
            raise

    def _open(self, out: Path, scorer: Mapping[str, Any], process: int, restart: bool) -> None:
        own = log_path(out, process)
        for path in log_paths(out):
            content = path.read_bytes()
            whole = content[: content.rfind(b"\n") + 1]  # without a line that was cut short by the end of its process
            answers = _read(path, whole, scorer, drop=restart)
            self.answers |= answers or {}
            if path == own and answers is None:
                path.unlink()
            elif path == own and len(whole) < len(content):
                os.truncate(path, len(whole))
        begun = own.exists()
        self._file = own.open("a", encoding="utf-8", newline="\n")
        if not begun:
            self._pending.append(json.dumps({"scorer": scorer}))
            self.commit()

    def add(self, key: str, answer: Any) -> None:
        """Keep an answer; ``commit`` writes it."""
        if key not in self.answers:
            self.answers[key] = answer
            self._pending.append(json.dumps({"key": key, "answer": answer}, ensure_ascii=False))

    def commit(self, *, sync: bool = False) -> None:
        """Write what was added since the last time; at most a second of it is lost when the power fails."""
        if self._file is None or not self._pending:
            return
        self._file.write("".join(line + "\n" for line in self._pending))
        self._file.flush()
        self._pending.clear()
        if sync or time.monotonic() - self._synced > SYNC_SECONDS:
            os.fsync(self._file.fileno())
            self._synced = time.monotonic()

    def close(self) -> None:
        """Write everything and let go of the file."""
        self.commit(sync=True)
        if self._file is not None:
            self._file.close()
        if self._lock is not None:
            self._lock.release()
            Path(self._lock.lock_file).unlink(missing_ok=True)


def log_path(out: Path, process: int = 0) -> Path:
    """Where one process of a run keeps its answers.

    >>> str(log_path(Path("r.json"))), str(log_path(Path("r.json"), 1))
    ('r.json.items.jsonl', 'r.json.items.1.jsonl')
    """
    return out.with_name(f"{out.name}.items{f'.{process}' if process else ''}.jsonl")


def log_paths(out: Path) -> list[Path]:
    """The logs beside a result file, of however many processes there were."""
    return sorted(out.parent.glob(f"{glob.escape(out.name)}.items*.jsonl"))


def _locked(path: Path) -> FileLock:
    lock = FileLock(f"{path}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise InputError("another run is writing this log now", file=path) from None
    return lock


def _read(path: Path, content: bytes, scorer: Mapping[str, Any], *, drop: bool) -> dict[str, Any] | None:
    """The answers in a log, or None when there is no use for it."""
    lines = _objects(path, content)
    found = next(lines, None)
    if found is None:
        return None
    other = found.get("scorer")
    if other != scorer:
        if drop:
            return None
        raise InputError(f"{_difference(other, scorer)}; use --force to drop it, or another --out", file=path)
    return {entry["key"]: entry["answer"] for entry in lines}


def _objects(path: Path, content: bytes) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        try:
            entry = parse_object(line)
            if entry.keys() not in ({"scorer"}, {"key", "answer"}) or ("scorer" in entry) != (number == 1):
                raise ValueError
        except ValueError:
            raise InputError(f"not a line of a log: {line[:60]!r}", file=path, line=number) from None
        yield entry


def _difference(found: Any, wanted: Mapping[str, Any]) -> str:
    if not isinstance(found, Mapping):
        return "not a log of answers"
    for name in wanted:
        if found.get(name) != wanted[name]:
            return f"answers of another run, with {name} {found.get(name)!r} instead of {wanted[name]!r}"
    return "answers of another run"


LOGLIKELIHOOD, GENERATE = "loglikelihood", "generate_until"


@LM.register
class LoggedLM:
    """Everything of the inner model, but each different request is answered once, now or in an earlier run.

    The inner model tells every answer as it has it, through lm-eval's cache hook. All answers of a batch are written
    together when the next begins, so that a resumed run goes on with the same batches as one that was never stopped: a
    number depends, in its last bits, on what else is in its batch.

    ``notify`` is told "" when a progress bar begins, and after it what follows; ``tell`` how long the bar will take.
    """

    def __init__(
        self,
        lm: Any,
        log: ItemLog,
        *,
        show: bool = True,
        notify: Callable[[str], None] = lambda stage: None,
        tell: Callable[[str], None] = lambda fact: None,
    ) -> None:
        self._lm, self._log, self._show, self._notify, self._tell = lm, log, show, notify, tell
        self._tokens: dict[tuple[str, ...], tuple[int, int]] = {}
        self._progress: ItemProgress | None = None
        self._keeps = True
        lm.set_cache_hook(self)
        lm.model.register_forward_pre_hook(lambda *_: log.commit())
        self._score_tokens, lm._loglikelihood_tokens = lm._loglikelihood_tokens, self._counting_tokens

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lm, name)

    def loglikelihood(self, requests: Sequence[Instance], disable_tqdm: bool = False) -> list[tuple[float, bool]]:
        """Log-likelihood and greediness of each continuation."""
        return [(score, greedy) for score, greedy, *_ in self._answers(LOGLIKELIHOOD, requests)]

    def generate_until(self, requests: Sequence[Instance], disable_tqdm: bool = False) -> list[str]:
        """The text of each answer; those drawn at random are never taken from the log."""
        if any(request.args[1].get("do_sample") for request in requests):
            return self._drawn(requests)
        texts = self._answers(GENERATE, requests)
        return list(self._lm.with_opened_thoughts([request.args[0] for request in requests], texts))

    def _drawn(self, requests: Sequence[Instance]) -> list[str]:
        keys = [hash_args(GENERATE, request.args) for request in requests]
        self._keeps = False
        with self._shown(GENERATE, keys, requests, set(keys)):
            texts: list[str] = self._lm.generate_until(requests, disable_tqdm=True)
        self._keeps = True
        return texts

    def gather(self) -> None:
        """Let the first process know the answers of all, as lm-eval does with the samples."""
        for answers in self._lm.gather_object(self._log.answers) or []:
            self._log.answers |= answers

    def tokens(self, context: str, continuation: str | dict[str, Any]) -> tuple[int | None, int | None]:
        """The length of a scored continuation as the model read it, and how much was cut off before it, in tokens.

        Context and continuation are encoded together. Of a prompt whose answer is generated, which comes with the
        options of the generation, only the second is known.
        """
        if isinstance(continuation, dict):
            return None, self._cut_of_prompt(context, continuation)
        _, _, count, *cut = self._log.answers[hash_args(LOGLIKELIHOOD, (context, continuation))]
        return count, cut[0] if cut else None  # logs of earlier versions did not keep it

    def add_partial(self, kind: str, arguments: Sequence[Any], answer: Any) -> None:
        """lm-eval's cache hook: keep one answer."""
        scored = kind == LOGLIKELIHOOD
        if scored and (math.isnan(answer[0]) or answer[0] == math.inf):
            raise InputError(
                f"the model gives {answer[0]} for a log-likelihood, computed in {self._dtype} on {self._lm.device}: "
                "no item can be scored so" + ("" if self._dtype == "float32" else "; --dtype fp32 may do")
            )
        key = hash_args(kind, arguments)
        if self._keeps and key not in self._log.answers:
            self._log.add(key, [*answer, *self._tokens.pop(tuple(arguments))] if scored else answer)
        if self._progress is not None:
            self._progress.answered(key)

    @property
    def _dtype(self) -> str:
        return str(self._lm.model.dtype).removeprefix("torch.")

    def _answers(self, kind: str, requests: Sequence[Instance]) -> list[Any]:
        keys = [hash_args(kind, request.args) for request in requests]
        missing = {key: one for key, one in zip(keys, requests, strict=True) if key not in self._log.answers}
        if missing:
            with self._shown(kind, keys, requests, missing):
                getattr(self._lm, kind)(list(missing.values()), disable_tqdm=True)
            self._log.commit(sync=True)
        return [self._log.answers[key] for key in keys]

    @contextmanager
    def _shown(
        self, kind: str, keys: Sequence[str], requests: Sequence[Instance], missing: Collection[str]
    ) -> Iterator[None]:
        self._notify("")
        items = [(request.task_name, request.doc_id) for request in requests]
        with item_progress(kind, keys, items, missing, show=self._show, tell=self._tell) as self._progress:
            yield
        self._progress = None
        self._notify("judging the answers")

    def _counting_tokens(self, requests: Sequence[tuple[Any, list[int], list[int]]], **options: Any) -> Any:
        # The last token is only predicted, never read: a request may be one token longer than the window.
        room = self._lm.max_length + 1
        self._tokens |= {
            texts: (len(continuation), max(0, len(context) + len(continuation) - room))
            for texts, context, continuation in requests
        }
        return self._score_tokens(requests, **options)

    def _cut_of_prompt(self, prompt: str, options: dict[str, Any]) -> int:
        room = self._lm.max_length - normalize_gen_kwargs(options, self._lm.max_gen_toks)["max_gen_toks"]
        return max(0, len(self._lm.tok_encode(prompt)) - room)
