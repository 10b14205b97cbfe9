"""A character tokenizer that ``AutoTokenizer`` loads without any code of ours."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from ..builders.files import write_text
from ..generators.calcgpt.representations import CHARACTERS

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

PAD, EOS, UNKNOWN = "<pad>", "<eos>", "<unk>"
VOCABULARY = {token: index for index, token in enumerate((PAD, EOS, UNKNOWN, *CHARACTERS))}
PAD_ID, EOS_ID = VOCABULARY[PAD], VOCABULARY[EOS]


def build_tokenizer(positions: int = 20) -> "PreTrainedTokenizerFast":
    """One token per character of ``0-9 + - =``; anything else is ``<unk>``. Prompts are padded on the left.

    >>> build_tokenizer()("1+2=")["input_ids"]
    [4, 13, 5, 15]
    """
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.WordLevel(dict(VOCABULARY), unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), behavior="isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        eos_token=EOS,
        unk_token=UNKNOWN,
        padding_side="left",
        model_max_length=positions,
        clean_up_tokenization_spaces=False,
    )


def save_tokenizer(folder: Path, positions: int) -> None:
    """Write it so that transformers 4 loads it too, which does not know the class by the name that 5 gives it."""
    build_tokenizer(positions).save_pretrained(folder)
    path = folder / "tokenizer_config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config.pop("backend", None)
    config["tokenizer_class"] = "PreTrainedTokenizerFast"
    write_text(path, json.dumps(config, indent=2) + "\n")


def encode(text: str) -> list[int]:
    """The ids of an equation's characters; ``KeyError`` for a character outside the vocabulary."""
    return [VOCABULARY[character] for character in text]
