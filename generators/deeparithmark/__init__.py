"""DeepArithmark-1: word problems of two to five dependent steps with four endings."""

from .build import build, build_fewshot, build_split

__all__ = ["build", "build_fewshot", "build_split"]
