"""The oldest versions that setup.cfg allows, and those of the running environment, do the same work alike."""

import json
import re
import sys
from configparser import ConfigParser

import pytest
from installed import REPOSITORY, Environment, checkout, dependencies, run

pytestmark = [pytest.mark.timeout(1800)]

OLDEST = REPOSITORY / "constraints-oldest.txt"
SMALL = ("examples=160", "batch=16", "evaluate_every=80", "monitor=16", "threads=1", "per_bucket=20")
# Its older builds for CPUs are not on the package index.
TORCH = re.compile(r"(torch|torchgen|functorch)(-.*)?$")
LOADED = """
import json, sys
import datasets
from arithmark_tasks.builders import load_dataset
from arithmark_tasks.builders.classifiers import classifier_rows
from arithmark_tasks.generators.choices.audit import question
from arithmark_tasks.generators.zenyx.multiple_choice import build_multiple_choice
from transformers import AutoModelForCausalLM, AutoTokenizer
tokenizer = AutoTokenizer.from_pretrained(sys.argv[2])
model = AutoModelForCausalLM.from_pretrained(sys.argv[2])
ids = tokenizer("1+2=", return_tensors="pt").input_ids
rows = [datasets.load_dataset(sys.argv[1], split="heldout"), load_dataset("calcgpt", "plain", split="heldout")]
judged = classifier_rows([question(item) for item in build_multiple_choice(per_type=16)])
scored = [[row.strategy, row.items, 0.1 < row.score < 0.4] for row in judged]
print(json.dumps([*map(list, rows), ids.tolist(), scored, [round(x, 3) for x in model(ids).logits[0, -1].tolist()]]))
"""


def pinned(path):
    lines = (line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return dict(line.lower().split("==") for line in lines if line)


def test_the_oldest_versions_are_the_lower_bounds_of_the_package():
    config = ConfigParser()
    config.read(REPOSITORY / "setup.cfg", encoding="utf-8")
    wanted = [line for line in config["options"]["install_requires"].splitlines() if line.strip()]
    bounds = {re.split(r"[\[>]", line)[0].lower(): line.partition(">=")[2] for line in wanted}
    assert all(bounds.values()), bounds
    oldest = pinned(OLDEST)
    assert set(oldest) == set(bounds)
    for name in set(bounds) - {"torch"}:
        assert (oldest[name] + ".").startswith(bounds[name] + "."), name


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    source = checkout(tmp_path_factory.mktemp("source") / "arithmark")
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, source])
    return next(out.iterdir())


@pytest.fixture(scope="module")
def oldest(tmp_path_factory, wheel):
    """The wheel on the oldest versions, which pip fetches."""
    links = dependencies(tmp_path_factory.mktemp("links") / "torch", lambda name: bool(TORCH.match(name)))
    environment = Environment(tmp_path_factory.mktemp("oldest"), links)
    environment.pip("install", "-c", OLDEST, wheel)
    return environment.python


def work(python, place, trained=None):
    """Builds, verifies, trains, scans, scores by both commands, loads; returns what must not depend on versions."""

    def arithmark(*words):
        return run([python, "-m", "arithmark_tasks.cli", *words], cwd=place).stdout

    for name, *options in (("calcgpt",), ("zenyx", "--config", "default", "--config", "extended")):
        arithmark("build", name, "--out", name, "--quiet", *options)
        assert "all claims hold" in arithmark("verify", name)
    settings = [word for setting in SMALL for word in ("--set", setting)]
    arithmark("calcgpt", "train", "--out", "run", "--width", "1", "--tasks", "80", *settings)
    arithmark("calcgpt", "evaluate", trained or "run", "--json", "calcgpt.json")
    (place / "corpus.txt").write_text("12+34=46, and What is 832 - 422?\n")
    arithmark("scan", "corpus.txt", "--out", "seen.parquet")
    assert "3-digit - 3-digit" in arithmark("check", "zenyx/data/default-test.jsonl", "--seen", "seen.parquet")
    model = trained / "model" if trained else place / "run" / "model"
    scored = ("--tasks", "calcgpt_heldout,zenyx_arith_ll_4da", "--limit", "2")
    arithmark("eval", model, *scored, "--max-context", "20", "--out", "result.json")
    arithmark("report", "result.json", "--out", "page")
    plain = ["--model", "hf", "--model_args", f"pretrained={model}", "--device", "cpu", "--limit", "2"]
    table = run([python, "-m", "lm_eval", "run", *plain, "--tasks", "calcgpt_heldout"], cwd=place).stdout
    assert "|calcgpt_heldout|" in table.replace(" ", "")
    loaded = run([python, "-c", LOADED, "calcgpt", model], cwd=place).stdout
    items = json.loads((place / "result.json").read_text())["items"]
    return json.loads(loaded.splitlines()[-1]), [(item["id"], item["metrics"]) for item in items]


@pytest.mark.slow
@pytest.mark.network
def test_the_running_versions_do_all_of_it(tmp_path):
    (built, again, ids, scored, _), items = work(sys.executable, tmp_path)
    assert len(built) == 300 and built == again
    assert ids == [[4, 13, 5, 15]] and len(items) == 4
    assert len(scored) == 5 and all(row[1:] == [128, True] for row in scored)


@pytest.mark.slow
@pytest.mark.network
def test_the_oldest_versions_do_all_of_it_alike_with_what_the_running_ones_trained(oldest, tmp_path):
    (tmp_path / "new").mkdir()
    (tmp_path / "old").mkdir()
    new = work(sys.executable, tmp_path / "new")
    old = work(oldest, tmp_path / "old", trained=tmp_path / "new" / "run")
    assert old[0][:4] == new[0][:4]
    assert old[0][4] == pytest.approx(new[0][3], abs=2e-3)
    assert old[1] == new[1]
    for name in ("calcgpt", "zenyx"):
        hashes = [json.loads((tmp_path / age / name / "manifest.json").read_text())["splits"] for age in ("old", "new")]
        assert hashes[0] == hashes[1]
