"""ids -> vectors: what attention works on.

Source: Raschka, Build a Large Language Model (From Scratch), 2024, sections 2.7 and 3.3.1 (the table).
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention.checks import MAX_D_IN
from attention.errors import LearnerError, shown
from attention.randomness import drawn_row
from attention.tokens import Tokens

EMBEDDINGS = ("book", "seeded", "one_hot", "own")

BOOK_TOKENS = ("Your", "journey", "starts", "with", "one", "step")
BOOK_VECTORS = (
    (0.43, 0.15, 0.89),
    (0.55, 0.87, 0.66),
    (0.57, 0.85, 0.64),
    (0.22, 0.58, 0.33),
    (0.77, 0.25, 0.10),
    (0.05, 0.80, 0.55),
)

Vectors = Sequence[Sequence[float]]


def book_embedding(tokens: Tokens) -> Tensor:
    """Each token's row in the book's table. Shape (token, 3).

    The space in front of a byte pair (' journey') does not matter. Raises `LearnerError` for other tokens.
    """
    table = dict(zip(BOOK_TOKENS, BOOK_VECTORS, strict=True))
    rows = []
    for text in tokens.texts:
        if text.strip() not in table:
            raise LearnerError("book_has_no_row", token=shown(text), known=", ".join(BOOK_TOKENS))
        rows.append(table[text.strip()])
    return torch.tensor(rows, dtype=torch.float32)  # (token, 3)


def seeded_embedding(tokens: Tokens, d_in: int, seed: int) -> Tensor:
    """The rows of a table before training: draws from N(0, 1), as in `nn.Embedding`. Shape (token, d_in).

    Equal tokens get equal vectors, and no row depends on the others.
    """
    table = {id: drawn_row("token", seed, id, d_in) for id in set(tokens.ids)}
    return torch.stack([table[id] for id in tokens.ids])  # (token, d_in)


def one_hot_embedding(tokens: Tokens, distinct: Sequence[int]) -> Tensor:
    """A single 1, in the column of the token's id among the `distinct` ones. Shape (token, distinct)."""
    ids = torch.tensor(tokens.ids).unsqueeze(-1)  # (token, 1)
    return (ids == torch.tensor(distinct)).to(torch.float32)  # (token, distinct)


def own_embedding(vectors: Vectors) -> Tensor:
    """The learner's own numbers. Shape (token, d_in)."""
    return torch.tensor(vectors, dtype=torch.float32)  # (token, d_in)


def distinct_ids(batch: Sequence[Tokens]) -> list[int]:
    """Every id of the batch once, in the order of first appearance."""
    return list(dict.fromkeys(id for tokens in batch for id in tokens.ids))


def embedding_width(batch: Sequence[Tokens], embedding: str, vectors: Vectors = ()) -> int | None:
    """The only d_in that this embedding allows for this text; None if any will do."""
    match embedding:
        case "book":
            return len(BOOK_VECTORS[0])
        case "one_hot":
            return len(distinct_ids(batch))
        case "own":
            return len(vectors[0]) if vectors else None
        case _:
            return None


def check_embedding(batch: Sequence[Tokens], embedding: str, d_in: int, vectors: Vectors = ()) -> None:
    """Raise `LearnerError` if this embedding cannot give vectors of d_in numbers for this text."""
    if embedding == "own":
        _check_own(batch, vectors)
    width = embedding_width(batch, embedding, vectors)
    if embedding == "one_hot" and width is not None and width > MAX_D_IN:
        raise LearnerError("one_hot_too_wide", width=width, limit=MAX_D_IN)
    if embedding == "book":
        for tokens in batch:
            book_embedding(tokens)
    if width is not None and width != d_in:
        raise LearnerError(f"{embedding}_width", width=width, d_in=d_in)


def _check_own(batch: Sequence[Tokens], vectors: Vectors) -> None:
    if not vectors:
        raise LearnerError("own_without_vectors")
    if len(batch) != 1:
        raise LearnerError("own_needs_one_sentence", sentences=len(batch))
    if len(vectors) != len(batch[0].ids):
        raise LearnerError("own_rows", rows=len(vectors), tokens=len(batch[0].ids))
