"""What a score depends on beside the model, and which scores may therefore stand in one table.

Scores are like only when tasks, data, items, shots, chat template, precision, normalisation and what the window cut off
are the same. The window itself counts where it cut something: an unused rest of it changes no score.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from ..results import ItemScore, Result

# No prompt of our word problems without examples has more bytes than this, nor more tokens.
LONGEST_PROMPT = 512
_BOUNDED = ("deeparithmark", "deeparithmark_control", "deeparithmark_deep")
UNCUT = "nothing cut"
# The published rows were scored in the first; float32 differs from it by rounding.
PLACED_DTYPES = ("bfloat16", "float32")


@dataclass(frozen=True, slots=True)
class Conditions:
    """How one group of tasks was scored, each part in the words of the report."""

    tasks: str
    data: str
    items: str
    shots: str
    prompt: str
    precision: str
    normalisation: str
    window: str

    def differences(self, other: "Conditions", ignored: Sequence[str] = ()) -> list[str]:
        """What is different here, each with what it is there.

        >>> here = Conditions("t", "d", "i", "2-shot", "plain", "float32", "acc_norm_tok", UNCUT)
        >>> there = Conditions("t", "d", "i", "0-shot", "plain", "bfloat16", "acc_norm_tok", UNCUT)
        >>> here.differences(there)
        ['2-shot instead of 0-shot', 'float32 instead of bfloat16']
        """
        pairs = [(field.name, getattr(self, field.name), getattr(other, field.name)) for field in fields(self)]
        return [f"{mine} instead of {theirs}" for name, mine, theirs in pairs if mine != theirs and name not in ignored]

    @property
    def text(self) -> str:
        """All that a reader may want to know, the tasks aside."""
        return ", ".join((self.items, self.shots, self.prompt, self.precision, self.normalisation, self.window))


def conditions(result: Result, group: str, items: Sequence[ItemScore], metric: str, limited: bool) -> Conditions:
    """How the items of one group were scored."""
    names = sorted({item.task for item in items})
    tasks = [result.tasks.get(name, {}) for name in names]
    sets = sorted({str(task.get("dataset")) for task in tasks})
    shots = sorted({_shots(result, task) for task in tasks})
    plain = not result.run.get("chat_template")
    return Conditions(
        tasks=", ".join(f"{name} {_major(task.get('version'))}" for name, task in zip(names, tasks, strict=True)),
        data=", ".join(_data(result, name) for name in sets),
        items=("only the first " if limited else "") + f"{len(items):,} item{'s' * (len(items) != 1)}",
        shots="/".join(f"{number}-shot" for number in shots),
        prompt=("plain prompts" if plain else "chat template") + _generation(result, tasks),
        precision=str(result.run.get("dtype") or "unknown precision"),
        normalisation=metric,
        window=_window(result, group, items, plain and shots == [0]),
    )


def is_placed(found: Conditions, size: int) -> bool:
    """Whether scores may stand among the published rows, which are of ``size`` items, without examples and whole."""
    return not unlike_published(found, size)


def unlike_published(found: Conditions, size: int) -> list[str]:
    """What keeps scores out of the published table, each with what it is there."""
    precision = found.precision if found.precision in PLACED_DTYPES else " or ".join(PLACED_DTYPES)
    there = Conditions(
        found.tasks, found.data, f"{size:,} items", "0-shot", "plain prompts", precision, "acc_norm_tok", UNCUT
    )
    return found.differences(there)


def _shots(result: Result, task: dict[str, object]) -> int:
    own, asked = task.get("num_fewshot"), result.run.get("num_fewshot")
    number = asked if own is None else own
    return number if isinstance(number, int) else 0


def _generation(result: Result, tasks: Sequence[dict[str, object]]) -> str:
    """Arguments of the generation that are not the task's own, where answers are generated."""
    given = result.run.get("gen_kwargs")
    return f", generated with {given}" if given and any(t.get("output_type") == "generate_until" for t in tasks) else ""


def _major(version: object) -> str:
    # A minor version adds metrics and changes no score.
    return str(version).partition(".")[0]


def _data(result: Result, name: str) -> str:
    facts = result.datasets.get(name, {})
    return f"{name} version {facts.get('version')} ({str(facts.get('sha256'))[:12]})"


def _window(result: Result, group: str, items: Sequence[ItemScore], short: bool) -> str:
    window, cuts = result.run.get("max_context"), [item.cut for item in items if item.cut is not None]
    tokens = f"a window of {window:,} tokens" if isinstance(window, int) else "a window of unknown size"
    if any(cuts):
        return f"prompts cut by {tokens}"
    bounded = short and group in _BOUNDED and isinstance(window, int) and window >= LONGEST_PROMPT
    return UNCUT if len(cuts) == len(items) or bounded else f"{tokens}, what it cut is not recorded"
