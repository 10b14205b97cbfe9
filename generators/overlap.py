"""What a set of prompts shares with another text collection: identical contexts and runs of eight words."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import InputError
from .jsonl import read_objects

WORDS = 8
COLUMNS = ("ctx", "context", "question", "prompt", "problem", "text", "input", "instruction", "content", "expression")
_WORD = re.compile(r"\w+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Shared:
    """A text found on a line of ours and on a line of theirs."""

    text: str
    line: int
    other_line: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """Contexts and eight-word runs of ours that occur in the other set, each once, with its first place in both.

    ``items`` counts our items that share at least one run; ``others`` the texts looked at in the other set.
    """

    contexts: tuple[Shared, ...]
    runs: tuple[Shared, ...]
    items: int
    others: int


def words(text: str) -> list[str]:
    """Lower-case words and numbers; punctuation and spacing do not count.

    >>> words("At 9:45 a.m., Ada's 1,200 boxes")
    ['at', '9:45', 'a', 'm', 'ada', 's', '1,200', 'boxes']
    """
    return _WORD.findall(text.lower())


def runs(found: Sequence[str]) -> Iterator[str]:
    """Every run of eight words of a text."""
    return (" ".join(found[start : start + WORDS]) for start in range(len(found) - WORDS + 1))


def texts(record: Mapping[str, Any]) -> list[str]:
    """The columns of a record that can hold a prompt; those of chat messages too."""
    messages = record.get("messages")
    turns = [turn for turn in messages if isinstance(turn, dict)] if isinstance(messages, list) else []
    return [
        value for part in (record, *turns) for column in COLUMNS if isinstance(value := part.get(column), str) and value
    ]


def read_texts(path: str | Path, notify: Callable[[int], None] = lambda count: None) -> Iterator[tuple[int, str]]:
    """Line number and text of every prompt column of a JSONL file, one line in memory at a time.

    ``notify`` is told the bytes read. ``InputError`` names a line that is not a JSON object, or a file without any of
    the columns.
    """
    found = False
    number = 0
    for number, record in read_objects(path, notify):
        for text in texts(record):
            found = True
            yield number, text
    if not found:
        raise InputError(f"no text in any of the columns {', '.join(COLUMNS)} ({number} lines)", file=path)


def same_text(text: str) -> str:
    """What makes two contexts identical: the text without its case and spacing."""
    return " ".join(text.casefold().split())


def overlap(ours: Iterable[tuple[int, str]], theirs: Iterable[tuple[int, str]]) -> Overlap:
    """Compare numbered texts; only ours are kept in memory.

    >>> text = "One, two three four five six seven eight!"
    >>> found = overlap([(1, text)], [(4, text.lower()), (5, "and one two three four five six seven eight")])
    >>> found.contexts[0].other_line, len(found.runs), found.items, found.others
    (4, 1, 1, 2)
    """
    contexts: dict[str, int] = {}
    wanted: dict[str, list[int]] = {}
    for line, text in ours:
        contexts.setdefault(same_text(text), line)
        for run in runs(words(text)):
            places = wanted.setdefault(run, [])
            if not places or places[-1] != line:
                places.append(line)
    same: dict[str, Shared] = {}
    shared: dict[str, Shared] = {}
    others = 0
    for line, text in theirs:
        others += 1
        context = same_text(text)
        if context in contexts:
            same.setdefault(context, Shared(text, contexts[context], line))
        for run in runs(words(text)):
            if run in wanted:
                shared.setdefault(run, Shared(run, wanted[run][0], line))
    touched = {place for run in shared for place in wanted[run]}
    return Overlap(tuple(same.values()), tuple(shared.values()), len(touched), others)
