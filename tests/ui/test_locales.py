"""Every word a person reads exists in both languages, and says the same with the same values in it."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from attention import MESSAGES, VARIANTS, LearnerError
from attention.experiment_checks import CHOICES
from ui.controls import PRESETS
from ui.errors import message
from ui.lesson import ORDER
from ui.parameters import PARAMETERS
from ui.words import LANGUAGES, locale, t

ROOT = Path(__file__).parents[2]
SOURCES = [ROOT / "app.py", *(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
HAN = re.compile("[\u4e00-\u9fff]")


def texts(language: str) -> dict[str, str]:
    """All texts of a language by their dotted keys."""

    def walk(table: dict[str, object], path: str = "") -> Iterator[tuple[str, str]]:
        for key, value in table.items():
            yield from walk(value, f"{path}{key}.") if isinstance(value, dict) else [(path + key, value)]

    return dict(walk(locale(language)))


def placeholders(text: str) -> set[tuple[str, str]]:
    """(name, format) of every value that goes into a text."""
    return {(name, spec) for _, name, spec, _ in string.Formatter().parse(text) if name is not None}


ENGLISH, CHINESE = texts("en"), texts("zh")


def test_both_languages_have_the_same_texts():
    assert ENGLISH.keys() == CHINESE.keys()
    assert all(text.strip() for text in (*ENGLISH.values(), *CHINESE.values()))


@pytest.mark.parametrize("key", ENGLISH)
def test_both_languages_put_the_same_values_into_a_text(key):
    assert placeholders(ENGLISH[key]) == placeholders(CHINESE[key])


def test_sentences_are_translated():
    same = {key for key, text in ENGLISH.items() if text == CHINESE[key]}
    assert all(len(ENGLISH[key].split()) == 1 for key in same), same
    sentences = [text for key, text in CHINESE.items() if " " in ENGLISH[key]]
    assert all(HAN.search(text) for text in sentences)


def test_the_english_messages_are_the_packages_own():
    assert locale("en")["errors"] == MESSAGES


def needed() -> Iterator[str]:
    """The keys that choices, steps and axes make up."""
    for name in PARAMETERS.keys() - {
        "cell",
        "query",
        "draw",
        "drawn",
        "off",
        "target",
    }:  # chosen in the figures, or by a button
        yield f"controls.{name}.label"
        yield from (f"controls.{name}.{option}" for option in CHOICES.get(name, ()))
    yield from (f"controls.preset.{name}" for name in PRESETS)
    yield from (f"{page}.{part}" for page in ORDER for part in ("nav", "title", "intro", "look_for", "try"))
    for variant in VARIANTS.values():
        for step in variant.attention.steps:
            yield f"steps.{step.name}.title"
            yield from (f"figure.axis_titles.{axis}" for axis in step.axes.split() if axis != "batch")
    yield from (f"figure.axis_titles.{axis}" for axis in ("token", "d_in"))
    yield from (f"steps.{name}.title" for name in ("inputs", "embedding", "positions", "unsplit_queries"))


def test_every_choice_step_axis_and_page_has_its_texts():
    assert not set(needed()) - ENGLISH.keys()


def asked_for() -> tuple[set[str], set[str]]:
    """The keys that the sources ask for: literal ones, and patterns of those that are put together."""
    place = {"t": 0, "text": 1}  # of the key, among what is given
    literal, patterns = set(), set()
    for node in (node for file in SOURCES for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in place):
            continue
        key = node.args[place[node.func.id]]
        if isinstance(key, ast.Constant):
            literal.add(key.value)
        elif isinstance(key, ast.JoinedStr):
            parts = [re.escape(p.value) if isinstance(p, ast.Constant) else r"\w+" for p in key.values]
            patterns.add("".join(parts))
    return literal, patterns


def test_every_text_that_is_asked_for_exists_and_every_one_that_exists_is_asked_for():
    literal, patterns = asked_for()
    assert len(literal) > 20 and len(patterns) > 5
    assert not literal - ENGLISH.keys()
    made = {key for key in ENGLISH for pattern in patterns if re.fullmatch(pattern, key)}
    assert not ENGLISH.keys() - literal - made


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_text_is_an_error_and_not_a_blank(speak, language):
    speak(language)
    for key in ("nowhere", "controls.nothing", "start.title.more", ""):
        with pytest.raises((KeyError, TypeError)):
            t(key)


def test_values_are_filled_in(speak):
    speak("en")
    assert t("tokens.count", tokens=6, distinct=5) == "6 tokens, 5 of them distinct."
    speak("zh")
    assert t("tokens.count", tokens=6, distinct=5) == "6 个词元，其中不同的有 5 个。"


@pytest.mark.parametrize("code", MESSAGES)
def test_every_message_can_be_said_in_every_language_with_all_its_values(speak, code):
    values = {name: 700 + i for i, (name, _) in enumerate(sorted(placeholders(MESSAGES[code])))}
    for language in LANGUAGES:
        speak(language)
        said = message(LearnerError(code, **values))
        assert all(str(value) in said for value in values.values())
        assert bool(HAN.search(said)) == (language == "zh")
