"""Why a model cannot be loaded or scored: the libraries raise errors of many kinds, and do not name the file."""

import re
from pathlib import Path
from typing import Any

from ..generators.errors import InputError

_WEIGHTS = re.compile(r"\.(safetensors|bin)$")
_TOKENIZER_FILE = re.compile(r"tok|vocab|merges|spiece|\.model$|\.gguf$")


def load_error(pretrained: str, error: Exception) -> InputError:
    """Why a model cannot be loaded, in one line with its name or the file of weights that cannot be read."""
    if "trust_remote_code" in str(error):
        return InputError(
            "runs code from its own repository: read it, then allow it by --trust-remote-code", file=pretrained
        )
    return InputError(f"cannot load a model: {reason(error)}", file=_unreadable(Path(pretrained)) or pretrained)


def check_tokenizer_files(folder: Path) -> None:
    """``InputError`` for a model folder without any file that a tokenizer could be made from.

    Of some architectures transformers makes an empty tokenizer then, of others it raises an error about packages.
    """
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    if any(map(_WEIGHTS.search, names)) and not any(map(_TOKENIZER_FILE.search, names)):
        raise InputError(
            "no tokenizer in this folder (tokenizer.json, tokenizer.model, vocab.json, ...): save it beside the model, "
            "or name another place with --model-args tokenizer=FOLDER",
            file=folder,
        )


def check_numbers(model: Any, pretrained: str) -> None:
    """``InputError`` that names the first weights that are not all numbers; no prompt could be scored with them."""
    for name, weights in model.named_parameters():
        if weights.is_floating_point() and not weights.is_meta and not bool(weights.isfinite().all()):
            wrong = int((~weights.isfinite()).sum())
            raise InputError(
                f"its weights are damaged: {wrong:,} of {weights.numel():,} values of {name} are NaN or infinite",
                file=pretrained,
            )


def reason(error: Exception) -> str:
    """The first line of an error's message, or its name when it has none."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _unreadable(folder: Path) -> Path | None:
    """The first file of weights in a folder that cannot be read: the libraries do not name it."""
    files = sorted((*folder.glob("*.safetensors"), *folder.glob("pytorch_model*.bin")))
    return next((file for file in files if not _is_readable(file)), None)


def _is_readable(weights: Path) -> bool:
    import torch
    from safetensors import safe_open

    try:
        if weights.suffix == ".bin":
            torch.load(weights, map_location="meta", weights_only=True)
        else:
            with safe_open(weights, framework="pt"):
                pass
    except Exception:  # whatever is wrong with it
        return False
    return True
