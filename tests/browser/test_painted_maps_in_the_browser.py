"""Other numbers in the same frame are painted by the front: the picture must be the one that Plotly would draw."""

import numpy as np
import pytest
from playwright.sync_api import Page
from torch import Tensor

from attention import Experiment
from tests.browser.look import cell

PIXELS = """
async (step) => {
  const picture = document.querySelector(`[data-step="${step}"] .hm image`);
  const image = new Image(), canvas = document.createElement("canvas");
  image.src = picture.getAttributeNS("http://www.w3.org/1999/xlink", "href");
  await image.decode();
  Object.assign(canvas, { width: image.width, height: image.height });
  const ink = canvas.getContext("2d");
  ink.drawImage(image, 0, 0);
  return [image.width, image.height, ...ink.getImageData(0, 0, image.width, image.height).data];
}
"""
TOTAL = """
([step, total]) => {
  const { data: [{ z }] } = document.querySelector(`[data-step="${step}"] .att-gd`);
  const sum = z.flatMap((row) => [...row]).filter(Number.isFinite).reduce((all, number) => all + number, 0);
  return Math.abs(sum - total) < 1e-4;
}
"""
# The printed numbers; where they stand; where Plotly has the middles of the cells, 5 in a row.
PRINTED = """
(step) => {
  const gd = document.querySelector(`[data-step="${step}"] .att-gd`), { xaxis, yaxis } = gd._fullLayout;
  const texts = [...gd.querySelectorAll(".att-value")];
  const middle = (_, i) => [xaxis._offset + xaxis.l2p(i % 5), yaxis._offset + yaxis.l2p(Math.floor(i / 5))];
  const place = (text) => [+text.getAttribute("x"), +text.getAttribute("y")];
  return [texts.map((text) => text.textContent), texts.map(place), texts.map(middle)];
}
"""
REDRAW = """step => Plotly.redraw(document.querySelector(`[data-step="${step}"] .att-gd`))"""
LARGE = Experiment(sentence="the cat saw a dog " * 6, embedding="seeded", num_heads=4, seed=124)


def picture(page: Page, step: str) -> list[int]:
    return page.evaluate(PIXELS, step)


def change_numbers(page: Page, step: str, seen: Tensor) -> list[int]:
    """Press the + of the seed, after which the step has the numbers ``seen``; the picture that follows."""
    page.locator('.st-key-seed [data-testid="stNumberInputStepUp"]').click()
    page.wait_for_function(TOTAL, arg=[step, seen[seen.isfinite()].sum().item()])
    return picture(page, step)


@pytest.mark.parametrize(
    "step, look", [("masked_scores", {}), ("dropped_weights", {}), ("output", {"color_scheme": "dark"})]
)
def test_it_is_the_picture_that_plotly_would_draw(open_page, step, look):
    page = open_page("?mode=train&dropout=0.5", height=2600, **look)
    value = Experiment(mode="train", dropout=0.5, seed=124).run()[step].value[0]
    painted = change_numbers(page, step, value if value.dim() == 2 else value[0])
    page.evaluate(REDRAW, step)
    assert painted == picture(page, step)


@pytest.mark.parametrize("control, step", [("d_in", "inputs"), ("d_out", "values")])
def test_with_another_number_of_columns_it_is_the_picture_too(control, step, open_page):
    page = open_page("causal?embedding=seeded&d_in=4&d_out=4", height=2600)
    plotly_draws = page.evaluate_handle("step => document.querySelector(`[data-step=${step}] .hm image`)", step)
    page.locator(f'input[aria-label="{control}"]').press("ArrowUp")
    seen = Experiment(variant="causal", embedding="seeded", **{"d_in": 4, "d_out": 4, control: 5}).run()
    value = seen.explained[step].value[0]
    page.wait_for_function(TOTAL, arg=[step, value.sum().item()])
    assert plotly_draws.evaluate("picture => picture.isConnected")  # it did not draw: the front painted
    painted = picture(page, step)
    assert painted[:2] == [5, 6]
    page.evaluate(REDRAW, step)
    assert painted == picture(page, step)
    printed, places, expected = page.evaluate(PRINTED, step)
    np.testing.assert_allclose([float(text) for text in printed], value.flatten(), atol=0.00501)
    np.testing.assert_allclose(places, expected, atol=0.01)


def test_it_stays_when_plotly_draws_in_a_new_width(open_page):
    page = open_page(height=2600)
    painted = change_numbers(page, "scores", Experiment(seed=124).run()["scores"].value[0, 0])
    wide = page.locator('[data-step="scores"] .att-gd').bounding_box()["width"]
    page.set_viewport_size({"width": 1700, "height": 2600})
    width = "document.querySelector('[data-step=scores] .att-gd')._fullLayout.width"
    page.wait_for_function(f"wide => {width} > wide", arg=wide)
    page.wait_for_timeout(300)
    assert painted == picture(page, "scores")


def test_a_double_click_shows_all_of_a_map_that_has_grown(open_page):
    page = open_page(f"causal?sentence={LARGE.sentence * 3}&embedding=seeded&d_in=40&d_out=4", height=2600)
    page.locator('input[aria-label="d_in"]').press("ArrowRight")
    shown = "document.querySelector('[data-step=inputs] .att-gd').layout.xaxis.range[1]"
    page.wait_for_function(f"{shown} === 40.5")
    x, y = cell(page, "inputs", row=20, column=20)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 80, y + 60, steps=5)
    page.mouse.up()
    page.wait_for_function(f"{shown} < 40.5")
    page.wait_for_timeout(500)  # or the next click would be the second one
    page.mouse.dblclick(x, y)
    page.wait_for_function(f"{shown} === 40.5")
    assert picture(page, "inputs")[0] == 41


def test_it_stays_when_plotly_zooms(open_page):
    page = open_page(f"multihead?sentence={LARGE.sentence}&embedding=seeded&num_heads=4", height=2600)
    gd = page.locator('[data-step="scores"] .att-gd')
    gd.scroll_into_view_if_needed()
    page.wait_for_selector('[data-step="scores"] .hm image')
    change_numbers(page, "scores", LARGE.run()["scores"].value[0])
    box = gd.bounding_box()
    page.mouse.move(box["x"] + 150, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 350, box["y"] + 150, steps=5)
    page.mouse.up()
    page.wait_for_function("document.querySelector('[data-step=scores] .att-gd').layout.xaxis.range[0] > 0")
    zoomed = picture(page, "scores")
    page.evaluate(REDRAW, "scores")
    assert zoomed == picture(page, "scores")
