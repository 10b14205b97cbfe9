"""The log of answers: what a stopped run leaves and what the next one makes of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arithmark_tasks.evaluation.item_log import ItemLog, log_path, log_paths
from arithmark_tasks.generators.errors import InputError

SCORER = {"model": "abc", "dtype": "float32"}
ANSWERS = {"a": [-1.5, False, 3], "b": "46 €\u2028", "c": [float("-inf"), True, 1]}


def written(out, answers, scorer=SCORER, **options):
    log = ItemLog(out, scorer, **options)
    for key, answer in answers.items():
        log.add(key, answer)
    log.close()
    return log


def known(out, scorer=SCORER, **options):
    """What a run that starts now would know."""
    log = ItemLog(out, scorer, **options)
    log.close()
    return log.answers


def test_answers_are_there_again_for_the_same_scorer(tmp_path):
    out = tmp_path / "folder" / "r.json"
    written(out, ANSWERS)
    assert known(out) == ANSWERS


def test_an_answer_is_on_disk_after_the_commit_and_not_before(tmp_path):
    out = tmp_path / "r.json"
    log = ItemLog(out, SCORER)
    log.add("a", 1)
    assert log_path(out).read_bytes().count(b"\n") == 1
    log.commit()
    assert json.loads(log_path(out).read_bytes().splitlines()[1]) == {"key": "a", "answer": 1}
    log.close()


def test_a_log_that_is_being_written_is_no_other_runs_to_write(tmp_path):
    out = tmp_path / "r.json"
    log = ItemLog(out, SCORER)
    with pytest.raises(InputError, match=r"r\.json\.items\.jsonl: another run is writing this log now"):
        ItemLog(out, SCORER, restart=True)
    log.close()
    assert known(out) == {}
    assert [path.name for path in tmp_path.iterdir()] == ["r.json.items.jsonl"]


def test_the_first_answer_to_a_request_stays(tmp_path):
    log = written(tmp_path / "r.json", {"a": 1})
    log.add("a", 2)
    assert log.answers == {"a": 1}


@given(st.data())
def test_a_log_that_was_cut_anywhere_holds_its_whole_lines_and_goes_on(tmp_path_factory, data):
    out = tmp_path_factory.mktemp("cut") / "r.json"
    written(out, ANSWERS)
    whole = log_path(out).read_bytes()
    kept = data.draw(st.integers(0, len(whole)))
    log_path(out).write_bytes(whole[:kept])
    count = max(0, whole[:kept].count(b"\n") - 1)
    assert written(out, {"d": 4}).answers == {**dict(list(ANSWERS.items())[:count]), "d": 4}
    assert known(out) == {**dict(list(ANSWERS.items())[:count]), "d": 4}
    assert all(json.loads(line) for line in log_path(out).read_bytes().splitlines())


def test_the_answers_of_another_scorer_are_refused_with_the_difference_and_kept(tmp_path):
    out = tmp_path / "r.json"
    written(out, ANSWERS)
    before = log_path(out).read_bytes()
    with pytest.raises(
        InputError, match=r"r\.json\.items\.jsonl: answers of another run, with dtype 'float32' instead"
    ):
        known(out, {**SCORER, "dtype": "bfloat16"})
    assert log_path(out).read_bytes() == before


def test_force_begins_anew_where_the_scorer_is_another_and_goes_on_where_it_is_the_same(tmp_path):
    out = tmp_path / "r.json"
    written(out, {"a": 1})
    assert known(out, SCORER, restart=True) == {"a": 1}
    other = {**SCORER, "dtype": "bfloat16"}
    assert written(out, {"b": 2}, other, restart=True).answers == {"b": 2}
    assert known(out, other) == {"b": 2}


@pytest.mark.parametrize("line", ["[1]", "{}", '{"key": "a"}', "nonsense", '{"scorer": {}}', "", "7"])
def test_a_line_that_is_no_answer_is_named(tmp_path, line):
    out = tmp_path / "r.json"
    written(out, {"a": 1})
    with log_path(out).open("a", encoding="utf-8") as stream:
        stream.write(line + '\n{"key": "b", "answer": 2}\n')
    with pytest.raises(InputError, match=r"r\.json\.items\.jsonl, line 3: not a line of a log"):
        known(out)


def test_every_process_has_a_file_of_its_own_and_knows_all_answers(tmp_path):
    out = tmp_path / "r[1].json"
    written(out, {"a": 1})
    written(out, {"b": 2}, process=1)
    assert [path.name for path in log_paths(out)] == ["r[1].json.items.1.jsonl", "r[1].json.items.jsonl"]
    for process in (0, 1, 2):
        assert known(out, SCORER, process=process) == {"a": 1, "b": 2}


def test_without_a_result_file_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert written(None, ANSWERS).answers == ANSWERS
    assert list(tmp_path.iterdir()) == []
