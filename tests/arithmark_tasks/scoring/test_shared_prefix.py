"""``hf-shared``: lm-eval's numbers with less computed, in every shape that requests can take."""

import configparser
import json
import logging
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import torch
from lm_eval import simple_evaluate
from lm_eval.api.instance import Instance
from lm_eval.api.registry import get_model
from lm_eval.models.huggingface import HFLM
from transformers import AutoModelForCausalLM, AutoTokenizer, MistralConfig

from arithmark_tasks import __main__ as command
from arithmark_tasks.evaluation.tasks import task_manager
from arithmark_tasks.scoring.models import load, resolve_model
from arithmark_tasks.scoring.shared_prefix import SharedPrefixHFLM

WINDOW = 512


@pytest.fixture(scope="module")
def plain(tiny_model_folder):
    return load(str(tiny_model_folder), "hf")


@pytest.fixture
def shared(tiny_model_folder):
    return load(str(tiny_model_folder))


def encoded(*pairs):
    return [((f"context {place}", f"option {place}"), list(c), list(k)) for place, (c, k) in enumerate(pairs)]


def assert_same(found, expected):
    assert len(found) == len(expected)
    assert max(abs(ours[0] - theirs[0]) for ours, theirs in zip(found, expected, strict=True)) <= 1e-4
    assert [greedy for _, greedy in found] == [greedy for _, greedy in expected]


def assert_agree(shared, plain, *pairs):
    requests = encoded(*pairs)
    found = shared._loglikelihood_tokens(requests, disable_tqdm=True)
    assert_same(found, plain._loglikelihood_tokens(requests, disable_tqdm=True))
    return found


def instances(items):
    return [
        Instance("loglikelihood", item, (item["ctx"], ending), index)
        for item in items
        for index, ending in enumerate(item["endings"])
    ]


class Counter:
    """Counts the tokens that go through the first layer, and the rows that go through the output layer."""

    def __init__(self, lm):
        self.tokens = self.logits = self.passes = 0
        lm.model.model.layers[0].register_forward_pre_hook(self._body)
        lm.model.lm_head.register_forward_hook(self._head)

    def _body(self, _, inputs):
        self.passes += 1
        self.tokens += inputs[0].shape[0] * inputs[0].shape[1]

    def _head(self, _, inputs, output):
        self.logits += output.shape[:-1].numel()


@pytest.mark.parametrize("batch_size", [1, 8, 32, "auto"])
def test_real_items_score_as_with_hf_at_any_batch_size(tiny_model_folder, plain, items, batch_size):
    requests = instances(items[::8])
    found = load(str(tiny_model_folder), batch_size=batch_size).loglikelihood(requests, disable_tqdm=True)
    assert_same(found, plain.loglikelihood(requests, disable_tqdm=True))


def test_options_of_one_token_and_of_different_lengths_agree(shared, plain):
    context = range(10, 40)
    options = [[5], [6], [7, 8], [9] * 7, list(range(50, 90)), [7]]
    found = assert_agree(shared, plain, *((context, option) for option in options))
    assert len({round(value, 4) for value, _ in found}) == len(options)


def test_an_option_that_begins_another_and_one_that_comes_twice_agree(shared, plain):
    context = range(10, 40)
    options = [[5, 6], [5], [5, 6, 7], [5, 6], [5, 7], [6, 5]]
    found = assert_agree(shared, plain, *((context, option) for option in options))
    assert found[0] == found[3]


def test_a_context_that_is_another_context_and_its_option_agrees(shared, tiny_model_folder):
    # With its cache of logits, lm-eval 0.4.13 reads the wrong places when one text is divided in two ways.
    plain = load(str(tiny_model_folder), "hf", logits_cache=False)
    assert_agree(shared, plain, (range(10, 40), [40, 41, 42]), (range(10, 41), [41, 42]), (range(10, 43), [43]))


@pytest.mark.parametrize("count", [1, 2, 50])
def test_a_context_is_computed_once_for_all_that_share_it(shared, plain, count):
    context = range(10, 110)
    pairs = [(context, [100 + option, 200 + option, 300 + option]) for option in range(count)]
    assert_agree(shared, plain, *pairs)
    counter = Counter(shared)
    shared._loglikelihood_tokens(encoded(*pairs), disable_tqdm=True)
    assert counter.tokens == 100 + 2 * count
    assert counter.logits == 1 + 2 * count


def test_requests_come_back_in_their_order_whatever_was_merged(shared, plain):
    pairs = [(range(10, 14 + place % 5), [place + 20, 3 + place % 3]) for place in range(40)]
    assert_agree(shared, plain, *pairs)
    assert_agree(shared, plain, *reversed(pairs))


def test_a_context_of_one_token_agrees(shared, plain):
    assert_agree(shared, plain, ([1], [5, 6]), ([1], [7]), ([2], [5]))


@pytest.mark.parametrize("excess", [-2, -1, 0, 1, 2, 30])
def test_prompts_at_the_edge_of_the_window_are_cut_as_hf_cuts_them(tiny_model_folder, excess):
    window = 48
    pair = [load(str(tiny_model_folder), kind, max_length=window) for kind in ("hf-shared", "hf")]
    context = [10 + place % 90 for place in range(window + excess - 3)]
    options = [[5, 6, 7, 8], [5, 6, 9, 10], [5], [11] * 5, [12] * window]
    assert_agree(*pair, *((context, option) for option in options))


def test_what_hf_refuses_is_refused_with_its_text(shared):
    for context, option in [([], [5]), ([5], []), ([5], [5] * (WINDOW + 1))]:
        with pytest.raises(ValueError, match=r"^'context 1option 1': "):
            shared._loglikelihood_tokens(encoded(([5], [6]), (context, option)), disable_tqdm=True)
    assert shared._loglikelihood_tokens([], disable_tqdm=True) == []


def test_a_lone_option_is_read_without_a_mask(shared, plain):
    pairs = [(range(10 + item, 40 + item), [5, 6, 7]) for item in range(6)]
    shared._loglikelihood_tokens(encoded(*pairs), disable_tqdm=True)  # the check of the model uses masks
    masks = []
    keep = lambda _, inputs, named: masks.append(named.get("attention_mask"))  # noqa: E731
    shared.model.register_forward_pre_hook(keep, with_kwargs=True)
    assert_agree(shared, plain, *pairs)
    assert masks == [None]


def test_a_greedy_option_is_recognized_and_a_nearly_greedy_one_is_not(shared, plain):
    pairs = []
    for start in range(10, 40, 3):
        context = list(range(start, start + 20))
        with torch.no_grad():
            text = plain.model.generate(torch.tensor([context]), max_new_tokens=5, do_sample=False)[0].tolist()
        best = text[len(context) :]
        pairs += [(context, best), (context, best[:1]), (context, best[:3]), (context, [*best[:-1], best[-1] ^ 1])]
    found = assert_agree(shared, plain, *pairs)
    assert [greedy for _, greedy in found] == [True, True, True, False] * 10


def test_a_prefix_of_all_prompts_is_computed_once(shared, plain):
    examples = [10 + place % 300 for place in range(200)]
    pairs = [
        (examples + list(range(20 + item, 40 + item)), [5, 6 + option, 7]) for item in range(12) for option in range(3)
    ]
    assert_agree(shared, plain, *pairs)
    counter = Counter(shared)
    shared._loglikelihood_tokens(encoded(*pairs), disable_tqdm=True)
    assert counter.tokens == 200 + 12 * (20 + 1 + 3)


def test_several_long_prefixes_in_one_call_are_each_computed_once(shared, plain):
    pairs = [
        ([first] * 100 + [20 + item], [5, option]) for first in (7, 8, 9) for item in range(12) for option in (3, 4)
    ]
    assert_agree(shared, plain, *pairs)
    counter = Counter(shared)
    shared._loglikelihood_tokens(encoded(*pairs), disable_tqdm=True)
    assert counter.tokens == 3 * (100 + 12 * 2)


def test_mixed_lengths_agree_and_fill_batches_by_tokens(tiny_model_folder, plain):
    shared = load(str(tiny_model_folder), token_budget=300)
    pairs = [
        ([10 + (item * place) % 97 for place in range(5 + 11 * item)], [5, option])
        for item in range(20)
        for option in (3, 4)
    ]
    sizes = []
    shared.model.model.layers[0].register_forward_pre_hook(lambda _, inputs: sizes.append(tuple(inputs[0].shape[:2])))
    assert_agree(shared, plain, *pairs)
    sizes.clear()
    shared._loglikelihood_tokens(encoded(*pairs), disable_tqdm=True)
    assert all(rows * width <= 300 or rows == 1 for rows, width in sizes)
    assert sum(rows for rows, _ in sizes) == 20
    assert len(sizes) < 12


@pytest.mark.parametrize("how", [{}, {"num_fewshot": 2}, {"apply_chat_template": True}])
def test_lm_eval_reports_the_same_with_both_models(tiny_model_folder, small_deeparithmark, how):
    def results(kind, **how):
        lm = load(str(tiny_model_folder), kind)
        lm.tokenizer.chat_template = "{% for m in messages %}<s>{{ m['role'] }}: {{ m['content'] }}{% endfor %}"
        manager = task_manager(["deeparithmark"])
        return simple_evaluate(
            model=lm, tasks=["deeparithmark"], task_manager=manager, limit=2, bootstrap_iters=0, **how
        )

    ours, theirs = results("hf-shared", **how), results("hf", **how)
    for name, row in theirs["results"].items():
        for metric in ("acc,none", "acc_norm,none"):
            assert ours["results"][name][metric] == row[metric]
    for name, samples in theirs["samples"].items():
        for our, their in zip(ours["samples"][name], samples, strict=True):
            assert_same([answers[0] for answers in our["resps"]], [answers[0] for answers in their["resps"]])


def test_the_model_is_known_to_lm_eval_by_its_name(tiny_model_folder, small_deeparithmark):
    results = simple_evaluate(
        model="hf-shared",
        model_args={"pretrained": str(tiny_model_folder), "device": "cpu"},
        tasks=["deeparithmark_d2"],
        task_manager=task_manager(["deeparithmark_d2"]),
        limit=2,
        bootstrap_iters=0,
    )
    assert results["config"]["model"] == "hf-shared"
    assert results["results"]["deeparithmark_d2"]["sample_len"] == 2


def test_later_versions_of_lm_eval_find_the_model_by_its_entry_point():
    setup = configparser.ConfigParser()
    setup.read(Path(__file__).parents[3] / "setup.cfg")
    name, _, target = setup["options.entry_points"]["lm_eval.models"].strip().partition(" = ")
    assert name == "hf-shared"
    assert EntryPoint(name, target, "lm_eval.models").load() is get_model(name) is SharedPrefixHFLM


def test_the_package_as_a_command_is_lm_evals_with_our_model(tiny_model_folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["arithmark_tasks"])
    command.main()
    folder = capsys.readouterr().out.strip()
    assert (Path(folder) / "deeparithmark").is_dir()
    asked = []
    monkeypatch.setattr("lm_eval.__main__.cli_evaluate", lambda: asked.append(get_model("hf-shared")))
    monkeypatch.setattr("sys.argv", ["arithmark_tasks", "run", "--model", "hf-shared"])
    command.main()
    assert asked == [SharedPrefixHFLM]


@pytest.mark.slow
def test_lm_evals_command_line_scores_with_our_model(tiny_model_folder, tmp_path):
    task = {
        "task": "two_words",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(tmp_path / "items.jsonl")}},
        "test_split": "test",
        "output_type": "multiple_choice",
        "doc_to_text": "{{q}}",
        "doc_to_choice": [" yes", " no"],
        "doc_to_target": "{{a}}",
    }
    (tmp_path / "two_words.yaml").write_text(json.dumps(task))
    (tmp_path / "items.jsonl").write_text('{"q": "Is it?", "a": 0}\n{"q": "Was it?", "a": 1}\n')
    command = [sys.executable, "-m", "arithmark_tasks", "run", "--model", "hf-shared", "--tasks", "two_words"]
    command += ["--model_args", f"pretrained={tiny_model_folder},token_budget=64", "--device", "cpu"]
    done = subprocess.run([*command, "--include_path", str(tmp_path)], capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    assert "hf-shared" in done.stdout
    assert "two_words" in done.stdout


def test_cached_answers_are_not_computed_again(tiny_model_folder, small_deeparithmark, tmp_path):
    lm = load(str(tiny_model_folder))
    counter = Counter(lm)

    def responses():
        results = simple_evaluate(
            model=lm,
            tasks=["deeparithmark_d2"],
            task_manager=task_manager(["deeparithmark_d2"]),
            limit=3,
            bootstrap_iters=0,
            use_cache=str(tmp_path / "cache"),
        )
        return [sample["resps"] for sample in results["samples"]["deeparithmark_d2"]]

    first = responses()
    passes = counter.passes
    assert passes > 0
    assert responses() == first
    assert counter.passes == passes


def test_what_was_scored_before_an_interruption_is_in_the_cache(tiny_model_folder, items):
    lm = load(str(tiny_model_folder), token_budget=1)
    kept = []

    class Hook:
        def add_partial(self, kind, request, answer):
            kept.append((kind, request, answer))
            if len(kept) == 6:
                raise KeyboardInterrupt

    requests = instances(items[:4])
    expected = {
        request.args: answer for request, answer in zip(requests, lm.loglikelihood(requests, True), strict=True)
    }
    lm.set_cache_hook(Hook())
    with pytest.raises(KeyboardInterrupt):
        lm.loglikelihood(requests, disable_tqdm=True)
    assert [(kind, answer) for kind, _, answer in kept] == [("loglikelihood", expected[args]) for _, args, _ in kept]


def test_rolling_log_likelihoods_stay_those_of_hf(shared, plain, items):
    requests = [Instance("loglikelihood_rolling", {}, (item["ctx"] * 4,), 0) for item in items[:3]]
    assert shared.loglikelihood_rolling(requests, True) == plain.loglikelihood_rolling(requests, True)
    assert shared.verdict is None  # never asked


def sliding_model(window, vocabulary):
    torch.manual_seed(0)
    config = MistralConfig(
        vocab_size=vocabulary,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        sliding_window=window,
        max_position_embeddings=WINDOW,
        initializer_range=0.2,
    )
    return AutoModelForCausalLM.from_config(config).eval()


def test_only_groups_longer_than_a_sliding_window_are_read_alone(tiny_model_folder, caplog):
    tokenizer = AutoTokenizer.from_pretrained(tiny_model_folder)
    model = sliding_model(40, len(tokenizer))
    shared, plain = (kind(pretrained=model, tokenizer=tokenizer) for kind in (SharedPrefixHFLM, HFLM))
    short = [(range(10, 40), [5, 6, option]) for option in range(4)]
    long = [(range(10, 80), [5, 6, option]) for option in range(3)]
    with caplog.at_level(logging.WARNING):
        assert_agree(shared, plain, *short, *long)
    assert shared.verdict.tries
    (line,) = [message for message in caplog.messages if "on its own" in message]
    assert line.startswith("3 of 7 options are longer than 40 tokens")


def test_a_window_that_no_configuration_names_is_found_when_prompts_reach_it(tiny_model_folder, monkeypatch, caplog):
    from arithmark_tasks.scoring import sharing

    monkeypatch.setattr(sharing, "longest_shared", lambda model, window: window)
    tokenizer = AutoTokenizer.from_pretrained(tiny_model_folder)
    model = sliding_model(100, len(tokenizer))
    shared, plain = (kind(pretrained=model, tokenizer=tokenizer) for kind in (SharedPrefixHFLM, HFLM))
    assert_agree(shared, plain, (range(10, 40), [5, 6]), (range(10, 40), [7]))
    assert shared.verdict.tries
    with caplog.at_level(logging.WARNING):
        assert_agree(shared, plain, (range(10, 200), [5, 6]), (range(10, 200), [7]))
    assert not shared.verdict.tries
    assert sum("cannot share prompts" in message for message in caplog.messages) == 1


@pytest.mark.parametrize("dtype", ["bf16", "fp16"])
def test_in_half_precision_scores_differ_by_rounding_only(tiny_model_folder, items, dtype):
    requests = instances(items[::16])
    exact = load(str(tiny_model_folder), "hf").loglikelihood(requests, True)
    errors = []
    for kind in ("hf", "hf-shared"):
        found = load(str(tiny_model_folder), kind, dtype=dtype).loglikelihood(requests, True)
        errors.append([abs(a[0] - b[0]) for a, b in zip(found, exact, strict=True)])
    plain_errors, shared_errors = errors
    assert max(plain_errors) > 1e-3  # half precision it is
    assert sum(shared_errors) <= 1.5 * sum(plain_errors)
    assert max(shared_errors) <= 2 * max(plain_errors)


def test_a_softmax_in_another_precision_is_lm_evals_too(tiny_model_folder, items):
    requests = instances(items[:2])
    pair = [load(str(tiny_model_folder), kind, softmax_dtype="float64") for kind in ("hf", "hf-shared")]
    found = [lm.loglikelihood(requests, True) for lm in pair]
    assert_same(*found)


def test_a_model_that_gives_nan_is_left_to_hf(tiny_model_folder, caplog):
    lm = load(str(tiny_model_folder))
    with torch.no_grad():
        lm.model.lm_head.weight[0] = float("nan")
    with caplog.at_level(logging.WARNING):
        ((value, _),) = lm._loglikelihood_tokens(encoded(([5, 6], [7])), disable_tqdm=True)
    assert value != value
    assert "as lm-eval's hf does" in caplog.text


@pytest.mark.slow
def test_the_embedded_model_scores_within_a_ten_thousandth_of_hf(items):
    folder, _ = resolve_model(None)
    requests = instances(items[::10])
    expected = load(folder, "hf").loglikelihood(requests, disable_tqdm=True)
    assert_same(load(folder).loglikelihood(requests, disable_tqdm=True), expected)
