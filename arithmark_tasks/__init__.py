"""Arithmetic benchmarks that a shortcut cannot pass: lm-eval tasks, dataset builders and the ``arithmark`` command."""

__version__ = "0.1.0"
