"""``time_clock_end`` in closed form; its words, not its numbers alone, say which way a stretch moves the clock."""

import re

from ....choices.reread import NUMBER, RecomputeError, prompt_numbers
from .clock_stages import DAY, carrying, half_of_day
from .recipe import Recipe, Stage

# Words around a number of minutes that say it moves the clock back.
_BACKWARDS = re.compile(r"saved \d+ minutes|\d+ minutes (?:early|fast|before|ahead)", re.ASCII)


def time_clock_end(prompt: str) -> Recipe:
    """Two stretches after (or before) a start."""
    numbers = prompt_numbers(prompt)
    if len(numbers) != 3:
        raise RecomputeError(f"{len(numbers)} numbers do not fit time_clock_end: {numbers}")
    start = numbers[0]
    backwards = [match.start() for match in _BACKWARDS.finditer(prompt)]
    stretches: list[Stage] = []
    for name, minutes, match in zip(("first", "second"), numbers[1:], list(NUMBER.finditer(prompt))[1:], strict=True):
        back = any(place <= match.start() < place + len("saved ") + 1 for place in backwards)
        signed = -minutes if back else minutes
        stretches.append(
            {
                "": signed,
                f"left out the {name} stretch": 0,
                f"counted the {name} stretch twice": 2 * signed,
                f"{'added' if back else 'subtracted'} the {name} stretch": -signed,
            }
        )
    carry, half = carrying(start), half_of_day(start)
    return (*stretches, carry, half), lambda first, second, carried, kept: kept(carried(start + first + second)) % DAY
