"""What every kind of attention promises. A new variant is tested here as soon as it is registered."""

import pytest
import torch

from attention import VARIANTS, Experiment, seeded, trace
from attention.grouped_query import GroupedQueryAttention

BATCH = "Your journey starts with one step\nstep one\nwith one journey"


@pytest.fixture(params=[*VARIANTS, "grouped_query"])
def variant(request):
    return request.param


def build(variant, **choices):
    """The module and x. Grouped-query attention, no choice of an experiment, takes multi-head attention's place."""
    if variant != "grouped_query":
        return Experiment(variant=variant, **choices).build()
    experiment = Experiment(d_out=8, num_heads=4, **choices)
    multi_head, x = experiment.build()
    with seeded(experiment.seed):
        sizes = {"num_heads": 4, "num_groups": 2, "qkv_bias": experiment.qkv_bias}
        module = GroupedQueryAttention(x.shape[2], 8, x.shape[1], experiment.dropout, **sizes)
    module.mask = multi_head.mask
    return module.train(multi_head.training), x


def built(variant, **choices):
    module, x = build(variant, **choices)
    return module.eval(), x


def ran(variant, **choices):
    module, x = build(variant, **choices)
    with seeded(1):
        return trace(module, x)


def visible(module, items):
    """(batch, 1, query, key): what may be looked at."""
    mask = ~module.mask
    return mask.expand(items, *mask.shape) if mask.dim() == 2 else mask.reshape(items, *mask.shape[-2:])


def test_the_traced_pass_is_the_plain_pass(variant):
    module, x = built(variant, sentence=BATCH)
    traced = trace(module, x)
    assert torch.equal(list(traced.values())[-1].value, module(x))


def test_the_steps_tapped_are_the_steps_declared(variant):
    module, x = built(variant, sentence=BATCH)
    tapped = []
    module(x, tap=lambda name, value: tapped.append((name, value.dim())) or value)
    assert tapped == [(step.name, len(step.axes.split())) for step in module.steps]
    assert all(step.formula for step in module.steps)


@pytest.mark.parametrize("qkv_bias", [True, False])
def test_a_formula_names_the_bias_that_is_added(variant, qkv_bias):
    formulas = {name: step.formula for name, step in ran(variant, qkv_bias=qkv_bias).items()}
    biased = {
        name
        for name, letter in (("queries", "q"), ("keys", "k"), ("values", "v"))
        if f" + b_{letter}" in formulas[name].replace("{", "")
    }
    assert biased == ({"queries", "keys", "values"} if qkv_bias else set())


def test_rows_of_undropped_weights_sum_to_one(variant):
    trace = ran(variant, sentence=BATCH, dropout=0.5, mode="train")
    sums = trace["weights"].value.sum(dim=-1)
    torch.testing.assert_close(sums, torch.ones_like(sums))
    dropped = trace["dropped_weights"].value.sum(dim=-1)
    assert not torch.allclose(dropped, torch.ones_like(dropped))


@pytest.mark.parametrize("mask", ["causal", "sliding_window", "padding", "none"])
def test_a_token_changes_only_what_may_look_at_it(variant, mask):
    module, x = built(variant, sentence=BATCH, mask=mask)
    before, can_see = module(x), visible(module, len(x))
    for item in range(len(x)):
        for key in range(x.shape[1]):
            changed = x.clone()
            changed[item, key] += 100.0
            moved = (module(changed) != before).any(dim=-1)  # (batch, query)
            expected = torch.zeros_like(moved)
            expected[item] = can_see[item, :, key]
            expected[item, key] = True  # its own query changed
            assert not (moved & ~expected).any()
            assert moved[item].any()


def test_hidden_weights_are_exactly_zero(variant):
    module, x = built(variant, sentence=BATCH)
    weights = trace(module, x)["weights"].value
    hidden = ~visible(module, len(x))
    hidden = hidden.unsqueeze(1).expand_as(weights) if weights.dim() == 4 else hidden
    assert hidden.any()
    assert (weights[hidden] == 0).all()
    assert (weights[~hidden] > 0).all()


def test_each_item_of_a_batch_gives_what_it_gives_alone(variant):
    module, x = built(variant, sentence="Your journey starts\nstep one with")
    alone = torch.cat([module(item.unsqueeze(0)) for item in x])
    torch.testing.assert_close(module(x), alone, atol=1e-6, rtol=1e-5)


def test_a_tap_that_returns_another_value_changes_what_follows(variant):
    module, x = built(variant)
    plain = trace(module, x)
    names = list(plain)
    for changed in names:

        def tripled(name, value, changed=changed):
            return value * 3 if name == changed else value

        other = trace(module, x, tap=tripled)
        assert torch.equal(module(x, tap=tripled), other[names[-1]].value)
        assert torch.equal(other[changed].value, plain[changed].value * 3)
        assert not torch.allclose(other[names[-1]].value, plain[names[-1]].value)
        untouched = names[: names.index(changed)]
        assert all(torch.equal(other[name].value, plain[name].value) for name in untouched)


def test_no_step_overwrites_an_earlier_one(variant):
    module, x = built(variant)
    copies = {}
    before = x.clone()
    module(x, tap=lambda name, value: copies.setdefault(name, value.clone()) is None or value)
    assert torch.equal(x, before)
    for name, step in trace(module, x).items():
        assert torch.equal(step.value, copies[name]), name


def test_the_scale_and_the_mask_are_as_the_formulas_say(variant):
    trace = ran(variant)
    scores, masked, scaled = (trace[name].value for name in ("scores", "masked_scores", "scaled_scores"))
    width = trace["queries"].value.shape[-1]
    hidden = torch.ones(6, 6).triu(1).bool()
    assert torch.isfinite(scores).all()
    assert torch.equal(torch.isneginf(masked), hidden.expand_as(masked))
    assert torch.equal(masked[..., ~hidden], scores[..., ~hidden])
    torch.testing.assert_close(scaled[..., ~hidden], scores[..., ~hidden] / width**0.5)


def test_a_row_that_is_all_hidden_is_not_repaired(variant):
    module, x = built(variant)
    module.mask = torch.ones(6, 6).triu(0).bool()
    weights = trace(module, x)["weights"].value
    assert weights[..., 0, :].isnan().all()
    assert weights[..., 1:, :].isfinite().all()


def test_gradients_reach_every_parameter(variant):
    module, x = built(variant)
    module(x).square().sum().backward()
    assert all(parameter.grad is not None and parameter.grad.any() for parameter in module.parameters())


def test_dropout_keeps_a_weight_scaled_or_drops_it(variant):
    trace = ran(variant, dropout=0.25, mode="train", mask="none")
    weights, dropped = trace["weights"].value, trace["dropped_weights"].value
    kept = dropped != 0
    assert kept.any()
    assert not kept.all()
    torch.testing.assert_close(dropped[kept], weights[kept] / 0.75)
    assert ran(variant, dropout=0.25, mask="none")["dropped_weights"].value.all()
