"""The task YAMLs inside lm-eval, with models whose scores are known."""

import logging
import math

import pytest
import yaml
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from tiny import ScriptedLM

from arithmark_tasks.paths import task_folder

DEPTHS = [f"deeparithmark_d{depth}" for depth in (2, 3, 4, 5)]
CONTROLS = ["deeparithmark_control", *(f"deeparithmark_control_d{depth}" for depth in (2, 3, 4, 5))]
DEEP = ["deeparithmark_deep", *(f"deeparithmark_deep_d{depth}" for depth in (6, 7, 8))]


@pytest.fixture(scope="module")
def manager():
    return TaskManager(include_path=str(task_folder()), include_defaults=False)


def run(manager, model, tasks="deeparithmark", **options):
    return simple_evaluate(model=model, tasks=[tasks], task_manager=manager, **options)


def test_the_index_holds_exactly_the_names_that_the_files_define(manager):
    # lm-eval skips a YAML that does not load, and says so only in debug logs.
    ours = {name for name in manager.all_tasks if name.startswith("deeparithmark")}
    assert ours == {"deeparithmark", *DEPTHS, "deeparithmark_gen", *CONTROLS, *DEEP}
    files = set(task_folder().glob("**/*.yaml"))
    assert {entry.yaml_path for entry in manager.task_index.values() if entry.yaml_path} == files


@pytest.mark.slow
def test_no_name_of_ours_is_taken_by_lm_eval(manager):
    upstream = set(TaskManager(include_defaults=True).all_tasks)
    installed = {entry.name for entry in manager.task_index.values()}
    if "deeparithmark" in upstream:
        pytest.skip("a wheel of ours is installed here, so lm-eval's own index holds our names")
    assert not installed & upstream


def test_every_function_a_yaml_names_is_absolute_and_every_version_is_set(manager):
    class Reader(yaml.SafeLoader):
        """Keeps the name behind ``!function``."""

    Reader.add_constructor("!function", lambda loader, node: node.value)
    for file in sorted((task_folder() / "deeparithmark").glob("**/*yaml")):
        config = yaml.load(file.read_text(encoding="utf-8"), Reader)
        names = [config[key] for key in ("custom_dataset", "process_results") if key in config]
        assert all(name.startswith("arithmark_tasks.") for name in names)
        assert "include" in config or config["metadata"]["version"] in (1.0, 1.1)


def test_a_model_that_knows_the_answers_scores_one_and_each_decoy_scores_zero(manager, small_deeparithmark):
    for shift in range(4):
        model = ScriptedLM(lambda doc, option, shift=shift: -1.0 if option == (doc["label"] + shift) % 4 else -1e4)
        results = run(manager, model)
        for name in ["deeparithmark", *DEPTHS]:
            row = results["results"][name]
            assert row["acc,none"] == row["acc_norm,none"] == (1.0 if shift == 0 else 0.0)
            assert row["soft,none"] == pytest.approx(1.0 if shift == 0 else 0.0)


def test_a_model_that_cannot_tell_the_options_apart_scores_chance(manager, small_deeparithmark):
    results = run(manager, ScriptedLM(lambda doc, option: -7.0))
    assert results["results"]["deeparithmark"]["acc,none"] == 0.25
    by_length = run(manager, ScriptedLM(lambda doc, option: -float(len(doc["endings"][option]))))
    row = by_length["results"]["deeparithmark"]
    assert (row["acc_norm,none"], row["soft,none"]) == (0.25, pytest.approx(0.25))


def test_always_choosing_one_slot_scores_a_quarter_give_or_take_an_item(manager, small_deeparithmark):
    for slot in range(4):
        model = ScriptedLM(lambda doc, option, slot=slot: -1.0 if option == slot else -1e4)
        assert run(manager, model)["results"]["deeparithmark"]["acc,none"] == pytest.approx(0.25, abs=2 / 80)


def test_a_nan_score_stops_the_run_and_names_the_item(manager, small_deeparithmark):
    broken = small_deeparithmark[-1]["source_id"]
    model = ScriptedLM(lambda doc, option: math.nan if doc["source_id"] == broken else -1.0)
    with pytest.raises(ValueError, match=broken):
        run(manager, model)


def test_the_group_weighs_its_members_by_size_and_every_row_has_a_standard_error(manager, small_deeparithmark):
    model = ScriptedLM(lambda doc, option: -float(hash_free_noise(doc["ind"], option)))
    sizes = [16, 12, 10, 14]
    results = run(manager, model, samples={name: list(range(size)) for name, size in zip(DEPTHS, sizes, strict=True)})
    rows = [results["results"][name] for name in DEPTHS]
    assert [row["sample_len"] for row in rows] == sizes
    assert results["results"]["deeparithmark"]["sample_len"] == sum(sizes)
    for metric in ("acc", "acc_norm", "soft"):
        pooled = sum(row[f"{metric},none"] * size for row, size in zip(rows, sizes, strict=True)) / sum(sizes)
        assert results["groups"]["deeparithmark"][f"{metric},none"] == pytest.approx(pooled)
        for row in [*rows, results["groups"]["deeparithmark"]]:
            assert 0 < row[f"{metric}_stderr,none"] < 1


def hash_free_noise(index, option):
    return 1 + (index * 2654435761 + option * 40503) % 1009 / 100


def test_each_depth_holds_the_items_of_its_depth_only(manager, small_deeparithmark):
    loaded = manager.load(["deeparithmark"])["tasks"]
    for depth, name in zip((2, 3, 4, 5), DEPTHS, strict=True):
        expected = [item["ctx"] for item in small_deeparithmark if len(item["metadata"]["solution_steps"]) == depth]
        assert [doc["ctx"] for doc in loaded[name].test_docs()] == expected


def test_a_request_has_exactly_one_space_between_prompt_and_ending(manager, small_deeparithmark):
    model = ScriptedLM()
    run(manager, model)
    expected = {(item["ctx"], ending) for item in small_deeparithmark for ending in item["endings"]}
    assert {request.args for request in model.requests} == expected
    for prompt, ending in expected:
        assert prompt == prompt.strip()
        assert ending == " " + ending.strip()


@pytest.mark.parametrize("task", ["deeparithmark", "deeparithmark_gen"])
def test_a_few_shot_prompt_shows_exemplars_only_and_never_the_evaluated_item(
    manager, small_deeparithmark, exemplars, task
):
    model = ScriptedLM()
    run(manager, model, task, num_fewshot=5)
    pool = {item["ctx"]: item for item in exemplars}
    assert not pool.keys() & {item["ctx"] for item in small_deeparithmark}
    assert len(model.requests) == (
        4 * len(small_deeparithmark) if task == "deeparithmark" else len(small_deeparithmark)
    )
    for request in model.requests:
        *shots, last = request.args[0].split("\n\n")
        assert len(shots) == 5
        assert request.doc["ctx"] in last
        for shot in shots:
            (source,) = [item for prompt, item in pool.items() if prompt in shot]
            answer = source["endings"][int(source["label"])]
            assert shot.endswith(source["ctx"] + answer if task == "deeparithmark" else f"The answer is{answer}")


def test_the_generative_task_reads_integers_and_times_and_counts_silence(manager, small_deeparithmark):
    def reply(doc):
        if doc["ind"] % 4 == 0:
            return "I would rather not say."
        return f"Let me see.\nThe answer is{doc['endings'][doc['label'] if doc['ind'] % 4 < 3 else doc['label'] - 1]}"

    row = run(manager, ScriptedLM(reply=reply), "deeparithmark_gen")["results"]["deeparithmark_gen"]
    remainders = [item["ind"] % 4 for item in small_deeparithmark]
    assert row["no_answer,none"] == pytest.approx(remainders.count(0) / len(remainders))
    assert row["exact_match,none"] == pytest.approx((remainders.count(1) + remainders.count(2)) / len(remainders))
    assert row["exact_match_stderr,none"] > 0


def test_generation_stops_at_the_next_problem_and_has_a_limit(manager, small_deeparithmark):
    model = ScriptedLM()
    run(manager, model, "deeparithmark_gen", limit=2)
    for request in model.requests:
        prompt, settings = request.args
        assert prompt.endswith("\nSolution:")
        assert isinstance(settings["until"], list)
        assert settings["max_gen_toks"] == 512
        assert not any(
            stop in "<think>\n\nFirst, 12+34.\n\n</think>\n\nThe answer is 46." for stop in settings["until"]
        )


def test_loading_the_tasks_warns_of_nothing(manager, small_deeparithmark, caplog):
    with caplog.at_level(logging.WARNING):
        manager.load(["deeparithmark", "deeparithmark_gen"])
    assert caplog.messages == []


def test_model_arguments_and_metadata_do_not_change_the_data(small_deeparithmark):
    options = {"pretrained": "x", "seed": 7, "split": "fewshot", "depth": 5, "limit": 1}
    manager = TaskManager(include_path=str(task_folder()), include_defaults=False, metadata=options)
    task = manager.load(["deeparithmark_d2"])["tasks"]["deeparithmark_d2"]
    assert {doc["metadata"]["depth"] for doc in task.test_docs()} == {2}
