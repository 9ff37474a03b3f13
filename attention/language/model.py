"""What a language model is here: token ids -> vectors -> layers -> a score for each possible next token."""

from collections.abc import Sequence
from typing import Protocol

from torch import Tensor

from attention.language.block import Block
from attention.tokens import Tokens

MAX_LENGTH = 64  # tokens of a sentence; the models could take more


class LanguageModel(Protocol):
    """Both models have this shape. Weights are read when they are asked for, and nothing keeps a layer's."""

    @property
    def num_layers(self) -> int: ...

    @property
    def num_heads(self) -> int:
        """Query heads of each layer."""

    @property
    def context_length(self) -> int:
        """The most tokens that a sentence may have."""

    def encode(self, sentence: str) -> Tokens: ...

    def token_text(self, id: int) -> str:
        """What a token shows."""

    def embed(self, ids: Sequence[int]) -> Tensor:
        """The vectors that go into layer 0. Shape (1, token, d)."""

    def block(self, layer: int) -> Block:
        """Layer `layer`, counted from 0, with its trained weights."""

    def read_out(self, x: Tensor) -> Tensor:
        """The scores of the next token (..., vocabulary), from what the last layer gave (..., d)."""
