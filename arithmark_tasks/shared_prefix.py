"""The public place of ``SharedPrefixHFLM``: importing this module registers lm-eval's model ``hf-shared``."""

from .scoring.shared_prefix import SharedPrefixHFLM

__all__ = ["SharedPrefixHFLM"]
