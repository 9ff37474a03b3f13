"""Sentences become tokens; nothing a learner pastes may crash or hang."""

import time

import pytest

from attention import LearnerError, split_sentences, tokenize
from attention.byte_pairs import gpt2_encoding
from attention.tokens import MAX_CHARACTERS, MAX_TOKENS, TOKENIZERS

FAMILY = "👨\u200d👩\u200d👧"


def texts(sentence, tokenizer="words"):
    return list(tokenize([sentence], tokenizer)[0].texts)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Your journey starts with one step", ["Your", "journey", "starts", "with", "one", "step"]),
        ("  Don't stop,\tl’homme! ", ["Don't", "stop", ",", "l’homme", "!"]),
        ("'quoted' self-attention", ["'", "quoted", "'", "self", "-", "attention"]),
        ("cafe\u0301 हिन्दी 한국어 می\u200cخواهم", ["cafe\u0301", "हिन्दी", "한국어", "می\u200cخواهم"]),
        ("我爱GPT2。", ["我", "爱", "GPT2", "。"]),
        ("コーヒーは", ["コ", "ー", "ヒ", "ー", "は"]),
        ("น้ำดี", ["น้ำ", "ดี"]),
        (f"a{FAMILY}b 🇨🇳🇯🇵 👍🏽", ["a", FAMILY, "b", "🇨🇳", "🇯🇵", "👍🏽"]),
        ("a\u200bb \x00\ufeff", ["a", "b"]),
        ("<|endoftext|> {0} %s", ["<", "|", "endoftext", "|", ">", "{", "0", "}", "%", "s"]),
    ],
)
def test_words_stand_apart_from_punctuation(sentence, expected):
    assert texts(sentence) == expected


def test_each_word_is_one_piece_and_equal_words_share_an_id():
    first, second = tokenize(["a b a", "c b"], "words")
    assert (first.ids, first.pieces_of) == ((0, 1, 0), (0, 1, 2))
    assert (second.ids, second.pieces_of) == ((2, 1), (0, 1))


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_a_word_added_at_the_end_changes_no_earlier_id(tokenizer):
    (short,), (long,) = tokenize(["one step one"], tokenizer), tokenize(["one step one more"], tokenizer)
    n = len(short.ids)
    assert (long.texts[:n], long.ids[:n], long.pieces_of[:n]) == (short.texts, short.ids, short.pieces_of)


def test_characters_are_what_a_reader_calls_so():
    (tokens,) = tokenize([f" ae\u0301  {FAMILY}a "], "characters")
    assert tokens.texts == (" ", "a", "e\u0301", " ", " ", FAMILY, "a", " ")
    assert tokens.ids == (0, 1, 2, 0, 0, 3, 1, 0)
    assert tokens.pieces_of == (0, 0, 0, 1, 1, 1, 1, 2)


def test_byte_pairs_are_gpt2s():
    (tokens,) = tokenize(["Your journey starts with one step <|endoftext|>"], "byte_pairs")
    assert tokens.texts[:6] == ("Your", " journey", " starts", " with", " one", " step")
    assert tokens.ids == (7120, 7002, 4940, 351, 530, 2239, 1279, 91, 437, 1659, 5239, 91, 29)
    assert tokens.pieces_of == (0, 1, 2, 3, 4, 5, 6, 6, 7, 7, 7, 8, 8)
    (hello,) = tokenize(["Hello, do you like tea?"], "byte_pairs")
    assert hello.ids == (15496, 11, 466, 345, 588, 8887, 30)


def test_a_part_of_a_character_shows_its_bytes():
    (tokens,) = tokenize(["🙂"], "byte_pairs")
    assert tokens.texts == ("<F0-9F>", "<99-82>")
    assert set(tokens.pieces_of) == {0}


@pytest.mark.parametrize(
    "sentence", ["  two  spaces \t x ", "don't we'll 3.14 über 我爱你", f"a{FAMILY}!!  ", "e\u0301" * 9]
)
def test_cutting_before_the_merges_changes_no_byte_pair(sentence):
    (tokens,) = tokenize([sentence], "byte_pairs")
    assert list(tokens.ids) == gpt2_encoding().encode_ordinary(sentence)
    assert gpt2_encoding().decode(list(tokens.ids)) == sentence


def test_one_sentence_a_line_and_blank_lines_dropped():
    assert split_sentences("one step\r\n\n  \n\u200b\x00\n two\n") == ("one step", " two")
    for nothing in ("", " \n\t\n", "\u200b\ufeff", "\x00"):
        with pytest.raises(LearnerError, match="at least one word"):
            split_sentences(nothing)
    with pytest.raises(LearnerError, match="10000 characters, more than 9999"):
        split_sentences("a" * (MAX_CHARACTERS + 1))


HOSTILE = {
    "one letter": "a" * MAX_CHARACTERS,
    "spaces": " " * (MAX_CHARACTERS - 1) + "a",
    "apostrophes": "a'" * (MAX_CHARACTERS // 2),
    "marks": "e" + "\u0301" * (MAX_CHARACTERS - 1),
    "joiners": "👨\u200d" * (MAX_CHARACTERS // 2),
    "flags": "🇦" * MAX_CHARACTERS,
    "zero bytes": "a" + "\x00" * (MAX_CHARACTERS - 1),
    "half a pair": "\ud83d" * 9,
    "two halves": "\ud83d\ude00",
    "right to left": "\u202eabc\u202c",
    "private": "\ue000\U0010ffff",
    "invisible": "\u200b\ufeff\u2060",
    "markup": "<b>{bold}</b> %s $x$",
}


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_answered_soon(name, tokenizer):
    start = time.process_time()
    try:
        (tokens,) = tokenize([HOSTILE[name]], tokenizer)
    except LearnerError as error:
        assert error.code in {"too_many_tokens", "no_tokens"}
    else:
        assert len(tokens.texts) == len(tokens.ids) == len(tokens.pieces_of) <= MAX_TOKENS
        assert "".join(tokens.texts).encode()  # no half of a pair is left
    assert time.process_time() - start < 3


def test_half_a_surrogate_pair_is_the_replacement_character():
    assert texts("a \ud83d") == ["a", "\ufffd"]


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        (["a"] * 17, "17 sentences .* more than 16"),
        (["a" * 8000, "b" * 2000], "10000 characters, more than 9999"),
        (["fine", "a " * 2049], r"sentence 2 \('a a a.*…'\) has 2049 tokens, more than 2048"),
        (["fine", "\u200b"], "sentence 2 .* gives no tokens"),
    ],
)
def test_limits_are_stated(sentences, message):
    with pytest.raises(LearnerError, match=message):
        tokenize(sentences, "words")


def test_the_limits_themselves_are_allowed():
    assert len(tokenize(["a " * 512] * 8, "words")[7].ids) == 512
    assert len(tokenize(["a"] * 16, "words")) == 16


def test_an_unknown_tokenizer_is_refused_with_the_known_ones():
    with pytest.raises(LearnerError, match="'letters' is not known: choose one of words, characters, byte_pairs"):
        tokenize(["a"], "letters")
