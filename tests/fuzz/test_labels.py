"""Any Unicode as tokens, as labels, inside Markdown and in the strip: it shows itself, within bounds."""

import html
import unicodedata

import regex
import wcwidth
from hypothesis import strategies as st

from attention import LearnerError, split_sentences, tokenize
from attention.byte_pairs import gpt2_encoding
from attention.tokens import MAX_CHARACTERS, MAX_SENTENCES, MAX_TOKENS, TOKENIZERS
from figures import escape, printable, short
from tests.fuzz.examples import holds_for
from tests.fuzz.test_experiments import said
from tests.fuzz.typed import NASTY, texts
from tests.pages.look import told
from tests.ui.test_literal import code_span
from ui.markdown import literal
from ui.steps import strip
from ui.wire import message

UNDRAWN = regex.compile(r"[\s\p{Cc}\p{Default_Ignorable_Code_Point}]")
UNSEEN = regex.compile(r"[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]")
LETTERS = [letter for text in NASTY for letter in {*text}]
tokens = st.one_of(texts(), st.sampled_from(LETTERS), st.lists(st.sampled_from(LETTERS), max_size=4).map("".join))


@holds_for(8, text=texts(), tokenizer=st.sampled_from(TOKENIZERS))
def test_tokens_are_the_whole_sentence_and_their_number_is_bounded(text, tokenizer):
    try:
        sentences = split_sentences(text)
        batch = tokenize(sentences, tokenizer)
    except LearnerError as error:
        said(error)
        return
    assert len(batch) == len(sentences) <= MAX_SENTENCES and len(text) <= MAX_CHARACTERS
    for sentence, found in zip(sentences, batch, strict=True):
        whole = regex.sub(r"\p{Cs}", "\ufffd", sentence)
        assert 1 <= len(found.ids) == len(found.texts) == len(found.pieces_of) <= MAX_TOKENS
        assert list(found.pieces_of) == sorted(found.pieces_of)
        match tokenizer:
            case "words":
                assert UNDRAWN.sub("", "".join(found.texts)) == UNDRAWN.sub("", whole)
                assert all(UNDRAWN.sub("", token) for token in found.texts)
            case "characters":
                assert "".join(found.texts) == whole
            case _:
                assert gpt2_encoding().decode(list(found.ids)) == whole
        data = told(message({"strip": strip(found.texts, found.pieces_of, "")}))["strip"]
        assert data["tokens"] == list(map(printable, found.texts)) and len(data["groups"]) == len(found.ids)


@holds_for(4, token=tokens)
def test_a_label_can_be_seen_fits_and_is_no_markup(token):
    shown = printable(token)
    assert UNSEEN.sub("", shown)
    assert not regex.search(r"[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s\p{Bidi_Control}]", shown)
    assert not unicodedata.category(shown[0]).startswith("M"), "a mark would join what stands before it"
    label = short(token)
    assert wcwidth.width(label, control_codes="ignore") <= 12 and len(label) <= 49
    assert label == shown or label.endswith("…")
    assert html.unescape(escape(shown)) == shown and not {"<", ">", "$"} & set(escape(shown))


@holds_for(4, text=tokens)
def test_typed_text_inside_markdown_is_one_code_span_on_one_line(text):
    markdown = literal(text)
    assert len(markdown.splitlines()) == 1
    assert code_span(markdown) == (printable(text), "")
