"""Streams are independent, uniform, and the same on every machine."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.generators.streams import Stream


def test_the_first_draws_are_the_recorded_ones() -> None:
    stream = Stream("demo", 1, 42, 0)
    assert [stream.integer(0, 999) for _ in range(5)] == [721, 103, 944, 750, 748]


def test_a_draw_is_the_first_of_the_twisters_numbers_that_is_small_enough() -> None:
    bits = random.Random("demo|v1|42|0").getrandbits
    stream = Stream("demo", 1, 42, 0)
    for bound in (1, 2, 7, 1000, 10**30):
        assert stream.below(bound) == next(
            value for value in iter(lambda n=bound: bits(n.bit_length()), None) if value < bound
        )


def test_neighbouring_seeds_and_indices_share_no_draws() -> None:
    def draws(seed: int, index: int) -> tuple[int, ...]:
        stream = Stream("demo", 1, seed, index)
        return tuple(stream.below(2**64) for _ in range(4))

    seen = Counter(value for seed in range(20) for index in range(20) for value in draws(seed, index))
    assert max(seen.values()) == 1


@given(st.integers(0, 1000), st.integers(0, 50), st.integers(1, 9))
def test_integers_lie_on_the_grid_between_the_bounds(low: int, width: int, step: int) -> None:
    value = Stream("grid", 1, low, width).integer(low, low + width, step)
    assert low <= value <= low + width
    assert (value - low) % step == 0


def test_every_value_is_equally_likely() -> None:
    stream = Stream("uniform", 1, 1, 0)
    counts = Counter(stream.below(6) for _ in range(60_000))
    chi_square = sum((count - 10_000) ** 2 / 10_000 for count in counts.values())
    assert set(counts) == set(range(6))
    assert chi_square < 20.5  # 5 degrees of freedom: exceeded once in a thousand


@given(st.lists(st.integers(), max_size=30), st.integers(0, 100))
def test_shuffles_and_samples_keep_the_elements(items: list[int], seed: int) -> None:
    shuffled = list(items)
    Stream("shuffle", 1, seed, 0).shuffle(shuffled)
    assert Counter(shuffled) == Counter(items)
    sample = Stream("sample", 1, seed, 0).sample(items, len(items) // 2)
    assert not Counter(sample) - Counter(items)


def test_an_empty_range_and_too_large_a_sample_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot draw below 0"):
        Stream("empty", 1, 1, 0).below(0)
    with pytest.raises(ValueError, match="cannot draw 3 of 2"):
        Stream("empty", 1, 1, 0).sample([1, 2], 3)
