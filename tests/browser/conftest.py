"""One server for all tests of this folder; a fresh page for each."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.server import serve


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serve() as (address, _):
        yield address


@pytest.fixture
def open_page(address: str, browser: Browser) -> Iterator[Callable[..., Page]]:
    """``open_page("causal?lang=zh", width=390)``: the page once its figures are drawn."""
    contexts = []

    def go(path: str = "", *, width: int = 1400, height: int = 900, **context: object) -> Page:
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, **context))
        page = contexts[-1].new_page()
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.goto(f"{address}/{path}")
        page.wait_for_selector(".att-card", timeout=60_000)
        page.wait_for_function("[...document.querySelectorAll('.att-root')].every(({ dataset }) => dataset.drawn)")
        return page

    yield go
    problems = [problem for context in contexts for page in context.pages for problem in page.problems]
    for context in contexts:
        context.close()
    assert problems == []
