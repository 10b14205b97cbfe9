"""Which models may stand in one table: those whose conditions are the same, group of tasks by group of tasks."""

from collections.abc import Sequence
from dataclasses import dataclass

from .conditions import Conditions
from .entries import METRIC, Entry

CHARACTERS = "acc_norm"


@dataclass(frozen=True, slots=True)
class Cohort:
    """Models that were scored alike on one group of tasks, and the metric that all of them have.

    ``apart`` says what is different from the first cohort of the group; it is empty for the first. ``guests`` are
    models that stand in another cohort too, whose metric not all of these have.
    """

    group: str
    conditions: Conditions
    entries: tuple[Entry, ...]
    apart: tuple[str, ...] = ()
    guests: tuple[Entry, ...] = ()

    @property
    def metric(self) -> str:
        """What the scores are normalised by."""
        return self.conditions.normalisation

    @property
    def shown(self) -> tuple[Entry, ...]:
        """All models, the guests last."""
        return self.entries + self.guests


def cohorts(entries: Sequence[Entry], group: str) -> list[Cohort]:
    """The models of one group of tasks by their conditions: the most models first, then the order of names."""
    members: dict[Conditions, list[Entry]] = {}
    for entry in entries:
        if group in entry.conditions:
            members.setdefault(entry.conditions[group], []).append(entry)
    ordered = sorted(members.items(), key=lambda found: (found[0].normalisation != METRIC, -len(found[1])))
    return [
        Cohort(
            group,
            found,
            tuple(alike),
            tuple(found.differences(ordered[0][0])),
            _guests(found, members) if found.normalisation == CHARACTERS else (),
        )
        for found, alike in ordered
    ]


def _guests(found: Conditions, members: dict[Conditions, list[Entry]]) -> tuple[Entry, ...]:
    """Models scored in the same way whose tokens are known, for those whose tokens are not."""
    alike = [own for own in members if own != found and not found.differences(own, ("normalisation",))]
    return tuple(entry for own in alike for entry in members[own])
