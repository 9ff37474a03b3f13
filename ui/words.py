"""Every word a person reads, in English or Chinese. Nothing here is about attention."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

LANGUAGES = {"en": "English", "zh": "中文"}
_LOCALES = Path(__file__).parent / "locales"


@cache
def locale(language: str) -> dict[str, Any]:
    """All texts of one language: nested tables of strings."""
    return tomllib.loads((_LOCALES / f"{language}.toml").read_text(encoding="utf-8"))


def browser_language() -> str:
    """'zh' for any Chinese browser, else 'en'."""
    return "zh" if (st.context.locale or "").lower().startswith("zh") else "en"


def t(key: str, /, **values: object) -> str:
    """The text at the dotted ``key`` in the page's language, with ``values`` filled in.

    Raises KeyError if there is no such text.
    """
    found = text(language(), key)
    return found.format(**values) if values else found


def language() -> str:
    """The page's."""
    return str(st.session_state.get("lang") or browser_language())


@cache
def text(language: str, key: str) -> str:
    """The text at the dotted ``key``, as it stands. Raises KeyError if there is none."""
    found: Any = locale(language)
    for part in key.split("."):
        found = found[part]
    return str(found)
