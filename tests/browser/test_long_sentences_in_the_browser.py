"""A map of too many cells for Plotly goes as levels of colour: what is said of its numbers is 'about', or exact."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from attention import Experiment
from tests.browser.look import cell

WORDS = " ".join(f"w{i}" for i in range(512))
CHOICES = {"embedding": "seeded", "d_out": 48, "num_heads": 12}
ZOOM = """
([rows, columns]) => Plotly.relayout(document.querySelector('[data-step="weights"] .att-gd'),
  { "xaxis.range": columns, "yaxis.range": rows.reverse() })
"""
ADDRESS = "multihead?sentence=" + WORDS.replace(" ", "+") + "".join(f"&{key}={value}" for key, value in CHOICES.items())
RANGES = """
() => {
  const { xaxis, yaxis } = document.querySelector('[data-step="weights"] .att-gd').layout;
  return [...xaxis.range, ...yaxis.range];
}
"""
SHEET = """document.querySelector('[data-step="weights"] .att-sheet').toDataURL()"""


@pytest.fixture
def long_page(open_page) -> Page:
    page = open_page(ADDRESS, color_scheme="light")
    page.locator('[data-step="weights"]').scroll_into_view_if_needed()
    return page


def zoom(page: Page, rows: list[float], columns: list[float]) -> None:
    """Show these rows and columns of the weights, in which a cell takes more than a pixel."""
    page.wait_for_selector('[data-step="weights"] .att-over')
    page.evaluate(ZOOM, [rows, columns])


def told(page: Page, *, row: int, column: int) -> str:
    page.mouse.move(*cell(page, "weights", row=row, column=column))
    tip = page.locator(".att-tip")
    expect(tip).to_contain_text(re.compile(f"w{row}\\b.*w{column}\\b", re.DOTALL))
    return tip.inner_text()


def test_a_weight_is_told_about_and_its_neighbours_differ(long_page):
    weights = Experiment(sentence=WORDS, **CHOICES).run()["weights"].value[0, 0]
    zoom(long_page, [499.5, 511.5], [199.5, 229.5])
    said = []
    for key in range(200, 230, 3):
        text = told(long_page, row=511, column=key)
        said.append(float(re.findall("about ([0-9.]+)", text)[0]))
        near = weights[511, key].item()
        assert abs(said[-1] - near) <= near**0.5 / 254 + 1e-4  # half a level, and the digits that are shown
    assert len(set(said)) > 1


def test_a_masked_weight_is_0_exactly(long_page):
    zoom(long_page, [89.5, 109.5], [289.5, 309.5])
    text = told(long_page, row=100, column=300)
    assert text.endswith("0.0000") and "about" not in text


def test_the_picture_says_that_it_is_an_overview_until_it_is_zoomed(long_page):
    remark = long_page.locator('[data-step="weights"] .att-remark')
    expect(remark).to_contain_text("verview")
    zoom(long_page, [-0.5, 19.5], [-0.5, 19.5])
    expect(remark).not_to_contain_text("verview")


STRONG = range(20, 500, 37)  # keys that every query looks at
STRIPES = """
() => {
  const { sheet } = [...attentionFigures].find(({ step }) => step === "weights"), { width, height } = sheet;
  const bytes = sheet.getContext("2d").getImageData(0, height >> 1, width, 1).data;
  const red = Array.from({ length: width }, (_, x) => bytes[4 * x]), least = Math.max(...red) - 25;
  return red.filter((value, x) => value < least && !(red[x - 1] < least)).length;
}
"""


@pytest.mark.parametrize("width", [1400, 390])
def test_a_key_that_is_looked_at_is_seen_though_many_cells_share_a_pixel(width, open_page):
    vectors = "\n".join("90" if key in STRONG else "1" for key in range(512))
    own = {"embedding": "own", "vectors": vectors, "mask": "none", "d_out": "1", "num_heads": "1", "seed": "3"}
    page = open_page(
        f"causal?sentence={quote(WORDS)}" + "".join(f"&{k}={quote(v)}" for k, v in own.items()), width=width
    )
    page.locator('[data-step="weights"]').scroll_into_view_if_needed()
    page.wait_for_selector('[data-step="weights"] .att-over')
    assert page.evaluate(STRIPES) == len(STRONG)


def test_a_double_click_that_zooms_out_opens_no_cell(long_page):
    zoom(long_page, [399.5, 419.5], [99.5, 119.5])
    long_page.mouse.dblclick(*cell(long_page, "weights", row=405, column=110))
    long_page.wait_for_function(f"({RANGES})()[2] > 500")
    long_page.wait_for_timeout(500)
    assert "cell=" not in long_page.url
    expect(long_page.locator(".att-panel")).to_have_count(0)


def test_what_was_zoomed_into_stays_in_sight_when_the_theme_or_a_number_changes(long_page):
    zoom(long_page, [399.5, 419.5], [99.5, 119.5])
    shown = long_page.evaluate(RANGES)
    for change in (
        lambda: long_page.emulate_media(color_scheme="dark"),
        lambda: long_page.locator('.st-key-seed [data-testid="stNumberInputStepUp"]').click(),
    ):
        before = long_page.evaluate(SHEET)
        change()
        long_page.wait_for_function(f"before => {SHEET} !== before", arg=before)
        long_page.wait_for_timeout(200)  # what is drawn after it
        assert long_page.evaluate(RANGES) == shown == [99.5, 119.5, 419.5, 399.5]
