"""What a command says when it fails: one line that names the file, never a traceback.

Bad input is known by what raises on it: ourselves (``InputError``), the operating system, Python's decoders, and the
libraries that read files. Anything else may be a fault of ours, and the line says how to see where it comes from.
"""

import csv
import json
import lzma
import os
import zipfile
import zlib
from pathlib import Path
from types import TracebackType

from .generators.errors import InputError, one_line

DEBUG = "ARITHMARK_DEBUG"
_LONG_NUMBER = "integer string conversion"  # what Python's refusal of thousands of digits has in it, a plain ValueError
_PYTHON = (
    OSError,
    EOFError,
    UnicodeError,
    RecursionError,
    json.JSONDecodeError,
    csv.Error,
    lzma.LZMAError,
    zlib.error,
    zipfile.BadZipFile,
)
_LIBRARIES = (
    "datasets",
    "fsspec",
    "huggingface_hub",
    "httpx",
    "httpx2",
    "jinja2",
    "lxml",
    "polars",
    "pyarrow",
    "requests",
    "safetensors",
    "tokenizers",
    "yaml",
    "zstandard",
)


def told(error: Exception) -> str:
    """The line to print for a command that failed.

    >>> told(InputError("no items", file="items.jsonl"))
    'items.jsonl: no items'
    >>> told(KeyError("label"))
    "unexpected KeyError: 'label' (ARITHMARK_DEBUG=1 shows where it comes from)"
    """
    if isinstance(error, InputError) or (isinstance(error, OSError) and error.filename is not None):
        return one_line(error)
    if isinstance(error, MemoryError):
        return "out of memory"
    kinds = {kind.__module__.partition(".")[0] for kind in type(error).__mro__}
    if isinstance(error, _PYTHON) or not kinds.isdisjoint(_LIBRARIES) or _LONG_NUMBER in str(error):
        file = _file_in_hand(error.__traceback__)
        return f"{file}: {_reason(error)}" if file else _reason(error)
    place = _place(error.__traceback__)
    return f"unexpected {type(error).__name__}{place}: {_first_line(error)} ({DEBUG}=1 shows where it comes from)"


def is_debugged() -> bool:
    """Whether the user wants to see tracebacks."""
    return bool(os.environ.get(DEBUG))


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        found = error.object[error.start : error.start + 1]
        return f"not {error.encoding.upper()}: byte {found!r} at position {error.start:,}"
    if isinstance(error, UnicodeEncodeError):
        return f"half of a surrogate pair, which is no character: {error.object[error.start : error.start + 1]!r}"
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
    if isinstance(error, RecursionError):
        return "nested too deeply to be read"
    if _LONG_NUMBER in str(error):
        return "a number of more digits than Python reads"
    return _first_line(error)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _frames(trace: TracebackType | None) -> list[TracebackType]:
    """Those in our own modules, innermost first."""
    found = []
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0] == __name__.partition(".")[0]:
            found.append(trace)
        trace = trace.tb_next
    return found[::-1]


def _file_in_hand(trace: TracebackType | None) -> Path | None:
    """The file that the innermost of our functions has as a path: libraries rarely name what they read."""
    for frame in _frames(trace):
        for value in frame.tb_frame.f_locals.values():
            if isinstance(value, Path) and value.is_file():
                return value
    return None


def _place(trace: TracebackType | None) -> str:
    frames = _frames(trace)
    if not frames:
        return ""
    return f" in {frames[0].tb_frame.f_globals['__name__']}, line {frames[0].tb_lineno}"
