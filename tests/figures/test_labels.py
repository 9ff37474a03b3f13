"""A token shows as itself: what it is made of can be seen, and none of it is read as markup."""

import html

import pytest
import regex
import wcwidth

from figures import escape, printable, short

FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("step", "step"),
        (" step", "␣step"),
        ("a\tb", "a⇥b"),
        ("a\nb", "a⏎b"),
        ("\r", "␍"),
        ("", "∅"),
        ("\x00", "⟨0000⟩"),
        ("\x1b", "⟨001B⟩"),
        ("\xa0", "⟨00A0⟩"),
        ("\u3000", "⟨3000⟩"),
        ("\u200b", "⟨200B⟩"),
        ("\u202e", "⟨202E⟩"),
        ("\u2028", "⟨2028⟩"),
        ("\ufeff", "⟨FEFF⟩"),
        ("\ud800", "⟨D800⟩"),
        ("\u0301", "◌\u0301"),
        ("\u200d", "◌\u200d"),
        ("e\u0301", "e\u0301"),
        (FAMILY, FAMILY),
        ("👋🏽", "👋🏽"),
        ("🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",) * 2,
        ("می‌خواهم", "می‌خواهم"),
        ("שלום", "שלום"),
    ],
)
def test_every_character_can_be_seen(token, shown):
    assert printable(token) == shown


@pytest.mark.parametrize("text", ["<b>", "<br>", "<a href='//x'>", "&amp;", "&lt;", "$x$", "a<b>&c", "\\$"])
def test_markup_is_escaped_so_that_it_shows_as_it_was_typed(text):
    assert html.unescape(escape(text)) == text
    assert not set("<>$") & set(escape(text))


def test_text_without_markup_is_not_changed():
    assert escape('it\'s "naïve" 汉字 100% #1;') == 'it\'s "naïve" 汉字 100% #1;'


@pytest.mark.parametrize("token", ["a" * 200, "汉" * 40, FAMILY * 9, "👋🏽" * 9, "e\u0301" * 40, " " * 30, "<b>" * 9])
@pytest.mark.parametrize("width", [4, 5, 12])
def test_a_long_token_is_cut_between_two_characters(token, width):
    cut = short(token, width)
    assert wcwidth.width(cut) <= width
    assert cut.endswith("…")
    kept, whole = regex.findall(r"\X", cut[:-1]), regex.findall(r"\X", printable(token))
    assert kept == whole[: len(kept)]
    used = sum(map(wcwidth.width, kept))
    assert used + wcwidth.width(whole[len(kept)]) + 1 > width, "one more would have fitted"


@pytest.mark.parametrize("letter", "mwMW@%")
def test_of_wide_letters_fewer_are_shown(letter):
    assert short(letter * 200) == letter * 7 + "…"
    assert short(letter * 8) == letter * 8


@pytest.mark.parametrize("token", ["a" * 12, "汉" * 6, "abc", "", FAMILY])
def test_a_token_that_fits_is_not_cut(token):
    assert short(token) == printable(token)


def test_a_letter_under_hundreds_of_combining_marks_is_cut():
    assert len(short("a" + "\u0301" * 500)) < 60
