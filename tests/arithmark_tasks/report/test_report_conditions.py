"""Which results a report puts together, which it keeps apart, and what it says of that."""

import json
from dataclasses import replace

import pytest
import scored
from typer.testing import CliRunner

from arithmark_tasks.cli import app
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.report.breakdowns import compare_models
from arithmark_tasks.report.entries import read_entries
from arithmark_tasks.report.leaderboard import boards, placement, published
from arithmark_tasks.results import write_result
from arithmark_tasks.statistics import judge


@pytest.fixture
def store(tmp_path, items):
    """A function that writes a result of 1,000 items under other conditions, and gives its path."""

    def write(name, seed=1, skill=(), group="deeparithmark", cut=0, model=(), tasks=(), **run):
        scores = scored.whole(scored.choice_scores(items[:40], group, seed, dict(skill)))
        result = scored.result(name, [replace(item, cut=cut) for item in scores])
        facts = {task: {**entry, **dict(tasks)} for task, entry in result.tasks.items()}
        if run.get("limit"):  # then the set has more items than were scored
            result.datasets[group]["items"] = 5000
        path = tmp_path / f"{name}.json"
        write_result(
            path,
            replace(
                result,
                run={**result.run, "max_context": 2048, **run},
                model={**result.model, **dict(model)},
                tasks=facts,
            ),
        )
        return path

    return write


def judged(*paths):
    """The models of some results, with the tests of all adjusted for each other as in a report."""
    entries = read_entries(paths)
    judge([group for entry in entries for group in entry.groups.values()])
    return entries


def boards_of(*paths):
    return boards(judged(*paths), published())


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"num_fewshot": 2}, "2-shot instead of 0-shot"),
        ({"dtype": "bfloat16"}, "bfloat16 instead of float32"),
        ({"chat_template": True}, "chat template instead of plain prompts"),
        ({"cut": 7, "max_context": 16}, "prompts cut by a window of 16 tokens instead of nothing cut"),
        ({"limit": 3}, "only the first 1,000 items instead of 1,000 items"),
        ({"tasks": {"version": 2.0}}, "deeparithmark_d2 2"),
    ],
)
def test_what_was_scored_otherwise_stands_apart_with_the_reason_and_is_never_paired(store, other, words):
    entries = judged(store("a", 1), store("b", 2), store("c", 3, **other))
    first, apart = boards(entries, published())
    assert [{row.model for row in board.own} for board in (first, apart)] == [{"a", "b"}, {"c"}]
    assert any(words in reason for reason in apart.cohort.apart)
    assert {frozenset((pair.a, pair.b)) for pair in compare_models(entries)} == {frozenset("ab")}
    assert first.placed and len(first.rows) == 19
    # float32 and bfloat16 may both stand among the published rows, which differ from them by rounding.
    assert apart.placed == (words.startswith("bfloat16") or "d2 2" in words)
    if not apart.placed:
        assert len(apart.rows) == 1 and placement(apart, apart.rows[0]).startswith(
            "not placed among the published rows: "
        )


def test_windows_that_cut_nothing_make_no_difference(store):
    (board,) = boards_of(store("a", 1, max_context=512), store("b", 2, max_context=8192))
    assert len(board.own) == 2


def test_a_verdict_is_withheld_where_prompts_were_cut_or_items_left_out(store):
    cut, limited = boards_of(store("a", 1, {2: 1, 3: 1}, cut=7, max_context=16), store("b", 2, {2: 1, 3: 1}, limit=3))
    assert cut.own[0].verdict["code"] == limited.own[0].verdict["code"] == "withheld"
    assert "the window cut 7,000 tokens off 1,000 of 1,000 prompts" in cut.own[0].verdict["text"]


def test_one_guesser_of_thirty_is_not_above_chance(items, tmp_path):
    draws = [scored.choice_scores(items, "deeparithmark", seed, {}) for seed in range(30)]
    for seed, scores in enumerate(draws):
        write_result(tmp_path / f"{seed}.json", scored.result(f"guesser-{seed}", scores))
    rows = [row for board in boards_of(*(tmp_path / f"{seed}.json" for seed in range(30))) for row in board.own]
    assert min(row.deep["p"] for row in rows) < 0.05
    assert {row.verdict["code"] for row in rows} == {"at_chance"}


def test_results_of_the_same_weights_are_one_model_and_repeats_are_left_out(store):
    weights = {"model": {"weights_sha256": "abc"}}
    paths = [store("a", 1, **weights), store("b", 1, group="zenyx_arith_mc", **weights), store("c", 1, **weights)]
    (entry,) = read_entries(paths)
    assert (entry.label, entry.file, entry.repeats) == ("a", "a.json, b.json", ("c.json",))
    assert list(entry.groups) == ["deeparithmark", "zenyx_arith_mc"]
    other = read_entries([paths[0], store("d", 1, dtype="bfloat16", **weights)])
    assert len(other) == 2 and {one.identity for one in other} == {"weights_sha256 abc"}


def test_names_are_given_short_and_in_natural_order(store):
    paths = [store(f"r{n}", n, model={"name": f"/home/me/runs/long/checkpoint-{n}"}) for n in (1000, 200)]
    paths.append(store("r3", 3, model={"display_name": "my model"}))
    assert [entry.label for entry in read_entries(paths)] == ["checkpoint-200", "checkpoint-1000", "my model"]
    twins = [store(f"t{n}", n, model={"name": f"runs/of/seed-{n}/final"}) for n in (1, 2)]
    assert [entry.label for entry in read_entries(twins)] == ["seed-1/final", "seed-2/final"]


def test_pairs_are_neighbours_in_rank_unless_all_are_asked_for(store, tmp_path):
    paths = [store(f"m{n}", n, {2: n / 5, 3: n / 5}) for n in range(4)]
    neighbours = compare_models(judged(*paths))
    assert len(neighbours) == 3 and all(pair.paired["difference"] >= 0 for pair in neighbours)
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["report", *map(str, paths), "--out", str(out), "--pairs", "all"])
    assert done.exit_code == 0, done.output
    pairs = json.loads((out / "pairs.json").read_text(encoding="utf-8"))["pairs"]
    assert len(pairs) == 6 and all(pair["paired"]["detectable"] > 0 for pair in pairs)


@pytest.fixture
def harness(tmp_path, items):
    """A folder as lm-eval 0.4.13 writes it, of a model whose tokenizer is not at hand."""
    folder = tmp_path / "lm" / "org__remote"
    folder.mkdir(parents=True)
    name, samples = "deeparithmark_d2", [item for item in items if item["metadata"]["depth"] == 2]
    lines = []
    for number, item in enumerate(samples):
        resps = [[[str(-1.0 - 0.1 * option), "False"]] for option in range(4)]
        arguments = {
            f"gen_args_{n}": {"arg_0": item["ctx"], "arg_1": ending} for n, ending in enumerate(item["endings"])
        }
        lines.append(
            {
                "doc_id": number,
                "doc": item,
                "target": item["label"],
                "arguments": arguments,
                "resps": resps,
                "filter": "none",
                "metrics": ["acc"],
                "acc": 0.0,
            }
        )
    (folder / f"samples_{name}_2026-11-30T00-00-00.0.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8"
    )
    content = {
        "results": {name: {}},
        "configs": {name: {"output_type": "multiple_choice", "test_split": "test"}},
        "versions": {name: 1.1},
        "n-shot": {name: 0},
        "group_subtasks": {"deeparithmark": [name], name: []},
        "config": {"model": "vllm", "model_args": "pretrained=org/remote,dtype=bfloat16", "limit": None},
        "model_name": "org/remote",
        "max_length": 4096,
    }
    (folder / "results_2026-11-30T00-00-00.0.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def test_a_folder_of_lm_eval_is_read_and_scored_by_characters_without_its_tokenizer(harness, items, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (entry,) = read_entries([harness.parent])
    wanted = [item for item in items if item["metadata"]["depth"] == 2]
    assert entry.label == "org/remote" and [item.id for item in entry.items("deeparithmark")] == [
        i["source_id"] for i in wanted
    ]
    group, found = entry.groups["deeparithmark"], entry.conditions["deeparithmark"]
    assert (group["metric"], found.precision, found.shots) == ("acc_norm", "bfloat16", "0-shot")
    costs = [[(1.0 + 0.1 * n) / len(ending) for n, ending in enumerate(item["endings"])] for item in wanted]
    right = [cost.index(min(cost)) == int(item["label"]) for cost, item in zip(costs, wanted, strict=True)]
    assert group["metrics"]["acc_norm"]["value"] == pytest.approx(sum(right) / len(right))
    assert group["signals"]["bits_per_byte"]["value"] > 0 and "what it cut is not recorded" not in found.window


def test_a_folder_without_samples_or_with_a_broken_one_is_refused_in_one_line(harness, tmp_path):
    (samples,) = harness.glob("samples_*")
    text = samples.read_text(encoding="utf-8")
    samples.write_text(text.replace('"-1.0"', '"nan"', 1), encoding="utf-8")
    with pytest.raises(InputError, match="sample 0 of deeparithmark_d2: a log-likelihood is nan"):
        read_entries([harness])
    samples.write_text(text + "{}\n", encoding="utf-8")
    with pytest.raises(InputError, match="not a sample of lm-eval"):
        read_entries([harness])
    samples.unlink()
    with pytest.raises(InputError, match="run lm_eval with --log_samples"):
        read_entries([harness])
    with pytest.raises(InputError, match="no result of lm-eval in it"):
        (tmp_path / "empty").mkdir()
        read_entries([tmp_path / "empty"])
