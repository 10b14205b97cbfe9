"""Hugging Face side of arithmark: dataset builders, Hub-ready folders, cards."""
