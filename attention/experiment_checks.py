"""Is each choice of an experiment of the right kind and in its range? Raises `LearnerError` if not."""

from typing import TYPE_CHECKING

from attention.checks import MAX_D_IN, MAX_D_OUT, MAX_HEADS, check_heads
from attention.embeddings import EMBEDDINGS
from attention.errors import LearnerError, shown
from attention.masks import MASKS
from attention.positions import POSITIONS
from attention.tokens import MAX_TOKENS, TOKENIZERS
from attention.variants import VARIANTS
from attention.vectors import check_vectors

if TYPE_CHECKING:
    from attention.experiment import Experiment

MODES = ("eval", "train")
MAX_SEED = 2**32 - 1
MAX_WEIGHTS = MAX_TOKENS * MAX_TOKENS  # 17 MB a step, and several steps are kept

CHOICES: dict[str, tuple[str, ...]] = {
    "tokenizer": TOKENIZERS,
    "embedding": EMBEDDINGS,
    "positions": POSITIONS,
    "mode": MODES,
    "mask": MASKS,
    "variant": tuple(VARIANTS),
}
RANGES: dict[str, tuple[int, int]] = {
    "d_in": (1, MAX_D_IN),
    "d_out": (1, MAX_D_OUT),
    "num_heads": (1, MAX_HEADS),
    "window": (1, MAX_TOKENS),
    "seed": (0, MAX_SEED),
}


def check_choices(chosen: "Experiment") -> None:
    """Check every field on its own, and that the heads can share d_out."""
    if type(chosen.sentence) is not str:
        raise LearnerError("not_text", name="sentence", value=shown(chosen.sentence))
    for name, allowed in CHOICES.items():
        check_choice(name, getattr(chosen, name), allowed)
    for name, (smallest, largest) in RANGES.items():
        check_whole_number(name, getattr(chosen, name), smallest, largest)
    check_dropout(chosen.dropout)
    if type(chosen.qkv_bias) is not bool:
        raise LearnerError("not_true_or_false", name="qkv_bias", value=shown(chosen.qkv_bias))
    if type(chosen.vectors) is not tuple or chosen.vectors:  # an array compared with () is no answer
        check_vectors(chosen.vectors)
    if VARIANTS[chosen.variant].has_heads:
        check_heads(chosen.d_out, chosen.num_heads)


def check_weights(chosen: "Experiment", sentences: int, tokens: int) -> None:
    """Check that the attention weights of the whole batch fit into a small server's memory."""
    num_heads = chosen.num_heads if VARIANTS[chosen.variant].has_heads else 1
    count = sentences * num_heads * tokens**2
    if count > MAX_WEIGHTS:
        raise LearnerError(
            "too_many_weights",
            sentences=sentences,
            num_heads=num_heads,
            tokens=tokens,
            count=count,
            limit=MAX_WEIGHTS,
        )


def check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if type(value) is not str or value not in allowed:
        raise LearnerError("unknown_choice", name=name, value=shown(value), allowed=", ".join(allowed))


def check_whole_number(name: str, value: object, smallest: int, largest: int) -> None:
    if type(value) is not int:  # True is not a number here, though Python would let it pass
        raise LearnerError("not_whole_number", name=name, value=shown(value), example=smallest)
    if not smallest <= value <= largest:
        raise LearnerError("out_of_range", name=name, value=shown(value), smallest=smallest, largest=largest)


def check_dropout(value: object) -> None:
    if type(value) is not int and type(value) is not float:
        raise LearnerError("not_number", name="dropout", value=shown(value), example=0.1)
    if value == 1:
        raise LearnerError("dropout_of_one", value=shown(value))
    if not 0 <= value < 1:  # also true for NaN
        raise LearnerError("dropout_out_of_range", value=shown(value))
