"""Read the final integer, or time of day, out of generated text. Pure functions of one string; none raises."""

from .final import Reading, Status, extract, extract_clock

__all__ = ["Reading", "Status", "extract", "extract_clock"]
