"""A trace is what the pass did, checked against what its class declares."""

import pickle

import pytest
import torch
from torch import nn

from attention import PADDING, CausalAttention, MultiHeadAttention, Step, trace
from attention.trace import untapped


class Doubling(nn.Module):
    steps = (Step("double", "batch token d_in", "2X"), Step("total", "batch token", r"\sum 2X"))

    def forward(self, x, tap=untapped):
        double = tap("double", 2 * x)
        return tap("total", double.sum(dim=-1))


X = torch.arange(12.0).view(2, 2, 3)


def declaring(*steps):
    module = Doubling()
    module.steps = steps
    return module


def test_a_trace_is_a_mapping_in_the_order_of_the_pass():
    traced = trace(Doubling(), X, [["a", "b"], ["c", "[PAD]"]])
    assert list(traced) == ["double", "total"]
    assert len(traced) == 2
    assert torch.equal(traced["double"].value, 2 * X)
    assert traced["total"].axes == ("batch", "token")
    assert traced["double"].formula == "2X"
    assert traced.tokens == (("a", "b"), ("c", "[PAD]"))
    assert torch.equal(traced.inputs.value, X)
    assert traced.inputs.axes == ("batch", "token", "d_in")
    with pytest.raises(KeyError):
        traced["triple"]
    with pytest.raises(TypeError):
        traced["double"] = X  # type: ignore[index]


def test_the_shapes_of_multi_head_attention_are_declared_by_name():
    traced = trace(MultiHeadAttention(3, 8, 6, 0.0, 2), torch.randn(5, 4, 3))
    shapes = {name: dict(zip(step.axes, step.value.shape, strict=True)) for name, step in traced.items()}
    assert shapes["queries"] == shapes["context"] == {"batch": 5, "head": 2, "query": 4, "feature": 4}
    assert shapes["keys"] == shapes["values"] == {"batch": 5, "head": 2, "key": 4, "feature": 4}
    for name in ("scores", "masked_scores", "scaled_scores", "weights", "dropped_weights"):
        assert shapes[name] == {"batch": 5, "head": 2, "query": 4, "key": 4}
    assert shapes["merged_context"] == {"batch": 5, "query": 4, "merged": 8}
    assert shapes["output"] == {"batch": 5, "query": 4, "output": 8}


def test_the_shapes_of_causal_attention_are_declared_by_name():
    traced = trace(CausalAttention(3, 8, 6, 0.0), torch.randn(5, 4, 3))
    shapes = {name: dict(zip(step.axes, step.value.shape, strict=True)) for name, step in traced.items()}
    assert shapes["queries"] == shapes["context"] == {"batch": 5, "query": 4, "feature": 8}
    assert shapes["keys"] == shapes["values"] == {"batch": 5, "key": 4, "feature": 8}
    for name in ("scores", "masked_scores", "scaled_scores", "weights", "dropped_weights"):
        assert shapes[name] == {"batch": 5, "query": 4, "key": 4}


def test_values_are_detached_though_the_pass_has_gradients():
    x = torch.randn(1, 3, 3, requires_grad=True)
    traced = trace(CausalAttention(3, 2, 3, 0.0), x)
    assert not any(step.value.requires_grad for step in [*traced.values(), traced.inputs])


def test_nothing_is_copied():
    seen = {}
    traced = trace(Doubling(), X, tap=lambda name, value: seen.setdefault(name, value))
    assert all(traced[name].value.data_ptr() == value.data_ptr() for name, value in seen.items())


def test_a_trace_survives_a_cache():
    traced = trace(Doubling(), X, [["a", "b"], ["c", "d"]])
    copy = pickle.loads(pickle.dumps(traced))
    assert copy.tokens == traced.tokens
    assert all(torch.equal(copy[name].value, traced[name].value) for name in traced)


DOUBLE, TOTAL = Doubling.steps


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((TOTAL, DOUBLE), "'double', but 'total' was declared"),
        ((DOUBLE,), "'total', but 'nothing more' was declared"),
        ((DOUBLE, TOTAL, Step("mean", "batch", "")), "'mean' was declared, but never tapped"),
        (
            (DOUBLE, Step("total", "batch token d_in", "")),
            r"'total' declares 'batch token d_in', .* \(2, 2\)",
        ),
        (
            (Step("double", "batch token batch", ""), TOTAL),
            "'double' has 3 along 'batch', but before it was 2",
        ),
        ((DOUBLE, Step("total", "batch d_in", "")), "'total' has 2 along 'd_in', but before it was 3"),
    ],
)
def test_a_wrong_declaration_is_refused_and_the_step_named(steps, message):
    for _ in range(2):  # an earlier refusal must not be forgotten
        with pytest.raises(ValueError, match=message):
            trace(declaring(*steps), X)


def test_a_step_tapped_twice_is_refused():
    class Twice(Doubling):
        def forward(self, x, tap=untapped):
            tap("double", x)
            return super().forward(x, tap)

    with pytest.raises(ValueError, match="'double' is tapped twice"):
        trace(Twice(), X)


@pytest.mark.parametrize("tokens", [[["a", "b"]], [["a"], ["b"]], [["a", "b", "c"], ["d", "e", "f"]]])
def test_labels_that_do_not_fit_are_refused(tokens):
    with pytest.raises(ValueError, match="one text for each token"):
        trace(Doubling(), X, tokens)


def test_a_shorter_item_is_labelled_as_padded_at_its_end():
    seen = trace(Doubling(), X, [["a", "b"], ["c"]])
    assert seen.tokens == (("a", "b"), ("c", PADDING))
    assert seen.lengths == (2, 1)
    assert trace(Doubling(), X).lengths == (2, 2)
