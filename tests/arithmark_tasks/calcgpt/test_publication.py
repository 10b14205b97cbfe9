"""A trained model on the Hub: the card says what was measured, its own example runs, and only this run replaces it."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from hub_client import TOKEN
from hub_parts import Blob
from hub_rules import card_errors
from hub_server import HubServer
from huggingface_hub import ModelCard
from transformers import AutoModelForCausalLM
from typer.testing import CliRunner

from arithmark_tasks.builders.calcgpt import tasks
from arithmark_tasks.builders.publishing import Hub, Outcome, publish
from arithmark_tasks.calcgpt.publication import ModelRun, model_run
from arithmark_tasks.calcgpt.settings import RunSettings
from arithmark_tasks.cli import app
from arithmark_tasks.generators.calcgpt import representations
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.generators.expression import semantic_key

REPO = "ada/small"


def invoke(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["publish", "calcgpt-model", *map(str, arguments)])
    assert TOKEN not in result.output
    if result.exception is not None:
        raise result.exception
    return result.output


@pytest.fixture(scope="module")
def publication(run: Path, tmp_path_factory: pytest.TempPathFactory) -> ModelRun:
    return model_run(run, REPO, tmp_path_factory.mktemp("card"))


@pytest.fixture
def card(publication: ModelRun) -> str:
    return publication.files["README.md"].read_text(encoding="utf-8")


def send(publication: ModelRun) -> Outcome:
    return publish(publication, Hub(REPO, "model"))


def answered_right(run: Path, small: RunSettings) -> int:
    """How many held-out tasks the model answers, by its own loop over single characters."""
    form = representations.get(small.representation)
    model = AutoModelForCausalLM.from_pretrained(run / "model").eval()
    letters = ["<pad>", "<eos>", "<unk>", *"0123456789+-="]
    right = 0
    for task in tasks(small.recipe).heldout:
        ids = [letters.index(character) for character in form.prompt(task, small.width)]
        produced = ""
        while len(produced) <= small.width + 2:
            best = int(model(torch.tensor([ids])).logits[0, -1].argmax())
            if letters[best] == "<eos>":
                break
            ids.append(best)
            produced += letters[best]
        right += produced == form.answer(task, small.width)
    return right


def test_the_card_states_what_the_model_scores(card: str, run: Path, small: RunSettings) -> None:
    right = answered_right(run, small)
    assert f"| all | {right} of 20 ({right / 20:.2%}".replace("%", " %") in card
    (result,) = ModelCard(card).data.eval_results or []
    assert (result.metric_type, result.metric_value) == ("exact_match", right / 20)
    record = json.loads((run / "run.json").read_text())
    assert f"{record['parameters']:,} parameters" in card and record["task_roster_sha256"] in card


def test_the_card_counts_the_tasks_that_were_monitored_and_those_that_nobody_saw(
    publication: ModelRun, run: Path, small: RunSettings, tmp_path: Path
) -> None:
    data = tasks(small.recipe)
    held_in = {semantic_key(task) for task in (*data.train, *data.validation)}
    # 55 sums of two digits in either order, and as many differences that are not negative
    left = 55 + 55 - len(held_in)
    text = publication.files["README.md"].read_text(encoding="utf-8")
    assert "| Digits of both operands | Tasks in all | Left by training and validation | Held out |" in text
    assert re.findall(r"^\| 1 \| 110 \| (\d+) \| 20 \|$", text, re.MULTILINE) == [str(left)]
    for monitor, counted in ((2_000, len(data.validation)), (5, 5)):
        copy = tmp_path / str(monitor)
        shutil.copytree(run, copy)
        settings = json.loads((run / "run.json").read_text())["settings"]
        _edit(copy / "run.json", settings=settings | {"monitor": monitor})
        (tmp_path / f"card{monitor}").mkdir()
        again = model_run(copy, REPO, tmp_path / f"card{monitor}").files["README.md"].read_text(encoding="utf-8")
        assert f"% of the {counted} monitored |" in again


def test_the_card_is_rendered_the_same_twice_and_passes_the_hubs_rules(
    card: str, run: Path, tmp_path: Path, hub: HubServer
) -> None:
    again = model_run(run, REPO, tmp_path).files["README.md"].read_text(encoding="utf-8")
    assert again == card and card_errors(card, "model") == []
    ModelCard(card).validate()
    data = ModelCard(card).data
    assert (data.license, data.library_name, data.pipeline_tag) == ("apache-2.0", "transformers", "text-generation")
    for phrase in ("Independent re-implementation", "AxiomicLabs", "OPENGCM", "Anamitra Sarkar", "CalcGPT"):
        assert phrase in card


def test_the_cards_own_example_runs(card: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = re.search(r"```python\n(.*?)```", card, re.DOTALL)[1]  # type: ignore[index]
    exec(code.replace("path/to/this/folder", str(run / "model")), {})
    prompt = re.search(r'tokenizer\("([^"]+)"', code)[1]  # type: ignore[index]
    assert capsys.readouterr().out.startswith(prompt)


def test_the_command_on_the_card_names_every_setting_that_is_not_the_default(card: str, small: RunSettings) -> None:
    told = re.search(r"arithmark calcgpt train --out DIR([^`]*)`", card)[1]  # type: ignore[index]
    values: dict[str, Any] = {}
    for option in re.findall(r"--(?:set )?([a-z_-]+)[ =](\S+)", told):
        values[option[0].replace("-", "_")] = option[1] if option[1][0].isalpha() else json.loads(option[1])
    assert RunSettings(**values) == small


def test_a_model_is_published_loaded_back_and_not_pushed_twice(hub: HubServer, run: Path) -> None:
    assert "dry run: nothing pushed" in invoke(run, "--repo", REPO, "--dry-run")
    assert hub.repos == {}
    output = invoke(run, "--repo", REPO)
    repo = hub.model(REPO)
    assert f"commit {repo.branches['main']}" in output and len(repo.commits) == 2
    files = repo.files()
    assert files["model.safetensors"] == (run / "model" / "model.safetensors").read_bytes()
    assert {"README.md", "run.json", "manifest.json", "config.json", "tokenizer.json"} <= files.keys()
    assert f'from_pretrained("{REPO}")' in files["README.md"].decode()
    there = AutoModelForCausalLM.from_pretrained(REPO, token=TOKEN).state_dict()
    here = AutoModelForCausalLM.from_pretrained(run / "model").state_dict()
    assert all(torch.equal(here[name], there[name]) for name in here)
    hub.log.clear()
    assert "nothing changed, nothing pushed" in invoke(run, "--repo", REPO)
    assert hub.writes() == [] and not hub.unknown


def test_other_weights_are_not_replaced(hub: HubServer, publication: ModelRun) -> None:
    send(publication)
    repo = hub.model(REPO)
    other = dict(repo.commits[repo.branches["main"]])
    other["model.safetensors"] = Blob(b"others", True)
    repo.commit(other, "another run")
    with pytest.raises(InputError, match=r"holds other weights \(padded-reversed, seed 41\)"):
        send(publication)
    assert repo.files()["model.safetensors"] == b"others"


def test_a_model_that_is_not_ours_is_left_alone(hub: HubServer, publication: ModelRun) -> None:
    hub.edit(hub.add_repo("model", REPO), "config.json", "{}")
    with pytest.raises(InputError, match=r"did not publish: config\.json"):
        send(publication)


def test_weights_that_arrive_otherwise_are_an_error_that_names_the_commit(
    hub: HubServer, publication: ModelRun
) -> None:
    def spoil(repo: Any) -> None:
        files = repo.commits[repo.branches["main"]]
        content = bytearray(files["model.safetensors"].content)
        content[-3] ^= 1
        files["model.safetensors"] = Blob(bytes(content), True)

    hub.after_commit = spoil
    with pytest.raises(InputError) as caught:
        send(publication)
    assert f"commit {hub.model(REPO).branches['main']}" in str(caught.value)
    assert "model.safetensors is not the file that was sent" in str(caught.value)
    assert "weight " in str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda run: _edit(run / "run.json", status="running"), "not completed"),
        (lambda run: _edit(run / "run.json", task_roster_sha256="0"), "run.json names another roster"),
        (lambda run: _edit(run / "manifest.json", seed=1), "not the holdout of this run"),
        (lambda run: (run / "run.json").unlink(), "no readable run.json"),
        (lambda run: (run / "model" / "model.safetensors").unlink(), "not completed"),
    ],
)
def test_a_run_that_does_not_hold_what_it_says_is_refused(
    change: Any, said: str, hub: HubServer, run: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "run"
    shutil.copytree(run, copy)
    change(copy)
    with pytest.raises(InputError, match=said):
        invoke(copy, "--repo", REPO)
    assert hub.repos == {} and hub.writes() == []


def _edit(path: Path, **values: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))
