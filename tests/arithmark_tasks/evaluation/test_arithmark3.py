"""ArithMark 3.0: any file of its kind, or the Hub's."""

import hashlib
import json

import pytest
from hub_client import connect
from hub_server import running
from tiny import ScriptedLM

from arithmark_tasks.evaluation.arithmark3 import HUB_ID, as_task, read_file, read_hub
from arithmark_tasks.generators.errors import InputError

GOOD = {"ctx": "3 + 4 is", "endings": [" 7", " 8"], "label": "0"}


def test_a_file_is_read_with_one_space_before_each_ending_and_labels_as_numbers(arithmark3_file):
    found = read_file(arithmark3_file)
    assert [row["endings"][0] for row in found.rows] == [" 7", " 18", "9"]
    assert [row["ctx"][-1] for row in found.rows] == ["s", "s", " "]
    assert [row["label"] for row in found.rows] == [0, 1, 0]
    assert [row["values"] for row in found.rows] == [[7, 8, 6, 9], [18, 17, 16, 19], [9, 8, 6, 7]]
    assert [row["activity_label"] for row in found.rows] == ["add", "add", "sub"]
    assert found.facts == {
        "source": str(arithmark3_file),
        "revision": None,
        "items": 3,
        "sha256": hashlib.sha256(arithmark3_file.read_bytes()).hexdigest(),
    }


def test_items_that_share_a_number_are_numbered_anew(tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(GOOD | {"ind": number}) + "\n" for number in (0, 1, 0)), encoding="utf-8")
    assert [row["id"] for row in read_file(path).rows] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ctx": None}, "ctx is not a text: None"),
        ({"ctx": "  "}, "ctx is not a text: '  '"),
        ({"endings": [" 7", ""]}, "ending is not a text: ''"),
        ({"endings": [" 7", 8]}, "ending is not a text: 8"),
        ({"endings": [" 7"]}, "endings are not a list of at least two options"),
        ({"endings": " 7 8"}, "endings are not a list"),
        ({"endings": [" 7", " 8", " 7"]}, "the right ending is there twice: ' 7'"),
        ({"label": "2"}, "label 2 with 2 endings"),
        ({"label": -1}, "label is not an option number: -1"),
        ({"label": "A"}, "label is not an option number: 'A'"),
        ({"label": None}, "label is not an option number: None"),
        ({"ctx": "3 + \ud800 is"}, "half of a surrogate pair, which is no character: '\\ud800'"),
        ({"endings": [" 7", " \udfff"]}, "half of a surrogate pair"),
        ({"activity_label": "\ud800"}, "half of a surrogate pair"),
        ({"ind": "\ud800"}, "half of a surrogate pair"),
    ],
)
def test_a_wrong_value_is_named_with_its_file_and_line(tmp_path, change, message):
    path = tmp_path / "bad.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (GOOD, {**GOOD, **change})), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_file(path)
    assert str(caught.value).startswith(f"{path}, line 2: {message}")


@pytest.mark.parametrize("key", ["ctx", "endings", "label"])
def test_a_missing_field_is_named(tmp_path, key):
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps({name: GOOD[name] for name in GOOD if name != key}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"bad.jsonl, line 1: no field '{key}'"):
        read_file(path)


@pytest.mark.parametrize("content", ["[1]\n", "{\n", '\n{"ctx": "a"}\n\n'])
def test_what_is_no_list_of_items_is_refused(tmp_path, content):
    path = tmp_path / "bad.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.jsonl, line \d"):
        read_file(path)


@pytest.mark.parametrize("content", ["", "\n", "\ufeff", " \r\n\n"])
def test_a_file_without_an_item_says_so(tmp_path, content):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content.encode())
    with pytest.raises(InputError, match=r"bad\.jsonl: no items$"):
        read_file(path)


def test_blank_lines_and_a_byte_order_mark_are_passed_over_and_lines_still_counted(tmp_path):
    path = tmp_path / "windows.jsonl"
    path.write_bytes(("\ufeff" + json.dumps(GOOD) + "\r\n\r\n  \n" + json.dumps(GOOD)).encode())
    assert [row["id"] for row in read_file(path).rows] == ["1", "4"]
    assert read_file(path).rows[0]["ctx"] == GOOD["ctx"]


@pytest.mark.parametrize("value", [2**63 - 1, 2**63, -(2**63) - 1, 10**20])
def test_values_that_no_table_holds_are_left_out_and_the_item_is_scored_all_the_same(tmp_path, value):
    path = tmp_path / "large.jsonl"
    endings = [f" {value}", " 8"]
    path.write_text(json.dumps(GOOD) + "\n" + json.dumps({**GOOD, "endings": endings}) + "\n", encoding="utf-8")
    rows = list(as_task(read_file(path).rows).eval_docs)
    assert rows[1]["endings"] == endings
    assert rows[1]["values"] == ([value, 8] if abs(value) < 2**63 else [])
    assert rows[0]["values"] == [7, 8]


def test_the_task_scores_the_right_endings_and_shows_no_examples(arithmark3_file):
    from lm_eval.evaluator import evaluate
    from lm_eval.tasks import TaskManager

    task = as_task(read_file(arithmark3_file).rows)
    model = ScriptedLM(lambda doc, option: -1.0 if option == doc["label"] else -9.0)
    loaded = TaskManager(include_defaults=False).load([task])
    row = evaluate(model, loaded, bootstrap_iters=0)["results"]["arithmark3"]
    assert row["acc,none"] == row["acc_norm,none"] == 1.0
    assert {request.args[0] for request in model.requests} == {"3 + 4 is", "13 + 4 is", "13 - 4 is "}


def test_the_published_set_is_read_over_http_in_the_revision_it_has_now(tmp_path, monkeypatch, arithmark3_file):
    with running() as hub:
        connect(monkeypatch, hub, tmp_path)
        repo = hub.add_repo("dataset", HUB_ID)
        revision = hub.edit(repo, "data/arithmark-3.jsonl", arithmark3_file.read_text(encoding="utf-8"))
        found = read_hub()
        assert hub.unknown == []
    assert found.rows == read_file(arithmark3_file).rows
    assert (found.facts["source"], found.facts["revision"], found.facts["items"]) == (HUB_ID, revision, 3)
    assert len(found.facts["sha256"]) == 64


def test_a_hub_that_cannot_be_reached_ends_in_a_line_that_says_what_to_do(monkeypatch):
    def refused(self, name):
        raise ConnectionError("no route\nto host")

    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", refused)
    with pytest.raises(InputError) as caught:
        read_hub()
    assert str(caught.value) == (
        f"{HUB_ID}: cannot be read from the Hub (no route); name a file of ArithMark 3.0 with --arithmark3"
    )


@pytest.mark.network
def test_the_published_set_can_be_read():
    assert len(read_hub().rows) == 1000
