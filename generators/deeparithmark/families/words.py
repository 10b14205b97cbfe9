"""Names, places and goods that the wordings draw from, and the draws that every family shares."""

from math import gcd

from ...streams import Stream

NAMES = (
    "Ada", "Amir", "Anna", "Ben", "Carla", "Chen", "Clara", "Daniel", "Diego", "Elena", "Emma", "Farid", "Grace",
    "Hana", "Hugo", "Ines", "Isaac", "Ivan", "Jonas", "Julia", "Kofi", "Lars", "Leila", "Lena", "Lucas", "Maya",
    "Milo", "Nadia", "Noah", "Olga", "Omar", "Petra", "Priya", "Rosa", "Ruth", "Samir", "Sofia", "Tariq", "Theo",
    "Vera", "Yara", "Zoe",
)  # fmt: skip
PLACES = (
    "Aarhus", "Bath", "Bergen", "Bilbao", "Bologna", "Bruges", "Cardiff", "Cork", "Dresden", "Dundee", "Exeter",
    "Galway", "Genoa", "Ghent", "Graz", "Krakow", "Leeds", "Leiden", "Lille", "Lyon", "Malaga", "Nantes", "Oslo",
    "Padua", "Porto", "Quebec", "Riga", "Salem", "Sofia", "Tampere", "Tartu", "Turin", "Utrecht", "Verona", "York",
    "Zadar",
)  # fmt: skip


Wordings = tuple[tuple[str, str], ...]


def whole_for(percentage: int) -> int:
    """The smallest whole of which ``percentage`` per cent is an integer.

    >>> whole_for(15), whole_for(40)
    (20, 5)
    """
    return 100 // gcd(100, percentage)


def multiple(draw: Stream, step: int, low: int, high: int) -> int:
    """A uniform multiple of ``step`` in ``[low, high]``, or ``step`` itself when the range holds none."""
    first, last = -(-low // step), high // step
    return step * (draw.integer(first, last) if first <= last else max(first, 1))


def fill(draw: Stream, wordings: Wordings, **values: object) -> tuple[str, str]:
    """Choose one ``(unit, text)`` wording and fill it with ``values``, a person, another person and a place."""
    unit, text = draw.choice(wordings)
    name, other = draw.sample(NAMES, 2)
    return unit, text.format(name=name, other=other, place=draw.choice(PLACES), **values)
