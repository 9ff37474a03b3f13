"""A mask is drawn with the mouse and with the keyboard; the weights and the address follow."""

import re

import numpy as np
from playwright.sync_api import expect

from tests.browser.look import cell, drawn_values


def test_a_click_switches_a_cell_and_a_second_click_switches_it_back(open_page):
    page = open_page("masks?lesson_mask=drawn", height=1400)
    page.mouse.click(*cell(page, "mask", row=1, column=0))
    page.wait_for_url(re.compile("drawn=011111-101111-000111-000011-000001-000000"))
    expect(page.locator('[data-step="weights"] .att-value').nth(6)).to_have_text("0.00")
    assert drawn_values(page, "weights")[1].tolist() == [0, 1, 0, 0, 0, 0]
    page.mouse.click(*cell(page, "mask", row=1, column=0))
    page.wait_for_url(lambda address: "drawn=0" not in address)
    expect(page.locator('[data-step="weights"] .att-value').nth(6)).not_to_have_text("0.00")


def test_arrow_keys_and_space_hide_the_only_key_of_the_first_token_and_the_nan_is_explained(open_page):
    page = open_page("masks?lesson_mask=drawn", height=1400)
    picture = page.locator('[data-step="mask"] .att-gd')
    page.wait_for_selector('[data-step="mask"] .att-over')
    picture.focus()
    for _ in range(5):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    page.wait_for_url(re.compile("drawn=111111-001111"))
    expect(page.get_by_test_id("stAlert")).to_contain_text("Your")
    assert not np.isfinite(drawn_values(page, "weights")[0].astype(float)).any()
    page.mouse.move(*cell(page, "weights", row=0, column=0))
    expect(page.locator(".att-tip")).to_contain_text("NaN")
    picture.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


def test_the_cells_of_other_masks_do_not_switch(open_page):
    page = open_page("masks", height=1400)
    page.mouse.click(*cell(page, "mask", row=1, column=0))
    page.wait_for_url(re.compile("query=2"))
    assert "drawn" not in page.url
    assert drawn_values(page, "mask")[1].tolist() == [0, 0, 1, 1, 1, 1]


def test_the_mask_prints_whole_numbers(open_page):
    page = open_page("masks", height=1400)
    page.wait_for_selector('[data-step="mask"] .att-over')
    expect(page.locator('[data-step="mask"] .att-value').nth(1)).to_have_text("1")
