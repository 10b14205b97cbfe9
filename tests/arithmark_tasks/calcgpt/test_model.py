"""Tokenizer, encoding, the lean forward pass and the optimizer, each against an independent path."""

from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer

from arithmark_tasks.calcgpt.data import encode_tasks
from arithmark_tasks.calcgpt.model import IGNORED, AnswerLoss, answer_logits, build_model
from arithmark_tasks.calcgpt.optimizer import BatchedMuon, build_optimizers, orthogonalise
from arithmark_tasks.calcgpt.tokenizer import EOS_ID, build_tokenizer, encode
from arithmark_tasks.generators.intervals import wilson

PADDED = ["012+034=6400", "999+001=0001", "100-099=1000"]
PLAIN = ["1+2=3", "12+345=357", "999+999=1998", "7-7=0"]


def test_the_model_has_the_documented_shape() -> None:
    model = build_model(41)
    config = model.config
    assert (config.n_embd, config.n_layer, config.n_head, config.n_inner, config.n_positions) == (128, 4, 8, 256, 20)
    assert 530_000 < sum(parameter.numel() for parameter in model.parameters()) < 538_000


def test_weights_depend_on_the_seed_and_nothing_else() -> None:
    torch.manual_seed(1)
    first = build_model(41)
    torch.manual_seed(2)
    second, other = build_model(41), build_model(42)
    pairs = list(zip(first.parameters(), second.parameters(), other.parameters(), strict=True))
    assert all(torch.equal(a, b) for a, b, _ in pairs)
    assert not all(torch.equal(a, c) for a, _, c in pairs)


def test_the_saved_tokenizer_reads_and_writes_characters(tmp_path: Path) -> None:
    build_tokenizer().save_pretrained(tmp_path)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    for text in PADDED + PLAIN:
        ids = tokenizer(text)["input_ids"]
        assert ids == encode(text) and tokenizer.decode(ids) == text
    assert tokenizer("1a\n2")["input_ids"].count(tokenizer.unk_token_id) == 2
    assert tokenizer.eos_token_id == EOS_ID and tokenizer.padding_side == "left"


@pytest.mark.parametrize("texts", [PADDED, PLAIN])
def test_only_answers_and_their_end_marks_are_targets(texts: list[str]) -> None:
    encoded = encode_tasks(texts)
    for row, text in enumerate(texts):
        answer = text.split("=")[1]
        goal = [*encode(answer), EOS_ID]
        kept = encoded.targets[row] != IGNORED
        assert encoded.targets[row][kept].tolist() == goal
        # what the scored position sees last is the character before its target
        seen = encoded.ids[row][encoded.positions[row][kept]].tolist()
        assert seen == encode("=" + answer)
    assert encoded.target_tokens == sum(len(text.split("=")[1]) + 1 for text in texts)


@pytest.mark.parametrize("texts", [PADDED, PLAIN])
def test_the_lean_pass_gives_the_logits_and_gradients_of_transformers(texts: list[str]) -> None:
    encoded = encode_tasks(texts)
    model = build_model(3)
    for parameter in model.parameters():  # the fresh biases are zero, which would hide a forgotten one
        torch.nn.init.normal_(parameter, std=0.2)
    lean = answer_logits(model, encoded.ids, encoded.positions, encoded.first)
    whole = model(encoded.ids).logits
    index = encoded.positions[..., None].expand(-1, -1, whole.shape[-1])
    assert torch.allclose(lean, whole.gather(1, index), atol=1e-4)
    loss = AnswerLoss(model)(encoded.ids, encoded.positions, encoded.targets, encoded.first)
    loss.backward()
    gradients = [parameter.grad.clone() for parameter in model.parameters() if parameter.grad is not None]
    model.zero_grad()
    # the usual way: labels over the whole sequence, every other place ignored, end mark appended
    ids = torch.cat([encoded.ids, torch.zeros(len(texts), 1, dtype=torch.long)], 1)
    labels = torch.full_like(ids, IGNORED)
    for row, text in enumerate(texts):
        start = text.index("=") + 1
        labels[row, start : len(text) + 1] = torch.tensor([*encode(text[start:]), EOS_ID])
    (model(ids, labels=labels).loss * encoded.target_tokens).backward()
    for mine, parameter in zip(gradients, model.parameters(), strict=True):
        assert torch.allclose(mine, parameter.grad, rtol=1e-3, atol=2e-3)


def test_orthogonalise_agrees_with_torch_muon() -> None:
    from torch.optim._muon import _zeropower_via_newtonschulz

    matrices = torch.randn(3, 16, 40, generator=torch.Generator().manual_seed(0))
    ours = orthogonalise(matrices, 5)
    theirs = [_zeropower_via_newtonschulz(matrix, (3.4445, -4.7750, 2.0315), 5, 1e-7).float() for matrix in matrices]
    assert torch.allclose(ours, torch.stack(theirs), atol=0.02)  # theirs is bf16
    left, _, right = torch.linalg.svd(matrices, full_matrices=False)
    assert (ours - left @ right).norm() < 0.4 * (left @ right).norm()


def test_a_step_equals_torch_muon_on_every_third_of_a_fused_weight() -> None:
    weight = torch.randn(16, 48, generator=torch.Generator().manual_seed(1))
    gradients = torch.randn(3, 16, 48, generator=torch.Generator().manual_seed(2))
    ours = weight.clone().requires_grad_()
    mine = BatchedMuon([(ours, 3)], lr=0.01, iterations=5)
    thirds = [part.clone().requires_grad_() for part in weight.chunk(3, 1)]
    theirs = torch.optim.Muon(thirds, lr=0.01, weight_decay=0.0, adjust_lr_fn="match_rms_adamw")
    for gradient in gradients:
        ours.grad = gradient.clone()
        for part, piece in zip(thirds, gradient.chunk(3, 1), strict=True):
            part.grad = piece.clone()
        mine.step()
        theirs.step()
    assert torch.allclose(ours, torch.cat(thirds, 1), atol=2e-3)
    assert not torch.allclose(ours, weight, atol=5e-3)


def test_weights_take_turns_and_move_as_far_as_with_every_step() -> None:
    gradient = torch.randn(8, 8, generator=torch.Generator().manual_seed(3))
    weights = [torch.zeros(8, 8, requires_grad=True) for _ in range(4)]
    optimizer = BatchedMuon([(weight, 1) for weight in weights], lr=0.01, interval=2)
    moved = []
    for _ in range(4):
        before = [weight.detach().clone() for weight in weights]
        for weight in weights:
            weight.grad = gradient.clone()
        optimizer.step()
        moved.append([not torch.equal(old, new) for old, new in zip(before, weights, strict=True)])
    assert moved == [[False, True, False, True], [True, False, True, False]] * 2
    every = torch.zeros(8, 8, requires_grad=True)
    reference = BatchedMuon([(every, 1)], lr=0.01)
    for _ in range(4):
        every.grad = gradient.clone()
        reference.step()
    # the gradient never changes, so the direction does not, and two long steps are four short ones
    assert all(torch.allclose(weight, every, atol=1e-3) for weight in weights)


def test_every_parameter_has_exactly_one_optimizer() -> None:
    model = build_model(1)
    for muon in (4e-3, 0.0):
        groups = [
            group["params"]
            for optimizer in build_optimizers(AnswerLoss(model), muon, 1e-3)
            for group in optimizer.param_groups
        ]
        ids = [id(parameter) for group in groups for parameter in group]
        assert sorted(ids) == sorted(id(parameter) for parameter in model.parameters())
    sizes = [
        p.ndim for o in build_optimizers(AnswerLoss(model), 4e-3, 1e-3)[1:] for g in o.param_groups for p in g["params"]
    ]
    assert len(sizes) == 16 and set(sizes) == {2}


@pytest.mark.parametrize(("right", "total"), [(0, 10), (10, 10), (3, 7), (299, 300), (7, 300)])
def test_wilson_agrees_with_scipy(right: int, total: int) -> None:
    from scipy.stats import binomtest

    expected = binomtest(right, total).proportion_ci(method="wilson")
    assert wilson(right, total) == pytest.approx((expected.low, expected.high))


def test_an_empty_sample_has_no_interval() -> None:
    with pytest.raises(ValueError):
        wilson(0, 0)
