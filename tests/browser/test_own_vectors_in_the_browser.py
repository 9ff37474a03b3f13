"""The learner's own numbers, as only a browser edits and uploads them."""

import re

from playwright.sync_api import Page, expect

OWN = "tokens?lang=zh&sentence=a b&embedding=own&vectors=1,2%0A3,4"


def write(page: Page, text: str) -> None:
    """Type ``text`` into the first number of the table that is edited."""
    box = page.get_by_test_id("stDataFrame").last.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + 52)
    page.keyboard.press("Enter")
    page.locator(".gdg-input, textarea.gdg-growing-entry-input, #portal input, #portal textarea").last.fill(text)
    page.keyboard.press("Enter")


def test_a_number_is_taken_and_letters_are_not(open_page):
    page = open_page(OWN, height=1200)
    page.get_by_test_id("stDataFrame").last.scroll_into_view_if_needed()
    page.wait_for_timeout(500)  # the table draws itself on a canvas
    write(page, "abc")
    page.keyboard.press("Escape")
    page.wait_for_timeout(500)
    expect(page).to_have_url(re.compile("vectors=1%2C2%0A3%2C4"))
    write(page, "7.25")
    expect(page).to_have_url(re.compile("vectors=(7.25%2C2|1%2C7.25)%0A3%2C4"))


def test_a_file_that_is_no_text_gets_a_reason_in_the_page_s_language(open_page):
    page = open_page(OWN)
    file = {"name": "mine.xlsx", "mimeType": "application/vnd.ms-excel", "buffer": b"PK\x03\x04\xff\xfe\x00"}
    page.set_input_files("input[type=file]", file)
    expect(page.get_by_test_id("stAlert")).to_contain_text("UTF-8")
    expect(page.get_by_test_id("stAlert")).to_contain_text("请另存为")
