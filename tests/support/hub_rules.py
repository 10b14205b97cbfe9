"""The Hub's rules for a card's metadata, as far as they can be checked without the Hub.

Licences: https://huggingface.co/docs/hub/repositories-licenses. Fields: datasetcard.md and modelcard.md of hub-docs.
Tasks: packages/tasks/src/pipelines.ts of huggingface.js. Only values that a card of ours could name are listed, so that
a misspelt one is found.
"""

import re
from collections import Counter
from typing import Any

import yaml

LICENCES = {"apache-2.0", "mit", "cc-by-4.0", "cc-by-sa-4.0", "cc0-1.0", "bsd-3-clause", "gpl-3.0", "other", "unknown"}
SIZES = {"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B", "1B<n<10B", "n>1T"}
TASKS = {"text-generation", "multiple-choice", "question-answering", "text-classification", "other"}
NAME = re.compile(r"[A-Za-z0-9_.-]+")


def card_errors(card: str, kind: str) -> list[str]:
    """What the Hub would refuse in this card."""
    from huggingface_hub.repocard import REGEX_YAML_BLOCK

    block = REGEX_YAML_BLOCK.search(card)
    if block is None:
        return []
    try:
        data = yaml.safe_load(block.group(2)) or {}
    except yaml.YAMLError as error:
        return [f"not YAML: {error}"]
    if not isinstance(data, dict):
        return ["metadata are not a mapping"]
    errors = _plain(data)
    return errors + (_dataset(data) if kind == "dataset" else _model(data))


def branch_error(name: str) -> str | None:
    """What git would refuse in the name of a branch, part by part."""
    parts = name.split("/")
    bad = [part for part in parts if not part or part.startswith(".") or part.endswith(".lock")]
    if bad or name in ("@", "HEAD") or name.startswith("-") or name.endswith(".") or ".." in name or "@{" in name:
        return f"Invalid branch name: {name}"
    odd = [character for character in name if character in " ~^:?*[\\" or ord(character) < 32 or ord(character) == 127]
    return f"Invalid character in branch name: {name}" if odd else None


def _plain(data: dict[str, Any]) -> list[str]:
    errors = []
    if "license" in data and data["license"] not in LICENCES:
        errors.append(f'"license" must be one of the known ones, not {data["license"]!r}')
    languages = data.get("language", [])
    if not all(re.fullmatch(r"[a-z]{2,3}", str(code)) for code in _listed(languages)):
        errors.append(f'"language" must hold ISO 639 codes, not {languages!r}')
    tags = data.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags) or len(set(tags)) < len(tags):
        errors.append(f'"tags" must be distinct strings, not {tags!r}')
    return errors


def _dataset(data: dict[str, Any]) -> list[str]:
    errors = [
        f'"size_categories": {size!r} is no size'
        for size in _listed(data.get("size_categories", []))
        if size not in SIZES
    ]
    errors += [
        f'"task_categories": {task!r} is no task'
        for task in _listed(data.get("task_categories", []))
        if task not in TASKS
    ]
    configs = data.get("configs", [])
    if sum(bool(config.get("default")) for config in configs) > 1:
        errors.append("more than one config is the default")
    names = Counter(str(config.get("config_name")) for config in configs)
    errors += [
        f"config name {name!r} is taken twice or badly formed"
        for name, n in names.items()
        if n > 1 or not NAME.fullmatch(name)
    ]
    for config in configs:
        splits = Counter(str(entry.get("split")) for entry in config.get("data_files", []))
        errors += [f"split {name!r} of {config['config_name']} occurs twice" for name, n in splits.items() if n > 1]
    return errors


def _model(data: dict[str, Any]) -> list[str]:
    errors = []
    if data.get("pipeline_tag", "other") not in TASKS:
        errors.append(f'"pipeline_tag": {data["pipeline_tag"]!r} is no task')
    entries = data.get("model-index", [])
    errors += ['"model-index" is incomplete' for entry in entries if not _complete(entry)]
    return errors


def _complete(entry: dict[str, Any]) -> bool:
    return bool(entry.get("name")) and all(
        {"task", "dataset", "metrics"} <= result.keys() and all("value" in metric for metric in result["metrics"])
        for result in entry.get("results", [])
    )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
