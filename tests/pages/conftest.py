"""Pages that several tests only read are opened once."""

from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import LANGUAGES, open_page
from ui.lesson import ORDER

_first_visit = cache(lambda name, language: open_page(name, lang=language))


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=ORDER)
def name(request: pytest.FixtureRequest) -> str:
    """The name of each page."""
    return request.param


@pytest.fixture
def page(name: str, language: str) -> AppTest:
    """Each page in each language, as at the first visit. Read it only."""
    return _first_visit(name, language)
