"""Our classes are the learners' classes: same arguments, same parameters, same numbers."""

import json
from pathlib import Path

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from attention import BOOK_VECTORS, CausalAttention, Experiment, LearnerError, MultiHeadAttention
from tests.attention import seeds

GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text(encoding="utf-8"))
BOOK = torch.tensor(BOOK_VECTORS).repeat(2, 1, 1)

PAIRS = [
    (CausalAttention, seeds.CausalAttention, (3, 4, 6, 0.5)),
    (MultiHeadAttention, seeds.MultiHeadAttention, (3, 4, 6, 0.5, 2)),
]


@pytest.mark.parametrize("qkv_bias", [False, True])
@pytest.mark.parametrize(("ours", "theirs", "args"), PAIRS)
def test_the_same_seed_gives_the_same_parameters_and_dropped_results(ours, theirs, args, qkv_bias):
    torch.manual_seed(5)
    mine, x = ours(*args, qkv_bias), torch.randn(3, 5, 3)
    mine_result = mine(x)
    torch.manual_seed(5)
    seed, y = theirs(*args, qkv_bias), torch.randn(3, 5, 3)
    assert torch.equal(x, y)
    assert list(mine.state_dict()) == list(seed.state_dict())
    for (_, parameter), (_, expected) in zip(mine.named_parameters(), seed.named_parameters(), strict=True):
        assert torch.equal(parameter, expected)
    torch.testing.assert_close(mine_result, seed(y), atol=1e-6, rtol=0)


@pytest.mark.parametrize(("ours", "theirs", "args"), PAIRS)
def test_state_dicts_load_strictly_both_ways(ours, theirs, args):
    mine, seed, x = ours(*args).eval(), theirs(*args).eval(), torch.randn(2, 6, 3)
    assert not torch.allclose(mine(x), seed(x))
    mine.load_state_dict(seed.state_dict(), strict=True)
    assert mine.mask.dtype == torch.bool
    torch.testing.assert_close(mine(x), seed(x), atol=1e-6, rtol=0)
    fresh = theirs(*args).eval()
    fresh.load_state_dict(mine.state_dict(), strict=True)
    torch.testing.assert_close(fresh(x), seed(x), atol=1e-6, rtol=0)


def test_the_article_prints_these_context_vectors():
    expected = torch.tensor(GOLDEN["causal_attention"]["context_vectors_of_each_batch_item"])
    torch.manual_seed(123)
    context = CausalAttention(**GOLDEN["causal_attention"]["args"])(BOOK)
    for item in context:
        torch.testing.assert_close(item, expected, atol=5e-5, rtol=0)
    traced = Experiment(variant="causal", d_out=2, seed=123).run()["context"].value[0]
    torch.testing.assert_close(traced, expected, atol=5e-5, rtol=0)


@pytest.mark.parametrize(("mode", "key"), [(True, "multi_head_attention"), (False, "multi_head_attention_eval")])
def test_the_second_article_prints_these_outputs(mode, key):
    torch.manual_seed(123)
    module = MultiHeadAttention(**GOLDEN["multi_head_attention"]["args"]).train(mode)
    output = module(torch.randn(3, 5, 10))
    for item, name in ((0, "first_batch_item"), (-1, "last_batch_item")):
        torch.testing.assert_close(output[item], torch.tensor(GOLDEN[key][name]), atol=5e-5, rtol=0)


def test_the_book_prints_these_multi_head_outputs():
    torch.manual_seed(123)
    output = MultiHeadAttention(3, 2, 6, 0.0, num_heads=2)(BOOK)
    for item in output:
        torch.testing.assert_close(item[0], torch.tensor([0.3190, 0.4858]), atol=5e-5, rtol=0)
        torch.testing.assert_close(item[-1], torch.tensor([0.2575, 0.4028]), atol=5e-5, rtol=0)
    traced = Experiment(d_out=2, num_heads=2, seed=123).run()["output"].value[0]
    torch.testing.assert_close(traced, output[0].detach(), atol=1e-6, rtol=0)


@pytest.mark.parametrize("n", [1, 4, 6])
@pytest.mark.parametrize("num_heads", [1, 2, 4])
def test_pytorch_computes_the_same_context(n, num_heads):
    module = MultiHeadAttention(3, 4, 6, 0.0, num_heads, qkv_bias=True)
    x = torch.randn(2, n, 3)

    def heads(linear):
        return torch.stack(linear(x).split(4 // num_heads, dim=-1), dim=1)

    context = scaled_dot_product_attention(
        heads(module.W_query), heads(module.W_key), heads(module.W_value), is_causal=True
    )
    expected = module.out_proj(torch.cat(list(context.unbind(dim=1)), dim=-1))
    torch.testing.assert_close(module(x), expected, atol=1e-6, rtol=1e-5)


def test_one_head_is_causal_attention_and_a_projection():
    many, one = MultiHeadAttention(3, 4, 6, 0.0, 1), CausalAttention(3, 4, 6, 0.0)
    one.load_state_dict({k: v for k, v in many.state_dict().items() if not k.startswith("out_proj")})
    x = torch.randn(2, 6, 3)
    torch.testing.assert_close(many(x), many.out_proj(one(x)), atol=1e-6, rtol=1e-5)


def test_equal_keys_give_every_visible_token_the_same_weight():
    module = CausalAttention(3, 2, 4, 0.0)
    torch.nn.init.zeros_(module.W_key.weight)
    x = torch.randn(1, 4, 3)
    means = module.W_value(x).cumsum(dim=1) / torch.arange(1, 5).view(1, 4, 1)
    torch.testing.assert_close(module(x), means)


@pytest.mark.parametrize(("ours", "args"), [(pair[0], pair[2]) for pair in PAIRS])
def test_input_that_does_not_fit_is_refused_with_its_sizes(ours, args):
    module = ours(*args)
    with pytest.raises(LearnerError, match="7 tokens, more than context_length = 6") as error:
        module(torch.randn(1, 7, 3))
    assert (error.value.code, error.value.values) == ("input_too_long", {"tokens": 7, "context_length": 6})
    with pytest.raises(LearnerError, match=r"5 numbers for each token, but .* d_in = 3"):
        module(torch.randn(1, 6, 5))
    with pytest.raises(LearnerError, match=r"shape \(6, 3\)"):
        module(torch.randn(6, 3))


@pytest.mark.parametrize(
    ("d_out", "num_heads", "better"), [(7, 2, "6 or 8"), (1, 2, "2 or 4"), (128, 15, "105 or 120")]
)
def test_heads_that_cannot_share_d_out_are_refused_with_numbers_that_work(d_out, num_heads, better):
    with pytest.raises(LearnerError, match=f"d_out = {d_out} cannot .* num_heads = {num_heads}: .* such as {better}"):
        MultiHeadAttention(3, d_out, 6, 0.0, num_heads)
    with pytest.raises(LearnerError, match="num_heads = 0"):
        MultiHeadAttention(3, d_out, 6, 0.0, 0)
