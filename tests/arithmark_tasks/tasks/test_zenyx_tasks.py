"""The Zenyx tasks inside lm-eval, with models whose scores are known."""

import logging
import math
from collections import Counter

import datasets
import pytest
import yaml
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from tiny import ScriptedLM

from arithmark_tasks import documents
from arithmark_tasks.builders.zenyx import CHOICE_FEATURES, FEATURES
from arithmark_tasks.generators import zenyx
from arithmark_tasks.generators.zenyx import DEFAULT_TYPES, EXTENDED_TYPES
from arithmark_tasks.generators.zenyx.multiple_choice import build_multiple_choice, build_multiple_choice_fewshot
from arithmark_tasks.paths import task_folder

GROUPS = ["zenyx_arith", *(f"zenyx_arith_{form}" for form in ("bare", "chat", "ll", "mc"))]
GENERATED = GROUPS[:3]
EXTENDED = "zenyx_arith_extended"


@pytest.fixture(scope="module")
def manager():
    return TaskManager(include_path=str(task_folder()), include_defaults=False)


@pytest.fixture(scope="module")
def questions():
    """The whole bench: it takes half a second."""
    return zenyx.build()


@pytest.fixture(scope="module")
def choices(questions):
    return build_multiple_choice(questions=questions, per_type=16)


@pytest.fixture
def zenyx_data(questions, choices, monkeypatch):
    """The tasks read 40 questions and 16 choices of each type instead of what is cached in the user's home."""
    some = [item for code in DEFAULT_TYPES for item in [q for q in questions if q["type"] == code][:40]]
    more = [item for item in zenyx.build(types=EXTENDED_TYPES) if item["id"].partition("-")[2] < "0040"]
    rows = {
        "default": ({"test": some, "fewshot": zenyx.build_fewshot()}, FEATURES),
        "extended": ({"test": more, "fewshot": zenyx.build_fewshot(types=EXTENDED_TYPES)}, FEATURES),
        "mc": ({"test": choices, "fewshot": build_multiple_choice_fewshot()}, CHOICE_FEATURES),
    }
    tables = {
        name: datasets.DatasetDict({k: datasets.Dataset.from_list(v, features=features) for k, v in splits.items()})
        for name, (splits, features) in rows.items()
    }
    monkeypatch.setattr(documents, "load_dataset", lambda name, config: tables[config])
    monkeypatch.setattr("lm_eval.evaluator.add_env_info", lambda results: None)
    return some


def run(manager, model, task, **options):
    return simple_evaluate(model=model, tasks=[task], task_manager=manager, bootstrap_iters=0, **options)


def test_the_index_holds_every_group_and_one_task_per_type(manager):
    expected = {*GROUPS, *(f"{group}_{code}" for group in GROUPS for code in DEFAULT_TYPES)}
    expected |= {EXTENDED, *(f"{EXTENDED}_{code}" for code in EXTENDED_TYPES)}
    assert {name for name in manager.all_tasks if name.startswith("zenyx")} == expected


def test_every_function_a_yaml_names_is_absolute_and_every_version_is_set():
    class Reader(yaml.SafeLoader):
        """Keeps the name behind ``!function``."""

    Reader.add_constructor("!function", lambda loader, node: node.value)
    files = sorted((task_folder() / "zenyx_arith").glob("*/*yaml"))
    assert len(files) == len(GROUPS) * (len(DEFAULT_TYPES) + 2) + len(EXTENDED_TYPES) + 1
    for file in files:
        config = yaml.load(file.read_text(encoding="utf-8"), Reader)
        names = [config[key] for key in ("custom_dataset", "process_results") if key in config]
        assert all(name.startswith("arithmark_tasks.") for name in names)
        assert "include" in config or config["metadata"]["version"] in (1.0, 1.1)
        if "group" in config:
            assert all(metric["weight_by_size"] for metric in config["aggregate_metric_list"])


def test_each_task_holds_the_items_of_its_type_only(manager, zenyx_data):
    for group in GROUPS:
        tasks = manager.load([group])["tasks"]
        assert list(tasks) == [f"{group}_{code}" for code in DEFAULT_TYPES]
        for code, task in zip(DEFAULT_TYPES, tasks.values(), strict=True):
            docs = list(task.test_docs())
            types = {doc["metadata"]["template"] if group == "zenyx_arith_mc" else doc["type"] for doc in docs}
            assert types == {code} and len(docs) == (16 if group == "zenyx_arith_mc" else 40)


@pytest.mark.parametrize("group", GENERATED)
def test_generated_answers_are_compared_as_integers_and_silence_is_counted(manager, zenyx_data, group):
    def reply(doc):
        place = int(doc["id"].rpartition("-")[2])
        return [f" {int(doc['answer']):,}", f" {doc['answer']}.0", " I would rather not.", f" {doc['answer']}.5"][
            place % 4
        ]

    results = run(manager, ScriptedLM(reply=reply), group)
    for name in [group, *(f"{group}_{code}" for code in DEFAULT_TYPES)]:
        row = results["results"][name]
        assert (row["exact_match,none"], row["no_answer,none"]) == (0.5, 0.25)


def test_only_what_follows_the_thinking_counts(manager, zenyx_data):
    texts = [
        "<think>It is {wrong}, no, {right}.</think>\n\n{right}",
        "<think>{right}</think>{wrong}",
        "<think>\n\n{right}",
    ]

    def reply(doc):
        text = texts[int(doc["id"].rpartition("-")[2]) % 3]
        return text.format(right=doc["answer"], wrong=int(doc["answer"]) + 1)

    row = run(manager, ScriptedLM(reply=reply), "zenyx_arith_chat_5dm", limit=30)["results"]["zenyx_arith_chat_5dm"]
    assert row["exact_match,none"] == row["no_answer,none"] == pytest.approx(1 / 3)


def test_a_chat_generation_may_think_in_any_lines_and_has_a_budget(manager, zenyx_data):
    model = ScriptedLM()
    run(manager, model, "zenyx_arith_chat", limit=1)
    for request in model.requests:
        prompt, settings = request.args
        assert prompt.startswith(request.doc["question"])
        assert settings["max_gen_toks"] == 1024
        thinking = "<think>\n\nQuestion: 12+34?\nAnswer: 46\n\n</think>\n\n46"
        assert settings["until"] and not any(stop in thinking for stop in settings["until"])


@pytest.mark.parametrize(("group", "shots"), [("zenyx_arith", 4), ("zenyx_arith_ll", 4), ("zenyx_arith_bare", 0)])
def test_the_examples_are_fixed_one_of_each_operation_and_never_an_item(manager, zenyx_data, group, shots):
    model = ScriptedLM()
    run(manager, model, group, limit=3)
    prompts = [request.args[0] for request in model.requests]
    assert len(prompts) == 24
    heads = {tuple(prompt.split("\n")[: 2 * shots]) for prompt in prompts}
    (head,) = heads
    questions = {f"Question: {item['question']}" for item in zenyx_data}
    assert not questions & set(head)
    assert [sign for line in head[::2] for sign in "+-*/" if f" {sign} " in line] == list("+-*/" if shots else "")
    for request in model.requests:
        if group == "zenyx_arith_bare":
            assert request.args[0] == f"{request.doc['a']} {request.doc['operator']} {request.doc['b']} ="
        else:
            assert request.args[0].endswith(f"\nQuestion: {request.doc['question']}\nAnswer:")


def test_more_examples_show_the_operations_in_turn(manager, zenyx_data):
    pool = {item["question"]: item for item in zenyx.build_fewshot()}
    model = ScriptedLM()
    run(manager, model, "zenyx_arith_3ds", limit=1, num_fewshot=16)
    lines = model.requests[0].args[0].split("\n")[:32]
    shown = [pool[line.removeprefix("Question: ")] for line in lines[::2]]
    assert [f"Answer: {item['answer']}" for item in shown] == lines[1::2]
    assert Counter(item["type"] for item in shown) == dict.fromkeys(DEFAULT_TYPES, 2)


def test_the_scored_text_is_the_answer_and_its_line_end_after_the_same_prompt(manager, zenyx_data):
    scored, generated = ScriptedLM(), ScriptedLM()
    run(manager, scored, "zenyx_arith_ll", limit=5)
    run(manager, generated, "zenyx_arith", limit=5)
    assert [request.args[0] for request in scored.requests] == [request.args[0] for request in generated.requests]
    assert {request.args[1] == f" {request.doc['answer']}\n" for request in scored.requests} == {True}
    assert {tuple(request.args[1]["until"]) for request in generated.requests} == {("\n",)}


def test_a_likelihood_becomes_greedy_and_probability(manager, zenyx_data):
    class Greedy(ScriptedLM):
        """Would have said every fourth answer."""

        def loglikelihood(self, requests, disable_tqdm=False):
            return [(math.log(0.5), int(request.doc["id"][-1]) % 5 == 0) for request in requests]

    results = run(manager, Greedy(), "zenyx_arith_ll", limit=10)["results"]
    for name in ["zenyx_arith_ll", "zenyx_arith_ll_div"]:
        assert results[name]["acc,none"] == pytest.approx(0.2)
        assert results[name]["soft,none"] == pytest.approx(0.5)


def test_the_group_weighs_its_types_by_size(manager, zenyx_data):
    sizes = dict(zip(DEFAULT_TYPES, (2, 4, 6, 8, 10, 12, 14, 16), strict=True))
    known = {"3ds", "4dm", "div"}
    model = ScriptedLM(reply=lambda doc: doc["answer"] if doc["type"] in known else "0")
    picked = {f"zenyx_arith_{code}": list(range(size)) for code, size in sizes.items()}
    results = run(manager, model, "zenyx_arith", samples=picked)
    right = sum(size for code, size in sizes.items() if code in known)
    assert results["groups"]["zenyx_arith"]["exact_match,none"] == pytest.approx(right / sum(sizes.values()))
    assert results["results"]["zenyx_arith"]["sample_len"] == sum(sizes.values())


def test_the_right_option_scores_one_each_slip_zero_and_indifference_a_quarter(manager, zenyx_data):
    for shift in (0, 1, 3):
        model = ScriptedLM(lambda doc, option, shift=shift: -1.0 if option == (doc["label"] + shift) % 4 else -1e4)
        row = run(manager, model, "zenyx_arith_mc")["results"]["zenyx_arith_mc"]
        assert row["acc,none"] == row["acc_norm,none"] == (1.0 if shift == 0 else 0.0)
        assert row["soft,none"] == pytest.approx(1.0 if shift == 0 else 0.0)
    results = run(manager, ScriptedLM(lambda doc, option: -7.0), "zenyx_arith_mc")["results"]
    assert {results[name]["acc,none"] for name in ("zenyx_arith_mc", "zenyx_arith_mc_34m")} == {0.25}
    for slot in range(4):
        model = ScriptedLM(lambda doc, option, slot=slot: -1.0 if option == slot else -1e4)
        assert run(manager, model, "zenyx_arith_mc_div")["results"]["zenyx_arith_mc_div"]["acc,none"] == 0.25


def test_a_choice_has_exactly_one_space_before_the_number(manager, zenyx_data):
    model = ScriptedLM()
    run(manager, model, "zenyx_arith_mc")
    assert len(model.requests) == 4 * 8 * 16
    for request in model.requests:
        prompt, ending = request.args
        assert prompt == f"Question: What is {prompt.split('What is ')[1]}" and prompt.endswith("?\nAnswer:")
        assert ending == f" {int(ending)}"


def test_few_shot_choices_come_from_their_own_split(manager, zenyx_data, choices):
    model = ScriptedLM()
    run(manager, model, "zenyx_arith_mc_4da", limit=2, num_fewshot=3)
    exemplars = {item["question"]: item["answer"] for item in zenyx.build_fewshot()}
    for request in model.requests:
        *shots, _, _ = request.args[0].split("\n")
        assert len(shots) == 6
        for asked, answered in zip(shots[::2], shots[1::2], strict=True):
            assert answered == f"Answer: {exemplars[asked.removeprefix('Question: ')]}"


def test_an_extended_task_shows_one_of_each_operation_and_asks_for_the_whole_quotient(manager, zenyx_data):
    model = ScriptedLM(reply=lambda doc: f" {doc['a'] // doc['b']}" if doc["operator"] == "/" else " 1,000,001")
    results = run(manager, model, EXTENDED, limit=40)["results"]
    assert [results[f"{EXTENDED}_{code}"]["exact_match,none"] for code in EXTENDED_TYPES] == [0, 0, 0, 1]
    assert results[EXTENDED]["exact_match,none"] == 0.25 and results[EXTENDED]["sample_len"] == 160
    (head,) = {tuple(request.args[0].split("\n")[:8]) for request in model.requests}
    pool = {f"Question: {item['question']}": item for item in zenyx.build_fewshot(types=EXTENDED_TYPES)}
    assert [pool[line]["type"] for line in head[::2]] == list(EXTENDED_TYPES)
    assert list(head[1::2]) == [f"Answer: {pool[line]['answer']}" for line in head[::2]]
    for request in model.requests:
        assert request.args[0].endswith(f"\nQuestion: {request.doc['question']}\nAnswer:")
        assert ("whole quotient" in request.doc["question"]) == (request.doc["operator"] == "/")


def test_loading_the_tasks_warns_of_nothing(manager, zenyx_data, caplog):
    with caplog.at_level(logging.WARNING):
        manager.load([*GROUPS, EXTENDED])
    assert caplog.messages == []


def test_an_unknown_type_is_named(zenyx_data):
    for task, code in ((documents.zenyx, "7da"), (documents.zenyx_multiple_choice, "6da")):
        with pytest.raises(ValueError, match=f"unknown question type '{code}'"):
            task(code)
