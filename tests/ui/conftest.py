"""Texts without a running page."""

from collections.abc import Callable

import pytest

from ui import words


@pytest.fixture
def speak(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """``speak("zh")``: the language of every text from here on."""
    return lambda language: monkeypatch.setattr(words, "browser_language", lambda: language)
