"""Differences between the default set, its control and ArithMark 3.0."""

from io import StringIO
from statistics import fmean

import pytest
from rich.console import Console
from scipy.stats.contingency import odds_ratio

from arithmark_tasks.evaluation.comparison import compare, unpaired
from arithmark_tasks.evaluation.run import run
from arithmark_tasks.evaluation.settings import Settings
from arithmark_tasks.evaluation.tables import print_result
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.statistics import chosen


def credit(item):
    return chosen(item, "acc_norm_tok")[item.gold]


def test_every_set_is_scored_and_each_difference_is_that_of_the_items(scored, arithmark3_file):
    result = scored(limit=10, compare=True, arithmark3=arithmark3_file)
    groups = {name: [item for item in result.items if item.group == name] for name in result.summary["groups"]}
    deep, control, other = (groups[name] for name in ("deeparithmark", "deeparithmark_control", "arithmark3"))
    assert (len(deep), len(control), len(other)) == (40, 40, 3)
    found = result.summary["comparison"]
    assert found == compare(result.items, result.tasks)
    assert found["metric"] == "acc_norm_tok"
    gap = found["control"]["all"]
    assert gap["difference"] == pytest.approx(fmean(map(credit, deep)) - fmean(map(credit, control)))
    pairs = list(zip(map(credit, deep), map(credit, control), strict=True))
    assert gap["only_a"] == sum(a > b for a, b in pairs)
    assert gap["only_b"] == sum(a < b for a, b in pairs)
    for depth, row in found["control"]["by"]["depth"].items():
        mine = [[credit(item) for item in items if item.traits["depth"] == int(depth)] for items in (deep, control)]
        assert row["difference"] == pytest.approx(fmean(mine[0]) - fmean(mine[1]))
    against = found["arithmark3"]
    assert against["all"]["difference"] == pytest.approx(fmean(map(credit, deep)) - fmean(map(credit, other)))
    assert list(against["by"]["depth"]) == ["2", "3", "4", "5"]
    assert set(against["by"]["template"]) == {item.traits["template"] for item in deep}
    for row in against["by"]["depth"].values():
        assert row["p_holm"] >= row["p"]


def test_without_a_set_to_compare_with_there_is_no_comparison(scored):
    result = scored(tasks=("deeparithmark_control",))
    assert result.summary["comparison"] is None


def test_the_control_alone_can_be_compared_by_naming_it(scored):
    found = scored(tasks=("deeparithmark", "deeparithmark_control")).summary["comparison"]
    assert found["arithmark3"] is None
    assert found["control"]["all"]["n"] == 12


def test_two_equal_shares_do_not_differ_and_two_opposite_ones_do():
    same = unpaired([1.0, 0.0] * 50, [1.0, 0.0] * 30)
    assert (same["difference"], same["p"]) == (0, 1)
    assert same["interval"][0] == pytest.approx(-same["interval"][1])
    opposite = unpaired([1.0] * 50, [0.0] * 50)
    assert opposite["difference"] == 1
    assert 0.85 < opposite["interval"][0] < opposite["interval"][1] <= 1
    assert opposite["p"] < 1e-20


def test_the_interval_excludes_zero_about_where_the_exact_test_of_the_odds_does():
    for right in range(30, 61, 5):
        row = unpaired([1.0] * right + [0.0] * (100 - right), [1.0] * 30 + [0.0] * 70)
        odds = odds_ratio([[right, 100 - right], [30, 70]]).confidence_interval(0.95)
        if not 0.04 < row["p"] < 0.1:
            assert (row["interval"][0] > 0) == (odds.low > 1)


def test_the_interval_of_different_items_holds_zero_where_the_exact_test_does_not_refuse_it():
    for n_a, n_b in ((1, 1), (4, 9), (30, 12), (250, 40)):
        for right_a in range(0, n_a + 1, max(1, n_a // 20)):
            for right_b in range(n_b + 1):
                row = unpaired([1.0] * right_a + [0.0] * (n_a - right_a), [1.0] * right_b + [0.0] * (n_b - right_b))
                assert row["interval"][0] <= row["difference"] <= row["interval"][1]
                if row["p"] >= 0.05:
                    assert row["interval"][0] <= 0 <= row["interval"][1], (n_a, right_a, n_b, right_b)


def test_a_file_of_arithmark_is_always_scored_without_examples(scored, arithmark3_file, caplog):
    result = scored(num_fewshot=2, compare=True, arithmark3=arithmark3_file)
    shots = {name: task["num_fewshot"] for name, task in result.tasks.items()}
    assert shots.pop("arithmark3") == 0
    assert set(shots.values()) == {2}
    assert (result.run["num_fewshot"], "--num-fewshot 2" in result.run["command"]) == (None, True)
    assert "arithmark3: always asked without examples, not with 2" in caplog.messages
    assert result.datasets["arithmark3"]["source"] == str(arithmark3_file)
    found = result.summary["comparison"]
    assert found["control"] is not None
    assert found["arithmark3"] is None  # the difference would be that of the examples
    told = Console(width=80, file=StringIO())
    print_result(result, told)
    assert "deeparithmark minus ArithMark 3.0: not given, 2-shot prompts there and 0-shot here" in told.file.getvalue()
    assert "deeparithmark minus the matched control: points of acc_norm_tok, first items only" in told.file.getvalue()


def test_the_file_is_read_before_a_model_is_looked_for(tmp_path):
    with pytest.raises(InputError, match=r"none\.jsonl: No such file or directory"):
        run(Settings(model="no/such/model/there", compare=True, arithmark3=tmp_path / "none.jsonl"))
