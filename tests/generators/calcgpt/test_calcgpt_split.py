"""The grouped split keeps groups whole under every contract."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arithmark_tasks.generators.calcgpt.contracts import CONTRACTS
from arithmark_tasks.generators.calcgpt.dataset import Split, augment, grouped_split
from arithmark_tasks.generators.expression import Expression, semantic_key

BOTH_ORDERS = [Expression(a, "+", b) for a, b in product(range(30), range(30))] + [
    Expression(a, "-", b) for a, b in product(range(30), range(30)) if a >= b
]


def split(tasks: list[Expression], fraction: float, seed: int = 42, name: str = "operand_pair") -> Split[Expression]:
    return grouped_split(tasks, fraction, seed, CONTRACTS[name], task=lambda task: task)


@pytest.mark.parametrize("name", CONTRACTS)
def test_no_key_stands_on_both_sides_and_the_record_tells_the_truth(name: str) -> None:
    result = split(BOTH_ORDERS, 0.2, name=name)
    contract = CONTRACTS[name]
    train, validation = contract.keys(result.train), contract.keys(result.validation)
    assert not train & validation
    assert sorted(map(str, result.train + result.validation)) == sorted(map(str, BOTH_ORDERS))
    record = result.record
    assert (record.train_examples, record.validation_examples) == (len(result.train), len(result.validation))
    assert (record.train_groups, record.validation_groups) == (len(train), len(validation))
    assert record.realised_fraction == len(result.validation) / len(BOTH_ORDERS) >= record.requested_fraction


@settings(deadline=None, max_examples=40)
@given(st.floats(0.001, 0.95), st.integers(0, 10**6))
def test_the_target_is_passed_by_less_than_one_group(fraction: float, seed: int) -> None:
    result = split(BOTH_ORDERS, fraction, seed)
    excess = len(result.validation) - fraction * len(BOTH_ORDERS)
    assert 0 <= excess < 2


def test_the_width_contract_trains_on_narrow_and_validates_on_wide() -> None:
    result = split([*BOTH_ORDERS, Expression(100, "+", 3)], 0.0005, name="width")
    assert result.validation == [Expression(100, "+", 3)]


def test_the_order_of_the_input_does_not_decide_who_goes_where() -> None:
    shuffled = BOTH_ORDERS[:]
    random.Random(5).shuffle(shuffled)
    assert set(split(BOTH_ORDERS, 0.3).train) == set(split(shuffled, 0.3).train)


def test_another_seed_is_another_split() -> None:
    assert set(split(BOTH_ORDERS, 0.3, 1).train) != set(split(BOTH_ORDERS, 0.3, 2).train)


@pytest.mark.parametrize("fraction", [0, 1, -0.1, 1.5, float("nan")])
def test_a_fraction_outside_the_open_interval_is_refused(fraction: float) -> None:
    with pytest.raises(ValueError, match="fraction"):
        split(BOTH_ORDERS, fraction)


def test_one_group_cannot_be_split() -> None:
    with pytest.raises(ValueError, match="1 group"):
        split([Expression(1, "+", 2), Expression(2, "+", 1)], 0.5)


def test_augmentation_adds_twins_and_no_new_key() -> None:
    train = split(BOTH_ORDERS[::3], 0.2).train
    augmented = augment(train)
    assert set(map(semantic_key, augmented)) == set(map(semantic_key, train))
    assert len(set(augmented)) == len(augmented) > len(train)
    for task in augmented:
        if task.operator == "+":
            assert Expression(task.right, "+", task.left) in set(augmented)
