"""The audit finds what is planted, finds nothing where nothing is, and every strategy does what its name says."""

import math
import random

import planted
import pytest

from arithmark_tasks.generators.choices.audit import (
    LEAK,
    NOT_APPLICABLE,
    OFF,
    OK,
    audit_items,
    judge,
    question,
    strategy_credits,
    wilson,
)
from arithmark_tasks.generators.choices.option_features import option_rows
from arithmark_tasks.generators.choices.quantities import first_number, is_clock, numbers_in
from arithmark_tasks.generators.choices.relations import marks, neighbour_counts
from arithmark_tasks.generators.choices.shortcuts import NEEDS_FIRST_STEP, STRATEGIES, Credit, credits, gains, roundness
from arithmark_tasks.generators.errors import InputError

PLAIN = ("A shed held 420 crates and 40 were sold", [380, 460, 390, 310])
# Per strategy: prompt, options, first step's result, and the places of the options it must choose, worked out by hand.
BY_HAND = {
    "slot 0": (*PLAIN, None, {0}),
    "slot 1": (*PLAIN, None, {1}),
    "slot 2": (*PLAIN, None, {2}),
    "slot 3": (*PLAIN, None, {3}),
    "longest text": ("", [99, 100, 5, 101], None, {1, 3}),
    "shortest text": ("", [99, 100, 5, 101], None, {2}),
    "smallest": (*PLAIN, None, {3}),
    "second smallest": (*PLAIN, None, {0}),
    "second largest": (*PLAIN, None, {2}),
    "largest": (*PLAIN, None, {1}),
    "roundest": ("", [470, 450, 43, 1400], None, {3}),
    "least round": ("", [470, 450, 43, 1400], None, {2}),
    "largest digit sum": ("", [99, 400, 57, 100], None, {0}),
    "smallest digit sum": ("", [99, 400, 57, 100], None, {3}),
    "smallest first digit": ("", [99, 150, 57, 1400], None, {1, 3}),
    "parity odd one out": ("", [3, 5, 8, 7], None, {2}),
    "shares most digits": ("", [123, 321, 145, 678], None, {0, 1}),
    "shares fewest digits": ("", [123, 321, 145, 678], None, {3}),
    "shares most digit places": ("", [123, 321, 725, 678], None, {0, 1, 2}),
    "nearest the mean": ("", [10, 20, 34, 100], None, {2}),
    "farthest from the mean": ("", [10, 20, 34, 100], None, {3}),
    "nearest the geometric mean": ("", [10, 20, 34, 100], None, {2}),
    "closest to another option": ("", [10, 20, 27, 100], None, {1, 2}),
    "most isolated": ("", [10, 20, 27, 100], None, {3}),
    "midpoint of two others": ("", [10, 25, 40, 100], None, {1}),
    "multiple or part of another": ("", [10, 20, 40, 7], None, {0, 1, 2}),
    "nearest the first step": ("", [10, 20, 40, 70], 36, {2}),
    "farthest from the first step": ("", [10, 20, 40, 70], 36, {3}),
    "nearest the prompt's sum": ("30 and 35", [10, 20, 40, 70], None, {3}),
    "nearest the largest prompt number": ("30 and 38", [10, 20, 40, 70], None, {2}),
    "in the prompt": ("30 and 40", [10, 20, 40, 70], None, {2}),
    "not in the prompt": ("10, 70 and 40", [10, 20, 40, 70], None, {1}),
    "last digit of a prompt number": ("31 and 48", [12, 28, 43, 71], None, {1, 3}),
    "trailing zeros of a prompt number": ("300", [12, 200, 40, 71], None, {1}),
    "multiple of most prompt numbers": ("3, 4 and 5", [12, 60, 7, 5], None, {1}),
    "multiple of fewest prompt numbers": ("3, 4 and 5", [12, 60, 7, 5], None, {2}),
    "most one-step results": ("12 and 5", [17, 60, 8, 9], None, {0, 1}),
    "fewest one-step results": ("12 and 5", [17, 60, 7, 9], None, {3}),
    "hub: most neighbours": ("300, 70, 20 and 8", [202, 272, 222, 186], None, {0}),
    "hub: fewest neighbours": ("300, 70, 20 and 8", [202, 272, 222, 187], None, {3}),
    "wide hub: most neighbours": ("300, 70, 20 and 8", [202, 272, 230, 555], None, {0}),
    "wide hub: fewest neighbours": ("300, 70, 20 and 8", [202, 272, 230, 555], None, {3}),
    "divided hub: most neighbours": ("1000, 170, 400 and 16", [20, 30, 45, 59], None, {0}),
    "divided hub: fewest neighbours": ("1000, 170, 400 and 16", [20, 30, 45, 59], None, {3}),
    "pair 100/(100-p): upper end": ("20", [100, 80, 33, 47], None, {0}),
    "pair 100/(100-p): lower end": ("20", [100, 80, 33, 47], None, {1}),
    "pair (100-p)/(100-2p): upper end": ("20", [80, 60, 33, 47], None, {0}),
    "pair (100-p)/(100-2p): lower end": ("20", [80, 60, 33, 47], None, {1}),
    "pair (100+p)/100: upper end": ("20", [120, 100, 33, 47], None, {0}),
    "pair (100+p)/100: lower end": ("20", [120, 100, 33, 47], None, {1}),
    "pair (100+p)/(100-p): upper end": ("20", [120, 80, 33, 47], None, {0}),
    "pair (100+p)/(100-p): lower end": ("20", [120, 80, 33, 47], None, {1}),
    "pair n/(n-1): upper end": ("5", [50, 40, 33, 27], None, {0}),
    "pair n/(n-1): lower end": ("5", [50, 40, 33, 27], None, {1}),
    "pair (n+1)/n: upper end": ("5", [60, 50, 33, 27], None, {0}),
    "pair (n+1)/n: lower end": ("5", [60, 50, 33, 27], None, {1}),
    "pair factor 2 or 3: upper end": ("", [60, 30, 47, 33], None, {0}),
    "pair factor 2 or 3: lower end": ("", [60, 30, 47, 33], None, {1}),
    "pair gap n: upper end": ("13", [60, 47, 30, 22], None, {0}),
    "pair gap n: lower end": ("13", [60, 47, 30, 22], None, {1}),
    "pair gap 2n: upper end": ("7", [60, 46, 31, 22], None, {0}),
    "pair gap 2n: lower end": ("7", [60, 46, 31, 22], None, {1}),
    "pair gap 1: upper end": ("", [60, 59, 40, 22], None, {0}),
    "pair gap 1: lower end": ("", [60, 59, 40, 22], None, {1}),
    "pair gap 60: upper end": ("", [90, 30, 41, 55], None, {0}),
    "pair gap 60: lower end": ("", [90, 30, 41, 55], None, {1}),
    "pair close: upper end": ("", [100, 97, 60, 40], None, {0}),
    "pair close: lower end": ("", [100, 97, 60, 40], None, {1}),
    "most divided: n": ("7", [14, 15, 16, 17], None, {0}),
    "least divided: n": ("7", [14, 15, 16, 17], None, {1, 2, 3}),
    "most divided: kept": ("20", [16, 15, 17, 18], None, {0}),
    "least divided: kept": ("20", [16, 15, 17, 18], None, {1, 2, 3}),
    "most divided: less n by kept": ("20 and 3", [7, 9, 10, 13], None, {0}),
    "least divided: less n by kept": ("20 and 3", [7, 9, 10, 13], None, {1, 2, 3}),
    "most divided: plus n by kept": ("20 and 3", [5, 6, 7, 10], None, {0}),
    "least divided: plus n by kept": ("20 and 3", [5, 6, 7, 10], None, {1, 2, 3}),
    "most divided: less n by another n": ("5 and 7", [12, 9, 10, 11], None, {0}),
    "least divided: less n by another n": ("5 and 7", [12, 9, 10, 11], None, {1, 2, 3}),
    "most divided: plus n by another n": ("5 and 7", [9, 10, 11, 14], None, {0}),
    "least divided: plus n by another n": ("5 and 7", [9, 10, 11, 14], None, {1, 2, 3}),
    "largest divisor shared with another": ("", [30, 45, 7, 11], None, {0, 1}),
    "smallest divisor shared with another": ("", [30, 45, 7, 11], None, {2, 3}),
    "most divisors to 12": ("", [60, 7, 14, 11], None, {0}),
    "fewest divisors to 12": ("", [60, 7, 14, 11], None, {1, 3}),
    "alike by nines": ("", [10, 19, 5, 33], None, {0, 1}),
    "unlike by nines": ("", [10, 19, 5, 33], None, {2, 3}),
    "alike by elevens": ("", [10, 21, 5, 33], None, {0, 1}),
    "unlike by elevens": ("", [10, 21, 5, 33], None, {2, 3}),
    "pair rule": ("20", [100, 80, 33, 47], None, {1}),
}


def test_every_strategy_has_a_case_worked_by_hand() -> None:
    assert set(BY_HAND) == set(STRATEGIES)
    assert len(set(STRATEGIES)) == len(STRATEGIES)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_strategy_chooses_the_options_its_name_says(strategy: str) -> None:
    prompt, values, first_step, winners = BY_HAND[strategy]
    texts = [f" {value} crates." for value in values]
    credit = credits(numbers_in(prompt), values, texts, first_step)[STRATEGIES.index(strategy)]
    assert credit == tuple(float(place in winners) / len(winners) for place in range(4))


@pytest.fixture(scope="module")
def random_items() -> list[tuple[planted.Item, list[Credit | None]]]:
    """Items with options of many kinds, and the credits of each."""
    rng = random.Random(3)
    items = []
    for _ in range(1500):
        a, b, c = numbers = (
            rng.sample(range(2, 12), 1) + rng.sample(range(12, 60), 1) + rng.sample(range(60, 160, 10), 1)
        )
        pool = {
            *numbers,
            a + b,
            b + c,
            a * b,
            c - a,
            100,
            100 - a,
            100 - 2 * a,
            120,
            130,
            *rng.sample(range(2, 130), 9),
        }
        item = planted.item(f"{a}, {b} and {c}", rng.sample(sorted(pool), 4), 0)
        items.append((item, strategy_credits(question(item))))
    return items


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name not in NEEDS_FIRST_STEP])
def test_a_planted_shortcut_is_called_a_leak(strategy: str, random_items: list) -> None:
    place = STRATEGIES.index(strategy)
    chosen = [(item, credit[place]) for item, credit in random_items if max(credit[place]) >= 0.5][:100]
    assert len(chosen) > 10
    leaking = [item | {"label": credit.index(max(credit))} for item, credit in chosen]
    row = next(row for row in audit_items(leaking) if row.strategy == strategy)
    assert row.verdict == LEAK
    assert row.low is not None and row.low > 0.25


def test_the_published_star_form_leaks_through_its_hub() -> None:
    rows = {row.strategy: row for row in audit_items(planted.build(400, planted.star))}
    assert rows["hub: most neighbours"].score == pytest.approx(1, abs=0.02)
    assert rows["hub: most neighbours"].verdict == LEAK


def test_a_clean_set_shows_no_leak() -> None:
    rows = audit_items(planted.build(960, planted.clean))
    assert [row.strategy for row in rows if row.verdict == LEAK] == []
    assert next(row.score for row in rows if row.strategy == "slot 2") == 0.25


@pytest.mark.parametrize(("first", "second"), [(230, 70), (230, -70), (-230, 16), (-70, -16)])
def test_a_square_gives_its_corners_equally_many_neighbours(first: int, second: int) -> None:
    values = [640, 640 + first, 640 + second, 640 + first + second]
    near, wide, _ = neighbour_counts(marks((900, 230, 70, 16), False), values, False)
    assert near == [2, 2, 2, 2]
    assert wide == [3, 3, 3, 3]


def test_neighbour_gaps_go_round_midnight_and_hours_count_as_minutes() -> None:
    ten_to_midnight, two_hours_later = 1430, 110
    assert neighbour_counts(marks((2,), True), [ten_to_midnight, two_hours_later], True)[0] == [1, 1]
    assert neighbour_counts(marks((2,), False), [ten_to_midnight, two_hours_later], False)[0] == [0, 0]


def test_credits_always_sum_to_one_and_ties_share() -> None:
    rng = random.Random(5)
    for _ in range(200):
        numbers = [rng.randint(0, 50) for _ in range(rng.randint(0, 6))]
        values = rng.sample(range(0, 60), 4)
        for credit in credits(numbers, values, [f" {value}" for value in values], rng.randint(0, 50)):
            assert credit is not None and math.isclose(sum(credit), 1)


def test_the_gain_of_one_option_is_its_credit() -> None:
    for item in planted.build(50, planted.star):
        asked = question(item)
        assert asked.values is not None
        seen = (asked.numbers, asked.values, asked.texts, 300)
        assert gains(*seen, 2) == [credit and credit[2] for credit in credits(*seen)]


def test_items_with_only_the_three_needed_fields_are_read() -> None:
    rows = {row.strategy: row for row in audit_items([{"ctx": "12 + 31 =", "endings": [" 43", " 44"], "label": 0}])}
    assert rows["smallest"].score == 1
    assert rows["smallest"].chance == 0.5
    assert rows["slot 2"].verdict == NOT_APPLICABLE
    assert rows["nearest the first step"].verdict == NOT_APPLICABLE


def test_endings_may_be_plain_numbers_or_clock_times() -> None:
    assert question({"ctx": "12 + 31 =", "endings": [43, 44, 45.5], "label": 0}).values == (43, 44, 45.5)
    assert question({"ctx": "", "endings": ["9:45 a.m.", "17:05"], "label": 0}).values == (585, 1025)


def test_endings_without_numbers_are_judged_by_slot_and_length_only() -> None:
    item = {"ctx": "The sky is", "endings": [" blue.", " made of cheese.", " a."], "label": "1"}
    rows = {row.strategy: row for row in audit_items([item])}
    applicable = {name for name, row in rows.items() if row.verdict != NOT_APPLICABLE}
    assert applicable == {"slot 0", "slot 1", "slot 2", "longest text", "shortest text"}
    assert rows["longest text"].score == 1


def test_the_first_step_is_read_from_its_text() -> None:
    base = planted.item("x", [10, 20], 0)
    for step, result in (
        ("after delivery: 420 + 260 = 680", 680),
        ("full crates: 430 / 16 = 26 (remainder 14)", 26),
        ("end: 11:45 p.m. + 50 min = 12:35 a.m.", 35),
    ):
        assert question(base | {"metadata": {"solution_steps": [step]}}).first_step == result
    assert question(base | {"metadata": {"solution_steps": []}}).first_step is None


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"endings": ["1", "2"], "label": 0}, "no field 'ctx'"),
        ({"ctx": "", "endings": "1", "label": 0}, "at least two options"),
        ({"ctx": "", "endings": ["1", "2"], "label": "b"}, "not an option number: 'b'"),
        ({"ctx": "", "endings": ["1", "2"], "label": 2}, "label 2 with 2 endings"),
        ({"ctx": "", "endings": ["1", "2"], "label": float("inf")}, "not an option number: inf"),
        ({"ctx": "", "endings": ["1", "2"], "label": True}, "not an option number: True"),
    ],
)
def test_a_bad_item_is_named_with_its_line(item: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match="items.jsonl, line 7: .*" + words):
        question(item, line=7, file="items.jsonl")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("held 1,200 boxes, then 35%", (1200, 35)),
        ("12.50 dollars, 3.0 kg", (12.5, 3)),
        ("twenty-five men, a dozen eggs, twice", (25, 12, 2)),
        ("at 12:00 a.m., 12:30 pm, 1:05 p.m. and 17:45", (0, 750, 785, 1065)),
        ("noon or midnight", (720, 0)),
        ("it fell to -5, then 10-3", (-5, 10, 3)),
        ("it fell to −5", (-5,)),
        ("someone often weighted a tenth", ()),
        ("order " + "9" * 5000 + " of 3", (3,)),
    ],
)
def test_numbers_are_read_as_a_person_reads_them(text: str, numbers: tuple[int, ...]) -> None:
    assert numbers_in(text) == numbers


def test_clock_endings_are_told_from_numbers() -> None:
    assert is_clock(" 2:45 p.m.") and is_clock(" noon.") and not is_clock(" 245 pears.") and not is_clock(" none.")
    assert first_number(" none.") is None
    assert roundness(720, clock=True) == 4 and roundness(725, clock=True) == 1


def test_wilson_agrees_with_solving_its_defining_equation() -> None:
    """The bounds are the proportions p at which |observed - p| is 1.96 standard errors of p."""
    for score, count in ((0.25, 1000), (0.4, 33), (0.9, 250)):
        for bound in wilson(score * count, count):
            assert abs(score - bound) == pytest.approx(1.959964 * math.sqrt(bound * (1 - bound) / count), rel=1e-6)


def test_verdicts_follow_the_stated_rule() -> None:
    def verdict(score: float, count: int, kind: str) -> str:
        right = round(score * count)
        return judge("x", kind, [1.0] * right + [0.0] * (count - right), [0.25] * count).verdict

    assert verdict(0.26, 1000, "fixed") == OK
    assert verdict(0.265, 1000, "fixed") == OFF
    assert verdict(0.30, 1000, "fixed") == LEAK
    assert verdict(0.20, 1000, "fixed") == LEAK
    assert verdict(0.35, 40, "fixed") == OK
    assert verdict(0.258, 100_000, "fixed") == OK
    assert verdict(0.258, 100_000, "classifier") == LEAK
    assert verdict(0.28, 1000, "classifier") == OK  # beyond 95 %, as one clean set in ten is
    assert verdict(0.30, 1000, "classifier") == LEAK
    assert verdict(0.20, 1000, "classifier") == LEAK


def test_option_rows_move_with_their_options() -> None:
    """A classifier does not see the order of the options."""
    item = planted.build(1, planted.star)[0]
    turned = item | {"endings": item["endings"][1:] + item["endings"][:1]}
    rows = option_rows(question(item))
    assert option_rows(question(turned)) == rows[1:] + rows[:1]
