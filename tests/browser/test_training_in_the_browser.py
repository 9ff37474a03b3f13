"""A learner presses Train and watches: it repaints by itself, stops, and its pictures stay in place."""

import re
import time

from playwright.sync_api import Page, expect

from tests.browser.look import drawn_values

LINK = "training?d_out=32&num_heads=1"


def accuracies(page: Page) -> int:
    """How many points the curve of the accuracy has."""
    return page.evaluate(
        "document.querySelector('[data-step=accuracy] .att-gd').data[0].y.filter((value) => value !== null).length"
    )


def is_over(page: Page) -> None:
    expect(page.get_by_role("slider", name="Training step shown")).to_be_visible(timeout=30_000)
    expect(page.locator(".att-walk")).to_be_visible()  # the last part of the page


def test_training_repaints_by_itself_and_ends_with_the_pattern(open_page):
    page = open_page(f"{LINK}&seed=11", height=1400)
    page.wait_for_selector('[data-step="accuracy"] .main-svg')
    page.evaluate("document.querySelector('[data-step=accuracy] .att-gd').dataset.same = 'yes'")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text(re.compile("Step [0-9]+ of 60, about"))).to_be_visible()
    page.wait_for_function("document.querySelector('[data-step=accuracy] .att-gd').data[0].y[4] !== null")
    expect(page.get_by_role("slider", name="Training step shown")).to_have_count(0)
    is_over(page)
    page.wait_for_url(re.compile("checkpoint=30"))
    weights = drawn_values(page, "learned_weights")
    assert all(weights[row, row - 1] > 0.8 for row in range(1, len(weights)))
    same = page.evaluate("document.querySelector('[data-step=accuracy] .att-gd').dataset.same")
    assert same == "yes", "nothing was built anew"


def test_stop_stops_and_what_was_learned_stays(open_page):
    page = open_page(f"{LINK}&seed=12", height=1400)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text(re.compile("Step [0-9]+ of 60"))).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    is_over(page)
    there = accuracies(page)
    page.wait_for_timeout(1000)
    assert 1 < accuracies(page) == there < 31


def test_the_slider_replays_and_its_step_is_in_the_address(open_page):
    page = open_page(f"{LINK}&checkpoint=30", height=1400)
    is_over(page)
    slider = page.get_by_role("slider", name="Training step shown")
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_function("document.querySelector('[data-step=accuracy] .att-gd').data[0].y[1] === null")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("checkpoint=1(&|$)"))


def test_another_learners_page_answers_while_one_trains(open_page):
    page, other = open_page(f"{LINK}&task=largest&seed=13"), open_page("multihead")
    page.get_by_role("button", name=re.compile("Train")).first.click()
    expect(page.get_by_text(re.compile("Step [0-9]+ of"))).to_be_visible()
    begin = time.monotonic()
    other.locator(".st-key-seed").get_by_test_id("stNumberInputStepUp").click()
    other.wait_for_url(re.compile("seed=124"))
    assert page.get_by_role("button", name="Stop").is_enabled(), "it trained meanwhile"
    assert time.monotonic() - begin < 10
