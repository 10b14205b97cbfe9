"""The leans are those of the right option, whichever it is, and a story's lens finds the same again."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.generators.choices.options import OptionSet
from arithmark_tasks.generators.choices.relations import PAIRS, divided_counts, looked, pair_counts
from arithmark_tasks.generators.choices.watched import LEANS, RANK_LOOKS, Lens

values = st.lists(st.integers(2, 900), min_size=4, max_size=4, unique=True)
numbers = st.lists(st.integers(1, 99), min_size=2, max_size=10)


def turned(found: list[int], right: int) -> OptionSet:
    """The option set in which another of the four is right."""
    return OptionSet((found[right], *found[:right], *found[right + 1 :]), (), (0, 1, 2, 3))


@given(values, numbers, st.booleans())
def test_the_leans_of_the_four_options_cancel(found: list[int], known: list[int], clock: bool) -> None:
    """Whichever option is right, no lean favours it on average: the leans of the four sets add up to nothing."""
    lens, total = Lens(known, clock), Counter()
    for right in range(4):
        leans = lens.leans(turned(found, right))
        assert len({place for place, _ in leans}) == len(leans)
        assert all(0 <= place < LEANS for place, _ in leans)
        assert leans == Lens(known, clock).leans(turned(found, right))
        total.update(dict(leans))
    assert list(total.values()) == pytest.approx([0.0] * len(total), abs=1e-9)


@given(values, numbers, st.integers(0, 3))
def test_the_leans_of_pairs_and_divisors_are_the_counts_that_the_audit_sees(
    found: list[int], known: list[int], right: int
) -> None:
    options = turned(found, right)
    leans = [lean for _, lean in sorted(Lens(known, False).leans(options)) if lean]
    seen = looked(tuple(known))
    for counts in (*divided_counts(seen, options.values), *pair_counts(seen, options.values)[0]):
        lean = counts[0] - sum(counts) / 4
        assert not lean or any(other == pytest.approx(lean) for other in leans)


def test_directions_of_a_pair_have_places_of_their_own() -> None:
    above, below = (Lens((240, 20), False).leans(turned([192, 240, 203, 167], right)) for right in (0, 1))
    first = LEANS - RANK_LOOKS - 2 * (len(PAIRS) + 2 * 8)
    assert dict(above)[first + 1] == 0.75 == dict(below)[first]
    assert dict(above)[first] == -0.25 == dict(below)[first + 1]
