"""The learner's own numbers, as only a browser edits and uploads them."""

import re

from playwright.sync_api import expect

OWN = "tokens?lang=zh&sentence=a b&embedding=own&vectors=1,2%0A3,4"


def test_a_number_is_taken_and_letters_are_not(open_page):
    page = open_page(OWN, height=1200)
    table, editor = page.get_by_test_id("stDataFrame").last, page.locator("textarea.gdg-input")
    numbers = page.locator('[data-step="embedding"] .att-value')
    table.scroll_into_view_if_needed()
    page.wait_for_timeout(500)  # the table is drawn on a canvas
    box = table.bounding_box()
    page.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + 52)  # the second number of the first token
    for text, invalid, after in (("abc", 1, "2.00"), ("7.25", 0, "7.25")):
        page.keyboard.press("Enter")
        editor.fill(text)
        page.wait_for_timeout(300)  # the table reads along
        expect(page.locator(".gdg-invalid")).to_have_count(invalid)
        page.keyboard.press("Escape" if invalid else "Enter")
        expect(editor).to_have_count(0)
        expect(numbers).to_have_text(["1.00", after, "3.00", "4.00"])
    page.wait_for_url(re.compile("vectors=1%2C7.25%0A3%2C4"))


def test_a_file_that_is_no_text_gets_a_reason_in_the_page_s_language(open_page):
    page = open_page(OWN)
    file = {"name": "mine.xlsx", "mimeType": "application/vnd.ms-excel", "buffer": b"PK\x03\x04\xff\xfe\x00"}
    page.set_input_files("input[type=file]", file)
    expect(page.get_by_test_id("stAlert")).to_contain_text("UTF-8")
    expect(page.get_by_test_id("stAlert")).to_contain_text("请另存为")


def test_a_file_that_is_too_large_gets_a_reason_in_the_page_s_language(open_page):
    page = open_page(OWN)
    page.set_input_files("input[type=file]", {"name": "big.csv", "mimeType": "text/csv", "buffer": b"1,2\n" * 300_000})
    expect(page.get_by_test_id("stFileUploader").get_by_role("alert")).to_have_count(1)
    said = page.get_by_test_id("stFileUploader").evaluate("(upload) => getComputedStyle(upload, '::after').content")
    assert "1 MB" in said and "文件" in said
