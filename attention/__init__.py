"""Attention, step by step: a textbook in code. Start with causal.py, then multihead.py."""

from attention.arithmetic import Arithmetic, Cell, Term, explain
from attention.causal import CausalAttention
from attention.checks import MAX_D_IN, MAX_D_OUT, MAX_HEADS
from attention.embeddings import BOOK_TOKENS, BOOK_VECTORS, EMBEDDINGS, embedding_width
from attention.errors import MESSAGES, LearnerError
from attention.experiment import Experiment
from attention.experiment_checks import MAX_SEED, MODES
from attention.masks import (
    MASKS,
    causal_mask,
    hide_padding,
    no_mask,
    padding_mask,
    refuse_hidden_rows,
    sliding_window_mask,
)
from attention.multihead import MultiHeadAttention
from attention.positions import POSITIONS
from attention.randomness import seeded
from attention.tokens import (
    MAX_CHARACTERS,
    MAX_SENTENCES,
    MAX_TOKENS,
    TOKENIZERS,
    Tokens,
    split_sentences,
    tokenize,
)
from attention.trace import PADDING, Step, Tap, Trace, TracedStep, trace, untapped
from attention.variants import VARIANTS
from attention.vectors import format_vectors, parse_vectors

__all__ = [
    "BOOK_TOKENS",
    "BOOK_VECTORS",
    "EMBEDDINGS",
    "MASKS",
    "MAX_CHARACTERS",
    "MAX_D_IN",
    "MAX_D_OUT",
    "MAX_HEADS",
    "MAX_SEED",
    "MAX_SENTENCES",
    "MAX_TOKENS",
    "MESSAGES",
    "MODES",
    "PADDING",
    "POSITIONS",
    "TOKENIZERS",
    "VARIANTS",
    "Arithmetic",
    "CausalAttention",
    "Cell",
    "Experiment",
    "LearnerError",
    "MultiHeadAttention",
    "Step",
    "Tap",
    "Term",
    "Tokens",
    "Trace",
    "TracedStep",
    "causal_mask",
    "embedding_width",
    "explain",
    "format_vectors",
    "hide_padding",
    "no_mask",
    "padding_mask",
    "parse_vectors",
    "refuse_hidden_rows",
    "seeded",
    "sliding_window_mask",
    "split_sentences",
    "tokenize",
    "trace",
    "untapped",
]
