"""What only a browser shows: drawing, hovering, choosing, the theme."""

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from attention import Experiment
from tests.browser.look import cell, drawn_values, marks, picker


def test_the_first_screen_shows_the_sentence_going_through_attention(open_page):
    page = open_page(height=2600)
    trace = Experiment().run()
    for step in trace:
        values = trace[step].value[0]
        expected = (values[0] if values.ndim == 3 else values).numpy()
        np.testing.assert_allclose(drawn_values(page, step), np.where(np.isinf(expected), np.nan, expected), rtol=1e-6)
    ticks = page.locator('[data-step="weights"] .att-tick').all_text_contents()
    assert ticks == 2 * ["Your", "journey", "starts", "with", "one", "step"]
    printed = page.locator('[data-step="queries"] .att-value').all_text_contents()
    assert printed == [f"{number:.2f}" for number in trace["queries"].value[0, 0].flatten().tolist()]


def test_hovering_a_cell_tells_both_tokens_and_the_number_and_marks_them_everywhere(open_page):
    page = open_page(height=2600)
    x, y = cell(page, "scores", row=4, column=1)
    page.mouse.move(x, y)
    tip = page.locator(".att-tip")
    expect(tip).to_contain_text("one")
    expect(tip).to_contain_text("journey")
    expect(tip).to_contain_text(f"{Experiment().run()['scores'].value[0, 0, 4, 1]:.4f}")
    assert marks(page, "weights", "att-hover") == 2  # its row and its column
    assert marks(page, "queries", "att-hover") == 1  # the row of the query
    assert marks(page, "keys", "att-hover") == 1  # the row of the key
    page.mouse.move(5, 5)
    expect(tip).to_have_count(0)
    assert marks(page, "weights", "att-hover") == 0


def test_a_masked_cell_says_so(open_page):
    page = open_page(height=2600)
    page.mouse.move(*cell(page, "masked_scores", row=0, column=5))
    expect(page.locator(".att-tip")).to_contain_text("-inf (masked)")


def test_a_click_chooses_the_query_token_in_the_page_and_in_the_address(open_page):
    page = open_page(height=2600)
    page.mouse.click(*cell(page, "scores", row=2, column=0))
    expect(page.get_by_role("radio", name="starts")).to_have_attribute("aria-checked", "true")
    page.wait_for_url(re.compile("query=3"))
    expect(picker(page, "query")).to_have_value("2")  # counted from 0


def test_the_strip_is_shaded_by_the_weights_of_the_chosen_token(open_page):
    page = open_page(height=900)
    page.get_by_role("radio", name="journey").click()
    weights = Experiment().run()["weights"].value[0, 0, 1]
    titles = [button.get_attribute("title") for button in page.locator(".att-strip button").all()]
    assert titles == [f"{weight:.4f}" for weight in weights.tolist()]
    page.wait_for_url(re.compile("query=2"))
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("query=3"))


def test_only_figures_in_sight_are_drawn_until_one_scrolls(open_page):
    page = open_page(height=700)
    assert page.locator('[data-step="output"] .main-svg').count() == 0
    page.locator('[data-step="output"]').scroll_into_view_if_needed()
    expect(page.locator('[data-step="output"] .main-svg').first).to_be_attached()


def test_a_moving_control_never_blanks_a_figure(open_page):
    page = open_page(height=1200)
    page.evaluate(
        """() => { window.blanks = 0; const gd = document.querySelector('[data-step="scores"] .att-gd');
        window.kept = gd; new MutationObserver(() => {
            if (!gd.isConnected || !gd.querySelector('.main-svg')) window.blanks++;
        }).observe(document.body, {childList: true, subtree: true}); }"""
    )
    before = drawn_values(page, "scores")
    page.get_by_role("spinbutton", name="seed").fill("7")
    page.keyboard.press("Enter")
    expected = Experiment(seed=7).run()["scores"].value[0, 0].numpy()
    page.wait_for_function(
        "first => Math.abs(document.querySelector('[data-step=\"scores\"] .att-gd').data[0].z[0][0] - first) < 1e-5",
        arg=float(expected[0, 0]),
    )
    assert not np.allclose(before, expected)
    assert page.evaluate("window.blanks") == 0
    assert page.evaluate("window.kept === document.querySelector('[data-step=\"scores\"] .att-gd')")


def test_the_theme_flips_without_a_reload(open_page):
    page: Page = open_page(color_scheme="light")
    page.wait_for_selector(".att-tick")
    ink = "getComputedStyle(document.querySelector('.att-tick')).fill"
    light = page.evaluate(ink)
    page.evaluate("window.before = true")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"{ink} !== '{light}'")
    assert page.evaluate("window.before")
    page.wait_for_function(
        "document.querySelector('[data-step=\"queries\"] .att-gd').data[0].colorscale[4][1] === '#2a2d35'"
    )


def test_the_plot_follows_the_width_of_the_window(open_page):
    page = open_page()
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function("document.documentElement.scrollWidth <= 390")
    page.wait_for_function(
        "() => { const gd = document.querySelector('.att-gd'), svg = gd.querySelector('.main-svg');"
        " return svg && Math.abs(gd.clientWidth - svg.clientWidth) < 2; }"
    )


def test_the_same_figure_chooses_a_token_again_after_another_one_chose(open_page):
    page = open_page("causal", height=3000)
    for step, row in (("queries", 1), ("scores", 3), ("queries", 1)):
        page.mouse.click(*cell(page, step, row=row, column=0))
        page.wait_for_url(re.compile(f"query={row + 1}"))
        expect(picker(page, "query")).to_have_value(str(row))


def contrast(one: float, other: float) -> float:
    """The contrast ratio of two relative luminances (WCAG 2.2)."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_masked_cell_is_hatched_and_a_score_of_zero_is_not(scheme, open_page):
    page = open_page("?sentence=a b c d e f g h i j k l m n&embedding=one_hot&seed=1", color_scheme=scheme)
    x, y = cell(page, "masked_scores", row=1, column=11)  # no number is printed in a map of 14 tokens
    page.mouse.move(0, 0)
    hatched = Image.open(io.BytesIO(page.screenshot(clip={"x": x - 8, "y": y - 5, "width": 16, "height": 10})))
    light = (np.asarray(hatched.convert("L")) / 255.0) ** 2.2
    assert contrast(light.min(), light.max()) > 1.5
    x, y = cell(page, "masked_scores", row=12, column=3)
    seen = Image.open(io.BytesIO(page.screenshot(clip={"x": x - 1, "y": y - 1, "width": 2, "height": 2})))
    assert len(seen.convert("RGB").getcolors()) == 1


def test_a_tapped_cell_opens_without_a_bubble_over_the_panel_and_a_scroll_takes_one_away(open_page):
    page = open_page("causal", width=390, height=844, has_touch=True)
    page.locator('[data-step="scores"]').scroll_into_view_if_needed()
    page.touchscreen.tap(*cell(page, "scores", row=3, column=1))
    expect(page.locator(".att-panel")).to_be_visible()
    expect(page.locator(".att-tip")).to_have_count(0)
    page.locator(".att-close").click()
    page.mouse.move(*cell(page, "scores", row=3, column=1))
    expect(page.locator(".att-tip")).to_be_visible()
    page.mouse.wheel(0, 300)
    expect(page.locator(".att-tip")).to_have_count(0)


@pytest.mark.parametrize("tokens", [6, 120, 500])
def test_the_chosen_row_is_seen_inside_its_outline(tokens, open_page):
    page = open_page(f"causal?embedding=seeded&query=4&sentence={'+'.join(['step'] * tokens)}")
    page.locator('[data-step="weights"]').scroll_into_view_if_needed()
    page.wait_for_selector('[data-step="weights"] .att-chosen')
    outline = page.locator('[data-step="weights"] .att-chosen').evaluate(
        "(box) => box.height.baseVal.value - parseFloat(getComputedStyle(box).strokeWidth)"
    )
    height = cell(page, "weights", row=1, column=0)[1] - cell(page, "weights", row=0, column=0)[1]
    assert outline >= min(height, 8) - 2 and outline > 1


def test_a_label_of_wide_letters_does_not_run_over_the_title_of_its_axis(open_page):
    page = open_page(f"causal?embedding=seeded&sentence={'W' * 200}+{'m' * 200}+b")
    page.locator('[data-step="weights"]').scroll_into_view_if_needed()
    page.wait_for_selector('[data-step="weights"] .att-over')
    (title, *labels) = page.evaluate("""
        () => ['.att-title[transform]', '.att-tick[dy]']
          .flatMap((kind) => [...document.querySelectorAll(`[data-step="weights"] ${kind}`)])
          .map((text) => text.getBoundingClientRect()).map(({ left, right }) => [left, right])
    """)
    assert len(labels) == 3
    assert all(left >= title[1] for left, _ in labels)
