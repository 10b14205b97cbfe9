"""``time_clock_end`` in closed form; its words, not its numbers alone, say which way a stretch moves the clock."""

import re
from collections.abc import Callable
from fractions import Fraction as F

from .clock_stages import ending_stages, starting_stage
from .recipe import Recipe

# Words that say a stretch moves the clock back: the first one, the second one.
_BACK = (
    re.compile(
        r"\d+ minutes (?:early\. It|fast|before that, after)|under way \d+ minutes early|had run for|has to simmer",
        re.ASCII,
    ),
    re.compile(
        r"saved \d+ minutes|arrived \d+ minutes early|down \d+ minutes early|out \d+ minutes before"
        r"|after a ride of|trailers had filled|preparing it takes",
        re.ASCII,
    ),
)


def time_clock_end(start: F, first: F, second: F, prompt: str) -> Recipe:
    """Two stretches after (or before) a start."""
    ways = [-1 if pattern.search(prompt) else 1 for pattern in _BACK]
    stretches = []
    for name, minutes, way in zip(("first", "second"), (first, second), ways, strict=True):
        wrong = "took off" if way > 0 else "added"
        stretches.append(
            {
                "": way * minutes,
                f"left out the {name} stretch": F(0),
                f"counted the {name} stretch again": 2 * way * minutes,
                f"{wrong} the {name} stretch": -way * minutes,
            }
        )

    def end(begin: F, one: F, two: F, carried: Callable[..., F], half: Callable[..., F]) -> F:
        return half(carried(begin + one, two), begin)

    stages = (starting_stage(start), *stretches, *ending_stages(back=ways[1] < 0))
    return Recipe(stages, (1, 1, 2, 2, 2), end)
