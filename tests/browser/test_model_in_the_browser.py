"""The real model by hand: a click on a small map opens its head, a switch changes what comes next."""

import re

import numpy as np
from playwright.sync_api import Page, expect

from attention.language import LanguageRun, survey, trace_layer
from tests.browser.look import cell, drawn_values

SENTENCE = "The cat saw the dog"
LINK = f"model?sentence={SENTENCE.replace(' ', '+')}"


def middle_of_map(page: Page, layer: int, head: int) -> tuple[float, float]:
    """The middle of a small map, in pixels; both are counted from 1."""
    page.locator('[data-step="all_heads"]').scroll_into_view_if_needed()
    page.wait_for_selector('[data-step="all_heads"] .att-over')
    corner = page.evaluate(
        "(place) => document.querySelector('[data-step=all_heads] .att-gd').layout.meta.facets.corners[place]",
        (head - 1) * 30 + layer - 1,
    )
    return cell(page, "all_heads", row=corner[0] + 2, column=corner[1] + 2)


def test_a_click_on_a_map_opens_its_head_with_every_step(open_page):
    page = open_page(LINK, height=1400)
    page.mouse.click(*middle_of_map(page, layer=12, head=5))
    page.wait_for_url(re.compile("layer=12"))
    assert "head=5" in page.url
    expect(page.get_by_role("heading", name="Layer 12, head 5")).to_be_visible()
    trace = trace_layer(survey(LanguageRun(SENTENCE)), 11)
    np.testing.assert_allclose(drawn_values(page, "weights"), trace["weights"].value[0, 4].numpy(), atol=1e-5)


def test_a_key_that_heads_share_opens_from_its_map_and_from_the_walk(open_page):
    page = open_page(f"{LINK}&layer=12&head=5", height=1400)
    page.locator('[data-step="keys"]').scroll_into_view_if_needed()
    page.mouse.click(*cell(page, "keys", row=1, column=3))
    page.wait_for_url(re.compile(r"cell=keys\.2\.2\.4"))
    expect(page.locator(".att-panel")).to_contain_text("group 2")
    expect(page.locator('[data-step="keys"] .att-cell')).to_have_count(1)
    page.get_by_role("button", name="Next step").or_(page.locator(".att-walk button").nth(2)).first.click()
    page.wait_for_url(re.compile(r"cell=values\.2\.2\.4"))


def test_a_layer_that_is_switched_off_stands_beside_the_whole_model(open_page):
    page = open_page(f"{LINK}&layer=1", height=1400)
    page.get_by_role("button", name="Switch this layer off").click()
    expect(page.get_by_text("Off: layer 1", exact=True)).to_be_visible()
    page.wait_for_function("document.querySelector('[data-step=next_token] .att-gd').data.length === 2")
    page.get_by_role("button", name="All on").click()
    page.wait_for_function("document.querySelector('[data-step=next_token] .att-gd').data.length === 1")


def test_another_word_of_the_strip_gets_its_own_arcs(open_page):
    page = open_page(f"{LINK}&layer=12&head=5", height=1400)
    title = page.locator('[data-step="arcs"] .att-head .att-name').first
    expect(title).to_contain_text("dog")
    page.locator(".att-strip").get_by_text("saw").click()
    expect(title).to_contain_text("saw")
    page.wait_for_url(re.compile("query=3"))
