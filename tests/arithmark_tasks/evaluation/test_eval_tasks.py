"""Tasks by name and the datasets that they are about."""

import pytest
from golden import SPLITS, stored

from arithmark_tasks.builders.cards.deeparithmark import TASKS
from arithmark_tasks.builders.loading import builder_class
from arithmark_tasks.evaluation.tasks import TaskSet, dataset_facts, dataset_name, task_manager
from arithmark_tasks.generators.errors import InputError


@pytest.mark.slow
def test_the_digests_are_the_golden_ones():
    expected = {
        "deeparithmark_d2": ("deeparithmark", "default/test"),
        "zenyx_arith_ll_4da": ("zenyx", "default/test"),
        "zenyx_arith_mc_4da": ("zenyx", "multiple choice/test"),
    }
    tasks = TaskSet(list(expected)).tasks
    for name, (dataset, split) in expected.items():
        # Of the versions whose hashes are kept, the one that is built now.
        (golden,) = [key for key in SPLITS if key.startswith(f"{dataset} ") and key.endswith(f" {split}")]
        assert dataset_facts(dataset_name(name), tasks[name])["sha256"] == stored()[golden]


@pytest.mark.slow
def test_tasks_of_lm_eval_itself_are_known_too():
    assert "arc_easy" in task_manager(["arc_easy", "deeparithmark"]).all_tasks
    with pytest.raises(InputError, match="no such task: nothing_like_it"):
        task_manager(["nothing_like_it"])


@pytest.mark.parametrize(
    "names",
    [
        ("deeparithmark_d2", "deeparithmark"),
        ("deeparithmark", "deeparithmark_d2", "deeparithmark", "deeparithmark_d5", "deeparithmark_d2"),
    ],
)
def test_a_task_named_twice_by_itself_or_by_its_group_counts_once(both_sets, names):
    chosen, plain = TaskSet(names), TaskSet(["deeparithmark"])
    assert chosen.group_of == plain.group_of
    assert list(chosen.loaded["groups"]) == list(plain.loaded["groups"])
    assert list(chosen.tasks) == list(plain.tasks)


def test_the_tasks_that_a_card_suggests_are_about_its_configs():
    known = task_manager(["deeparithmark"]).all_tasks
    for config, task in TASKS.items():
        assert task in known
        assert dataset_name(task) == f"deeparithmark/{config}"


def test_every_task_of_ours_says_which_dataset_it_is_about():
    for name in task_manager(["deeparithmark"]).all_tasks:
        dataset, config = dataset_name(name).split("/")
        assert config in builder_class(dataset).builder_configs
