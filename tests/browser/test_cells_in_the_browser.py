"""A cell is opened, moved and closed, with the mouse and with the keyboard."""

import re

from playwright.sync_api import expect

from attention import Experiment
from tests.browser.look import cell, marks


def test_a_click_opens_the_arithmetic_and_marks_the_cell_in_every_map_of_queries_by_keys(open_page):
    page = open_page(height=2600)
    page.mouse.click(*cell(page, "scores", row=4, column=1))
    panel = page.locator(".att-panel")
    expect(panel).to_contain_text(f"{Experiment().run()['scores'].value[0, 0, 4, 1]:.4f}")
    expect(panel).to_contain_text("query 5 (one) · key 2 (journey)")
    assert panel.locator("tbody tr").count() == 2  # head_dim
    page.wait_for_url(re.compile(r"cell=scores\.1\.5\.2"))
    assert marks(page, "scores", "att-cell") == marks(page, "weights", "att-cell") == 1
    assert marks(page, "context", "att-cell") == 0


def test_escape_and_a_second_click_close_it(open_page):
    page = open_page(height=2600)
    place = cell(page, "weights", row=3, column=0)
    panel = page.locator(".att-panel")
    for close in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(*place)):
        page.mouse.click(*place)
        expect(panel).to_have_count(1)
        close()
        expect(panel).to_have_count(0)
        expect(page.locator(".att-cell")).to_have_count(0)


def test_arrow_keys_open_the_next_cell_and_go_on_into_the_next_head(open_page):
    page = open_page("multihead?cell=scores.1.3.6", height=2600)
    page.wait_for_selector('[data-step="scores"] .att-over')
    page.locator('[data-step="scores"] .att-gd').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".att-panel")).to_contain_text("head 2 · query 3 (starts) · key 1 (Your)")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".att-panel")).to_contain_text("head 2 · query 4 (with) · key 1 (Your)")
    page.wait_for_url(re.compile(r"cell=scores\.2\.4\.1"))
