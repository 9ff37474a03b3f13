"""One server, killed and started again under an open page: by hand, by systemd, by Docker's ``restart: always``."""

from dataclasses import replace
from unittest.mock import patch

from playwright.sync_api import expect

from tests.browser.server import free_port, serve
from tests.deploy.experiment import MADE, make, shows, wait_until_back, watch


def test_an_open_page_connects_again_and_shows_the_same_experiment(browser):
    context = browser.new_context(viewport={"width": 1400, "height": 2600})
    page = context.new_page()
    with patch("tests.browser.server.free_port", return_value=free_port()):  # both times the same
        with serve() as (address, process):
            page.goto(address)
            page.wait_for_selector(".att-root[data-drawn]", timeout=60_000)
            make(page)
            link = page.url
            watch(page)
            process.kill()
            process.wait(10)
        with serve():
            print(wait_until_back(page))
            assert page.url == link
            shows(page, MADE)
            expect(page.get_by_role("dialog")).to_have_count(0)
            page.get_by_role("combobox", name="Mask").click()
            page.get_by_role("option", name="None").click()
            page.wait_for_url("**mask=none**")  # the first change on the new server is kept
            shows(page, replace(MADE, mask="none"))
            context.close()
