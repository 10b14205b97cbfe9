"""Hugging Face side of arithmark: dataset builders, Hub-ready folders, cards."""

from .loading import dataset_names, load_dataset

__all__ = ["dataset_names", "load_dataset"]
