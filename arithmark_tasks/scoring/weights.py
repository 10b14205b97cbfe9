"""Why a model cannot be loaded: the libraries raise errors of many kinds, and do not name the file."""

from pathlib import Path

from ..generators.errors import InputError


def load_error(pretrained: str, error: Exception) -> InputError:
    """Why a model cannot be loaded, in one line with its name or the file of weights that cannot be read."""
    return InputError(f"cannot load a model: {reason(error)}", file=_unreadable(Path(pretrained)) or pretrained)


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
