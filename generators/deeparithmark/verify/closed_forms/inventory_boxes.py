"""``inventory_boxes`` in closed form."""

from fractions import Fraction as F

from .recipe import LOOSE, Recipe, full, used


def inventory_boxes(held: F, delivered: F, shipped: F, damaged: F, size: F) -> Recipe:
    """Full boxes of what comings, goings and damage leave."""
    came = used(delivered, "left out those that came", "counted those that came again", "took off those that came")
    went = used(shipped, "forgot those that went", "took off those that went again", "added those that went")
    turn = {"": 1, "swapped those that came and those that went": -1}
    bad = used(damaged, "forgot the bad ones", "took off the bad ones again", "added the bad ones")

    def boxes(more: F, less: F, way: int, lost: F, loose: bool) -> F:
        return full(held + way * (more - less) - lost, size, loose)

    return Recipe((came, went, turn, bad, LOOSE), (1, 2, 1, 3, 4), boxes)
