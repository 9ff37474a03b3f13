"""A GPT-2 from a folder of your own: GPT-2 itself, or what somebody trained in its format.

Source: Radford et al. 2019, GPT-2, section 2.3; Raschka, Build a Large Language Model (From Scratch), 2024,
chapter 4 (the layers) and section 5.5 (loading the weights into `MultiHeadAttention`).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from os.path import isdir
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import layer_norm

from attention.errors import LearnerError, shown
from attention.given_weights import with_weights
from attention.language.block import MLP, Block
from attention.language.folder import one_of, positive_number, read_json, read_weights, whole_number
from attention.language.gpt2_tokens import GPT2Tokenizer, own_tokenizer
from attention.language.model import MAX_LENGTH
from attention.language.read_out import next_token_scores
from attention.multihead import MultiHeadAttention
from attention.tokens import Tokens

CONFIG = "config.json"


class GPT2:
    """The model, as `LanguageModel` says. Raises `LearnerError` for a folder that cannot be used.

    NaN in a tensor is found when the tensor is read: `embed`, `block` and `read_out` raise `LearnerError` for it.
    """

    def __init__(self, folder: Path) -> None:
        if find_spec("safetensors") is None:
            raise LearnerError("model_not_installed", model="GPT-2", command="make run MODEL_DIR=...")
        if not isdir(folder):  # which is False where `Path` raises, as for a name too long
            raise LearnerError("model_no_folder", folder=folder.name)
        config = read_json(folder / CONFIG)
        _check_kind(config)
        self.num_layers = whole_number(config, CONFIG, "n_layer")
        self.num_heads = whole_number(config, CONFIG, "n_head")
        self._positions = whole_number(config, CONFIG, "n_positions")
        self._vocabulary = whole_number(config, CONFIG, "vocab_size")
        self._d = whole_number(config, CONFIG, "n_embd")
        given = config.get("n_inner") is not None
        self._hidden = whole_number(config, CONFIG, "n_inner") if given else 4 * self._d
        if self._d % self.num_heads != 0:
            expected = f"a multiple of n_head = {self.num_heads}"
            raise LearnerError("model_config", file=CONFIG, name="n_embd", value=self._d, expected=expected)
        self._eps = positive_number({"layer_norm_epsilon": 1e-5, **config}, CONFIG, "layer_norm_epsilon")
        self.context_length = min(MAX_LENGTH, self._positions)
        self._weights = read_weights(folder, prefix="transformer.")
        self._weights.check(self._expected())
        self._tokenizer = own_tokenizer(folder, self._vocabulary) or GPT2Tokenizer(self._vocabulary)

    def encode(self, sentence: str) -> Tokens:
        return self._tokenizer.split(sentence)

    def token_text(self, id: int) -> str:
        return self._tokenizer.text(id)

    def embed(self, ids: Sequence[int]) -> Tensor:
        rows = torch.cat([self._weights.rows("wte.weight", id, id + 1) for id in ids])  # (token, d)
        places = self._weights.rows("wpe.weight", 0, len(ids))  # (token, d)
        return (rows + places).unsqueeze(0)  # (1, token, d)

    def block(self, layer: int) -> Block:
        return with_weights(self._empty_block, dict(self._block_weights(f"h.{layer}.")))

    def read_out(self, x: Tensor) -> Tensor:
        gain, shift = self._weights.tensor("ln_f.weight"), self._weights.tensor("ln_f.bias")  # (d,) each
        normed = layer_norm(x, (self._d,), gain, shift, self._eps)  # (..., d)
        return next_token_scores(normed, partial(self._weights.rows, self._read_out_name), self._vocabulary)

    @property
    def _read_out_name(self) -> str:
        """The matrix that scores the next token: the embedding itself, unless the file has another one."""
        return "lm_head.weight" if "lm_head.weight" in self._weights else "wte.weight"

    def _empty_block(self) -> Block:
        attention = MultiHeadAttention(
            self._d, self._d, self.context_length, dropout=0.0, num_heads=self.num_heads, qkv_bias=True
        )
        return Block(
            nn.LayerNorm(self._d, eps=self._eps),
            attention,
            nn.LayerNorm(self._d, eps=self._eps),
            MLP(self._d, self._hidden),
        )

    def _block_weights(self, place: str) -> Iterator[tuple[str, Tensor]]:
        """The tensors of the layer at `place` under our names. GPT-2 keeps its matrices transposed: (d_in, d_out)."""
        for ours, theirs in (("attention_norm", "ln_1"), ("mlp_norm", "ln_2")):
            yield f"{ours}.weight", self._weights.tensor(f"{place}{theirs}.weight")  # (d,)
            yield f"{ours}.bias", self._weights.tensor(f"{place}{theirs}.bias")  # (d,)
        matrices = self._weights.tensor(f"{place}attn.c_attn.weight").chunk(3, dim=-1)  # three of (d, d)
        biases = self._weights.tensor(f"{place}attn.c_attn.bias").chunk(3)  # three of (d,)
        for ours, matrix, bias in zip(("W_query", "W_key", "W_value"), matrices, biases, strict=True):
            yield f"attention.{ours}.weight", matrix.T.contiguous()  # (d, d)
            yield f"attention.{ours}.bias", bias  # (d,)
        for ours, theirs in (("attention.out_proj", "attn.c_proj"), ("mlp.fc", "mlp.c_fc"), ("mlp.proj", "mlp.c_proj")):
            yield f"{ours}.weight", self._weights.tensor(f"{place}{theirs}.weight").T.contiguous()  # (d_out, d_in)
            yield f"{ours}.bias", self._weights.tensor(f"{place}{theirs}.bias")  # (d_out,)

    def _expected(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The name and the shape of each tensor that the file must have."""
        d, hidden = self._d, self._hidden
        yield "wte.weight", (self._vocabulary, d)
        yield "wpe.weight", (self._positions, d)
        for layer in range(self.num_layers):
            for name, shape in (
                ("ln_1", (d,)),
                ("attn.c_attn", (d, 3 * d)),
                ("attn.c_proj", (d, d)),
                ("ln_2", (d,)),
                ("mlp.c_fc", (d, hidden)),
                ("mlp.c_proj", (hidden, d)),
            ):
                yield f"h.{layer}.{name}.weight", shape
                yield f"h.{layer}.{name}.bias", shape[-1:]
        yield "ln_f.weight", (d,)
        yield "ln_f.bias", (d,)
        yield self._read_out_name, (self._vocabulary, d)


def _check_kind(config: Mapping[str, Any]) -> None:
    """Raise `LearnerError` for another kind of model, or for options that would change the maths."""
    if config.get("model_type") != "gpt2":
        value = shown(config.get("model_type"))
        raise LearnerError("model_config", file=CONFIG, name="model_type", value=value, expected='"gpt2"')
    one_of(config, CONFIG, "activation_function", ("gelu_new", "gelu_pytorch_tanh"))
    one_of(config, CONFIG, "scale_attn_weights", (True,))
    one_of(config, CONFIG, "scale_attn_by_inverse_layer_idx", (False,))
    one_of(config, CONFIG, "add_cross_attention", (False,))
