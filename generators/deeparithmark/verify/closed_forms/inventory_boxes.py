"""``inventory_boxes`` in closed form."""

from fractions import Fraction as F
from math import floor

from .recipe import Recipe


def inventory_boxes(held: F, delivered: F, shipped: F, damaged: F, size: F) -> Recipe:
    """Full boxes of what deliveries, shipping and damage leave."""
    arrived = {"": delivered, "forgot the delivery": 0, "counted the delivery twice": delivered + delivered}
    sent = {"": shipped, "forgot what was sent out": 0, "took off what was sent out twice": shipped + shipped}
    bad = {
        "": damaged,
        "forgot the damaged ones": 0,
        "added the damaged ones": -damaged,
        "took off the damaged ones twice": damaged + damaged,
    }
    packing = {"": False, "counted the loose ones as a full one": True}

    def full(more: F, less: F, lost: F, loose: bool) -> int:
        boxes = (held + more - less - lost) / size
        return floor(boxes) + (loose and boxes.denominator > 1)

    return (arrived, sent, bad, packing), full
