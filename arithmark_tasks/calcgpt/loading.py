"""Load a trained model: ours from a run folder, or any causal language model."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..generators.errors import InputError
from ..scoring.weights import load_error
from .run_folder import read_record
from .settings import Settings, read_settings

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in evaluation mode, its tokenizer, and the settings it was trained under where they are known."""

    model: "PreTrainedModel"
    tokenizer: "PreTrainedTokenizerBase"
    settings: Settings | None


def load_model(name: str) -> LoadedModel:
    """A run folder, its ``model`` folder, another model folder or a Hub id; ``InputError`` when nothing loads."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path, settings, source = Path(name), None, name
    run = next((folder for folder in (path, path.parent) if (folder / "run.json").is_file()), None)
    if run is not None:
        record = read_record(run)
        settings, source = read_settings(record["settings"]), str(run / "model")
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
    return LoadedModel(model, tokenizer, settings)
