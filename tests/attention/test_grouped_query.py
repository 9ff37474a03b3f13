"""Heads that share keys and values: against PyTorch's own, and cell by cell."""

import math

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from attention import Cell, LearnerError, MultiHeadAttention, explain, seeded, trace
from attention.grouped_query import GroupedQueryAttention
from tests.attention.test_arithmetic import cells
from tests.attention.test_rotary import turned


def attention(num_heads=4, num_groups=2, dropout=0.0, qkv_bias=False, base=100.0, d_in=5):
    with seeded(7):
        module = GroupedQueryAttention(d_in, 4 * num_heads, 9, dropout, num_heads, num_groups, qkv_bias, base)
        return module.eval(), torch.randn(2, 6, d_in)


@pytest.mark.parametrize(("num_heads", "num_groups"), [(4, 4), (4, 2), (4, 1), (9, 3), (1, 1)])
def test_it_is_what_pytorch_computes_from_the_rotated_queries_and_keys(num_heads, num_groups):
    module, x = attention(num_heads, num_groups, qkv_bias=True)
    seen = {name: step.value for name, step in trace(module, x).items()}
    context = scaled_dot_product_attention(
        seen["rotated_queries"], seen["rotated_keys"], seen["values"], is_causal=True, enable_gqa=True
    )
    torch.testing.assert_close(seen["context"], context)
    merged = torch.cat(list(context.unbind(1)), dim=-1)
    torch.testing.assert_close(module(x), merged @ module.out_proj.weight.T)


@pytest.mark.parametrize("base", [100.0, 10_000.0])
def test_queries_and_keys_are_turned_by_their_positions_and_values_are_not(base):
    module, x = attention(base=base)
    seen = trace(module, x)
    for plain, rotated in (("queries", "rotated_queries"), ("keys", "rotated_keys")):
        expected = [
            [[turned(vector, place, base) for place, vector in enumerate(head)] for head in item]
            for item in seen[plain].value.tolist()
        ]
        torch.testing.assert_close(seen[rotated].value, torch.tensor(expected), rtol=1e-5, atol=1e-6)
    values = (x @ module.W_value.weight.T).view(2, 6, 2, 4).transpose(1, 2)
    torch.testing.assert_close(seen["values"].value, values)


def test_heads_of_a_group_share_its_keys_and_others_do_not():
    module, x = attention(num_heads=6, num_groups=2)
    before = trace(module, x)["scores"].value
    with torch.no_grad():
        module.W_key.weight[4:] += 1  # the second group
    changed = (trace(module, x)["scores"].value != before).flatten(2).any(dim=-1)
    assert changed.tolist() == [[False, False, False, True, True, True]] * 2


def test_at_position_0_it_is_multi_head_attention_with_the_groups_repeated():
    module, x = attention()
    multi_head = MultiHeadAttention(5, 16, 9, 0.0, num_heads=4).eval()
    repeated = {
        name: getattr(module, name).weight.view(2, 4, 5).repeat_interleave(2, dim=0).reshape(16, 5)
        for name in ("W_key", "W_value")
    }
    weights = {f"{name}.weight": weight for name, weight in repeated.items()}
    weights |= {"W_query.weight": module.W_query.weight, "out_proj.weight": module.out_proj.weight}
    multi_head.load_state_dict({**weights, "out_proj.bias": torch.zeros(16), "mask": module.mask})
    torch.testing.assert_close(module(x[:, :1]), multi_head(x[:, :1]))
    assert not torch.allclose(module(x), multi_head(x))


@pytest.mark.parametrize(
    "chosen",
    [{}, {"num_groups": 1, "qkv_bias": True}, {"num_groups": 4, "dropout": 0.5}, {"num_heads": 9, "num_groups": 3}],
)
def test_the_parts_of_every_cell_give_the_cell(chosen):
    module, x = attention(**chosen)
    with seeded(3):
        seen = trace(module.train(), x)
    for item in range(2):
        for cell, value in cells(seen, item):
            found = explain(seen, cell, item)
            assert found.result == value or math.isclose(found.result, value, rel_tol=1e-5, abs_tol=2e-6), cell


def test_a_rotated_number_is_the_pair_times_the_cosine_and_the_sine_of_its_angle():
    module, x = attention(base=100.0)
    seen = trace(module, x)
    angle = 3 / 100.0 ** (2 / 4)  # position 3, the second of two pairs
    pair = seen["keys"].value[0, 1, 3, 2:].tolist()
    for column, turn in ((2, (math.cos(angle), -math.sin(angle))), (3, (math.sin(angle), math.cos(angle)))):
        found = explain(seen, Cell("rotated_keys", 1, 3, column))
        assert (found.rule, found.over) == ("rotate", "feature")
        assert found.numbers == {"position": 3, "angle": pytest.approx(angle)}
        assert [term.place for term in found.terms] == [2, 3]
        for term, number, factor in zip(found.terms, pair, turn, strict=True):
            assert term.factors == (number, pytest.approx(factor))


def test_a_score_and_a_context_take_the_key_and_the_value_of_the_heads_group():
    module, x = attention(num_heads=9, num_groups=3)
    seen = trace(module, x)
    for head in range(9):
        score = explain(seen, Cell("scores", head, 4, 2)).terms
        assert [term.factors[1] for term in score] == seen["rotated_keys"].value[0, head // 3, 2].tolist()
        context = explain(seen, Cell("context", head, 4, 1)).terms
        assert [term.factors[1] for term in context] == seen["values"].value[0, head // 3, :, 1].tolist()


@pytest.mark.parametrize(
    ("d_out", "num_heads", "num_groups", "code"),
    [
        (12, 4, 3, "groups_do_not_divide"),
        (12, 4, 0, "out_of_range"),
        (12, 2, 4, "out_of_range"),
        (12, 4, 2, "rotary_odd"),
        (10, 4, 2, "heads_do_not_divide"),
    ],
)
def test_heads_that_groups_cannot_share_are_refused(d_out, num_heads, num_groups, code):
    with pytest.raises(LearnerError) as refused:
        GroupedQueryAttention(3, d_out, 4, 0.0, num_heads, num_groups)
    assert refused.value.code == code
