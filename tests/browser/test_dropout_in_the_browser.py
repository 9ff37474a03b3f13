"""Dropout is drawn again, and the mean of its draws comes back, by hand."""

import re

import numpy as np
from playwright.sync_api import expect

from attention import Experiment
from attention.dropout_draws import run_draw
from tests.browser.look import drawn_values

HALF = Experiment(mode="train", dropout=0.5)


def after(draw: int) -> np.ndarray:
    return run_draw(HALF, draw)["dropped_weights"].value[0, 0].numpy()


def test_draw_again_draws_and_the_address_keeps_the_draw(open_page):
    page = open_page("dropout", height=1400)
    np.testing.assert_allclose(drawn_values(page, "dropped_weights"), after(1), atol=1e-6)
    for draw in (2, 3):
        page.get_by_role("button", name="Draw again").click()
        page.wait_for_url(re.compile(f"draw={draw}"))
        expect(page.get_by_test_id("stMetricValue").nth(2)).to_have_text(str(draw))
    page.reload()
    page.wait_for_selector(".att-root[data-drawn]")
    np.testing.assert_allclose(drawn_values(page, "dropped_weights"), after(3), atol=1e-6)


def test_a_hidden_cell_is_called_hidden(open_page):
    page = open_page("dropout", height=1400)
    drawn_values(page, "dropout_factors")
    expect(page.locator('[data-step="dropout_factors"] .att-legend')).to_contain_text("hidden by the mask")
    box = page.locator('[data-step="dropout_factors"] .att-gd').bounding_box()
    page.mouse.move(box["x"] + box["width"] - 30, box["y"] + 40)
    expect(page.locator(".att-tip")).to_contain_text("hidden by the mask")


def test_the_slider_moves_the_number_of_draws_and_the_strip_the_row(open_page):
    page = open_page("dropout?draws=10", height=2600)
    page.locator('[data-step="mean_of_draws"]').scroll_into_view_if_needed()
    slider = page.get_by_role("slider", name="Number of draws")
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_url(re.compile("draws=10000"))
    page.locator(".att-strip").get_by_text("Your").click()
    page.wait_for_url(re.compile("query=1"))
    bars = "document.querySelector('[data-step=mean_of_draws] .att-gd').data.map(({ y }) => y)"
    page.wait_for_function(f"{bars}[0][0] === 1")
    undropped, mean = np.array(page.evaluate(bars))
    assert undropped.tolist() == [1, 0, 0, 0, 0, 0]
    np.testing.assert_allclose(mean, undropped, atol=0.05)
