"""What a score depends on beside the items: the weights, the machine and the versions of the packages."""

import hashlib
import platform
from pathlib import Path
from typing import Any

from ..builders.files import hash_stream
from ..builders.machine import cache_folder

PACKAGES = ("lm_eval", "transformers", "torch", "tokenizers", "accelerate", "datasets", "numpy")
# What a model is read from; a training run keeps much else beside it.
_MODEL_FILES = (".safetensors", ".bin", ".json", ".model", ".txt", ".jinja", ".py")


def model_facts(lm: Any, pretrained: str, label: str) -> dict[str, Any]:
    """The ``model`` section of a result: label, place, revision or digest of the weights, parameters, architecture."""
    folder = Path(pretrained)
    converted = folder.parent == cache_folder()
    return {
        "name": label,
        "pretrained": folder.name if converted else pretrained,  # where the cache lies is nobody's business
        "revision": None if folder.is_dir() else _hub_commit(pretrained, lm.revision),
        "files_sha256": folder_digest(folder) if folder.is_dir() else None,
        "parameters": lm.model.num_parameters(),
        "architecture": type(lm.model).__name__,
    }


def _hub_commit(repo: str, revision: str) -> str | None:
    """The commit of what was loaded, which the cache keeps in a folder of that name."""
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(repo, "config.json", revision=revision)
    return Path(config).parent.name if isinstance(config, str) else None


def folder_digest(folder: Path) -> str:
    """SHA-256 over the names and contents of the files that a model folder is loaded from."""
    found = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.suffix in _MODEL_FILES and path.is_file()):
        found.update(f"{path.name} {path.stat().st_size}\n".encode())
        with path.open("rb") as stream:
            hash_stream(stream, found)
    return found.hexdigest()


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
