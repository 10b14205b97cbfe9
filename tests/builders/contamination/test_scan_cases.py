"""What the scanner reads as an expression: the reported cases, and neighbours of each kind."""

import json
from pathlib import Path

import pytest
from scanning import Scan, keys_of

CASES = json.loads((Path(__file__).parent / "scan_cases.json").read_text(encoding="utf-8"))
FOUND = [(key, text) for key, texts in CASES["found"].items() for text in texts]
NOTHING = [(reason, text) for reason, texts in CASES["nothing"].items() for text in texts]

CHAINS = {
    "1+2+3": {"1+2": "plain", "2+3": "chained"},
    "1 + 2 - 3 \u00d7 4 \u00f7 5": {"1+2": "plain", "2-3": "chained", "3*4": "chained", "4/5": "chained"},
    "12 plus 5 plus 3": {"5+12": "word", "3+5": "chained"},
    "100-50-30-15": {"100-50": "plain", "50-30": "chained", "30-15": "chained"},
    "1500-10-20": {"1500-10": "plain", "10-20": "chained"},
    "2000-10-20 = 1970": {"2000-10": "plain", "10-20": "chained"},
    "30-12-10": {"30-12": "plain", "12-10": "chained"},
    "x - 5+3": {"3+5": "chained"},
    "(1+2)+5+3": {"1+2": "plain", "3+5": "chained"},
    "2*(3)*4": {"2*3": "marked", "3*4": "chained"},
    "-5+3+2": {"2+3": "chained"},
    "2x3x4": {"2*3": "letter_x", "3*4": "chained"},
    "x*5+3": {"3+5": "chained"},
    "35+42+45:70": {"35+42": "plain", "42+45": "chained"},
    "(6/2/10)": {"6/2": "plain", "2/10": "chained"},
    "= 6/2/10": {"6/2": "plain", "2/10": "chained"},
    "1 2 + 3 4": {"12+34": "spaced_digits", "2+3": "chained"},
    "1 2 + 3": {"3+12": "spaced_digits", "2+3": "chained"},
    "7 + 3 4 = 4 1": {"7+34": "spaced_digits", "3+7": "chained"},
    "1 2 + 34": {"2+34": "plain"},
    "12 apples + 5 pears + 7 figs": {"5+12": "unit", "5+7": "chained"},
    "5-12*34": {"5-12": "plain", "12*34": "chained"},
    "the sum of 12, 34 and 56": {"12+34": "phrase"},
}


@pytest.mark.parametrize(("key", "text"), FOUND)
def test_an_expression_is_found_in_every_way_to_write_it(key: str, text: str) -> None:
    assert keys_of(text) == {key}


@pytest.mark.parametrize("text", CHAINS)
def test_the_first_of_a_chain_is_as_written_and_the_others_are_marked(text: str) -> None:
    scan = Scan([text])
    assert {f"{a}{op}{b}": surface for (op, a, b), (_, _, surface) in scan.keys.items()} == CHAINS[text]


@pytest.mark.parametrize(("reason", "text"), NOTHING)
def test_what_is_no_expression_yields_no_key_and_is_counted_with_its_reason(reason: str, text: str) -> None:
    scan = Scan([text])
    assert scan.keys == {}
    assert set(scan.left_out) == (set() if reason == "not counted" else {reason})


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("12 + 34", "plain"),
        ("(12) + 34", "marked"),
        ("12.0 + 34", "zero_fraction"),
        ("1,200 + 34", "grouped"),
        ("\uff11\uff12+34", "fullwidth"),
        ("12\uff0b34", "fullwidth"),
        ("12 x 34", "letter_x"),
        ("12 \u00d7 34", "unicode"),
        ("12 \\times 34", "latex"),
        ("12 &times; 34", "html"),
        ("12 times 34", "word"),
        ("1,200 \u00d7 3.0", "unicode"),
    ],
)
def test_each_occurrence_is_counted_under_one_surface_form(text: str, surface: str) -> None:
    assert Scan([text]).surfaces == {surface: 1}


def test_commutation_is_the_keys_business() -> None:
    assert keys_of("34+12 12+34 34*12 12*34") == {"12+34", "12*34"}
    assert keys_of("12-5; 5-12; 8/2; 2/8") == {"12-5", "5-12", "8/2", "2/8"}


def test_a_decimal_comma_separates_two_numbers() -> None:
    assert keys_of("f(12,3+4)") == {"3+4"}
    assert keys_of("3,5+2") == {"2+5"}
