"""The model around attention: its attention is the package's own, and what is traced is what it does."""

from dataclasses import replace

import pytest
import torch
from torch.nn.functional import layer_norm

from attention import MultiHeadAttention
from attention.training import TASKS, recommended, trace_layers

TWO_LAYERS = recommended("induction")


@pytest.fixture(scope="module")
def model():
    return TWO_LAYERS.build()


@pytest.fixture(scope="module")
def ids():
    return TASKS["induction"].draw(3, torch.Generator().manual_seed(1))


@pytest.mark.parametrize("task", TASKS)
def test_each_layer_is_the_packages_own_attention(task):
    model = recommended(task).build()
    assert [type(attention) for attention in model.attentions] == [MultiHeadAttention] * TASKS[task].layers
    others = [type(module).__name__ for module in model.modules() if not list(module.children())]
    assert set(others) == {"Embedding", "LayerNorm", "Linear", "Dropout"}


def test_the_traced_pass_is_the_plain_pass(model, ids):
    logits, traces = trace_layers(model, ids)
    assert torch.equal(logits, model(ids))
    assert len(traces) == 2
    for layer, traced in enumerate(traces):
        alone = trace_layers(model, ids)[1][layer]
        assert list(alone) == [step.name for step in MultiHeadAttention.steps]
        assert all(torch.equal(alone[name].value, traced[name].value) for name in alone)


def test_a_layer_sees_the_normalised_sum_of_all_before_it(model, ids):
    x = model.embedding.weight[ids] + model.positions.weight[: ids.shape[1]]
    for layer in range(2):
        traced = trace_layers(model, ids)[1][layer]
        torch.testing.assert_close(traced.inputs.value, layer_norm(x, (64,)))  # untrained: gain 1, shift 0
        assert traced.module is model.attentions[layer]
        x = x + traced["output"].value
    expected = layer_norm(x, (64,)) @ model.read_out.weight.T + model.read_out.bias
    torch.testing.assert_close(model(ids), expected.unsqueeze(-2))


def test_an_attention_that_is_changed_changes_what_follows(model, ids):
    def without_the_first_layer(layer, attention, x):
        return attention(x) * 0 if layer == 0 else attention(x)

    changed, plain = model(ids, without_the_first_layer), model(ids)
    assert changed.shape == plain.shape
    assert not torch.allclose(changed, plain)


def test_tokens_label_the_trace():
    task = TASKS["previous"]
    sequence = task.read("abcd")
    traced = trace_layers(recommended("previous").build(), sequence.batch, [sequence.texts])[1][0]
    assert traced.tokens == (("a", "b", "c", "d"),)
    assert traced["weights"].value.shape == (1, 1, 4, 4)


def test_training_mode_changes_nothing_because_the_loop_drops_not_the_model(ids):
    model = replace(TWO_LAYERS, dropout=0.5).build()
    assert not model.training
    expected = model(ids)
    assert torch.equal(model.train()(ids), expected)


def test_nothing_depends_on_later_tokens(model, ids):
    shorter = model(ids[:, :9])
    torch.testing.assert_close(shorter, model(ids)[:, :9])


def test_a_task_with_two_answers_reads_out_both():
    model = recommended("two").build()
    assert model(TASKS["two"].read("abcd").batch).shape == (1, 4, 2, 26)
