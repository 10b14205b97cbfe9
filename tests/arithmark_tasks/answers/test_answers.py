"""Reading the final integer or time of day out of generated text."""

import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arithmark_tasks.answers import extract, extract_clock

NO, THINK, NOT_INTEGER = (None, "no_answer"), (None, "unclosed_think"), (None, "not_an_integer")

# Each row stands for a kind of text on which a published answer reader failed.
REPORTED = [
    ("The answer is 72, in total, so fine.", 72),
    ("temperature is -3", -3),
    ("10-3 = 7", 7),
    ("It is −5", -5),
    ("The answer is 46.\n\nQuestion: What is 5+5?\nAnswer: 10", 46),
    ("Recall: 2+2, the answer is 4. Now 12+34. The answer is 46.", 46),
    ("1,234,567", 1234567),
    ("46.", 46),
    ("46.0", 46),
    ("$46.00", 46),
    ("**46**", 46),
    (r"\boxed{46}", 46),
    (r"\boxed{1{,}234}", 1234),
    (r"\text{46}", 46),
    ("<think>12+30=42</think>46", 46),
    ("... 42</think> 46", 46),
    ("007", 7),
    ("-0", 0),
    ("-5", -5),
]
REPORTED_WRONG = [
    ("1.2", NOT_INTEGER),
    ("1,2", NOT_INTEGER),
    ("12,34", NOT_INTEGER),
    ("1,2,3", NOT_INTEGER),
    ("46.5", NOT_INTEGER),
    ("12+34", NOT_INTEGER),
    ("12 or 46", NOT_INTEGER),
    ("<think> ... 46", THINK),
    ("1" * 5000, NOT_INTEGER),
]

SIGNS = [
    ("-46", -46),
    ("－４６", -46),
    ("It is –5", -5),
    ("&minus;5", -5),
    ("&#8722;5", -5),
    ("-$46", -46),
    ("$-46", -46),
    ("−$46.00", -46),
    ("(-5)", -5),
    ("-(5)", -5),
    ("$-5$", -5),
    ("3 - 10 = -7", -7),
    ("3-10=-7", -7),
    ("3 − 10 = −7", -7),
    ("x = - 7", -7),
    ("The answer is - 3", -3),
    ("Answer:-5", -5),
    ("The answer is negative 5.", -5),
    ("minus 5", -5),
    ("10 -3 = 7", 7),
    ("10 – 3 = 7", 7),
    ("The total — 46 crates", 46),
    ("the result --46", 46),
    ("- 46 crates", 46),
    ("+46", 46),
    ("-0.0", 0),
    ("−007", -7),
    ("⁻5", -5),
    ("50 ➖ 4 = 46", 46),
]
FORMS = [
    ("１２", 12),
    ("٤٦", 46),
    ("４６．", 46),
    ("答案是46。", 46),
    ("4\u200b6", 46),
    ("1\u202f234\u202f567", 1234567),
    ("1\u2009234", 1234),
    ("1\u00a0234", 1234),
    (r"1\,234", 1234),
    ("1'234", 1234),
    ("1_234", 1234),
    ("1,234.00", 1234),
    ("-1,234", -1234),
    ("0" * 5000 + "7", 7),
    ("46%", 46),
    ("46kg", 46),
    ("46 crates", 46),
    ("a 46-crate load", 46),
    ("USD 46", 46),
    ("Rs.46", 46),
    ("46 €", 46),
    ("46!", 46),
    ("46?", 46),
    ("46...", 46),
    ('"46"', 46),
    ("(46)", 46),
    ("46;", 46),
    ("`46`", 46),
    ("*46*", 46),
    ("***46***", 46),
    ("_46_", 46),
    ("__46__", 46),
    ("# 46", 46),
    ("| 46 |", 46),
    (r"\(46\)", 46),
    (r"\[ 46 \]", 46),
    (r"$46$", 46),
    (r"46^\circ", 46),
    (r"46\%", 46),
    (r"\$46", 46),
    (r"12 \times 3 = 36", 36),
    (r"\frac{92}{2} = 46", 46),
    ("forty-six (46)", 46),
    ("the 2nd crate weighs 46", 46),
    ("46, the 2nd largest", 46),
    ("46 crates of H2O", 46),
    (r"\boxed{1\ 234}", 1234),
    (r"\boxed{12\;345}", 12345),
    (r"\boxed{1{\,}234}", 1234),
    (r"\boxed{1,\!234}", 1234),
    ("₹1,23,456", 123456),
    ("-1,00,00,000.00", -10000000),
    ("46 cm^2", 46),
    (r"46\ \mathrm{cm}^{2}", 46),
    ("46 m/s^2", 46),
    ("46 s^-1", 46),
    ("x^2 = 46", 46),
]
MARKERS = [
    ("the answer is 46", 46),
    ("THE ANSWER IS: 46", 46),
    ("The final answer is $46.", 46),
    ("My answer: 46 crates, since 12+34=46 and 46>40.", 46),
    ("**Answer:** 46\nThere are 3 reasons.", 46),
    ("**Answer: 46**, checked 2 times", 46),
    ("### Final Answer\n46\n\nThere are 3 reasons.", 46),
    ("<answer>46</answer> in 2 steps", 46),
    ("#### 46\nDone in 3 steps.", 46),
    ("12+34=46\n#### 46", 46),
    ("A: 46\nI used 2 steps.", 46),
    ("The answer is:\n\n46\n\nI used 2 steps.", 46),
    ("The answer is about 46 of the 50 crates.", 46),
    ("The answer is 12+34 = 46, which is 2 more than 44.", 46),
    ("The answer is 12 plus 34, which is 46.", 46),
    ("The answer is 46 = 12+34.", 46),
    ("The answer is the sum of 12 and 34, which is 46. It took 3 steps.", 46),
    ("The answer to 12+34 is 46. I checked 2 times.", 46),
    ("The answer is not 12 but 46.", 46),
    ("It is 46, not 47.", 46),
    ("Answer: B) 46", 46),
    ("The answer is unknown. Well, answer: 46", 46),
    ("The answer is 46. The answer is clear.", 46),
    (r"\boxed{\boxed{46}}", 46),
    (r"$\boxed{\text{46 crates}}$ in 2 steps", 46),
    (r"\boxed{46\text{ crates}}", 46),
    (r"\boxed{x = 46}", 46),
    (r"\boxed{12+34=46}", 46),
    (r"\boxed{-5}", -5),
    (r"\boxed{\$1,234}", 1234),
    (r"\boxed{12} or rather \boxed{46}", 46),
    (r"\boxed{46", 46),
    (r"\boxed 46", 46),
    (r"\fbox{46} \boxed{}", 46),
    (r"The answer is \boxed{46}. It took 3 steps.", 46),
    ("Ans. 46 in 3 steps", 46),
    ("Answer 46\nin 3 steps", 46),
    ("Answer - 46\nin 3 steps", 46),
    ("Answer -46\nin 3 steps", -46),
    ("Answer -> 46\nin 3 steps", 46),
    ("Answer → 46\nin 3 steps", 46),
    ("[Answer] 46\nin 3 steps", 46),
    ("Answer 2: 46", 46),
    ("<final_answer>46</final_answer> in 3 steps", 46),
    ('{"answer": "46", "steps": 3}', 46),
    ("{'final_answer': -46, 'steps': 3}", -46),
    ("the answer's 46\nin 3 steps", 46),
    ("The answer, then, is 46.\nIt took 3 steps.", 46),
    ("The answer (in kg) is 46.\nIt took 3 steps.", 46),
    ("The answer, 46, is right.", 46),
    ("The sum of 12 and 34 is 46.", 46),
    ("Subtract 5 from 51 to get 46.", 46),
    ("45.9 ~46", 46),
    ("Answer: 12 × 3 = 36; 36 + 10 = 46.", 46),
    ("Answer:\n12 × 3 = 36\n36 + 10 = 46\nSo, 46 crates.", 46),
    ("A: We start with 12. We add 34. 12+34 = 46. That took 3 steps.", 46),
    ("Answer: Let x be the sum. x = 12 + 34. x = 46.", 46),
    ("Answer: 12+34=46. Check: 46-12=34", 46),
    ("Answer: 46. Then 46+1 = 47 would be too many.", 46),
    ("Answer: There are 12 small and 34 large ones, so 46 crates. It took 3 steps.", 46),
    ("Answer: 12 + 34 = 40 + 6 = 46", 46),
    ("So the answer is 12+34, or 46.", 46),
    ("Thus the answer is 12 + 34, i.e. 46. It took 3 steps.", 46),
    ("The answer is not 45. It is 46.", 46),
]
TURNS = [
    ("Question: What is 12+34?\nAnswer: 46", 46),
    ("Question: What is 12+34?\nAnswer: 46\n\nQuestion: What is 5+5?\nAnswer: 10", 46),
    ("Q: 12+34? A: 46\nQ: 5+5? A: 10", 46),
    ("46\n\nProblem: 5 + 5\nSolution: 10", 46),
    ("46\n\n### Question 2\n5+5 = 10", 46),
    ("46\n\nQuestion 2: 5+5 = 10", 46),
    ("46\nUser: and 5+5?\nAssistant: 10", 46),
    ("46\n\nNext question: 5+5 = 10", 46),
    ("The answer is 46. Question: What is 5+5? Answer: 10", 46),
    ("46<|im_end|>\n<|im_start|>user\nWhat is 5+5?", 46),
    ("46</s>10", 46),
    ("What is 12+34? 46", 46),
    ("12+34=46", 46),
    ("<think>a 1</think>12<think>b 2</think>46", 46),
    ("<THINK>1</THINK>\n\n46", 46),
    ("<thinking>1</thinking>46", 46),
    ("<think>\n</think>\n\nQuestion: What is 12+34?\nAnswer: 46", 46),
    ("46\n\nQuestion 2\n5+5 = 10", 46),
    ("46\n\nPROBLEM 2\n5+5 = 10", 46),
    ("46\n[Question] 5+5 [Answer] 10", 46),
    ("46\n(Question 2) 5+5\nAnswer: 10", 46),
    ("46\n<question>5+5</question><answer>10</answer>", 46),
    ("46\nExample 2:\n5+5 = 10", 46),
    ("46\nTask 2: 5+5\nAnswer: 10", 46),
    ("46\n2. Question: 5+5\nAnswer: 10", 46),
    ("46\n- Question: 5+5\n- Answer: 10", 46),
    ("46\n\nQ. 5+5\nA. 10", 46),
    ("46\nFollow-up question: 5+5\nAnswer: 10", 46),
    ("46\nAnother question: 5+5\nAnswer: 10", 46),
    ("The answer is 46.Question: 5+5\nThe answer is 10.", 46),
    ("46\nquestion：5+5\nanswer：10", 46),
    ("1. Question: What is 12+34?\nAnswer: 46", 46),
    ("[Question] 12+34 [Answer] 46", 46),
    ("Example 1:\n12+34 = 46", 46),
    ("<think>1</think>2</think>46", 46),
]
NOTHING = [
    ("", NO),
    (" \n", NO),
    ("I do not know.", NO),
    ("forty-six", NO),
    ("<think>46</think>", NO),
    ("x2 and H2O", NO),
    ("\n\nQuestion: What is 5+5?\nAnswer: 10", NO),
    ("I do not know.\n\nQuestion: What is 5+5?\nAnswer: 10", NO),
    ("46 <think> or is it", THINK),
    ("<think>a</think> 46 <think> b", THINK),
    (".5", NOT_INTEGER),
    ("-46.5", NOT_INTEGER),
    ("1,234.50", NOT_INTEGER),
    ("1.234.567", NOT_INTEGER),
    ("0,123", NOT_INTEGER),
    ("1234,567", NOT_INTEGER),
    ("46,00", NOT_INTEGER),
    ("46/2", NOT_INTEGER),
    (r"\frac{92}{2}", NOT_INTEGER),
    (r"\frac12", NOT_INTEGER),
    ("46 1/2", NOT_INTEGER),
    ("46½", NOT_INTEGER),
    ("10²", NOT_INTEGER),
    ("2^5", NOT_INTEGER),
    ("2**5", NOT_INTEGER),
    ("4.6e1", NOT_INTEGER),
    ("1e5", NOT_INTEGER),
    ("46k", NOT_INTEGER),
    ("46 million", NOT_INTEGER),
    ("0x2E", NOT_INTEGER),
    ("±46", NOT_INTEGER),
    (r"\sqrt{46}", NOT_INTEGER),
    ("2:45", NOT_INTEGER),
    ("2020-01-15", NOT_INTEGER),
    ("What is 0 + 46?", NOT_INTEGER),
    ("What is 0 plus 46?", NOT_INTEGER),
    ("12 × 34 = ?", NOT_INTEGER),
    ("The answer is 12+34.", NOT_INTEGER),
    ("The answer is 46 or 47.", NOT_INTEGER),
    ("either 12 crates or 46 crates", NOT_INTEGER),
    ("12, or 46", NOT_INTEGER),
    ("Answer: 12, 46", NOT_INTEGER),
    ("Answer: 12 and 46", NOT_INTEGER),
    ("12, 46", NOT_INTEGER),
    ("46–50", NOT_INTEGER),
    ("between 12 and 46", NOT_INTEGER),
    ("It is not 46.", NOT_INTEGER),
    (r"\boxed{12, 46}", NOT_INTEGER),
    ("12⨉34", NOT_INTEGER),
    ("12 • 34", NOT_INTEGER),
    ("12 ➕ 34", NOT_INTEGER),
    ("48 ➗ 4", NOT_INTEGER),
    ("12X34", NOT_INTEGER),
    ("12х34", NOT_INTEGER),  # a Cyrillic x
    ("92 // 2", NOT_INTEGER),
    ("12 added to 34", NOT_INTEGER),
    ("12 subtracted from 46", NOT_INTEGER),
    ("12 multiplied with 34", NOT_INTEGER),
    ("50 take away 4", NOT_INTEGER),
    ("What is the sum of 12 and 34?", NOT_INTEGER),
    ("Subtract 4 from 50.", NOT_INTEGER),
    ("4.6E+01", NOT_INTEGER),
    ("46E-3", NOT_INTEGER),
    ("10⁻5", NOT_INTEGER),
    ("46~47", NOT_INTEGER),
    ("46 +/- 1", NOT_INTEGER),
    ("It ranges from 46 to 47.", NOT_INTEGER),
    ("x = 46 or x = 47", NOT_INTEGER),
    ("The answers are 12 and 46.", NOT_INTEGER),
    ("123,45,678", NOT_INTEGER),
    ("1,23,45", NOT_INTEGER),
    ("The answer is not 46. I am sure.", NOT_INTEGER),
    ("The answer is 12+34. It took 3 steps.", NOT_INTEGER),
    ("Answer: 12+34. It took 3 steps.", NOT_INTEGER),
    ("-" + "9" * 4301, NOT_INTEGER),
    ("&#" + "9" * 5000 + ";", NOT_INTEGER),
]


@pytest.mark.parametrize(("text", "gold"), [*REPORTED, *SIGNS, *FORMS, *MARKERS, *TURNS])
def test_the_final_integer_is_read(text, gold):
    assert extract(text) == (gold, "ok")


@pytest.mark.parametrize(("text", "reading"), [*REPORTED_WRONG, *NOTHING])
def test_what_is_no_single_integer_has_no_value(text, reading):
    assert extract(text) == reading


# fmt: off
PIECES = [
    "The answer is ", "Answer:", "####", "\\boxed{", "\\boxed", "{", "}", "\\text{", "\\frac", "<think>", "</think>",
    "Question:", "Q:", "\n", "\n\n", "12", "46", "1,234", "-", "−", "+", "=", "×", "*", "**", "/", ".", ",", ":", "$",
    "%", " or ", " and ", "between ", "not ", "p.m.", "noon", "²", "\u202f", "１", "_", "`", "&#", "x", "(", ")", "<",
    "~", "is ", "minus ", "|", "<|im_end|>", "\\,", "\\",
]
# fmt: on
ANY_TEXT = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))


@settings(deadline=None)
@given(ANY_TEXT)
@example("\ud800")
@example("\x00\\")
def test_no_string_raises_and_a_value_comes_with_ok(text):
    for read in (extract, extract_clock):
        value, status = read(text)
        assert status in ("ok", "no_answer", "unclosed_think", "not_an_integer")
        assert (value is not None) == (status == "ok")


@settings(deadline=None)
@given(st.integers(-(10**30), 10**30))
def test_an_integer_is_read_back_from_every_way_of_writing_it(value):
    grouped = f"{value:,}"
    for text in (str(value), grouped, grouped.replace(",", "{,}"), f"{value}.0", str(value).replace("-", "−")):
        for frame in (
            "{}",
            "The answer is {}.",
            "#### {}",
            "**{}**",
            "\\boxed{{{}}}",
            "12+34 = {}",
            "x={}",
            "{} crates.",
        ):
            assert extract(frame.format(text)) == (value, "ok")


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from("+-*/×÷−"))
def test_a_repeated_question_is_never_an_answer(left, right, operator):
    for text in (f"{left}{operator}{right}", f"What is {left} {operator} {right}?", f"{left} {operator} {right} ="):
        assert extract(text) == NOT_INTEGER


def test_reading_does_not_depend_on_the_interpreters_digit_limit():
    limit = sys.get_int_max_str_digits() if hasattr(sys, "get_int_max_str_digits") else None
    if limit is None:
        pytest.skip("this Python has no limit")
    try:
        sys.set_int_max_str_digits(640)
        assert extract("1" * 641) == NOT_INTEGER
        assert extract("1" * 500) == (int("1" * 500), "ok")
    finally:
        sys.set_int_max_str_digits(limit)


# fmt: off
REPEATED = [
    "\\text{", "{1}", "1 + ", "1:2 ", "12 or ", "#### 1\n", "*a", "answer to a ", "\\boxed", "answer (", "answer, a ",
    "\nans - ", "- [", "1,00,", "sum of 1 and ", "1e1", "a^1 ",
]
# fmt: on


@pytest.mark.parametrize("piece", REPEATED)
def test_reading_time_grows_linearly(piece):
    # A quadratic reader would need minutes here; the suite's time-out is the judge.
    text = piece * (40_000 // len(piece))
    extract(text)
    extract_clock(text)
