"""The same attention from PyTorch's own functions, with the mask written down a second time."""

import torch
from torch import Tensor
from torch.nn.functional import linear, scaled_dot_product_attention

from attention import Experiment


def visible(experiment: Experiment) -> Tensor:
    """Who may look at whom, (batch, 1, query, key); a padded query sees itself, whatever the mask says."""
    lengths = torch.tensor([len(tokens.ids) for tokens in experiment.tokens]).view(-1, 1, 1, 1)
    place = torch.arange(int(lengths.max()))
    query, key = place.view(-1, 1), place.view(1, -1)
    allowed = {
        "causal": key <= query,
        "sliding_window": (key <= query) & (query - key < experiment.window),
        "padding": key >= 0,
        "none": key >= 0,
    }[experiment.mask]
    if experiment.mask == "none":
        return allowed.expand(len(lengths), 1, -1, -1)
    return (allowed & (key < lengths)) | ((key == query) & (key >= lengths))


def last_step(experiment: Experiment) -> Tensor:
    """What the pass ends with when nothing is dropped, (batch, query, d_out)."""
    module, x = experiment.build()
    heads = experiment.num_heads if experiment.variant == "multi_head" else 1
    split = [
        linear(x, layer.weight, layer.bias).unflatten(-1, (heads, -1)).transpose(1, 2)
        for layer in (module.W_query, module.W_key, module.W_value)
    ]
    context = scaled_dot_product_attention(*split, attn_mask=visible(experiment)).transpose(1, 2).flatten(2)
    return module.out_proj(context) if experiment.variant == "multi_head" else context
