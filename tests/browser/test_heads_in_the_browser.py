"""The wrong view in the browser: whose number is in each cell can be read."""

from playwright.sync_api import expect

from tests.browser.look import cell


def test_cells_say_token_and_feature(open_page):
    page = open_page("heads", height=3000)
    page.wait_for_selector('[data-step="wrong_split"] .att-over')
    rows = page.locator('[data-step="wrong_split"] .att-value')
    assert rows.all_text_contents()[:8] == ["1.01", "1.02", "4.01", "4.02", "1.03", "1.04", "4.03", "4.04"]


def test_a_row_of_the_wrong_split_is_marked_with_the_token_that_attention_takes_it_for(open_page):
    page = open_page("heads", height=3000)
    page.mouse.move(*cell(page, "wrong_split", row=1, column=0))
    expect(page.locator(".att-tip")).to_contain_text("1.03")
    expect(page.locator(".att-tip")).to_contain_text("2 · journey")
