"""Linear layers through oneDNN: the same values, only where it is meant to be, and torch's own where it cannot."""

import pytest
import torch
from torch.nn.functional import linear

from arithmark_tasks.scoring import forward
from arithmark_tasks.scoring.forward import quick_products
from arithmark_tasks.scoring.models import load

REQUESTS = [(("context", "option"), [10 + place % 7 for place in range(40)], [option, 9]) for option in range(20, 24)]


@pytest.fixture
def model(tiny_model_folder):
    return load(str(tiny_model_folder)).model


@pytest.fixture
def asked(monkeypatch):
    """The weights of all products that oneDNN is asked for."""
    found, product = [], forward._product

    def noted(states, weight, bias=None):
        found.append(weight)
        return product(states, weight, bias)

    assert forward._available() == torch.backends.mkl.is_available()  # before it is watched: it asks once itself
    monkeypatch.setattr(forward, "_product", noted)
    return found


def assert_shares_and_scores(shared, expected):
    found = shared._loglikelihood_tokens(REQUESTS, disable_tqdm=True)
    assert shared.verdict.cache
    assert max(abs(ours[0] - theirs[0]) for ours, theirs in zip(found, expected, strict=True)) < 1e-5


@pytest.mark.parametrize("bias", [True, False])
def test_products_are_those_of_float64(model, bias):
    torch.manual_seed(0)
    states, weight, offset = torch.randn(3, 50, 96), torch.randn(200, 96), torch.randn(200)
    with torch.inference_mode(), quick_products(model):
        found = linear(states, weight, offset if bias else None)
    exact = states.double() @ weight.double().T + (offset.double() if bias else 0)
    assert found.dtype == torch.float32
    assert (found - exact).abs().max() < 1e-4


def test_all_linear_layers_but_the_output_layer_are_run_through_onednn(model, asked):
    with torch.inference_mode(), quick_products(model):
        model(torch.arange(12).view(1, 12))
    layers = [layer.weight for name, layer in model.named_modules() if isinstance(layer, torch.nn.Linear)]
    head = model.get_output_embeddings().weight
    expected = [weight for weight in layers if weight is not head] if torch.backends.mkl.is_available() else []
    assert sorted(map(id, asked)) == sorted(map(id, expected))


def test_under_autocast_and_in_less_than_fp32_all_products_stay_with_torch(model, asked):
    ids = torch.arange(12).view(1, 12)
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16), quick_products(model):
        linear(torch.randn(5, 8), torch.randn(6, 8))
        model(ids)
    half = model.bfloat16()
    with torch.inference_mode(), quick_products(half):
        half(ids)
    assert not asked


def test_other_dtypes_transposed_weights_and_single_vectors_stay_with_torch(model, asked):
    states, weight = torch.randn(5, 8), torch.randn(6, 8)
    with torch.inference_mode(), quick_products(model):
        assert linear(states.bfloat16(), weight.bfloat16()).dtype == torch.bfloat16
        assert linear(states.double(), weight.double()).dtype == torch.float64
        assert torch.allclose(linear(states, weight.T.contiguous().T), states @ weight.T)
        assert torch.allclose(linear(states[0], weight), states[0] @ weight.T)
        assert linear(states[:0], weight).shape == (0, 6)
    assert not asked


@pytest.mark.parametrize(
    "bias",
    [
        pytest.param(torch.arange(12.0)[::2], id="every second number"),
        pytest.param(torch.arange(12.0).view(6, 2)[:, 1], id="a column"),
        pytest.param(torch.tensor([5.0]).expand(6), id="one number expanded"),
        pytest.param(torch.tensor([5.0]), id="one number"),
        pytest.param(torch.tensor(5.0), id="a scalar"),
        pytest.param(torch.arange(6.0).view(1, 6), id="a row"),
        pytest.param(torch.arange(6.0).double(), id="another dtype"),
    ],
)
def test_a_bias_that_the_operator_would_misread_stays_with_torch(model, asked, bias):
    states, weight = torch.randn(5, 8), torch.randn(6, 8)

    def product():
        try:
            return linear(states, weight, bias)
        except RuntimeError as error:
            return str(error)

    expected = product()
    with torch.inference_mode(), quick_products(model):
        found = product()
    assert found == expected if isinstance(expected, str) else torch.equal(found, expected)
    assert not asked


def test_weights_of_one_dimension_and_sparse_ones_stay_with_torch(model, asked):
    states, weight = torch.randn(5, 8), torch.randn(6, 8)
    with torch.inference_mode(), quick_products(model):
        assert torch.allclose(linear(states, weight[0]), states @ weight[0])
        assert torch.allclose(linear(states, weight.to_sparse_csr()), states @ weight.T, atol=1e-5)
    assert not asked


def test_an_output_layer_without_a_weight_of_its_own_shares_too(tiny_model_folder):
    expected = load(str(tiny_model_folder))._loglikelihood_tokens(REQUESTS, disable_tqdm=True)
    shared = load(str(tiny_model_folder))
    shared.model.set_output_embeddings(torch.nn.Sequential(shared.model.get_output_embeddings()))
    assert_shares_and_scores(shared, expected)


def test_nothing_changes_once_it_is_over_or_the_model_has_failed(model, asked):
    with quick_products(model):
        pass
    with pytest.raises(ZeroDivisionError), quick_products(model):
        raise ZeroDivisionError
    linear(torch.randn(5, 8), torch.randn(6, 8))
    assert not asked


@pytest.mark.parametrize("failure", [AttributeError("no such operator"), RuntimeError("unsupported")])
def test_scores_are_the_same_where_the_operator_is_missing(tiny_model_folder, monkeypatch, failure):
    expected = load(str(tiny_model_folder))._loglikelihood_tokens(REQUESTS, disable_tqdm=True)

    def product(*_):
        raise failure

    monkeypatch.setattr(forward, "_product", product)
    monkeypatch.setattr(forward, "_available", forward._available.__wrapped__)
    shared = load(str(tiny_model_folder))
    assert_shares_and_scores(shared, expected)


def test_an_operator_that_calculates_something_else_is_not_used(monkeypatch):
    monkeypatch.setattr(forward, "_product", lambda states, weight, bias=None: linear(states, weight))
    assert not forward._available.__wrapped__()
