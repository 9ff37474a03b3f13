"""What a browser shows of a figure: its numbers, its marks, where its cells are."""

import numpy as np
from playwright.sync_api import Locator, Page


def drawn_values(page: Page, step: str) -> np.ndarray:
    """The array that is drawn for ``step``, which is scrolled into view."""
    page.locator(f'[data-step="{step}"]').scroll_into_view_if_needed()
    page.wait_for_selector(f'[data-step="{step}"] .att-over')
    rows = page.evaluate(
        'step => document.querySelector(`[data-step="${step}"] .att-gd`).data[0].z.map(row => [...row].map('
        "value => Number.isFinite(value) ? value : null))",
        step,
    )
    return np.array(rows, dtype=np.float32)


def cell(page: Page, step: str, *, row: int, column: int) -> tuple[float, float]:
    """The middle of a cell, in pixels of the window; the figure is scrolled into view."""
    page.wait_for_selector(f'[data-step="{step}"] .att-over')
    page.locator(f'[data-step="{step}"]').scroll_into_view_if_needed()
    x, y = page.evaluate(
        '([step, row, column]) => { const gd = document.querySelector(`[data-step="${step}"] .att-gd`),'
        " box = gd.getBoundingClientRect(), { l, t, w, h } = gd._fullLayout._size, { xaxis, yaxis } = gd.layout,"
        " share = (place, [from, to]) => (place - from) / (to - from);"
        " return [box.x + l + w * share(column, xaxis.range), box.y + t + h * (1 - share(row, yaxis.range))]; }",
        [step, row, column],
    )
    return x, y


def marks(page: Page, step: str, kind: str) -> int:
    """How many rows and columns of ``step`` are outlined, once the browser has drawn its next frame."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    return page.locator(f'[data-step="{step}"] .{kind}').count()


def picker(page: Page, axis: str) -> Locator:
    """The list at the foot of the page from which a head, query, key or feature is picked."""
    return page.get_by_role("combobox", name=axis, exact=True)
