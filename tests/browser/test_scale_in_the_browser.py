"""d_k is moved by hand, and the bars of one row follow."""

import re

import numpy as np

from attention.scaling import row_weights

BARS = "document.querySelector('[data-step=softmax_row] .att-gd').data.map(({ y }) => y)"


def test_moving_d_k_changes_the_bars_and_the_address(open_page):
    page = open_page("scale", height=1800)
    page.wait_for_function("document.querySelector('[data-step=softmax_row] .att-gd').data")
    slider = page.get_by_role("slider", name="d_k")
    for key, d_k in (("End", 1024), ("Home", 2)):
        slider.focus()
        page.keyboard.press(key)
        page.wait_for_url(re.compile(f"d_k={d_k}$"))
        weights = row_weights(d_k, 123)
        page.wait_for_function(f"Math.abs({BARS}[0][0] - {float(weights.raw[0])}) < 1e-6")
        np.testing.assert_allclose(page.evaluate(BARS), np.stack([weights.raw, weights.scaled]), atol=1e-6)


def test_the_widths_stand_below_the_curves_and_the_dots_on_top(open_page):
    page = open_page("scale", height=1800)
    page.wait_for_selector('[data-step="score_spread"] .xtick')
    ticks = page.locator('[data-step="score_spread"] .xtick').all_text_contents()
    assert ticks == ["2", "4", "8", "16", "32", "64", "128", "256", "512", "1,024"]
    lines = page.locator('[data-step="score_spread"] .js-line')
    assert "dasharray" in (lines.last.get_attribute("style") or "")
