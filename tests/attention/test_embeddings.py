"""Which vector a token gets, and what does not change it."""

import math

import pytest
import torch

from attention import BOOK_TOKENS, BOOK_VECTORS, Experiment, LearnerError, embedding_width, tokenize


def inputs(sentence, **choices):
    return Experiment(sentence=sentence, **choices).inputs()


def test_book_tokens_get_the_books_rows():
    assert torch.equal(inputs("step one Your")[0], torch.tensor([BOOK_VECTORS[i] for i in (5, 4, 0)]))
    assert inputs("Your").dtype == torch.float32
    whole = " ".join(BOOK_TOKENS)
    assert torch.equal(inputs(whole, tokenizer="byte_pairs"), inputs(whole))


def test_a_word_that_the_book_lacks_is_named():
    with pytest.raises(LearnerError, match=r"no row for 'journeys'.* choose another embedding"):
        Experiment(sentence="Your journeys")


def test_equal_words_get_equal_rows_and_editing_one_changes_no_other():
    choices = {"embedding": "seeded", "d_in": 5}
    rows = inputs("the cat saw the dog", **choices)[0]
    assert torch.equal(rows[0], rows[3])
    assert len({tuple(row.tolist()) for row in rows}) == 4
    edited = inputs("the cat saw the dog run", **choices)[0]
    assert torch.equal(edited[:5], rows)
    byte_pairs = {"tokenizer": "byte_pairs", **choices}
    before, after = (
        inputs("the cat saw the dog", **byte_pairs)[0],
        inputs("the rat saw the dog", **byte_pairs)[0],
    )
    assert torch.equal(before[[0, 2, 3, 4]], after[[0, 2, 3, 4]])
    assert not torch.equal(before[1], after[1])
    assert not torch.equal(rows, inputs("the cat saw the dog", seed=124, **choices)[0])


def test_untrained_rows_look_like_a_standard_normal():
    sentence = " ".join(f"w{i}" for i in range(500))
    for positions in ("none", "learned"):
        rows = inputs(sentence, embedding="seeded", d_in=64, positions=positions)
        expected = math.sqrt(2) if positions == "learned" else 1
        assert abs(rows.mean()) < 0.03
        assert abs(rows.std() - expected) < 0.03
    tokens = inputs(sentence, embedding="seeded", d_in=64)[0]
    positions = inputs(sentence, embedding="seeded", d_in=64, positions="learned")[0] - tokens
    assert torch.corrcoef(torch.stack([tokens.flatten(), positions.flatten()]))[0, 1].abs() < 0.03


def test_one_hot_columns_are_in_order_of_first_appearance():
    x = inputs("b a b\nc a", embedding="one_hot", d_in=3)
    assert x.tolist() == [[[1, 0, 0], [0, 1, 0], [1, 0, 0]], [[0, 0, 1], [0, 1, 0], [0, 0, 0]]]
    byte_pairs = inputs("b a b", embedding="one_hot", d_in=3, tokenizer="byte_pairs")
    assert torch.equal(byte_pairs[0], torch.eye(3))


def test_own_vectors_are_used_as_they_are():
    own = ((1.0, 2.5), (3, -4.0))
    assert inputs("hello world", embedding="own", d_in=2, vectors=own).tolist() == [[[1, 2.5], [3, -4]]]


def test_padding_is_zero_even_where_positions_are_added():
    x = inputs("a b c\na", embedding="seeded", positions="sinusoidal", d_in=4)
    assert (x[1, 1:] == 0).all()
    assert x[1, 0].any()


@pytest.mark.parametrize("d_in", [1, 2, 5, 8])
def test_sinusoidal_positions_are_the_papers(d_in):
    choices = {"embedding": "own", "d_in": d_in, "vectors": ((0.0,) * d_in,) * 4}
    added = inputs("a b c d", positions="sinusoidal", **choices)[0]
    for position in range(4):
        for column in range(d_in):
            angle = position / 10000 ** (2 * (column // 2) / d_in)
            expected = math.cos(angle) if column % 2 else math.sin(angle)
            assert added[position, column].item() == pytest.approx(expected, abs=1e-6)


def test_learned_positions_do_not_depend_on_the_length_or_the_words():
    zeros = {"embedding": "own", "positions": "learned", "d_in": 3}
    short = inputs("a b", vectors=((0.0,) * 3,) * 2, **zeros)[0]
    long = inputs("c c c", vectors=((0.0,) * 3,) * 3, **zeros)[0]
    assert torch.equal(long[:2], short)
    assert not torch.equal(long[1], long[2])


def test_embedding_width_is_known_before_an_experiment_is_built():
    batch = tokenize(["a b a", "c"], "words")
    widths = {name: embedding_width(batch, name, ((1.0, 2.0),)) for name in ("book", "seeded", "one_hot", "own")}
    assert widths == {"book": 3, "seeded": None, "one_hot": 3, "own": 2}
    assert embedding_width(batch, "own", ()) is None


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"d_in": 4}, "book's vectors have 3 numbers, so d_in = 4 .* choose d_in = 3"),
        ({"embedding": "one_hot", "d_in": 3}, "6 distinct tokens, so d_in = 3 does not fit: choose d_in = 6"),
        (
            {"embedding": "one_hot", "sentence": " ".join(map(str, range(65)))},
            "65 distinct tokens, but d_in can be 64 at most",
        ),
        ({"embedding": "own"}, "needs your vectors"),
        ({"embedding": "own", "vectors": ((1.0,) * 3,)}, "rows of your vectors: 1, tokens of the sentence: 6"),
        (
            {"embedding": "own", "vectors": ((1.0,) * 2,) * 6},
            "columns of your vectors: 2, so d_in = 3 .* choose d_in = 2",
        ),
        (
            {"embedding": "own", "vectors": ((1.0,) * 3,) * 2, "sentence": "a\nb"},
            "one sentence, but there are 2",
        ),
    ],
)
def test_vectors_that_do_not_fit_are_refused_with_what_would(choices, message):
    with pytest.raises(LearnerError, match=message):
        Experiment(**choices)
