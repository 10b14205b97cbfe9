"""Find what a string comparison misses: test tasks that training holds in another order or another form.

Source: the CalcGPT audit that found two swapped twins in a 300-task benchmark whose exact-overlap check had passed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..expression import SemanticKey, semantic_key
from .reading import WrittenTask


@dataclass(frozen=True, slots=True)
class Overlap:
    """One test task and the training task that it repeats."""

    kind: str
    test: WrittenTask
    train: WrittenTask

    def __str__(self) -> str:
        return f"test line {self.test.line} {self.test.text} = train line {self.train.line} {self.train.text}"


@dataclass(frozen=True, slots=True)
class LeakAudit:
    """Every test task that training covers, once, by the closest kind: ``exact``, ``reformatted``, ``twin``.

    ``exact``: the same string. ``reformatted``: the same operands in the same order, written differently. ``twin``:
    only the operand-swapped form is in training. Together they are the semantic overlap.
    """

    train_tasks: int
    test_tasks: int
    overlaps: tuple[Overlap, ...]
    repeated: tuple[Overlap, ...]
    wrong: tuple[tuple[str, WrittenTask], ...]

    def of_kind(self, kind: str) -> list[Overlap]:
        """The overlaps of one kind, in test order."""
        return [overlap for overlap in self.overlaps if overlap.kind == kind]

    def as_dict(self) -> dict[str, object]:
        """For JSON: the counts, then every offending pair."""
        kinds = {kind: self.of_kind(kind) for kind in ("exact", "reformatted", "twin")}
        return {
            "train_tasks": self.train_tasks,
            "test_tasks": self.test_tasks,
            "exact_overlap": len(kinds["exact"]),
            "semantic_overlap": len(self.overlaps),
            "twins": len(kinds["twin"]),
            "repeated_in_test": len(self.repeated),
            "wrong_answers": len(self.wrong),
            "overlaps": [_pair(overlap) for overlap in self.overlaps],
            "repeats": [_pair(overlap) for overlap in self.repeated],
            "wrong": [{"file": side, "line": task.line, "text": task.text} for side, task in self.wrong],
        }


def audit(train: Iterable[WrittenTask], test: Iterable[WrittenTask]) -> LeakAudit:
    """Compare two files of tasks under ``semantic_key``.

    >>> from .reading import parse_task
    >>> result = audit([parse_task("34+12=46")], [parse_task("12+34=46")])
    >>> [overlap.kind for overlap in result.overlaps]
    ['twin']
    """
    train, test = list(train), list(test)
    by_text = {task.text: task for task in reversed(train)}
    by_task = {task.expression: task for task in reversed(train)}
    by_key: dict[SemanticKey, WrittenTask] = {semantic_key(task.expression): task for task in reversed(train)}
    overlaps = []
    for task in test:
        if task.text in by_text:
            overlaps.append(Overlap("exact", task, by_text[task.text]))
        elif task.expression in by_task:
            overlaps.append(Overlap("reformatted", task, by_task[task.expression]))
        elif semantic_key(task.expression) in by_key:
            overlaps.append(Overlap("twin", task, by_key[semantic_key(task.expression)]))
    wrong = [(side, task) for side, tasks in (("train", train), ("test", test)) for task in tasks]
    return LeakAudit(
        train_tasks=len(train),
        test_tasks=len(test),
        overlaps=tuple(overlaps),
        repeated=tuple(_repeats(test)),
        wrong=tuple((side, task) for side, task in wrong if not task.answer_is_right),
    )


def _repeats(tasks: list[WrittenTask]) -> Iterator[Overlap]:
    first: dict[SemanticKey, WrittenTask] = {}
    for task in tasks:
        earlier = first.setdefault(semantic_key(task.expression), task)
        if earlier is not task:
            yield Overlap("repeated", task, earlier)


def _pair(overlap: Overlap) -> dict[str, object]:
    return {
        "kind": overlap.kind,
        "test_line": overlap.test.line,
        "test": overlap.test.text,
        "train_line": overlap.train.line,
        "train": overlap.train.text,
    }
