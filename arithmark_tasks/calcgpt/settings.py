"""What a training run depends on, and nothing else."""

import math
from dataclasses import asdict, dataclass, fields
from typing import Any

from ..generators.calcgpt import contracts, dataset, representations
from ..generators.calcgpt.dataset import Recipe
from ..generators.errors import InputError

PRECISIONS = ("no", "bf16")
_LARGEST_SEED = 2**40  # a million epochs of it still fit into torch's 64 bits


@dataclass(frozen=True, slots=True)
class RunSettings:
    """One run. Rates are peak values; ``examples`` counts training examples seen, repeats included.

    The rate rises over ``warmup`` steps, then falls in a straight line to ``floor`` of its peak, reached at ``decay``
    examples (0: at the end).
    ``target`` stops the run once that share of ``monitor`` validation tasks is exact. ``muon_lr`` 0 means AdamW only;
    each matrix is moved every ``muon_every`` steps. ``lengths`` ``balanced`` also shows every pair of operand lengths
    equally often. With a ``train_file`` its tasks are trained on instead of drawn ones, and a share ``fraction`` of
    them validates unless there is a ``validation_file``.
    """

    representation: str = representations.DEFAULT
    seed: int = 41
    data_seed: int = dataset.SEED
    width: int = dataset.WIDTH
    tasks: int = dataset.TASKS
    fraction: float = dataset.FRACTION
    per_bucket: int = dataset.PER_BUCKET
    contract: str = contracts.DEFAULT
    operators: str = "+-"
    lengths: str = "natural"
    mixed: bool = False
    train_file: str = ""
    validation_file: str = ""
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
    threads: int = 1

    def __post_init__(self) -> None:
        representations.get(self.representation)
        representations.check_width(self.width)
        self.recipe  # noqa: B018 - it refuses what it cannot draw
        if self.validation_file and not self.train_file:
            raise InputError("a validation_file needs a train_file")
        if not 0 < self.fraction < 1:
            raise InputError(f"fraction must lie between 0 and 1, not {self.fraction}")
        if abs(self.seed) > _LARGEST_SEED:
            raise InputError(f"seed must lie within +-{_LARGEST_SEED}, not {self.seed}")
        if self.warmup < 0:
            raise InputError(f"warmup must be 0 or more steps, not {self.warmup}")
        if not 0 <= self.floor <= 1:
            raise InputError(f"floor is a share of the peak rate, 0 to 1, not {self.floor}")
        for name in ("examples", "batch", "muon_every", "evaluate_every", "checkpoint_every", "monitor"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not (0 <= self.muon_lr < math.inf and 0 < self.adam_lr < math.inf):
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
        return Recipe(
            self.data_seed,
            self.width,
            self.tasks,
            self.fraction,
            self.per_bucket,
            self.contract,
            self.operators,
            self.lengths,
            self.mixed,
        )

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
