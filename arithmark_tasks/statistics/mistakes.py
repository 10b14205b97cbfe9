"""Which mistakes a model's wrong choices follow from."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from ..generators.choices.options import JOIN
from ..generators.intervals import wilson
from ..results import ItemScore
from .credit import chosen
from .records import MistakeRow
from .stages import UNKNOWN, Place, place_of


@dataclass(frozen=True, slots=True)
class _Slip:
    template: str | None
    depth: int | None
    name: str
    place: Place


@dataclass(slots=True)
class _Tally:
    offered: int = 0
    chosen: float = 0.0
    wrong: float = 0.0
    expected: float = 0.0


def mistakes(items: Sequence[ItemScore], metric: str = "acc_norm_tok") -> list[MistakeRow]:
    """One row per template and named mistake, in the order of templates, steps and names.

    An option made by two mistakes together counts for both. Items without sources are passed over.
    """
    tallies = _tally(items, metric, lambda slip: slip)
    rows = [
        _row(tally, slip.template, slip.depth, slip.name, slip.place)
        for slip, tally in tallies.items()
        if isinstance(slip, _Slip)
    ]
    return sorted(rows, key=_order)


def mistake_steps(items: Sequence[ItemScore], metric: str = "acc_norm_tok") -> list[MistakeRow]:
    """One row per depth and step: how often the chosen option has a mistake at that step.

    Only for templates whose steps are known.
    """
    tallies = _tally(items, metric, lambda slip: (slip.depth, slip.place.step) if slip.place.step else None)
    rows = [
        _row(tally, None, key[0], None, Place(None, key[1])) for key, tally in tallies.items() if isinstance(key, tuple)
    ]
    return sorted(rows, key=_order)


def _tally(
    items: Sequence[ItemScore], metric: str, key_of: Callable[[_Slip], Hashable | None]
) -> Mapping[Hashable, _Tally]:
    tallies: dict[Hashable, _Tally] = defaultdict(_Tally)
    for item in items:
        if len(item.sources) < 2:
            continue
        credit = chosen(item, metric)
        options: dict[Hashable, set[int]] = defaultdict(set)
        for option, source in enumerate(item.sources):
            for slip in _slips(item, source) if option != item.gold else []:
                if (key := key_of(slip)) is not None:
                    options[key].add(option)
        for key, involved in options.items():
            tally = tallies[key]
            wrong = 1 - credit[item.gold or 0]
            tally.offered += 1
            tally.chosen += sum(credit[option] for option in sorted(involved))
            tally.wrong += wrong
            tally.expected += wrong * len(involved) / (len(item.sources) - 1)
    return tallies


def _slips(item: ItemScore, source: str) -> list[_Slip]:
    template, depth = item.traits.get("template", item.traits.get("type")), item.traits.get("depth")
    name = None if template is None else str(template)
    return [
        _Slip(name, None if depth is None else int(depth), mistake, place_of(name, mistake) if name else UNKNOWN)
        for mistake in source.split(JOIN)
    ]


def _row(tally: _Tally, template: str | None, depth: int | None, mistake: str | None, place: Place) -> MistakeRow:
    made = min(tally.chosen, tally.wrong, float(tally.offered))
    # Ties leave a broken count of wrong choices: rounded down, the interval is wider than needed.
    wrong = int(tally.wrong + 1e-9)
    return MistakeRow(
        template=template,
        depth=depth,
        mistake=mistake,
        stage=place.stage,
        step=place.step,
        offered=tally.offered,
        chosen=made,
        wrong=tally.wrong,
        share=made / tally.offered,
        interval=list(wilson(made, tally.offered)),
        given_wrong=made / tally.wrong if tally.wrong else None,
        given_wrong_interval=list(wilson(made / tally.wrong * wrong, wrong)) if wrong else None,
        expected=tally.expected / tally.wrong if tally.wrong else None,
    )


def _order(row: MistakeRow) -> tuple[int, str, int, str]:
    return row["depth"] or 0, row["template"] or "", row["step"] or 0, row["mistake"] or ""
