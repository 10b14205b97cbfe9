"""The deep tasks inside lm-eval: one per depth, with exemplars of their own."""

import logging

import datasets
import pytest
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from tiny import ScriptedLM

from arithmark_tasks import documents
from arithmark_tasks.builders.deeparithmark import FEATURES
from arithmark_tasks.generators.deeparithmark import build_split
from arithmark_tasks.paths import task_folder

DEPTHS = (6, 7, 8)
NAMES = [f"deeparithmark_deep_d{depth}" for depth in DEPTHS]


@pytest.fixture(scope="module")
def manager():
    return TaskManager(include_path=str(task_folder()), include_defaults=False)


@pytest.fixture(scope="module")
def rows():
    """50 deep test items, not as many of each depth, and the 30 exemplars."""
    return {"test": build_split("deep", "test", items=50), "fewshot": build_split("deep", "fewshot")}


@pytest.fixture
def deep(rows, monkeypatch):
    """The tasks read these items, and only as the config ``deep``."""
    splits = {name: datasets.Dataset.from_list(split, features=FEATURES) for name, split in rows.items()}
    tables = {"deep": datasets.DatasetDict(splits)}
    monkeypatch.setattr(documents, "load_dataset", lambda name, config="default": tables[config])
    monkeypatch.setattr("lm_eval.evaluator.add_env_info", lambda results: None)
    return rows


def run(manager, model, **options):
    return simple_evaluate(
        model=model, tasks=["deeparithmark_deep"], task_manager=manager, bootstrap_iters=0, **options
    )


def test_the_group_holds_one_task_per_depth_and_each_the_items_of_its_depth(manager, deep):
    tasks = manager.load(["deeparithmark_deep"])["tasks"]
    assert list(tasks) == NAMES
    for depth, task in zip(DEPTHS, tasks.values(), strict=True):
        found = [doc["ctx"] for doc in task.test_docs()]
        assert found == [item["ctx"] for item in deep["test"] if len(item["metadata"]["solution_steps"]) == depth]
        assert found


def test_a_model_that_knows_the_deep_answers_scores_one_and_each_decoy_scores_zero(manager, deep):
    for shift in range(4):
        model = ScriptedLM(lambda doc, option, shift=shift: -1.0 if option == (doc["label"] + shift) % 4 else -1e4)
        results = run(manager, model)["results"]
        for name in ["deeparithmark_deep", *NAMES]:
            assert results[name]["acc,none"] == results[name]["acc_norm,none"] == float(shift == 0)


def test_the_deep_group_weighs_its_depths_by_size(manager, deep):
    model = ScriptedLM(
        lambda doc, option: -1.0 if (option == doc["label"]) == (doc["metadata"]["depth"] == 6) else -9.0
    )
    right = sum(item["metadata"]["depth"] == 6 for item in deep["test"])
    assert run(manager, model)["results"]["deeparithmark_deep"]["acc,none"] == pytest.approx(right / 50)


def test_shots_come_from_the_deep_exemplars(manager, deep):
    model = ScriptedLM()
    run(manager, model, num_fewshot=3)
    shown = {item["ctx"]: item["endings"][int(item["label"])] for item in deep["fewshot"]}
    for request in model.requests:
        *shots, asked = request.args[0].split("\n\n")
        assert asked == request.doc["ctx"] and len(shots) == 3
        assert all(any(shot == ctx + ending for ctx, ending in shown.items()) for shot in shots)


def test_loading_the_deep_tasks_warns_of_nothing(manager, deep, caplog):
    with caplog.at_level(logging.WARNING):
        manager.load(["deeparithmark_deep"])
    assert caplog.messages == []
