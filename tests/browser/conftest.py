"""One server for all tests of this folder; a fresh page for each."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.server import serve


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with serve() as (address, _):
        yield address


@pytest.fixture(scope="session")
def idle(browser: Browser) -> Iterator[list[Page]]:
    """Pages that no test uses now: to open the app in one of them takes half as long as in a new one."""
    pages: list[Page] = []
    yield pages
    for page in pages:
        page.close()


@pytest.fixture
def open_page(address: str, browser: Browser, idle: list[Page]) -> Iterator[Callable[..., Page]]:
    """``open_page("causal?lang=zh", width=390)``: the page once its figures are drawn.

    What is asked of the browser besides, such as its locale, needs a page of its own.
    """
    pages: list[Page] = []
    once: list[Page] = []
    problems: list[str] = []

    def complain(error: object) -> None:
        problems.append(str(error))

    def go(path: str = "", *, width: int = 1400, height: int = 900, **other: object) -> Page:
        page = browser.new_page(**other) if other or not idle else idle.pop()
        (once if other else pages).append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.on("pageerror", complain)
        page.goto(f"{address}/{path}")
        page.wait_for_selector(".att-card", timeout=60_000)
        page.wait_for_function("[...document.querySelectorAll('.att-root')].every(({ dataset }) => dataset.drawn)")
        return page

    yield go
    for page in pages:
        page.remove_listener("pageerror", complain)
        page.mouse.move(0, 0)
        page.goto("about:blank")
    for page in once:
        page.close()
    idle.extend(pages)
    assert problems == []
