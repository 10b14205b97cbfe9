"""The control tasks inside lm-eval: the items of the default tasks with adjacent endings."""

import logging

import datasets
import pytest
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from tiny import ScriptedLM

from arithmark_tasks import documents
from arithmark_tasks.builders.deeparithmark import FEATURES
from arithmark_tasks.generators.deeparithmark.tiers import control
from arithmark_tasks.paths import task_folder

DEPTHS = (2, 3, 4, 5)
NAMES = [f"deeparithmark_control_d{depth}" for depth in DEPTHS]


@pytest.fixture(scope="module")
def manager():
    return TaskManager(include_path=str(task_folder()), include_defaults=False)


@pytest.fixture
def both(items, exemplars, monkeypatch):
    """The default and the control set of 80 items, as the tasks read them."""
    rows = {
        "default": {"test": items, "fewshot": exemplars},
        "control": {"test": list(control(items)), "fewshot": list(control(exemplars))},
    }
    tables = {
        config: datasets.DatasetDict({k: datasets.Dataset.from_list(v, features=FEATURES) for k, v in splits.items()})
        for config, splits in rows.items()
    }
    monkeypatch.setattr(documents, "load_dataset", lambda name, config="default": tables[config])
    monkeypatch.setattr("lm_eval.evaluator.add_env_info", lambda results: None)
    return rows


def run(manager, model, task, **options):
    return simple_evaluate(model=model, tasks=[task], task_manager=manager, bootstrap_iters=0, **options)


def test_the_group_holds_one_task_per_depth_and_the_default_group_none_of_them(manager, both):
    found = {name for name in manager.all_tasks if name.startswith("deeparithmark_control")}
    assert found == {"deeparithmark_control", *NAMES}
    assert list(manager.load(["deeparithmark_control"])["tasks"]) == NAMES
    assert not set(NAMES) & set(manager.load(["deeparithmark"])["tasks"])


@pytest.mark.parametrize("shots", [0, 3])
def test_the_requests_differ_from_the_default_ones_in_the_wrong_endings_only(manager, both, shots):
    default, matched = ScriptedLM(), ScriptedLM()
    run(manager, default, "deeparithmark", num_fewshot=shots)
    run(manager, matched, "deeparithmark_control", num_fewshot=shots)
    assert len(default.requests) == len(matched.requests) == 4 * 80
    for one, other in zip(default.requests, matched.requests, strict=True):
        assert one.args[0] == other.args[0] and one.doc["ind"] == other.doc["ind"]
        assert one.idx == other.idx and (one.args[1] == other.args[1] or one.idx != one.doc["label"])
        assert other.args[1] == both["control"]["test"][one.doc["ind"]]["endings"][one.idx]


def test_a_score_is_that_of_the_right_endings(manager, both):
    for shift in range(4):
        model = ScriptedLM(lambda doc, option, shift=shift: -1.0 if option == (doc["label"] + shift) % 4 else -1e4)
        results = run(manager, model, "deeparithmark_control")["results"]
        for name in ["deeparithmark_control", *NAMES]:
            assert results[name]["acc,none"] == results[name]["acc_norm,none"] == float(shift == 0)
            assert results[name]["soft,none"] == pytest.approx(float(shift == 0))


def test_each_task_holds_its_depth_whatever_the_metadata_say(both):
    manager = TaskManager(include_path=str(task_folder()), include_defaults=False, metadata={"depth": 5, "seed": 7})
    for depth, task in zip(DEPTHS, manager.load(["deeparithmark_control"])["tasks"].values(), strict=True):
        docs = list(task.test_docs())
        assert {len(doc["metadata"]["solution_steps"]) for doc in docs} == {depth}
        assert [doc["ctx"] for doc in docs] == [
            item["ctx"] for item in both["default"]["test"] if item["metadata"]["depth"] == depth
        ]


def test_loading_the_tasks_warns_of_nothing(manager, both, caplog):
    with caplog.at_level(logging.WARNING):
        manager.load(["deeparithmark_control"])
    assert caplog.messages == []
