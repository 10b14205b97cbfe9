"""Scoring requests that begin alike in one computation: tries, forward passes, and when a model allows it."""
