"""What only a browser shows of the pages: requests, links, languages, hostile text, small screens."""

import re
from urllib.parse import quote, urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect

from attention import Experiment
from tests.browser.look import drawn_values

PAGES = ("", "tokens", "causal", "multihead")


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_asked_of_another_host(path, browser, address):
    context = browser.new_context()
    page, hosts = context.new_page(), set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page.goto(f"{address}/{path}")
    page.wait_for_selector(".att-root[data-drawn]", timeout=60_000)
    page.wait_for_timeout(500)
    context.close()
    assert hosts - {""} == {urlsplit(address).netloc}  # "": data and blob addresses


@pytest.mark.parametrize("path", PAGES)
def test_a_phone_needs_no_sideways_scrolling(path, open_page):
    page = open_page(f"{path}?lang=zh", width=390, height=800)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = "[...document.querySelectorAll('.att-root *')].filter(e => e.getBoundingClientRect().right > 391).length"
    assert page.evaluate(wide) == 0


def test_a_copied_link_shows_exactly_the_same_numbers(open_page):
    page = open_page()
    page.get_by_role("spinbutton", name="seed").fill("7")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("seed=7"))
    page.get_by_test_id("stCheckbox").get_by_text("qkv_bias").click()
    page.wait_for_url(re.compile("qkv_bias=True"))
    copied = open_page(page.url.split("/", 3)[3])
    expected = Experiment(seed=7, qkv_bias=True).run()["queries"].value[0, 0].numpy()
    np.testing.assert_allclose(drawn_values(copied, "queries"), expected, rtol=1e-6)


def test_the_language_comes_from_the_browser_and_can_be_switched_without_losing_a_choice(open_page):
    page = open_page("?mask=none", locale="zh-CN")
    expect(page.get_by_role("heading", level=1)).to_have_text("注意力：每一个数都看得见")
    page.get_by_text("English", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Attention, every number of it")
    page.wait_for_url(re.compile("lang=en"))
    assert "mask=none" in page.url
    weights = Experiment(mask="none").run()["weights"].value[0, 0].numpy()
    np.testing.assert_allclose(drawn_values(page, "weights"), weights, rtol=1e-6)


def test_typed_text_shows_as_itself_and_runs_nothing(open_page):
    hostile = (
        "<img src=x onerror=window.hurt=1> <b>bold</b> $x$ :red[x] <a href=javascript:window.hurt=1>a</a> `x` :smile:"
    )
    page = open_page(f"tokens?sentence={quote(hostile)}&embedding=seeded")
    assert "".join(page.locator(".att-strip button").all_text_contents()) == hostile.replace(" ", "")
    page.goto(page.url.replace("/tokens", "/"))
    page.wait_for_selector(".att-over")
    assert page.evaluate("window.hurt") is None
    assert page.locator(".att-root a, .att-root b:not(.att-legend b), .att-root img").count() == 0


def test_a_mistake_is_told_and_the_last_good_picture_stays(open_page):
    page = open_page()
    before = drawn_values(page, "queries")
    page.get_by_role("slider", name="num_heads").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("alert")).to_contain_text("d_out = 4 cannot be shared equally by num_heads = 3")
    np.testing.assert_array_equal(drawn_values(page, "queries"), before)


def test_the_next_page_keeps_the_experiment(open_page):
    page = open_page("?seed=9", height=4000)
    page.get_by_role("link", name="Next: Tokens and embeddings").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("From a sentence to vectors")
    page.wait_for_url(re.compile(r"tokens\?seed=9"))


def test_what_streamlits_fields_say_is_in_the_language_of_the_page(open_page):
    page = open_page("?embedding=own&vectors=1,2%0A3,4%0A5,6%0A1,1%0A1,1%0A1,1&lang=zh")
    after = "(selector) => getComputedStyle(document.querySelector(selector), '::after').content"
    page.locator(".st-key-seed").get_by_test_id("stNumberInputField").fill("5")
    hint = '[data-testid="InputInstructions"]'
    assert page.evaluate(after, hint) == '"按回车键生效"'
    assert not page.locator(f"{hint} > span").is_visible()
    page.locator(".st-key-seed").get_by_test_id("stNumberInputField").press("Enter")
    page.locator("textarea").first.fill("one two three four five six")
    assert page.evaluate(after, f'[data-testid="stTextArea"] {hint}') == '"按 Ctrl+回车键生效"'
    assert page.evaluate(after, '[data-testid="stFileUploaderDropzone"] button p') == '"选择文件"'
    assert "1 MB" in page.evaluate(after, '[data-testid="stFileUploaderDropzoneInstructions"] span')
