"""Controls that are moved fast, and the browser's Back and Forward."""

import re

import pytest
from playwright.sync_api import Page, expect

from attention import Experiment
from tests.browser.look import drawn_values

PRESS = """
([gap, times]) => new Promise((done) => {
  const timer = setInterval(() => {
    document.querySelector('.st-key-seed [data-testid="stNumberInputStepUp"]').click();
    if (!--times) { clearInterval(timer); done(); }
  }, gap);
})
"""


def seed(page: Page):
    return page.locator(".st-key-seed").get_by_test_id("stNumberInputField")


def up(page: Page) -> None:
    page.locator(".st-key-seed").get_by_test_id("stNumberInputStepUp").click()


@pytest.mark.parametrize("gap", [20, 60, 110])
def test_of_presses_in_quick_succession_none_is_lost(gap, open_page):
    page = open_page("causal")
    expect(seed(page)).to_be_visible()
    page.evaluate(PRESS, [gap, 12])
    page.wait_for_url(re.compile("seed=135"))
    page.wait_for_timeout(500)  # an answer to an earlier press would come by now
    expect(seed(page)).to_have_value("135")
    assert page.url.endswith("seed=135")
    right = Experiment(seed=135, variant="causal").run()["queries"].value[0]
    assert abs(drawn_values(page, "queries") - right.numpy()).max() < 1e-6


THERE_AND_BACK = """
gap => new Promise((done) => {
  const button = (kind) => document.querySelector(`.st-key-seed [data-testid="stNumberInputStep${kind}"]`);
  const press = (kind) => button(kind).click();
  press("Up");
  setTimeout(() => { press("Down"); done(); }, gap);
})
"""
WRITE_LATE = "setTimeout = ((wait) => (what, time) => wait(what, time === 30 ? 600 : time))(setTimeout)"


@pytest.mark.parametrize("gap", [10, 40, 70, 100])
def test_there_and_back_again_leaves_the_address_as_it_was(gap, open_page):
    page = open_page("causal")
    expect(seed(page)).to_be_visible()
    page.evaluate(THERE_AND_BACK, gap)
    page.wait_for_timeout(700)  # both answers have come
    expect(seed(page)).to_have_value("123")
    assert page.url.endswith("causal")


def test_there_and_back_again_while_the_first_address_is_still_to_be_written(open_page):
    page = open_page("causal")
    expect(seed(page)).to_be_visible()
    page.evaluate(WRITE_LATE)
    page.evaluate(THERE_AND_BACK, 200)
    page.wait_for_timeout(1400)
    expect(seed(page)).to_have_value("123")
    assert page.url.endswith("causal")


@pytest.mark.parametrize("tokens", [6, 1500])  # answered at once, and after the tap is to be followed
def test_a_link_that_is_tapped_while_a_field_is_open_takes_the_field_s_value_along(tokens, open_page):
    page = open_page(f"causal?seed=7&embedding=seeded&sentence={'+'.join(['step'] * tokens)}")
    seed(page).fill("8")
    page.get_by_role("link", name="Scale", exact=True).first.click(delay=0)
    page.wait_for_url(re.compile("scale.*seed=8"))
    page.go_back()
    page.wait_for_url(re.compile("causal.*seed=8"))
    expect(seed(page)).to_have_value("8")


def test_the_address_of_a_page_in_a_frame_follows_too(address, open_page):
    page = open_page("causal")
    page.set_content(f'<iframe src="{address}/causal?embed=true" width="1200" height="800"></iframe>')
    frame = page.frame(url=re.compile("embed"))
    frame.wait_for_selector(".att-card")
    frame.wait_for_function("[...document.querySelectorAll('.att-root')].every(({ dataset }) => dataset.drawn)")
    frame.wait_for_selector(".st-key-seed input")
    frame.evaluate(WRITE_LATE)
    frame.evaluate(THERE_AND_BACK, 200)
    page.wait_for_timeout(1400)
    assert frame.url.endswith("causal?embed=true")
    frame.evaluate("document.querySelector('.st-key-seed [data-testid=stNumberInputStepUp]').click()")
    frame.wait_for_url(re.compile("seed=124"))


def test_back_leads_to_the_page_before_with_what_was_chosen_there(open_page):
    page = open_page("causal?seed=7")
    for number in (8, 9):
        up(page)
        page.wait_for_url(re.compile(f"causal.*seed={number}"))
    page.get_by_role("link", name="Multi-head attention", exact=True).first.click()
    page.wait_for_url(re.compile("multihead.*seed=9"))
    up(page)
    page.wait_for_url(re.compile("multihead.*seed=10"))
    page.go_back()
    page.wait_for_url(re.compile("causal.*seed=9"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Causal attention")
    expect(seed(page)).to_have_value("9")
    page.go_forward()
    page.wait_for_url(re.compile("multihead.*seed=10"))
    expect(seed(page)).to_have_value("10")


def test_back_to_an_address_without_choices_shows_the_first_ones(open_page):
    page = open_page("causal")
    page.get_by_role("link", name="Multi-head attention", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Multi-head")
    up(page)
    page.wait_for_url(re.compile("multihead.*seed=124"))
    page.go_back()
    page.wait_for_url(re.compile("causal$"))
    expect(seed(page)).to_have_value("123")


def test_a_control_that_nothing_else_depends_on_leaves_the_others_undrawn(open_page):
    page = open_page("multihead")
    sent = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(bytes(frame))))
    page.reload()
    page.wait_for_function("document.querySelector('.att-root')?.dataset.drawn")
    page.wait_for_timeout(1000)
    assert b"Causal: not the future" in b"".join(sent)  # the choices of the list of masks
    sent.clear()
    up(page)
    page.wait_for_url(re.compile("seed=124"))
    page.wait_for_timeout(300)
    assert b"seed=124" in b"".join(sent) and b"Causal: not the future" not in b"".join(sent)
