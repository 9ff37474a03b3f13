"""An experiment as a learner makes it in a browser, and whether a page shows it."""

import re

import numpy as np
from playwright.sync_api import Page, expect

from attention import Experiment
from tests.browser.look import cell, drawn_values, picker

SENTENCE = "the cat saw the dog"
MADE = Experiment(sentence=SENTENCE, embedding="seeded", d_out=6)
CONNECTED = "[data-test-connection-state=CONNECTED]"
MOST_SECONDS = 20  # until the page is back; see README.md for what was measured
_WATCH = """() => {
    const app = document.querySelector("[data-testid=stApp]"), began = performance.now();
    const seen = (window.seen = {});
    const note = (what) => { seen[what] ??= (performance.now() - began) / 1000; };
    new MutationObserver(() => {
        const { testConnectionState: connection, testScriptState: script } = app.dataset;
        if (connection !== "CONNECTED") note("lost");
        else if (seen.lost !== undefined) note("connected");
        if (seen.connected !== undefined && script === "running") note("running");
        if (seen.running !== undefined && script === "notRunning") note("back");
    }).observe(app, { attributes: true });
}"""


def watch(page: Page) -> None:
    """From now on, note when the page loses its server, is connected again, is run again, and is back.

    Not before it is at rest: Streamlit itself starts a run again that was cut off.
    """
    page.wait_for_selector("[data-test-script-state=notRunning]")
    page.wait_for_timeout(500)
    page.evaluate(_WATCH)


def wait_until_back(page: Page) -> dict[str, float]:
    """The seconds from ``watch`` to what the page noted; it must come back by itself."""
    page.wait_for_function("window.seen.back !== undefined", timeout=1000 * MOST_SECONDS)
    return page.evaluate("window.seen")


def make(page: Page) -> None:
    """A sentence typed, a cell opened and with it a query token chosen, d_out moved: last, a run of the whole page.

    (After a run of a fragment, Streamlit itself would start another when it is connected again.)
    """
    page.get_by_role("textbox", name="Sentence").fill(SENTENCE)
    page.keyboard.press("Control+Enter")
    page.wait_for_url(re.compile("sentence="))
    page.mouse.click(*cell(page, "scores", row=4, column=1))
    page.wait_for_url(re.compile(r"query=5.*cell=scores\.1\.5\.2"))
    for d_out in (5, 6):
        page.get_by_role("spinbutton", name="d_out").focus()
        page.keyboard.press("ArrowUp")
        page.wait_for_url(re.compile(f"d_out={d_out}"))
    shows(page, MADE)


def shows(page: Page, made: Experiment) -> None:
    """The sentence, the controls, the numbers and the open cell of ``made``."""
    trace = made.run()
    expect(page.locator(".att-result")).to_have_text(f"{trace['scores'].value[0, 0, 4, 1]:.4f}")
    expect(page.get_by_role("textbox", name="Sentence")).to_have_value(SENTENCE)
    expect(page.get_by_role("spinbutton", name="d_out")).to_have_value(str(made.d_out))
    expect(page.locator(".att-panel")).to_contain_text("query 5 (dog) · key 2 (cat)")
    expect(picker(page, "query")).to_have_value("4")
    np.testing.assert_allclose(drawn_values(page, "weights"), trace["weights"].value[0, 0].numpy(), rtol=1e-6)
