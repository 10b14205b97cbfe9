"""What a score depends on beside the items: the weights, the machine and the versions of the packages."""

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from ..builders.files import hash_file
from ..builders.machine import cache_folder

PACKAGES = ("lm_eval", "transformers", "torch", "tokenizers", "accelerate", "datasets", "numpy")
# Where both are there, the first is what transformers reads.
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
# What a model is read from; a training run keeps much else beside it.
_MODEL_FILES = (".safetensors", ".bin", ".json", ".model", ".txt", ".jinja", ".py")


def model_facts(lm: Any, pretrained: str, label: str, display_name: str | None = None) -> dict[str, Any]:
    """The ``model`` section of a result: names, place, revision, digests, parameters, architecture."""
    folder = Path(pretrained)
    snapshot = None if folder.is_dir() else _hub_snapshot(pretrained, lm.revision)
    digests = file_digests(snapshot or folder)
    converted = folder.parent == cache_folder()
    return {
        "name": label,
        "display_name": display_name,
        "pretrained": folder.name if converted else pretrained,  # where the cache lies is nobody's business
        "revision": snapshot and snapshot.name,
        "files_sha256": digest_of(digests.items()) if folder.is_dir() else None,
        "weights_sha256": weights_digest(digests),
        "parameters": lm.model.num_parameters(),
        "architecture": type(lm.model).__name__,
    }


def _hub_snapshot(repo: str, revision: str) -> Path | None:
    """The folder of what was loaded, which the cache names by its commit."""
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(repo, "config.json", revision=revision)
    return Path(config).parent if isinstance(config, str) else None


def file_digests(folder: Path) -> dict[str, str]:
    """SHA-256 of the files that a model folder is loaded from, by name."""
    files = folder.iterdir() if folder.is_dir() else ()
    return {path.name: hash_file(path) for path in sorted(files) if path.suffix in _MODEL_FILES and path.is_file()}


def weights_digest(digests: Mapping[str, str]) -> str | None:
    """One digest of the files of weights among a model's, whatever they are called; None without any."""
    for pattern in _WEIGHTS:
        if weights := sorted(digest for name, digest in digests.items() if fnmatch(name, pattern)):
            return digest_of(weights)
    return None


def digest_of(facts: Iterable[Any]) -> str:
    """SHA-256 of a few facts in their order."""
    return hashlib.sha256(json.dumps(list(facts)).encode()).hexdigest()


def device_name(lm: Any) -> str:
    """The accelerator's name, or the kind of processor."""
    import torch

    if lm.device.type == "cuda":
        return torch.cuda.get_device_name(lm.device)
    return f"{lm.device.type} {platform.machine()}"


def threads() -> int:
    """How many threads a process computes with."""
    import torch

    return torch.get_num_threads()
