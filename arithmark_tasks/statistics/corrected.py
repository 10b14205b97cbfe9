"""One number over several groups of tasks, on a scale where guessing is 0."""

from collections.abc import Mapping
from math import fsum, sqrt
from typing import Any

from .inference import Z95
from .records import Corrected

# Groups that are there to be compared with another one, and would count its prompts twice.
CONTROLS = ("deeparithmark_control", "arithmark3")


def corrected(groups: Mapping[str, Mapping[str, Any]]) -> Corrected | None:
    """The mean of (score - chance) / (1 - chance) over the groups, each with the same weight; None without any.

    The score is each group's main one; without options there is nothing to guess, and chance is 0. The interval is the
    normal one of a mean of independent scores. Controls are left out: what they add over their set is no skill.

    >>> score = {"value": 0.4, "stderr": 0.01}
    >>> found = corrected({"a": {"metric": "acc", "metrics": {"acc": score}, "chance": 0.25}})
    >>> round(found["value"], 2), [round(bound, 3) for bound in found["interval"]]
    (0.2, [0.174, 0.226])
    """
    values, errors = {}, []
    for name, group in groups.items():
        main = group["metrics"].get(group["metric"])
        if main is not None and name not in CONTROLS:
            chance = group["chance"] or 0.0
            values[name] = (main["value"] - chance) / (1 - chance)
            errors.append((main["stderr"] or 0.0) / (1 - chance))
    if not values:
        return None
    value = fsum(values.values()) / len(values)
    reach = Z95 * sqrt(fsum(error**2 for error in errors)) / len(values)
    return Corrected(value=value, interval=[value - reach, value + reach], groups=values)
