"""The mistakes are switched in a browser, and both runs are drawn."""

import re

import numpy as np
from playwright.sync_api import Page, expect

from attention import Experiment
from attention.mistakes import run_mistaken

DRAWN = """place => {
    const gd = [...document.querySelectorAll(".att-card .att-gd")][place];
    const z = gd?.data?.[0]?.z;
    return z ? [...z].map((row) => [...row].map((v) => (Number.isFinite(v) ? v : null))) : null;
}"""


def maps(page: Page, count: int) -> list[np.ndarray]:
    """The first ``count`` maps of the page, as they are drawn."""
    page.wait_for_function(f"place => ({DRAWN})(place) !== null", arg=count - 1)
    return [np.array(page.evaluate(DRAWN, place), dtype=np.float32) for place in range(count)]


def test_a_chosen_mistake_is_drawn_beside_the_right_run_with_its_diff(open_page):
    page = open_page("mistakes", height=2600)
    page.get_by_text("Softmax over the wrong axis", exact=True).click()
    page.wait_for_url(re.compile("mistake=softmax_axis"))
    expect(page.locator(".att-card")).to_have_count(3)  # two maps and the bars
    expect(page.get_by_test_id("stCode").first).to_contain_text("dim=-2")
    expect(page.get_by_test_id("stMetricValue")).to_have_text(["1.0000", "2.4397"])
    experiment = Experiment()
    runs = experiment.run(), run_mistaken(experiment, "softmax_axis")
    for shown, run in zip(maps(page, 2), runs, strict=True):
        np.testing.assert_allclose(shown, run["weights"].value[0, 0].numpy(), rtol=1e-6)
    expect(page.locator(".att-card .bars path")).to_have_count(12)


def test_a_row_of_nan_has_no_colour_and_says_so_under_the_pointer(open_page):
    page = open_page("mistakes?mistake=diagonal_zero", height=2600)
    _, mistaken = maps(page, 2)
    assert np.isnan(mistaken).all(axis=1).tolist() == [True] + [False] * 5
    card = page.locator(".att-card").nth(1)
    expect(card.locator(".att-value")).to_have_count(30)  # the first row has no numbers
    box = card.locator(".att-gd").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 34)
    expect(page.locator(".att-tip")).to_contain_text("NaN")
    expect(page.locator(".att-tip")).to_contain_text("1 · Your")


def test_a_number_with_the_mistake_opens_beside_the_right_one(open_page):
    page = open_page("mistakes?mistake=diagonal_zero", height=1400)
    box = page.locator(".att-card").nth(1).locator(".att-gd").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 4 + 20, box["y"] + 34)  # the first row
    panel = page.locator(".att-panel")
    expect(panel.locator(".att-result")).to_have_text("1.0000")
    expect(panel).to_contain_text("with the mistake, this one is NaN")
    page.wait_for_url("**cell=weights.1.1.1**")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)


def test_on_a_phone_each_right_map_is_followed_by_its_mistaken_one(open_page):
    page = open_page("mistakes?lang=zh", width=390)
    names = page.locator(".att-card .att-name")
    expect(names).to_have_text(["缩放后的分数 · 正确", "缩放后的分数 · 出错", "注意力权重 · 正确", "注意力权重 · 出错"])
    tops = [names.nth(place).bounding_box()["y"] for place in range(4)]
    assert tops == sorted(tops) and len(set(tops)) == 4
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
