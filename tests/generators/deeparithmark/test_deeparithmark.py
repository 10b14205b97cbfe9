"""The contract of the default set: its published counts and balance, its prompts, its bytes."""

import os
import subprocess
import sys
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from arithmark_tasks.generators.choices.item import CLOCK_UNIT, numbers_in
from arithmark_tasks.generators.choices.options import CORRECT, JOIN
from arithmark_tasks.generators.choices.quantities import CLOCK, DAY, HALF_DAY, clock_minutes, clock_text
from arithmark_tasks.generators.deeparithmark import build, build_fewshot
from arithmark_tasks.generators.deeparithmark.build import plan
from arithmark_tasks.generators.deeparithmark.families import FAMILIES
from arithmark_tasks.generators.deeparithmark.verify.expected import PUBLISHED
from arithmark_tasks.generators.jsonl import to_line
from arithmark_tasks.generators.streams import Stream


@pytest.fixture(scope="module")
def items() -> list[dict[str, Any]]:
    return build()


@pytest.fixture(scope="module")
def fewshot() -> list[dict[str, Any]]:
    return build_fewshot()


def test_the_counts_are_the_published_ones(items: list[dict[str, Any]]) -> None:
    counts = Counter((item["metadata"]["template"], item["metadata"]["depth"]) for item in items)
    assert counts == {(name, depth): share for name, (depth, share) in PUBLISHED.items()}


def test_slots_ranks_and_cells_are_the_published_ones(items: list[dict[str, Any]]) -> None:
    slots, ranks, cells = Counter(), Counter(), Counter()
    for item in items:
        slot, values = int(item["label"]), item["metadata"]["option_values"]
        rank = sorted(values).index(values[slot])
        slots[slot] += 1
        ranks[rank] += 1
        cells[slot, rank, item["metadata"]["depth"]] += 1
    assert [slots[slot] for slot in range(4)] == [252, 252, 248, 248]
    assert [ranks[rank] for rank in range(4)] == [248, 252, 248, 252]
    assert {cells[cell] for cell in product(range(4), range(4), (2, 3, 4, 5))} == {15, 16}


def test_each_template_holds_a_quarter_of_its_items_at_every_rank(items: list[dict[str, Any]]) -> None:
    ranks: dict[str, Counter[int]] = defaultdict(Counter)
    for item in items:
        ranks[item["metadata"]["template"]][item["metadata"]["answer_rank"]] += 1
    for template, counts in ranks.items():
        assert all(abs(counts[rank] - PUBLISHED[template][1] / 4) <= 1 for rank in range(4)), template


@pytest.mark.parametrize("size", [4, 60, 997, 1000, 10_000, 100_003])
def test_the_plan_balances_every_axis_at_any_size(size: int) -> None:
    cells = plan(size, FAMILIES, Stream("order", 1, 1, 0))
    assert len(cells) == size
    depths = Counter(cell.family.depth for cell in cells)
    assert max(depths.values()) - min(depths.values()) <= 1
    for depth, slot_or_rank in product(depths, ("slot", "rank")):
        counts = Counter(getattr(cell, slot_or_rank) for cell in cells if cell.family.depth == depth)
        assert all(abs(counts[place] - depths[depth] / 4) <= 1 for place in range(4))
    grid = Counter((cell.family.depth, cell.slot, cell.rank) for cell in cells)
    assert all(abs(grid[d, s, r] - depths[d] / 16) < 2 for d, s, r in product(depths, range(4), range(4)))
    ranks: dict[str, Counter[int]] = defaultdict(Counter)
    for cell in cells:
        ranks[cell.family.template][cell.rank] += 1
    for counts in ranks.values():
        total = sum(counts.values())
        assert all(abs(counts[rank] - total / 4) <= 1 for rank in range(4))


def test_no_context_and_no_numbers_come_twice(items: list[dict[str, Any]], fewshot: list[dict[str, Any]]) -> None:
    both = items + fewshot
    assert len({item["ctx"] for item in both}) == len(both)
    assert len({(item["metadata"]["template"], numbers_in(item["ctx"])) for item in both}) == len(both)


def test_the_fewshot_split_has_ten_items_of_each_depth(fewshot: list[dict[str, Any]]) -> None:
    assert Counter(item["metadata"]["depth"] for item in fewshot) == {2: 10, 3: 10, 4: 10, 5: 10}
    assert {item["split"] for item in fewshot} == {"fewshot"}


def test_the_fewshot_split_is_disjoint_from_larger_and_other_sets(fewshot: list[dict[str, Any]]) -> None:
    known = {(item["metadata"]["template"], numbers_in(item["ctx"])) for item in fewshot}
    for item in build(seed=5, items=400):
        assert (item["metadata"]["template"], numbers_in(item["ctx"])) not in known


def test_prompts_have_the_published_length(items: list[dict[str, Any]]) -> None:
    lengths = [len(item["ctx"].split()) for item in items]
    assert abs(sum(lengths) / len(lengths) - 29.2) <= 1.5
    assert max(lengths) <= 43


def test_prompts_are_clean_text(items: list[dict[str, Any]]) -> None:
    for item in items:
        ctx = item["ctx"]
        assert not any(flaw in ctx for flaw in ("  ", "..", " .", " ,", "{", "}", "None")), ctx
        assert ctx == ctx.strip()
        assert not ctx.endswith((".", ",", ":"))
        assert all(ending.startswith(" ") and ending.endswith(".") for ending in item["endings"])


# The least and greatest value that a glance at the prompt's numbers allows; written again, apart from the families.
GLANCE = {
    "money_discount_fee": lambda price, off, fee: (fee, price + fee),
    "measure_cm_cut": lambda metres, joined, cut: (100 * metres - cut, 100 * metres + joined),
    "share_then_split": lambda first, second, spent, friends: (2, (first + second) / (friends + 1)),
    "two_rate_pay": lambda one, low, two, high: ((one + two) * low, (one + two) * high),
    "stock_percent_pack": lambda stock, percent, lost, size: (2, stock / size),
    "trip_minutes": lambda distance, speed, stop: (60 * distance / speed - 60, 60 * distance / speed + 120),
    "schedule_sessions": lambda weekly, weeks, cancelled, length: (length, weekly * weeks * length),
    "inventory_boxes": lambda held, delivered, shipped, damaged, size: (2, (held + delivered) / size),
    "mix_split": lambda one, two, lost, parts, extra: (extra, (one + two) / parts + extra),
    "tank_fill": lambda start, minutes, inflow, leak, drawn: (2, start + inflow * minutes),
    "discount_tax_coupon_split": lambda price, off, tax, coupon, people: (2, price * (100 + tax) / 100 / people),
    "salary_overtime_tax": lambda hours, rate, extra, extra_rate, tax: (2, hours * rate + extra * extra_rate),
    "inventory_percent_chain": lambda stock, one, two, size: (2, stock / size),
    "prize_ratio_charity": lambda pool, mine, theirs, given: (2, pool),
}


def test_ruling_options_out_at_a_glance_gains_where_and_what_the_design_page_says(items: list[dict[str, Any]]) -> None:
    gained: Counter[str] = Counter()
    for item in items:
        values, right = item["metadata"]["option_values"], int(item["label"])
        if item["metadata"]["unit"] == CLOCK_UNIT:
            # The story tells whether its end is after the start or before it, and nothing takes over eight hours.
            start = numbers_in(item["ctx"])[0]
            later = (values[right] - start) % DAY <= 480
            left = [((one - start) if later else (start - one)) % DAY <= 480 for one in values]
        else:
            low, high = GLANCE[item["metadata"]["template"]](*numbers_in(item["ctx"]))
            left = [low <= one <= high for one in values]
        assert left[right], item["ctx"]
        gained[item["metadata"]["template"]] += 1 / sum(left) - 1 / len(left)
    assert {name for name, more in gained.items() if more > 0} == {"two_rate_pay", "trip_minutes", "schedule_sessions"}
    page = (Path(__file__).resolve().parents[3] / "docs" / "design.md").read_text(encoding="utf-8")
    assert f"is right in {25 + 100 * sum(gained.values()) / len(items):.1f} % of the default set" in " ".join(
        page.split()
    )


def test_clock_items_cross_noon_and_midnight(items: list[dict[str, Any]]) -> None:
    crossings = Counter()
    for item in items:
        if item["metadata"]["template"] != "time_clock_end":
            continue
        start = clock_minutes(*CLOCK.search(item["ctx"]).groups())
        end = clock_minutes(*CLOCK.search(item["metadata"]["answer"]).groups())
        crossings[start // HALF_DAY, end // HALF_DAY] += 1
    assert crossings[0, 1] >= 3
    assert crossings[1, 0] >= 3


def test_clock_texts_are_read_back_at_every_minute_of_the_day() -> None:
    for minutes in range(DAY):
        text = clock_text(minutes)
        assert clock_minutes(*CLOCK.fullmatch(text).groups()) == minutes


@pytest.mark.parametrize("hash_seed", ["0", "1", "2"])
def test_another_process_builds_the_same_bytes(hash_seed: str, items: list[dict[str, Any]]) -> None:
    code = (
        "from arithmark_tasks.generators.jsonl import to_line;"
        "from arithmark_tasks.generators.deeparithmark import build;"
        "import sys; sys.stdout.buffer.write(''.join(to_line(i) + '\\n' for i in build(items=200)).encode())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "LC_ALL": "C"},
    )
    assert run.stdout == "".join(to_line(item) + "\n" for item in build(items=200)).encode()


def test_a_set_of_no_items_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one item, not 0"):
        build(items=0)


def test_most_wrong_options_are_mistakes_that_people_make(items: list[dict[str, Any]]) -> None:
    contrived = {family.template: family.contrived for family in FAMILIES}
    made = [
        (item["metadata"]["template"], source.split(JOIN))
        for item in items
        for source in item["metadata"]["option_sources"]
        if source != CORRECT
    ]
    natural = sum(not contrived[template].intersection(names) for template, names in made)
    one_off = sum(any(name.endswith((" too few", " too many")) for name in names) for _, names in made)
    assert natural / len(made) >= 0.6
    assert one_off / len(made) <= 0.1
