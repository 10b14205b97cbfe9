"""What a training run depends on, and nothing else."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from ..generators.calcgpt import dataset, representations
from ..generators.calcgpt.dataset import Recipe
from ..generators.errors import InputError

PRECISIONS = ("no", "bf16")


@dataclass(frozen=True, slots=True)
class RunSettings:
    """One run. Rates are peak values; ``examples`` counts training examples seen, repeats included.

    The rate rises over ``warmup`` steps, then falls in a straight line to ``floor`` of its peak, reached at ``decay``
    examples (0: at the end).
    ``target`` stops the run once that share of ``monitor`` validation tasks is exact. ``muon_lr`` 0 means AdamW only;
    each matrix is moved every ``muon_every`` steps.
    """

    representation: str = representations.DEFAULT
    seed: int = 41
    data_seed: int = dataset.SEED
    width: int = dataset.WIDTH
    tasks: int = dataset.TASKS
    fraction: float = dataset.FRACTION
    per_bucket: int = dataset.PER_BUCKET
    examples: int = 48_000
    batch: int = 16
    muon_lr: float = 4e-3
    muon_every: int = 4
    adam_lr: float = 5e-3
    warmup: int = 20
    floor: float = 0.05
    decay: int = 0
    augment: bool = False
    evaluate_every: int = 4_000
    checkpoint_every: int = 16_000
    monitor: int = 2_000
    target: float | None = None
    precision: str = "no"
    threads: int = 0

    def __post_init__(self) -> None:
        representations.get(self.representation)
        for name in ("examples", "batch", "muon_every", "evaluate_every", "checkpoint_every", "monitor"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.muon_lr < 0 or self.adam_lr <= 0:
            raise InputError(f"learning rates must be positive, not {self.muon_lr} and {self.adam_lr}")
        if self.precision not in PRECISIONS:
            raise InputError(f"precision must be one of {', '.join(PRECISIONS)}, not {self.precision!r}")
        if self.target is not None and not 0 < self.target <= 1:
            raise InputError(f"target accuracy must lie in (0, 1], not {self.target}")
        if self.decay < 0:
            raise InputError(f"decay must be 0 (to the end) or more examples, not {self.decay}")
        if self.threads < 0:
            raise InputError(f"threads must be 0 (measured) or more, not {self.threads}")

    @property
    def recipe(self) -> Recipe:
        """The data that the run is trained and evaluated on."""
        return Recipe(self.data_seed, self.width, self.tasks, self.fraction, self.per_bucket)

    @property
    def steps(self) -> int:
        """Optimizer steps."""
        return -(-self.examples // self.batch)

    @property
    def positions(self) -> int:
        """Positions of the model: 20, or what the widest question and lm-eval's eight answer tokens need."""
        return max(20, 3 * self.width + 8)

    def rate(self, step: int) -> float:
        """The share of the peak rate at a step, counted from zero."""
        rise = min(1.0, (step + 1) / self.warmup) if self.warmup else 1.0
        return rise * max(self.floor, 1 - step * self.batch / (self.decay or self.examples))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def read_settings(values: dict[str, Any]) -> RunSettings:
    """The settings in JSON; ``InputError`` names an unknown field or a value of the wrong type.

    >>> read_settings({"batch": 64}).batch
    64
    """
    known = {field.name: getattr(RunSettings(), field.name) for field in fields(RunSettings)}
    for name, value in values.items():
        if name not in known:
            raise InputError(f"unknown setting {name!r}: choose from {', '.join(known)}")
        default = known[name]
        kinds = (
            (float, int, type(None))
            if default is None
            else (float, int)
            if type(default) is float
            else (type(default),)
        )
        if type(value) not in kinds:
            raise InputError(f"setting {name!r} is {value!r}, not {' or '.join(kind.__name__ for kind in kinds)}")
    return RunSettings(**values)
