"""The one answer to "is this the same task?"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.generators.expression import OPERATORS, Expression, evaluate, parse, semantic_key

operands = st.integers(min_value=-(10**20), max_value=10**20)
expressions = st.builds(Expression, operands, st.sampled_from(OPERATORS), operands)


@given(operands, operands)
def test_addition_and_multiplication_ignore_the_order_and_the_others_do_not(left: int, right: int) -> None:
    for operator in OPERATORS:
        one = semantic_key(Expression(left, operator, right))
        other = semantic_key(Expression(right, operator, left))
        assert (one == other) == (operator in "+*" or left == right)


@given(expressions)
def test_a_key_is_the_key_of_the_expression_that_it_spells(expression: Expression) -> None:
    operator, left, right = semantic_key(expression)
    assert semantic_key(Expression(left, operator, right)) == (operator, left, right)
    assert sorted((left, right)) == sorted((expression.left, expression.right))


@given(expressions)
def test_parsing_reads_back_what_str_writes(expression: Expression) -> None:
    assert parse(str(expression)) == expression


@pytest.mark.parametrize("text", ["012+34", " 12 + 34 ", "12+034", "12 +34"])
def test_leading_zeros_and_spaces_vanish(text: str) -> None:
    assert parse(text) == Expression(12, "+", 34)


@pytest.mark.parametrize("text", ["", "12", "12+", "12+34=46", "1.5+2", "12 34", "a+b", "１２+34", "12+34\nx", "1+2+3"])
def test_anything_else_is_refused_with_the_text_in_the_message(text: str) -> None:
    with pytest.raises(ValueError, match="not an expression") as error:
        parse(text)
    assert repr(text) in str(error.value)


@given(operands, operands.filter(bool))
def test_division_is_exact_or_refused(left: int, right: int) -> None:
    assert evaluate(Expression(left * right, "/", right)) == left
    if left % right:
        with pytest.raises(ValueError, match="not an exact division"):
            evaluate(Expression(left, "/", right))


def test_division_by_zero_and_unknown_operators_are_refused() -> None:
    with pytest.raises(ValueError, match="division by zero: 5/0"):
        evaluate(Expression(5, "/", 0))
    with pytest.raises(ValueError, match="'%'"):
        Expression(5, "%", 2)
    with pytest.raises(ValueError, match="integers"):
        Expression(True, "+", 2)
