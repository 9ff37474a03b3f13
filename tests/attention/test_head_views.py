"""Stacked, sliced or batched, the heads are the same; split the wrong way, they are not."""

import pytest
import torch

from attention import Experiment, LearnerError
from attention.head_views import (
    HEAD_VIEWS,
    labelled_rows,
    labelled_split,
    right_split,
    stacked_heads,
    wrong_split,
)

BATCH = "Your journey starts with one step\nstep one\nwith one journey"


@pytest.fixture(params=list(HEAD_VIEWS))
def view(request):
    return HEAD_VIEWS[request.param]


@pytest.mark.parametrize("qkv_bias", [False, True])
@pytest.mark.parametrize("sentence", [BATCH, "Your journey starts"])
@pytest.mark.parametrize("num_heads", [1, 2, 3, 6])
def test_each_way_gives_the_numbers_of_the_module(view, num_heads, sentence, qkv_bias):
    experiment = Experiment(sentence=sentence, d_out=6, num_heads=num_heads, qkv_bias=qkv_bias)
    module, x = experiment.build()
    run = experiment.run()
    queries = torch.cat([run["queries"].value[:, head] for head in range(num_heads)], dim=-1)
    seen = view(module, x)
    torch.testing.assert_close(seen.queries, queries, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(seen.merged_context, run["merged_context"].value, atol=1e-6, rtol=1e-5)
    assert not seen.queries.requires_grad
    assert not seen.merged_context.requires_grad


@pytest.mark.parametrize("mask", ["none", "sliding_window", "padding"])
def test_each_way_hides_what_the_module_hides(view, mask):
    experiment = Experiment(sentence=BATCH, mask=mask)
    seen = view(*experiment.build())
    torch.testing.assert_close(seen.merged_context, experiment.run()["merged_context"].value, atol=1e-6, rtol=1e-5)


def test_a_shorter_sentence_than_the_context_length_will_do(view):
    module, x = Experiment().build()
    whole, short = view(module, x), view(module, x[:, :4])
    torch.testing.assert_close(short.merged_context, whole.merged_context[:, :4])  # the mask is causal
    with pytest.raises(LearnerError, match="7 tokens"):
        view(module, torch.zeros(1, 7, 3))
    with pytest.raises(LearnerError, match="d_in = 3"):
        view(module, torch.zeros(1, 6, 4))


def test_no_way_drops_anything_or_draws_from_the_shared_generator(view):
    module, x = Experiment(dropout=0.5, mode="train").build()
    state = torch.get_rng_state()
    seen = view(module, x)
    assert torch.equal(state, torch.get_rng_state())
    torch.testing.assert_close(seen.merged_context, Experiment().run()["merged_context"].value)
    assert module.training


def test_stacked_heads_own_slices_of_the_big_matrices():
    module, _ = Experiment(d_out=6, num_heads=3, qkv_bias=True, dropout=0.5).build()
    heads = stacked_heads(module)
    assert [(head.d_in, head.d_out, head.dropout.p, head.training) for head in heads] == [(3, 2, 0.5, False)] * 3
    for name in ("W_query", "W_key", "W_value"):
        big = getattr(module, name)
        assert torch.equal(torch.cat([getattr(head, name).weight for head in heads]), big.weight)
        assert torch.equal(torch.cat([getattr(head, name).bias for head in heads]), big.bias)
        with torch.no_grad():
            getattr(heads[0], name).weight.zero_()
        assert big.weight.all()  # a copy: the module keeps its own


def places(split, n, d_out, num_heads):
    """Each number as 'token.feature'."""
    token, feature = labelled_split(split, n, d_out, num_heads)
    assert token.dtype == feature.dtype == torch.int64
    return [
        [" ".join(f"{i}.{f}" for i, f in zip(*row, strict=True)) for row in zip(*head, strict=True)]
        for head in zip(token.tolist(), feature.tolist(), strict=True)
    ]


def test_rows_are_labelled_by_token_and_feature():
    token, feature = labelled_rows(2, 3)
    assert token.tolist() == [[[0, 0, 0], [1, 1, 1]]]
    assert feature.tolist() == [[[0, 1, 2], [0, 1, 2]]]


def test_the_right_split_gives_each_head_a_share_of_every_token():
    assert places("right", 3, 4, 2) == [["0.0 0.1", "1.0 1.1", "2.0 2.1"], ["0.2 0.3", "1.2 1.3", "2.2 2.3"]]


def test_the_wrong_split_gives_each_head_some_tokens_only():
    assert places("wrong", 3, 4, 2) == [["0.0 0.1", "0.2 0.3", "1.0 1.1"], ["1.2 1.3", "2.0 2.1", "2.2 2.3"]]


def test_one_head_or_one_token_is_split_the_same_either_way():
    assert places("wrong", 3, 4, 1) == places("right", 3, 4, 1)
    assert places("wrong", 1, 4, 2) == places("right", 1, 4, 2) == [["0.0 0.1"], ["0.2 0.3"]]


def test_the_right_split_is_the_one_of_the_module():
    experiment = Experiment(sentence=BATCH)
    module, x = experiment.build()
    queries = experiment.run()["queries"].value
    projected = module.W_query(x)
    assert torch.equal(right_split(projected, 2), queries)
    wrong = wrong_split(projected, 2)
    assert wrong.shape == queries.shape
    assert torch.equal(wrong[1].flatten(), projected[1].flatten())  # the numbers of an item stay in their order
    assert not torch.allclose(wrong, queries)


@pytest.mark.parametrize("split", [right_split, wrong_split])
def test_heads_that_cannot_share_are_refused(split):
    with pytest.raises(LearnerError, match="d_out = 4 cannot be shared equally by num_heads = 3"):
        split(torch.zeros(1, 2, 4), 3)


def test_an_unknown_split_is_refused():
    with pytest.raises(KeyError):
        labelled_split("sideways", 3, 4, 2)
