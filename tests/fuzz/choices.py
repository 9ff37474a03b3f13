"""Choices for an experiment: mostly such as fit together, sometimes one of them replaced by anything."""

from typing import Any

import numpy as np
import torch
from hypothesis import strategies as st

from attention import Experiment, LearnerError, split_sentences, tokenize
from attention.experiment_checks import CHOICES
from attention.vectors import MAX_SIZE
from tests.fuzz.typed import texts

SENTENCES = texts() | st.lists(st.text("ab c", min_size=1, max_size=9), min_size=1, max_size=4).map("\n".join)
BOOK = st.lists(st.sampled_from(["Your journey starts", "step", "one", "with one step"]), min_size=1, max_size=4).map(
    "\n".join
)
NUMBER = st.floats(-MAX_SIZE, MAX_SIZE) | st.integers(-3, 3) | st.sampled_from([1e-40, 5e-324, -0.0, MAX_SIZE])
NAMES = st.sampled_from(list(Experiment.__dataclass_fields__))
ANYTHING: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-2, 600),
    st.floats(),
    texts(),
    st.sampled_from([10**5000, -(10**5000), 2**32, float("nan"), float("inf"), 1 - 2**-53, 1.0, 1]),
    st.binary(max_size=4),
    st.complex_numbers(),
    st.lists(st.integers() | st.text(max_size=3), max_size=3),
    st.lists(st.lists(st.floats(), max_size=3).map(tuple), max_size=3).map(tuple),
    st.sampled_from([np.float64(0.5), np.int64(3), np.str_("causal"), np.ones((2, 2)), torch.ones(2, 2), object]),
)


@st.composite
def fitting(draw: st.DrawFn) -> dict[str, Any]:
    """Choices that mostly fit together; the text may still be too long, or say nothing."""
    chosen: dict[str, Any] = {name: draw(st.sampled_from(allowed)) for name, allowed in CHOICES.items()}
    heads = draw(st.integers(1, 16))
    chosen |= {
        "sentence": draw(BOOK if chosen["embedding"] == "book" else SENTENCES),
        "num_heads": heads,
        "d_out": heads * draw(st.integers(1, 128 // heads)),
        "d_in": draw(st.integers(1, 64)),
        "dropout": draw(st.sampled_from([0.0, 0.5]) | st.floats(0, 1, exclude_max=True)),
        "window": draw(st.integers(1, 8) | st.integers(1, 512)),
        "qkv_bias": draw(st.booleans()),
        "seed": draw(st.integers(0, 2**32 - 1)),
    }
    if chosen["embedding"] == "own":
        chosen["sentence"] = " ".join(chosen["sentence"].splitlines())
        number = draw(st.sampled_from([st.floats(-2, 2), NUMBER]))
        few = draw(st.lists(st.tuples(*[number] * chosen["d_in"]), min_size=1, max_size=3))
        chosen["vectors"] = tuple(few[i % len(few)] for i in range(len(_ids(chosen))))
    widths = {"book": 3, "one_hot": min(64, len(set(_ids(chosen))))}
    return chosen | {"d_in": widths.get(chosen["embedding"], chosen["d_in"])}


def _ids(chosen: dict[str, Any]) -> list[int]:
    try:
        batch = tokenize(split_sentences(chosen["sentence"]), chosen["tokenizer"])
    except LearnerError:
        return [0]
    return [id for tokens in batch for id in tokens.ids]
