"""A class behind nginx and two servers: spread, kept together, and caught when a server is lost."""

import gzip
import re
import time
import urllib.error
import urllib.request
from collections import defaultdict
from dataclasses import replace
from email.message import Message
from unittest.mock import patch

import pytest
from playwright.sync_api import Page, expect

from tests.browser.server import serve
from tests.deploy.experiment import CONNECTED, MADE, SENTENCE, make, shows, wait_until_back, watch
from tests.deploy.nginx import told


def test_ten_browsers_are_spread_and_each_stays_with_one_server(deployment, browser):
    said = {}
    for name in (f"browser-{number}" for number in range(10)):
        context = browser.new_context(user_agent=name)
        page = context.new_page()
        page.goto(deployment.address, wait_until="commit")
        page.wait_for_selector(CONNECTED, timeout=60_000)
        said[name] = server_of(page)
        context.close()
    assert sorted(said.values()) == 5 * ["one"] + 5 * ["two"]
    for name, server in said.items():
        assert websockets(deployment.folder, name) == [server]
    served = defaultdict(set)
    for name, server, _, _ in told(deployment.folder):
        served[name].add(server)
    assert {name: served[name] for name in said} == {name: {server} for name, server in said.items()}


def test_scripts_are_packed_and_need_not_be_sent_twice(deployment):
    with urllib.request.urlopen(deployment.address) as answer:
        (script,) = re.findall(r'src="\./(static/js/index\.[^"]+)"', answer.read().decode())
    for path in (script, "app/static/plotly-cartesian.min.js"):
        plain, _ = fetch(f"{deployment.address}/{path}")
        packed, headers = fetch(f"{deployment.address}/{path}", {"Accept-Encoding": "gzip"})
        assert gzip.decompress(packed) == plain
        assert len(packed) < len(plain) / 2, path
        if path == script:  # Streamlit sends files of static/ again; they are packed all the same
            with pytest.raises(urllib.error.HTTPError, match="304"):
                fetch(f"{deployment.address}/{path}", {"Accept-Encoding": "gzip", "If-None-Match": headers["ETag"]})


def test_a_learner_whose_server_is_killed_goes_on_with_the_other(deployment, browser):
    context = browser.new_context(viewport={"width": 1400, "height": 2600}, user_agent="learner")
    page = context.new_page()
    page.goto(deployment.address)
    page.wait_for_selector(".att-root[data-drawn]", timeout=60_000)
    make(page)
    lost, link = server_of(page), page.url
    (other,) = deployment.servers.keys() - {lost}
    watch(page)
    deployment.servers[lost].process.kill()
    print("seconds:", wait_until_back(page))
    assert (server_of(page), page.url) == (other, link)
    shows(page, MADE)

    # What comes next is done, not undone by the address that the new session began with.
    page.get_by_role("spinbutton", name="d_out").focus()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("alert")).to_contain_text("d_out = 7")
    page.keyboard.press("ArrowUp")
    page.wait_for_url("**d_out=8**")
    shows(page, replace(MADE, d_out=8))

    # An upload goes where the session is, although the server that the page came from is there again.
    with patch("tests.browser.server.free_port", return_value=deployment.servers[lost].port), serve():
        page.get_by_role("combobox", name="Vectors").click()
        page.get_by_role("option", name="My own numbers").click()
        words = len(SENTENCE.split())
        table = "\n".join(f"{row},0.5,0.25" for row in range(words)).encode()
        page.locator("input[type=file]").set_input_files({"name": "own.csv", "mimeType": "text/csv", "buffer": table})
        page.wait_for_url("**vectors=0%2C0.5%2C0.25**")
    context.close()
    assert websockets(deployment.folder, "learner") == [lost, other]


def fetch(address: str, headers: dict[str, str] | None = None) -> tuple[bytes, Message]:
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers or {})) as answer:
        return answer.read(), answer.headers


def server_of(page: Page) -> str:
    """The server that the browser's cookie names."""
    (server,) = [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "attention_server"]
    return server


def websockets(folder, name: str) -> list[str]:
    """The servers of a browser's websockets; nginx writes one down a moment after its end."""
    time.sleep(0.2)
    return [server for browser, server, status, _ in told(folder) if browser == name and status == "101"]
