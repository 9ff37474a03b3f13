"""Every choice that a learner makes, frozen and checked, and the pass that follows from it.

An `Experiment` that could be constructed can be run. Equal experiments give equal numbers, whatever the
process did before.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from attention.embeddings import (
    book_embedding,
    check_embedding,
    distinct_ids,
    one_hot_embedding,
    own_embedding,
    seeded_embedding,
)
from attention.experiment_checks import check_choices, check_weights
from attention.masks import causal_mask, hide_padding, no_mask, refuse_hidden_rows, sliding_window_mask
from attention.positions import learned_positions, no_positions, sinusoidal_positions
from attention.randomness import seeded
from attention.tokens import Tokens, split_sentences, tokenize
from attention.trace import Tap, Trace, trace, untapped
from attention.variants import VARIANTS


def unaltered(module: nn.Module) -> None:
    """Leave the module as it is."""


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One experiment. Raises `LearnerError` if its choices do not fit together.

    `sentence`: one sentence a line; several lines are a batch, the shorter ones padded at the right with zeros.
    `window` counts for the sliding-window mask only, `vectors` for embedding 'own', `num_heads` for variants
    with heads.
    """

    sentence: str = "Your journey starts with one step"
    tokenizer: str = "words"
    embedding: str = "book"
    positions: str = "none"
    d_in: int = 3
    d_out: int = 4
    num_heads: int = 2
    dropout: float = 0.0
    mode: str = "eval"
    mask: str = "causal"
    window: int = 2
    qkv_bias: bool = False
    seed: int = 123
    vectors: tuple[tuple[float, ...], ...] = ()
    variant: str = "multi_head"

    def __post_init__(self) -> None:
        check_choices(self)
        check_embedding(self.tokens, self.embedding, self.d_in, self.vectors)
        check_weights(self, len(self.tokens), self.context_length)
        refuse_hidden_rows(self._hidden())

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of the batch."""
        return split_sentences(self.sentence)

    @property
    def tokens(self) -> list[Tokens]:
        """The tokens of each sentence, without padding."""
        return list(_tokens_of(self.sentence, self.tokenizer))

    @property
    def lengths(self) -> list[int]:
        """The number of tokens of each sentence, without padding."""
        return [len(tokens.ids) for tokens in self.tokens]

    @property
    def context_length(self) -> int:
        """The number of tokens of the longest sentence."""
        return max(self.lengths)

    @property
    def head_dim(self) -> int:
        """How many of the d_out numbers each head has; all of them in a variant without heads."""
        return self.d_out // self.num_heads if VARIANTS[self.variant].has_heads else self.d_out

    @property
    def padded(self) -> bool:
        """Whether a sentence is shorter than the longest one."""
        return len(set(self.lengths)) > 1

    def embedded(self) -> tuple[Tensor, Tensor]:
        """The vectors of the tokens, and those of their positions; 0 for padding. Both (batch, token, d_in)."""
        rows = pad_sequence([self._rows(tokens) for tokens in self.tokens], batch_first=True)
        places = pad_sequence([self._places(length) for length in self.lengths], batch_first=True)
        return rows, places

    def inputs(self) -> Tensor:
        """x: the vectors of the tokens plus those of their positions. Shape (batch, token, d_in)."""
        rows, places = self.embedded()
        return rows + places  # (batch, token, d_in)

    def build(self) -> tuple[nn.Module, Tensor]:
        """The module, with the parameters that its class draws after `torch.manual_seed(seed)`, and x."""
        with seeded(self.seed):
            return self._module(), self.inputs()

    def run(self, tap: Tap = untapped, alter: Callable[[nn.Module], None] = unaltered) -> Trace:
        """Every step of the pass. `alter` may change the module before it, `tap` the values on the way.

        Dropout draws on from the parameters: an altered module meets the same draws.
        """
        with seeded(self.seed), torch.no_grad():
            module, (rows, places) = self._module(), self.embedded()
            alter(module)
            return trace(module, rows + places, [tokens.texts for tokens in self.tokens], tap, made_of=(rows, places))

    def _module(self) -> nn.Module:
        module = VARIANTS[self.variant].build(self, self.context_length).train(self.mode == "train")
        module.mask = self._hidden()
        return module

    def with_padding_hidden(self, mask: Tensor) -> Tensor:
        """`mask` (query, key) as the module takes it: in a padded batch one for each item, the padding hidden too.

        Shape (query, key), (batch, query, key), or with heads (batch, 1, query, key).
        """
        if not self.padded:
            return mask  # (query, key)
        hidden = hide_padding(mask, self.lengths)  # (batch, query, key)
        return hidden.unsqueeze(1) if VARIANTS[self.variant].has_heads else hidden  # (batch, [1,] query, key)

    def _hidden(self) -> Tensor:
        """True where a query must not look at a key. Shapes as in `with_padding_hidden`."""
        n = self.context_length
        match self.mask:
            case "none":
                return no_mask(n)  # (query, key): padding is looked at, too
            case "padding":
                mask = no_mask(n)  # (query, key)
            case "sliding_window":
                mask = sliding_window_mask(n, self.window)  # (query, key)
            case _:
                mask = causal_mask(n)  # (query, key)
        return self.with_padding_hidden(mask)

    def _rows(self, tokens: Tokens) -> Tensor:
        """The embedding of one sentence. Shape (token, d_in)."""
        match self.embedding:
            case "book":
                return book_embedding(tokens)  # (token, d_in)
            case "one_hot":
                return one_hot_embedding(tokens, distinct_ids(self.tokens))  # (token, d_in)
            case "own":
                return own_embedding(self.vectors)  # (token, d_in)
            case _:
                return seeded_embedding(tokens, self.d_in, self.seed)  # (token, d_in)

    def _places(self, n: int) -> Tensor:
        """What tells the positions apart. Shape (token, d_in)."""
        match self.positions:
            case "learned":
                return learned_positions(n, self.d_in, self.seed)  # (token, d_in)
            case "sinusoidal":
                return sinusoidal_positions(n, self.d_in)  # (token, d_in)
            case _:
                return no_positions(n, self.d_in)  # (token, d_in)


@lru_cache(maxsize=32)  # a megabyte each at most
def _tokens_of(sentence: str, tokenizer: str) -> tuple[Tokens, ...]:
    return tuple(tokenize(split_sentences(sentence), tokenizer))
