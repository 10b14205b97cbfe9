"""The four text forms: what they write, what they refuse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.generators.calcgpt import representations
from arithmark_tasks.generators.calcgpt.representations import REPRESENTATIONS
from arithmark_tasks.generators.expression import Expression

WRITTEN = {"plain": "12+34=46", "reversed": "12+34=64", "padded": "012+034=0046", "padded-reversed": "012+034=6400"}


@st.composite
def tasks(draw: st.DrawFn, width: int = 3) -> Expression:
    left, right = draw(st.integers(0, 10**width - 1)), draw(st.integers(0, 10**width - 1))
    if draw(st.booleans()):
        return Expression(left, "+", right)
    return Expression(max(left, right), "-", min(left, right))


@pytest.mark.parametrize("name", REPRESENTATIONS)
def test_the_worked_example_is_written_as_documented(name: str) -> None:
    assert REPRESENTATIONS[name].text(Expression(12, "+", 34), 3) == WRITTEN[name]


@given(tasks())
def test_every_form_reads_back_the_task_it_wrote(task: Expression) -> None:
    for form in REPRESENTATIONS.values():
        text = form.text(task, 3)
        assert form.parse(text, 3) == task
        # an independent reading: Python evaluates the question, the answer is turned round by hand
        question, answer = text.split("=")
        operator = "+" if "+" in question else "-"
        left, right = map(int, question.split(operator))
        assert int(answer[::-1] if form.reversed else answer) == (left + right if operator == "+" else left - right)


@given(tasks(width=9))
def test_width_nine_reads_back(task: Expression) -> None:
    for form in REPRESENTATIONS.values():
        assert form.parse(form.text(task, 9), 9) == task


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("plain", "12+34=47"),
        ("plain", "012+34=46"),
        ("plain", "12+34=046"),
        ("plain", "12 + 34=46"),
        ("plain", "12+34="),
        ("plain", "1234+1=1235"),
        ("plain", "7-12=5"),
        ("plain", "12*3=36"),
        ("plain", "12+34=46\n"),
        ("plain", "１2+34=46"),
        ("reversed", "12+34=46"),
        ("reversed", "50+50=0010"),
        ("padded", "12+34=46"),
        ("padded", "012+034=046"),
        ("padded", "0012+0034=00046"),
        ("padded", "012+034=6400"),
        ("padded-reversed", "012+034=0046"),
        ("plain", "1" * 5000 + "+1=2"),
    ],
)
def test_a_wrong_form_or_answer_is_an_error_that_names_the_line(name: str, text: str) -> None:
    with pytest.raises(ValueError, match="line 17") as caught:
        REPRESENTATIONS[name].parse(text, 3, line=17)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "task", [Expression(1000, "+", 1), Expression(1, "-", 2), Expression(2, "*", 3), Expression(-1, "+", 3)]
)
def test_a_task_outside_the_space_is_not_written(task: Expression) -> None:
    with pytest.raises(ValueError):
        REPRESENTATIONS["padded"].text(task, 3)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="padded-reversed"):
        representations.get("backwards")
