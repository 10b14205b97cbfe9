"""The built bench: what an index changes, what the certificate says about it, and what happens without one."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from huggingface_hub import DatasetCard

from arithmark_tasks.builders import load_dataset
from arithmark_tasks.builders.contamination.index import FORMAT
from arithmark_tasks.builders.contamination.scan import scan
from arithmark_tasks.builders.seen_keys import read_seen
from arithmark_tasks.builders.zenyx import CHOICE_FEATURES, CONFIG_TYPES, FEATURES, LEGACY_FEATURES, build_folder
from arithmark_tasks.generators import zenyx
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.generators.expression import Expression, semantic_key
from arithmark_tasks.generators.zenyx.multiple_choice import build_multiple_choice, build_multiple_choice_fewshot

Key = tuple[str, int, int]
FEW = 16  # four-way items of each type: the whole set takes many seconds


def write_index(path: Path, keys: Iterable[Key], source: str = "corpus.jsonl", rows: int = 1000) -> Path:
    """A seen-index written from its description, not by the scanner."""
    keys = sorted(set(keys))
    table = pa.table(
        {
            "left": pa.array([left for _, left, _ in keys], pa.int64()),
            "operator": pa.array([operator for operator, _, _ in keys], pa.string()),
            "right": pa.array([right for _, _, right in keys], pa.int64()),
            "count": pa.array([2] * len(keys), pa.int64()),
            "first_source": pa.array([source] * len(keys), pa.string()),
            "first_row": pa.array(range(len(keys)), pa.int64()),
            "surface": pa.array(["plain"] * len(keys), pa.string()),
        }
    )
    counts = {"rows": rows, "two_numbers": min(rows, len(keys)), "with_key": min(rows, len(keys))}
    digest = hashlib.sha256(source.encode()).hexdigest()
    read = {"columns": ["text"], "operations": [], "unread": {}, "repaired": 0, "no_text": 0}
    account = {
        "format": FORMAT,
        "scanner": 1,
        "columns": [],
        "sources": [{"name": source, "size": 12345, "sha256": digest, **counts, **read}],
        "skipped": [],
        "passed_over": {"reasons": {}, "files": []},
        "repeated": [],
        "totals": {
            **counts,
            "text_bytes": 9,
            "surfaces": {"plain": 2 * len(keys)},
            "left_out": {},
            "distinct": len(keys),
            "occurrences": 2 * len(keys),
        },
        "policy": {"rules": ["every a op b"], "surfaces": {"plain": "as 12+34"}, "not_read": ["numbers in words"]},
    }
    pq.write_table(table.replace_schema_metadata({"arithmark": json.dumps(account)}), path)
    return path


def key(item: dict[str, Any]) -> Key:
    return semantic_key(Expression(item["a"], item["operator"], item["b"]))


@pytest.fixture(scope="module")
def default() -> list[dict[str, Any]]:
    return zenyx.build()


@pytest.fixture(scope="module")
def gone(default: list[dict[str, Any]]) -> set[Key]:
    """Every 500th question: four of each type; and three that belong to no type of the bench."""
    asked = default[::500] + zenyx.build(types=zenyx.EXTENDED_TYPES)[::500]
    return {key(item) for item in asked} | {("+", 1, 2), ("/", 7, 3), ("*", 123456789, 987654321)}


@pytest.fixture(scope="module")
def checked(gone: set[Key], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checked")
    build_folder(folder / "out", seen=write_index(folder / "seen.parquet", gone), mc_per_type=FEW)
    return folder / "out"


@pytest.fixture(scope="module")
def unchecked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unchecked") / "out"
    build_folder(folder, mc_per_type=FEW)
    return folder


def manifest(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def test_datasets_loads_every_config_with_answers_as_text(unchecked: Path, default: list, tmp_path: Path) -> None:
    test = datasets.load_dataset(str(unchecked), split="test", cache_dir=str(tmp_path))
    shots = datasets.load_dataset(str(unchecked), "default", split="fewshot", cache_dir=str(tmp_path))
    legacy = datasets.load_dataset(str(unchecked), "legacy", split="test", cache_dir=str(tmp_path))
    assert test.features == shots.features == FEATURES and legacy.features == LEGACY_FEATURES
    assert test.features["answer"] == datasets.Value("string")
    assert list(test) == default
    assert list(shots) == zenyx.build_fewshot()
    assert list(legacy) == zenyx.build_legacy()
    extended = datasets.load_dataset(str(unchecked), "extended", cache_dir=str(tmp_path))
    assert list(extended["test"]) == zenyx.build(types=zenyx.EXTENDED_TYPES)
    assert list(extended["fewshot"]) == zenyx.build_fewshot(types=zenyx.EXTENDED_TYPES)
    choices = datasets.load_dataset(str(unchecked), "mc", cache_dir=str(tmp_path))
    assert list(choices["test"]) == build_multiple_choice(questions=default, per_type=FEW)
    assert list(choices["fewshot"]) == build_multiple_choice_fewshot()
    assert extended["test"].features == FEATURES and choices["test"].features == CHOICE_FEATURES


def test_load_dataset_by_name_gives_the_rows_of_the_folder(checked: Path, tmp_path: Path) -> None:
    seen = str(checked.parent / "seen.parquet")
    for name in CONFIG_TYPES:
        split = "fewshot" if name == "default" else "test"
        ours = load_dataset("zenyx", name, split=split, seen=seen, mc_per_type=FEW, cache_dir=str(tmp_path))
        theirs = datasets.load_dataset(str(checked), name, split=split, cache_dir=str(tmp_path))
        assert ours.features == theirs.features and list(ours) == list(theirs)


def test_another_index_under_the_same_name_is_never_served_from_the_cache(default: list, tmp_path: Path) -> None:
    for index in (0, 1):
        write_index(tmp_path / "seen.parquet", {key(default[index])})
        rows = load_dataset("zenyx", split="test", seen=str(tmp_path / "seen.parquet"), cache_dir=str(tmp_path / "c"))
        changed = [place for place, (old, new) in enumerate(zip(default, rows, strict=True)) if old != new]
        assert changed == [index]


def test_seen_questions_are_replaced_and_the_certificate_counts_them(
    checked: Path, default: list[dict[str, Any]], gone: set[Key]
) -> None:
    lines = (checked / "data" / "default-test.jsonl").read_text(encoding="utf-8").splitlines()
    items = [json.loads(line) for line in lines]
    assert not gone & {key(item) for item in items}
    assert [new["id"] for old, new in zip(default, items, strict=True) if old != new] == [
        old["id"] for old in default[::500]
    ]
    certificate = manifest(checked)["certificate"]
    assert certificate["rows"] == 1000 and certificate["distinct_expressions"] == len(gone) == 51
    assert list(certificate["types"]) == [*zenyx.DEFAULT_TYPES, *zenyx.EXTENDED_TYPES]
    for code, found in certificate["types"].items():
        assert (found["in_corpus"], found["dropped"], found["replaced"]) == (4, 4, 4), code
        assert found["space"] == zenyx.question_type(code).space.size
        for dropped in found["dropped_questions"]:
            assert dropped["source"] == "corpus.jsonl" and dropped["count"] == 2
    assert certificate["indexes"][0]["sources"][0]["sha256"] == hashlib.sha256(b"corpus.jsonl").hexdigest()
    assert certificate["fewshot_in_corpus"] == 0
    legacy = [json.loads(line) for line in (checked / "data" / "legacy-test.jsonl").read_text("utf-8").splitlines()]
    flagged = dict.fromkeys(zenyx.LEGACY_TYPES, 0)
    for item in legacy:
        assert item["seen_in_training"] == (key(item) in gone)
        flagged[item["type"]] += item["seen_in_training"]
    assert certificate["legacy_in_corpus"] == flagged
    assert flagged == {"2da": 0, "2ds": 0, "2dm": 0, "3da": 0, "3ds": 4, "4da": 4, "5da": 4}


def test_a_corpus_that_holds_an_exemplar_is_reported(tmp_path: Path) -> None:
    shots = zenyx.build_fewshot()
    shots += zenyx.build_fewshot(types=zenyx.EXTENDED_TYPES)
    seen = write_index(tmp_path / "seen.parquet", {key(shots[3]), key(shots[-1])})
    certificate = build_folder(tmp_path / "out", seen=seen, configs=["default", "extended"])["certificate"]
    assert certificate["fewshot_in_corpus"] == 2
    assert sum(found["in_corpus"] for found in certificate["types"].values()) == 2
    assert sum(found["dropped"] for found in certificate["types"].values()) == 0


def test_without_an_index_nothing_is_certified_and_the_card_says_so(unchecked: Path) -> None:
    assert manifest(unchecked)["certificate"] is None
    card = DatasetCard.load(unchecked / "README.md")
    assert "Not checked against any corpus" in card.text
    assert "decontaminated" not in card.data.tags
    assert "null, because nothing was checked" in card.text


def test_the_card_states_sources_counts_and_evidence(checked: Path) -> None:
    card = DatasetCard.load(checked / "README.md")
    assert "decontaminated" in card.data.tags and "Not checked" not in card.text
    assert "None of the 24,128 questions of the configs `default`, `extended`, `mc` occurs" in card.text
    assert "51 distinct\nexpressions" in card.text
    digest = hashlib.sha256(b"corpus.jsonl").hexdigest()
    assert f"| corpus.jsonl | 1,000 | 12,345 bytes | text | `{digest}" in card.text
    assert "51 of the 51 rows that hold two numbers yielded an expression (100 %)" in card.text
    assert "### What was not read\n\n- in any file: numbers in words\n" in card.text
    for code in (*zenyx.DEFAULT_TYPES, *zenyx.EXTENDED_TYPES):
        assert f"| {code} | {zenyx.question_type(code).space.size:,} | 4 | 4 | 4 |" in card.text
    assert [config["config_name"] for config in card.data.to_dict()["configs"]] == list(CONFIG_TYPES)
    for split in manifest(checked)["splits"]:
        assert split["sha256"] in card.text


@pytest.mark.parametrize("config", CONFIG_TYPES)
def test_one_config_can_be_built_alone(config: str, checked: Path, tmp_path: Path) -> None:
    seen, splits = checked.parent / "seen.parquet", ["test"] if config == "legacy" else ["test", "fewshot"]
    for index in (None, seen):
        out = tmp_path / f"{config}-{index is None}"
        built = build_folder(out, configs=[config], seen=index, mc_per_type=FEW)
        assert [(split["config"], split["split"]) for split in built["splits"]] == [(config, s) for s in splits]
        assert list(datasets.load_dataset(str(out), cache_dir=str(tmp_path / "c"))) == splits
        assert "None of the 0" not in (out / "README.md").read_text(encoding="utf-8")


def test_several_indexes_count_as_their_union(default: list, tmp_path: Path) -> None:
    first = write_index(tmp_path / "a.parquet", {key(default[0]), key(default[1]), ("+", 1, 1)}, "a.txt", rows=10)
    second = write_index(tmp_path / "b.parquet", {key(default[1]), key(default[2]), ("+", 1, 1)}, "b.txt", rows=5)
    certificate = build_folder(tmp_path / "out", seen=[first, second], configs=["default"])["certificate"]
    assert (certificate["rows"], certificate["distinct_expressions"]) == (15, 4)
    assert certificate["types"]["3ds"]["replaced"] == 3
    sources = [dropped["source"] for dropped in certificate["types"]["3ds"]["dropped_questions"]]
    assert sources == ["a.txt", "a.txt", "b.txt"]


def test_only_keys_of_the_asked_types_are_read_into_memory(gone: set[Key], checked: Path) -> None:
    seen = read_seen([checked.parent / "seen.parquet"], [zenyx.question_type("div")])
    assert seen.keys == {found for found in gone if found in zenyx.question_type("div").space}
    assert len(seen.keys) == 4 and seen.distinct == 51


def run(*arguments: str, hash_seed: str = "random") -> subprocess.CompletedProcess:
    environment = {"PYTHONHASHSEED": hash_seed, "HF_HUB_OFFLINE": "1", "HOME": "/nonexistent"}
    return subprocess.run(
        [sys.executable, "-m", "arithmark_tasks.cli", *arguments], env=environment, capture_output=True, text=True
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_the_command_builds_the_same_bytes_under_every_hash_seed(checked: Path, tmp_path: Path) -> None:
    for seed in "01":  # the folder it is compared with comes from a process with a third one
        out, seen = tmp_path / seed, checked.parent / "seen.parquet"
        configs = [word for config in ("default", "legacy", "extended") for word in ("--config", config)]
        result = run("build", "zenyx", "--out", str(out), "--seen", str(seen), *configs, hash_seed=seed)
        assert result.returncode == 0, result.stderr
        assert "checked against 51 distinct expressions in 1,000 rows" in result.stdout
        assert "divr: 4 candidates dropped, 4 of 2,000 replaced" in result.stdout
        data = {name: content for name, content in contents(out).items() if name.startswith("data/")}
        assert len(data) == 10 and data.items() <= contents(checked).items()


def test_an_unknown_config_is_named_with_the_known_ones(tmp_path: Path) -> None:
    result = run("build", "zenyx", "--out", str(tmp_path / "out"), "--config", "hard")
    assert result.returncode == 1
    assert "zenyx has no config 'hard', only default, legacy, extended, mc" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_corpus_that_covers_a_type_stops_the_build_with_both_numbers(tmp_path: Path) -> None:
    everything = {("/", divisor * quotient, divisor) for divisor in range(11, 100) for quotient in range(101, 1000)}
    seen = write_index(tmp_path / "seen.parquet", everything)
    result = run("build", "zenyx", "--out", str(tmp_path / "out"), "--seen", str(seen))
    assert result.returncode == 1 and result.stderr.count("\n") == 1
    assert "div: only 0 of 80,011 distinct questions remain" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["seen.parquet"]


def plain_parquet(path: Path) -> None:
    pq.write_table(pa.table({"left": [1]}), path)


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda path: None, "no such file"),
        (lambda path: path.write_text("left,right\n"), "not a Parquet file"),
        (plain_parquet, "not a seen-index"),
    ],
)
def test_a_file_that_is_no_index_is_named(prepare: Any, message: str, tmp_path: Path) -> None:
    prepare(tmp_path / "seen.parquet")
    with pytest.raises(InputError, match=message) as caught:
        build_folder(tmp_path / "out", seen=tmp_path / "seen.parquet")
    assert "seen.parquet" in str(caught.value) and "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()
    with pytest.raises(InputError, match=message):
        load_dataset("zenyx", split="test", seen=str(tmp_path / "seen.parquet"), cache_dir=str(tmp_path / "c"))


def test_an_index_of_nothing_certifies_nothing(tmp_path: Path) -> None:
    """The sentence on the card when rows with numbers yielded no expression."""
    (tmp_path / "corpus.txt").write_text("from 1907 to 1912\n12 in 1934\n", encoding="utf-8")
    scan([str(tmp_path / "corpus.txt")], tmp_path / "seen.parquet")
    build_folder(tmp_path / "out", seen=tmp_path / "seen.parquet", configs=["extended"])
    card = DatasetCard.load(tmp_path / "out" / "README.md")
    assert "decontaminated" not in card.data.tags and "None of the" not in card.text and "Checked." not in card.text
    text = " ".join(card.text.split())
    assert "**Nothing is excluded.** This build was given a seen-index of 2 rows of 1 file that holds no expr" in text
    assert "0 of the 2 rows that hold two numbers yielded an expression (0 %)" in text
    assert "**Warning:** the index holds no expression although its sources hold numbers" in text


def test_the_same_corpus_in_two_indexes_is_refused(tmp_path: Path) -> None:
    seen = [write_index(tmp_path / name, {("+", 1, 2)}) for name in ("a.parquet", "b.parquet")]
    with pytest.raises(InputError, match="would count twice"):
        build_folder(tmp_path / "out", seen=seen, configs=["legacy"])
