"""lm-eval's Hugging Face model, with each prompt computed once for all of its options."""

from .window import WindowCheckedHFLM


class SharedPrefixHFLM(WindowCheckedHFLM):
    """``HFLM`` whose log-likelihood requests share the computation of what they have in common."""
