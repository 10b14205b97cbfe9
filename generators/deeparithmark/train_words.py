"""The cast and the wordings of the training tier: no name, place or noun of a test tier, no sentence of one.

``<a|b>`` stands for one of several things; ``<person>``, ``<friend>`` and ``<town>`` for the cast. Units of measure and
plain verbs are shared with the test tiers, as ``verify/disjoint.py`` lists them.
"""

import re

from ..streams import Stream
from .families.words import Wordings

PEOPLE = (
    "Aisha", "Boris", "Celia", "Dario", "Edith", "Felix", "Greta", "Henrik", "Irina", "Jorge", "Keiko", "Linus",
    "Mabel", "Niko", "Oscar", "Paula", "Quentin", "Rafael", "Selma", "Tomas", "Ursula", "Viktor", "Wanda", "Xenia",
    "Yusuf", "Zelda",
)  # fmt: skip
TOWNS = (
    "Antwerp", "Basel", "Coimbra", "Delft", "Evora", "Faro", "Gdansk", "Halifax", "Innsbruck", "Jena", "Kiel",
    "Lucerne", "Maribor", "Narvik", "Odense", "Pisa", "Reims", "Siena", "Trondheim", "Uppsala", "Vaduz", "Weimar",
    "Ypres", "Zwolle",
)  # fmt: skip
_SLOT = re.compile(r"<([^<>]+)>")

EUROS = "euros"

DISCOUNT = (
    (
        EUROS,
        "<person> chose {good} that an antiquarian offered for {price} euros. Haggling knocked {off}% off that, "
        "but a courier wanted {fee} euros more. <person> parted with",
    ),
    (
        EUROS,
        "The catalogue asks {price} euros for {good}. Subscribers get {off}% knocked off, yet must add {fee} euros "
        "of postage. For a subscriber from <town> the parcel comes to",
    ),
    (
        EUROS,
        "An auctioneer in <town> let {good}, valued at {price} euros, go for {off}% under its valuation. A "
        "commission of {fee} euros came on top. The winning bidder handed over",
    ),
)
MEASURE = (
    (
        "centimetres",
        "<person> had a <pipe|hawser|banner|lasso> of {metres} metres, spliced {joined} centimetres of the "
        "same stuff to it, and lopped off {cut} centimetres. Tip to tip it spans",
    ),
    (
        "centimetres",
        "A <scarf|garland|gutter|chain> measuring {metres} metres grew by {joined} centimetres when <person> "
        "lengthened it, then shrank by {cut} centimetres when its tip was clipped. Its span is",
    ),
)
SHARE = (
    (
        "seeds",
        "<person> collected {first} seeds, inherited {second} and mislaid {spent}. Whatever was left over, <person> "
        "and {friends} botanists distributed evenly among themselves. Every botanist obtained",
    ),
    (
        "pearls",
        "Divers off <town> brought up {first} pearls at dawn and {second} at dusk, of which {spent} proved "
        "worthless. <person>, a diver, and {friends} shipmates shared out the good ones evenly. Every diver owned",
    ),
    (
        "tokens",
        "At an arcade <person> scooped {first} tokens from one slot and {second} from a second, and spent {spent}. "
        "<person> and {friends} siblings dealt out what was left evenly. Every sibling pocketed",
    ),
)
TWO_RATES = (
    (
        EUROS,
        "<person> tutored <chemistry|Latin|physics|algebra> for {first} afternoons at {low} euros apiece and "
        "<fencing|judo|rowing> for {second} afternoons at {high} euros apiece. The tutoring yielded",
    ),
    (
        EUROS,
        "A <printmaker|sculptor|gallery> in <town> sold {first} etchings for {low} euros apiece, and on top of "
        "these {second} engravings for {high} euros apiece. The artworks fetched",
    ),
    (
        EUROS,
        "For a laboratory, <person> bought {first} flasks costing {low} euros apiece plus {second} thermometers "
        "costing {high} euros apiece. The invoice for this equipment reads",
    ),
)
PACK = (
    (
        "sachets",
        "A chemist in <town> prepared {stock} lozenges and gave {sold}% of them to a clinic. Whatever remained, "
        "<person> sealed up, {size} lozenges to a sachet. <person> sealed",
    ),
    (
        "albums",
        "<person> amassed {stock} <postmarks|autographs|banknotes|engravings>, then swapped {sold}% of them for a "
        "globe. What <person> still had fitted exactly into albums of {size} each. It took",
    ),
    (
        "garlands",
        "Of {stock} <beads|sequins|acorns> that an artisan from <town> bought, {sold}% went to an apprentice. Whatever "
        "remained was strung into garlands, {size} to a garland. That produced",
    ),
)
TRIP = (
    (
        (45, 90),
        (60, 110),
        "A <freight convoy|locomotive|lorry> crossed {distance} kilometres at {speed} kilometres an hour, and then "
        "spent {stop} minutes at the border near <town>. Crossing plus border took",
    ),
    (
        (13, 40),
        (60, 110),
        "A <schooner|barge|trawler|yacht> bound for <town> made {distance} kilometres at {speed} kilometres an hour, "
        "besides lying becalmed for {stop} minutes. From quay to quay it needed",
    ),
)
SESSIONS = (
    (
        "minutes",
        "<person>, a <physiotherapist|dentist|barber|notary>, has {weekly} appointments a week. Over {weeks} weeks, "
        "{cancelled} fell away. Since one appointment is {length} minutes, the appointments added up to",
    ),
    (
        "minutes",
        "A radio in <town> airs {weekly} <debates|broadcasts|quizzes|serials> a week. In {weeks} weeks, strikes "
        "silenced {cancelled} of them. As one is {length} minutes long, what was aired amounts to",
    ),
)
INVENTORY = (
    (
        "trunks",
        "An archive in <town> kept {held} <scrolls|maps|diaries>, inherited {delivered}, lent {shipped} to scholars, "
        "and found {damaged} illegible. The legible ones it kept were laid {size} to a trunk. Completely full "
        "were",
    ),
    (
        "hampers",
        "<person> gathered {held} <chestnuts|truffles|coconuts|pineapples>, then {delivered} more. A smuggler made "
        "off with {shipped}, and {damaged} went mouldy. Whatever was edible went {size} to a hamper. Completely "
        "full were",
    ),
)
MIX = (
    (
        "milligrams",
        "An apothecary ground {first} milligrams of <sage|ginger|saffron> with {second} of chalk, and {lost} stuck "
        "to the mortar. The powder was pressed evenly into {parts} tablets, with {extra} milligrams of coating on "
        "each. One tablet weighs",
    ),
    (
        "kilograms",
        "A foundry in <town> melted {first} kilograms of copper with {second} of zinc, and {lost} became slag. The "
        "alloy was cast evenly into {parts} bells, and a {extra} kilogram clapper hung in each. One bell weighs",
    ),
)
TANK = (
    (
        "gallons",
        "A lock near <town> had {start} gallons in its basin. For {minutes} minutes, a sluice let in {inflow} "
        "gallons a minute and {leak} a minute seeped away. Firemen then siphoned {drawn} gallons. The basin ended "
        "up with",
    ),
    (
        "barrels",
        "A refinery had {start} barrels of crude. Over {minutes} minutes, a pipeline brought {inflow} barrels a "
        "minute, of which {leak} a minute evaporated. A tanker then loaded {drawn} barrels. The refinery ended up with",
    ),
)
BILL = (
    (
        EUROS,
        "A <sleigh|balloon|submarine> excursion normally costing {price} euros is let at {off}% less. Then {tax}% "
        "duty goes on that, and a rebate is worth {coupon} euros. <person>'s gang of {people} divides it "
        "evenly, so each owes",
    ),
    (
        EUROS,
        "A lawyer from <town> asked {price} euros, waived {off}% of it, charged {tax}% duty on what remained, and "
        "credited a deposit of {coupon} euros. The {people} heirs settled it evenly. Each heir owed",
    ),
)
SALARY = (
    (
        EUROS,
        "In a fortnight <person>, a <miner|stonemason|glazier|nanny>, did {hours} daytime hours at {rate} euros and "
        "{extra} nighttime hours at {extra_rate} euros. The treasury kept {tax}% of this salary. <person> netted",
    ),
    (
        EUROS,
        "A <sailor|butler|puppeteer|dressmaker> from <town> billed {hours} daytime hours at {rate} euros plus "
        "{extra} nighttime hours at {extra_rate} euros. A levy of {tax}% applies to everything. Net of the levy, "
        "it is",
    ),
)
CHAIN = (
    (
        "sheaves",
        "A <reed|bamboo|lavender|willow> cutter from <town> had {stock} stalks. Mice gnawed {first}% of them, then "
        "drought withered {second}% of the intact stalks. Whatever was unharmed made sheaves of {size} stalks. It made",
    ),
    (
        "convoys",
        "An expedition mustered {stock} <camels|mules|llamas|huskies>. Fever struck down {first}% of them, then "
        "thieves led off {second}% of the healthy ones. <person> grouped all that were left in convoys of {size}. "
        "That gave",
    ),
)
PRIZE = (
    (
        EUROS,
        "Heirs <person> and <friend> divided an inheritance of {pool} euros as {mine} to {theirs}, <person> first. "
        "Of what fell to <person>, <person> lent {given}% to a cooperative. In hand, <person> had",
    ),
    (
        EUROS,
        "<person> and <friend> found a treasure worth {pool} euros and agreed on {mine} to {theirs}, <person> first. "
        "<person> put {given}% of what fell to <person> into a vineyard, and was left with",
    ),
)


def cast(draw: Stream, wordings: Wordings) -> Wordings:
    """One of the wordings with its cast and things chosen; only the numbers are left to fill in."""
    unit, text = draw.choice(wordings)
    return ((unit, chosen(draw, text)),)


def chosen(draw: Stream, text: str) -> str:
    """``text`` with every ``<...>`` replaced; a person who is named twice is the same both times."""
    person, friend = draw.sample(PEOPLE, 2)
    known = {"person": person, "friend": friend, "town": draw.choice(TOWNS)}
    return _SLOT.sub(lambda match: known.get(match[1]) or draw.choice(match[1].split("|")), text)
