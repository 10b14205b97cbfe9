"""The cast of the stories, and how a wording is filled in."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...streams import Stream

_NAMES = (
    "Ada", "Amir", "Anna", "Ben", "Carla", "Chen", "Clara", "Daniel", "Diego", "Elena", "Emma", "Farid", "Grace",
    "Hana", "Hugo", "Ines", "Isaac", "Ivan", "Jonas", "Julia", "Kofi", "Lars", "Leila", "Lena", "Lucas", "Maya",
    "Milo", "Nadia", "Noah", "Olga", "Omar", "Petra", "Priya", "Rosa", "Ruth", "Samir", "Sofia", "Tariq", "Theo",
    "Vera", "Yara", "Zoe",
)  # fmt: skip
_PLACES = (
    "Aarhus", "Bath", "Bergen", "Bilbao", "Bologna", "Bruges", "Cardiff", "Cork", "Dresden", "Dundee", "Exeter",
    "Galway", "Genoa", "Ghent", "Graz", "Krakow", "Leeds", "Leiden", "Lille", "Lyon", "Malaga", "Nantes", "Oslo",
    "Padua", "Porto", "Quebec", "Riga", "Salem", "Tampere", "Tartu", "Turin", "Utrecht", "Verona", "York",
    "Zadar",
)  # fmt: skip
# Of the training tier: no name and no place of a test tier.
_PEOPLE = (
    "Aisha", "Boris", "Celia", "Dario", "Edith", "Felix", "Greta", "Henrik", "Irina", "Jorge", "Keiko", "Linus",
    "Mabel", "Niko", "Oscar", "Paula", "Quentin", "Rafael", "Selma", "Tomas", "Ursula", "Viktor", "Wanda", "Xenia",
    "Yusuf", "Zelda",
)  # fmt: skip
_TOWNS = (
    "Antwerp", "Basel", "Coimbra", "Delft", "Evora", "Faro", "Gdansk", "Halifax", "Innsbruck", "Jena", "Kiel",
    "Lucerne", "Maribor", "Narvik", "Odense", "Pisa", "Reims", "Siena", "Trondheim", "Uppsala", "Vaduz", "Weimar",
    "Ypres", "Zwolle",
)  # fmt: skip
_CHOICE = re.compile(r"<([^<>]+)>")


class Cast(NamedTuple):
    """Who the stories are about and where they happen."""

    names: Sequence[str]
    places: Sequence[str]


CAST, TRAINING_CAST = Cast(_NAMES, _PLACES), Cast(_PEOPLE, _TOWNS)


def told(draw: Stream, text: str, cast: Cast, numbers: Mapping[str, object]) -> str:
    """A wording with its choices made and its cast and numbers filled in."""
    name, other = draw.sample(cast.names, 2)
    chosen = _CHOICE.sub(lambda match: draw.choice(match[1].split("|")), text)
    filled = chosen.format(name=name, other=other, place=draw.choice(cast.places), **numbers)
    return filled.replace("m..", "m.")  # the point of "p.m." ends a sentence, too
