"""What ``lm_eval run --log_samples`` writes, read as one of our results: models scored by any of its backends.

lm-eval keeps neither token counts nor what was cut off a prompt. Both are worked out where the model's tokenizer is at
hand (a folder, or the Hub's cache: nothing is downloaded); else scores are normalised by characters.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..generators.errors import InputError
from ..generators.jsonl import hash_rows, to_line
from ..results import ItemScore, Result
from ..results import item_score as checked

_RESULTS = "results_*.json"


def is_harness_output(path: Path) -> bool:
    """Whether a path is a folder, or one file of a folder, that lm-eval wrote."""
    return path.is_dir() or path.match(_RESULTS)


def read_harness(path: Path) -> Result:
    """The newest run of one model in a folder that lm-eval wrote, or the run of one ``results_*.json``.

    ``InputError`` when there is no run in it, runs of several models, or no samples.
    """
    file = _results_file(path)
    content = _json(file)
    if not isinstance(content.get("configs"), dict) or not isinstance(content.get("results"), dict):
        raise InputError("not a result of lm-eval", file=file)
    counts = _Tokens(content)
    groups = _groups(content)
    items: list[ItemScore] = []
    tasks, datasets = {}, {}
    for name, config in content["configs"].items():
        samples = _samples(file, name)
        if not samples:
            continue
        group = groups.get(name, name)
        items += [_item(sample, name, group, str(config.get("output_type")), counts, file) for sample in samples]
        dataset, facts = _dataset(name, samples, config)
        datasets[dataset] = facts
        tasks[name] = {
            "version": content.get("versions", {}).get(name),
            "group": group,
            "dataset": dataset,
            "output_type": config.get("output_type"),
            "num_fewshot": content.get("n-shot", {}).get(name),
        }
    if not items:
        raise InputError("no samples beside it: run lm_eval with --log_samples", file=file)
    return Result(_model(content), _run(content), datasets, tasks, tuple(items))


def _results_file(path: Path) -> Path:
    if path.is_file():
        return path
    found = sorted(path.rglob(_RESULTS))
    if not found:
        raise InputError("no result of lm-eval in it (results_*.json)", file=path)
    if len(folders := {file.parent for file in found}) > 1:
        names = ", ".join(sorted(folder.name for folder in folders))
        raise InputError(f"results of several models, name one of its folders: {names}", file=path)
    return found[-1]


def _json(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", file=file) from error
    return content if isinstance(content, dict) else {}


def _samples(results: Path, task: str) -> list[dict[str, Any]]:
    """The samples of a task as they were logged with these results, by their first filter."""
    date = results.stem.removeprefix("results_")
    file = results.with_name(f"samples_{task}_{date}.jsonl")
    if not file.is_file():
        return []
    samples: list[dict[str, Any]] = []
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                sample = json.loads(line)
                sample["arguments"] = [
                    [asked[f"arg_{place}"] for place in range(len(asked))] for asked in sample["arguments"].values()
                ]
            except (ValueError, AttributeError, KeyError, TypeError):
                raise InputError(f"not a sample of lm-eval: {line[:60]!r}", file=file, line=number) from None
            samples.append(sample)
    filters = [sample.get("filter") for sample in samples]
    return sorted((s for s in samples if s.get("filter") == filters[0]), key=lambda sample: sample["doc_id"])


def _groups(content: Mapping[str, Any]) -> dict[str, str]:
    """The outermost group that was asked for, by task."""
    subtasks = {name: list(found) for name, found in (content.get("group_subtasks") or {}).items() if found}
    inner = {task for found in subtasks.values() for task in found}
    groups: dict[str, str] = {}

    def spread(name: str, group: str) -> None:
        for task in subtasks.get(name, []):
            groups.setdefault(task, group)
            spread(task, group)

    for name in subtasks:
        if name not in inner:
            spread(name, name)
    return groups


def _item(
    sample: Mapping[str, Any], task: str, group: str, output_type: str, counts: "_Tokens", file: Path
) -> ItemScore:
    from ..evaluation.items import item_score

    try:
        answers = [[_answer(answer) for answer in responses] for responses in sample["resps"]]
        read = {**sample, "resps": answers}
        # What a hand changed, or another version wrote, is checked as our own files are.
        found = item_score(read, task, group, output_type, counts)
        return checked({name: getattr(found, name) for name in ItemScore.__slots__})
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise InputError(f"sample {sample.get('doc_id')!r} of {task}: {error}", file=file) from error


def _answer(answer: Any) -> Any:
    """A pair of log-likelihood and greediness, which lm-eval writes as texts; a generated answer as it is."""
    if isinstance(answer, list) and len(answer) == 2:
        return float(answer[0]), str(answer[1]) == "True"
    return answer


def _dataset(name: str, samples: list[dict[str, Any]], config: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """What the items are from: a set of ours where they are the same to the letter, else a digest of themselves."""
    from ..evaluation.tasks import dataset_name, our_dataset

    docs = [comparable(sample["doc"]) for sample in samples]
    if ours := dataset_name(name):
        rows, facts = our_dataset(ours, str(config.get("test_split") or "test"))
        known = {to_line(comparable(row)) for row in rows}
        if all(to_line(doc) in known for doc in docs):
            return ours, facts
    facts = {"version": None, "seed": None, "items": len(docs), "sha256": hash_rows(docs)}
    return (f"{ours or name} as lm-eval logged it", facts)


def comparable(doc: Mapping[str, Any]) -> dict[str, Any]:
    """A row as it is whether read from Arrow, from JSON or by a task: no nulls, the label as a number.

    >>> comparable({"label": "2", "metadata": {"unit": None}})
    {'label': 2, 'metadata': {}}
    """
    rest: dict[str, Any] = {key: comparable(value) if isinstance(value, dict) else value for key, value in doc.items()}
    return {
        key: int(str(value)) if key == "label" and str(value).isdecimal() else value
        for key, value in sorted(rest.items())
        if value is not None
    }


class _Tokens:
    """Lengths in tokens and what the window cut off, where the tokenizer of the model is at hand."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self._window = content.get("max_length")
        self._tokenizer = self._find(content)

    def __call__(self, context: str, continuation: Any) -> tuple[int | None, int | None]:
        """As ``LoggedLM.tokens``: context and continuation are encoded together, spaces at the end go to the latter."""
        if self._tokenizer is None:
            return None, None
        window = self._window if isinstance(self._window, int) else None
        if isinstance(continuation, Mapping):
            room = None if window is None else window - int(continuation.get("max_gen_toks") or 256)
            return None, None if room is None else max(0, self._length(context) - room)
        bare = context.rstrip()
        whole = self._length(context + continuation)
        return whole - self._length(bare), None if window is None else max(0, whole - window - 1)

    def _length(self, text: str) -> int:
        return len(self._tokenizer(text)["input_ids"])

    @staticmethod
    def _find(content: Mapping[str, Any]) -> Any:
        arguments = _arguments(content)
        name = arguments.get("tokenizer") or arguments.get("pretrained") or content.get("model_name")
        if not name or name == "None":
            return None
        from transformers import AutoTokenizer

        try:
            return AutoTokenizer.from_pretrained(str(name), local_files_only=True)
        except Exception:  # what reads tokenizers has no class of errors in common; without one, nothing is counted
            return None


def _arguments(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """The model's arguments, which lm-eval keeps as it was given them: by name, or as one text."""
    given = (content.get("config") or {}).get("model_args")
    return given if isinstance(given, dict) else dict(_pair(part) for part in str(given or "").split(","))


def _pair(part: str) -> tuple[str, str]:
    name, _, value = part.partition("=")
    return name.strip(), value.strip()


def _model(content: Mapping[str, Any]) -> dict[str, Any]:
    config = content.get("config") or {}
    from ..evaluation.provenance import file_digests, weights_digest

    name = str(content.get("model_name") or config.get("model") or "")
    pretrained = str(_arguments(content).get("pretrained") or name)
    return {
        "name": name,
        "display_name": None,
        "pretrained": pretrained,
        "revision": config.get("model_sha") or None,
        "files_sha256": None,
        "weights_sha256": weights_digest(file_digests(Path(pretrained))),
        "parameters": config.get("model_num_parameters") or None,
        "architecture": None,
    }


def _run(content: Mapping[str, Any]) -> dict[str, Any]:
    config = content.get("config") or {}
    dtype = config.get("model_dtype") or _arguments(content).get("dtype")
    return {
        "command": "lm_eval --log_samples",
        "model_type": content.get("model_source") or config.get("model"),
        "dtype": str(dtype).removeprefix("torch.") if dtype and dtype != "auto" else None,
        "batch_size": config.get("batch_size"),
        "max_context": content.get("max_length"),
        "limit": config.get("limit"),
        "num_fewshot": None,
        "chat_template": bool(content.get("chat_template")),
        "lm_eval": content.get("lm_eval_version"),
        "transformers": content.get("transformers_version"),
    }
