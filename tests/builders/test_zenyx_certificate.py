"""The shipped certificate is one of the bench that this code builds, and it can be repeated from what it lists."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from arithmark_tasks import builders
from arithmark_tasks.builders.zenyx import build_folder
from arithmark_tasks.generators import zenyx
from arithmark_tasks.generators.expression import parse, semantic_key

SHIPPED = Path(builders.__file__).parent / "certificates" / "zenyx-gsm8k-svamp.json"


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return json.loads(SHIPPED.read_text(encoding="utf-8"))


def digest(rows: list[dict[str, Any]]) -> str:
    return hashlib.sha256("".join(json.dumps(row) + "\n" for row in rows).encode()).hexdigest()


def test_the_certified_bench_is_the_default_one_without_the_questions_that_were_found(manifest: dict) -> None:
    types = manifest["certificate"]["types"]
    listed = [entry["question"] for found in types.values() for entry in found["dropped_questions"]]
    assert len(listed) == sum(found["dropped"] for found in types.values()) > 0
    bench = zenyx.build_bench(manifest["seed"], {semantic_key(parse(question)) for question in listed})
    hashes = {(split["config"], split["split"]): split["sha256"] for split in manifest["splits"]}
    assert digest(bench.items) == hashes["default", "test"]
    assert digest(zenyx.build_fewshot()) == hashes["default", "fewshot"]
    for code, selection in bench.selections.items():
        assert (types[code]["replaced"], types[code]["space"]) == (selection.replaced, selection.space)


def test_its_totals_agree_with_its_sources(manifest: dict) -> None:
    certificate = manifest["certificate"]
    sources = [source for index in certificate["indexes"] for source in index["sources"]]
    assert {source["name"]: source["rows"] for source in sources} == {"gsm8k-train.jsonl": 7473, "svamp.json": 1000}
    assert certificate["rows"] == 8473
    assert certificate["distinct_expressions"] == certificate["indexes"][0]["totals"]["distinct"] > 5000
    for code, found in certificate["types"].items():
        assert found["replaced"] <= found["dropped"] <= found["in_corpus"] <= found["space"], code
    assert set(certificate["legacy_in_corpus"]) == set(zenyx.LEGACY_TYPES)


def test_it_names_no_path_and_holds_no_text_of_the_corpora(manifest: dict) -> None:
    text = SHIPPED.read_text(encoding="utf-8")
    assert not re.search(r'"/|[A-Z]:\\\\|\.\./', text)
    assert len(text) < 20_000


def test_the_same_build_from_a_new_scan_gives_a_certificate_of_the_same_form(tmp_path: Path, manifest: dict) -> None:
    """The real scanner on a small corpus that holds three questions of the bench, each written in another way."""
    from typer.testing import CliRunner

    from arithmark_tasks.cli import app

    plain, swapped, worded = (zenyx.build()[index] for index in (5, 2_100, 12_300))
    corpus = tmp_path / "corpus.jsonl"
    texts = [
        f"We know {plain['a']} - {plain['b']} = {plain['answer']}.",
        f"First {swapped['b']:,} + {swapped['a']:,}, then rest.",
        f"He took {worded['a']} multiplied by {worded['b']} of them.",
    ]
    corpus.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    arguments = ["scan", str(corpus), "--out", str(tmp_path / "seen.parquet"), "--workers", "1"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    built = build_folder(tmp_path / "out", seen=tmp_path / "seen.parquet", mc_per_type=16)
    assert built.keys() == manifest.keys() and built["certificate"].keys() == manifest["certificate"].keys()
    replaced = {code: found["replaced"] for code, found in built["certificate"]["types"].items() if found["replaced"]}
    assert replaced == {"3ds": 1, "4da": 1, "34m": 1}
    rows = [row["row"] for found in built["certificate"]["types"].values() for row in found["dropped_questions"]]
    assert rows == [0, 1, 2]
