"""Per-item metrics against a second, independent computation."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from arithmark_tasks.metrics import (
    exact_match_results,
    loglikelihood_results,
    multiple_choice_results,
    per_unit,
    share_of_best,
    softmax_probability,
)

DOC = {"endings": [" 6 eggs.", " 29 eggs.", " 131 eggs.", " 7 eggs."], "label": "2", "source_id": "item_0007"}
SCORES = st.lists(st.floats(-200, 0), min_size=4, max_size=4)


def scored(*scores):
    return [(score, False) for score in scores]


@settings(deadline=None)
@given(SCORES, st.integers(0, 3))
def test_all_three_metrics_agree_with_torch_where_nothing_ties(scores, label):
    doc = {**DOC, "label": label}
    lengths = torch.tensor([8.0, 9.0, 10.0, 8.0], dtype=torch.float64)  # counted by hand, with the leading space
    raw = torch.tensor(scores, dtype=torch.float64)
    normalised = raw / lengths
    found = multiple_choice_results(doc, scored(*scores))
    assert found["soft"] == pytest.approx(torch.softmax(normalised, 0)[label].item(), abs=1e-12)
    bits = -raw / math.log(2) / lengths  # the endings are ASCII: a byte per character
    wrong = torch.cat([bits[:label], bits[label + 1 :]])
    assert found["bits_per_byte"] == pytest.approx(bits[label].item())
    assert found["margin"] == pytest.approx((wrong.min() - bits[label]).item())
    assert found["log_prob"] == pytest.approx(torch.log_softmax(raw, 0)[label].item() / math.log(2))
    if len(set(scores)) == 4 and len(set(normalised.tolist())) == 4:
        assert found["acc"] == float(raw.argmax().item() == label)
        assert found["acc_norm"] == float(normalised.argmax().item() == label)


@pytest.mark.parametrize("label", [0, 1, 2, "3"])
def test_the_right_option_alone_on_top_scores_one_and_every_other_zero(label):
    for best in range(4):
        scores = [-1.0 if option == best else -1000.0 for option in range(4)]
        found = multiple_choice_results({**DOC, "label": label}, scored(*scores))
        right = float(best == int(label))
        assert (found["acc"], found["acc_norm"]) == (right, right)
        assert found["soft"] == pytest.approx(right)


def test_tied_options_share_the_credit_and_option_zero_has_no_advantage():
    same_length = {**DOC, "endings": [" 6 eggs.", " 8 eggs.", " 9 eggs.", " 7 eggs."]}
    for label in range(4):
        found = multiple_choice_results({**same_length, "label": label}, scored(-3.0, -3.0, -3.0, -3.0))
        assert [found[name] for name in ("acc", "acc_norm", "soft", "margin", "log_prob")] == [0.25, 0.25, 0.25, 0, -2]
        two = multiple_choice_results({**same_length, "label": label}, scored(-9.0, -3.0, -9.0, -3.0))
        assert (two["acc"], two["acc_norm"]) == ((0.5, 0.5) if label in (1, 3) else (0.0, 0.0))


def test_bytes_are_those_of_utf8_and_an_ending_of_more_bytes_costs_less_for_each():
    doc = {"endings": [" 6 €", " 66 £", " 666 ."], "label": 1}
    found = multiple_choice_results(doc, scored(-6.0, -6.0, -6.0))
    assert found["bits_per_byte"] == pytest.approx(6 / math.log(2) / 6)
    assert found["margin"] == pytest.approx(6 / math.log(2) * (1 / 6 - 1 / 6))
    assert found["log_prob"] == pytest.approx(math.log2(1 / 3))


def test_equal_sums_of_endings_of_different_length_tie_in_acc_only():
    found = multiple_choice_results({**DOC, "label": 2}, scored(-3.0, -3.0, -3.0, -3.0))
    assert (found["acc"], found["acc_norm"]) == (0.25, 1.0)


def test_the_share_of_the_credit_sums_to_one_over_the_options():
    for scores in ([-1.0, -1.0, -2.0, -1.0], [0.0, -1.0, -2.0, -3.0], [-math.inf] * 4):
        assert sum(share_of_best(scores, option) for option in range(4)) == pytest.approx(1)
        assert sum(softmax_probability(scores, option) for option in range(4)) == pytest.approx(1)


@pytest.mark.parametrize("score", [math.nan, math.inf])
@pytest.mark.parametrize("option", range(4))
def test_a_score_that_is_no_log_likelihood_is_an_error_that_names_the_item(score, option):
    scores = [-1.0] * 4
    scores[option] = score
    with pytest.raises(ValueError, match=f"item item_0007: option {option} has the log-likelihood {score}"):
        multiple_choice_results(DOC, scored(*scores))


def test_impossible_options_are_no_error_and_all_impossible_is_a_tie():
    assert multiple_choice_results(DOC, scored(-math.inf, -math.inf, -5.0, -math.inf))["soft"] == 1
    found = multiple_choice_results(DOC, scored(*[-math.inf] * 4))
    assert (found["acc"], found["acc_norm"], found["soft"]) == (0.25, 0.25, 0.25)
    assert (found["bits_per_byte"], found["margin"], found["log_prob"]) == (1000, 0, -2)
    right_is_impossible = multiple_choice_results(DOC, scored(-1.0, -1.0, -math.inf, -1.0))
    assert right_is_impossible["log_prob"] == -1000 and right_is_impossible["margin"] < -990


def test_a_missing_score_is_an_error_that_names_the_item():
    with pytest.raises(ValueError, match="item item_0007: 3 scores for 4 options"):
        multiple_choice_results(DOC, scored(-1.0, -2.0, -3.0))


def test_an_empty_continuation_cannot_be_normalised():
    with pytest.raises(ValueError, match="empty continuation"):
        per_unit([-1.0, -2.0], [3, 0])


def test_very_low_scores_do_not_underflow():
    assert softmax_probability([-1e6, -1e6 - math.log(3)], 0) == pytest.approx(0.75)


COUNT = {"metadata": {"unit": "crates", "option_values": [26, 29, 27, 31]}, "label": "0", "source_id": "x"}
TIME = {"metadata": {"unit": "clock", "option_values": [165, 885, 945, 880]}, "label": 1, "source_id": "x"}


@pytest.mark.parametrize(
    ("doc", "text", "match", "silent"),
    [
        (COUNT, "430 / 16 = 26 (remainder 14). The answer is 26 crates.", 1, 0),
        (COUNT, "The answer is 29.", 0, 0),
        (COUNT, "The answer is -26.", 0, 0),
        (COUNT, "The answer is 2.6.", 0, 0),
        (COUNT, "I cannot say.", 0, 1),
        (COUNT, "", 0, 1),
        (COUNT, "<think> 26", 0, 1),
        (TIME, "The answer is 2:45 p.m.", 1, 0),
        (TIME, "14:45", 1, 0),
        (TIME, "The answer is 2:45 a.m.", 0, 0),
        (TIME, "885", 0, 0),
        (TIME, "Some time later.", 0, 1),
        ({"answer": "1234"}, "1,234", 1, 0),
        ({"answer": "5"}, "-5", 0, 0),
    ],
)
def test_a_generated_answer_is_compared_as_an_integer_or_a_time(doc, text, match, silent):
    assert exact_match_results(doc, [text]) == {"exact_match": match, "no_answer": silent}


def test_a_single_target_gives_its_greediness_and_its_probability():
    found = loglikelihood_results({"answer": "146"}, [(math.log(0.5), True)])
    assert found == {"acc": 1.0, "soft": pytest.approx(0.5), "bits_per_byte": 0.2, "log_prob": -1.0}
    impossible = {"acc": 0.0, "soft": 0.0, "bits_per_byte": 1000, "log_prob": -1000}
    assert loglikelihood_results({"answer": "146"}, [(-math.inf, False)]) == impossible
    with pytest.raises(ValueError, match="item q7: option 0 has the log-likelihood nan"):
        loglikelihood_results({"id": "q7"}, [(math.nan, False)])
