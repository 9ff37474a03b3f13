"""What a person typed, inside Markdown: one code span that holds all of it."""

import re

import pytest

from attention import LearnerError
from ui.errors import message
from ui.markdown import literal, quoted

HOSTILE = (
    "<b>x</b>",
    "**bold**",
    ":red[x]",
    "$x$",
    "[x](//evil)",
    ":material/home:",
    "<script>alert(1)</script>",
    "a_b_c",
    "\\",
)


def code_span(markdown: str) -> tuple[str, str]:
    """The content of the code span that ``markdown`` starts with, and what follows, as CommonMark 6.1 has it."""
    fence = re.match("`+", markdown)[0]
    start = len(fence)
    closing = next(run for run in re.finditer("`+", markdown[start:]) if len(run[0]) == len(fence))
    inside = markdown[start : start + closing.start()].replace("\n", " ")
    if inside.strip() and inside[0] == inside[-1] == " ":
        inside = inside[1:-1]
    return inside, markdown[start + closing.end() :]


@pytest.mark.parametrize(
    "text", [*HOSTILE, "`", "``", "`code`", "a`b``c```d", "```\n# x\n```".replace("\n", " "), "x`"]
)
def test_typed_text_stays_inside_one_code_span(text):
    inside, after = code_span(literal(text))
    assert inside == text.replace(" ", "␣")
    assert (code_span(quoted(text))) == (text, after)
    assert after == ""


@pytest.mark.parametrize(
    ("text", "shown"), [("", "∅"), ("a\n\n# b", "a⏎⏎#␣b"), (" \t ", "␣⇥␣"), ("\u202e", "⟨202E⟩"), ("\x00", "⟨0000⟩")]
)
def test_what_cannot_be_seen_is_marked_and_breaks_no_line(text, shown):
    assert code_span(literal(text)) == (shown, "")


@pytest.mark.parametrize("typed", [*HOSTILE, "`x`"])
@pytest.mark.parametrize(
    ("language", "before"), [("en", "the book's table has no row for '"), ("zh", "书中的表里没有 ")]
)
def test_messages_quote_what_was_typed_literally(speak, language, before, typed):
    speak(language)
    said = message(LearnerError("book_has_no_row", token=typed, known="Your"))
    assert said.startswith(before)
    assert code_span(said.removeprefix(before))[0] == typed


def test_numbers_of_the_app_itself_are_not_quoted(speak):
    speak("zh")
    said = message(LearnerError("heads_do_not_divide", d_out=7, num_heads=2, smaller=6, larger=8))
    assert "d_out = 7" in said and "num_heads = 2" in said and "整除" in said
    assert "`" not in said
