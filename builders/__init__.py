"""Hugging Face side of arithmark: dataset builders, Hub-ready folders, cards."""

from .loading import dataset_names, load_dataset
from .source_digest import source_digest

__all__ = ["dataset_names", "load_dataset", "source_digest"]
