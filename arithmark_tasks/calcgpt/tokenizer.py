"""A character tokenizer that ``AutoTokenizer`` loads without any code of ours."""

from typing import TYPE_CHECKING

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


def encode(text: str) -> list[int]:
    """The ids of an equation's characters; ``KeyError`` for a character outside the vocabulary."""
    return [VOCABULARY[character] for character in text]
