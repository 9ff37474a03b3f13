"""From a change of a control to the last change of the page, as a browser sees it."""

from typing import NamedTuple

from playwright.sync_api import Page

# Sums up what comes over the websocket since the last click, and remembers when the page last changed.
SCRIPT = """
(() => {
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket { constructor(...a) { super(...a); this.addEventListener('message', (e) => {
    const now = performance.now(); window.bytes += e.data.byteLength || e.data.size || e.data.length || 0;
    window.firstByte ??= now; window.lastByte = now; }); } };
  window.addEventListener('click', () => { window.start = window.changed = performance.now(); window.bytes = 0;
    window.firstByte = null; window.lastByte = null; }, true);
  document.addEventListener('DOMContentLoaded', () => new MutationObserver((changes) => {
    for (const { target } of changes) {
      const element = target.nodeType === 1 ? target : target.parentElement;
      if (element?.closest('[data-testid="stMain"], [data-testid="stSidebar"]')
          && !element.closest('[data-testid="stStatusWidget"], [data-testid="stNumberInput"]'))
        { window.changed = performance.now(); break; } }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true }));
})();
"""
QUIET_MS = 350  # without a change for so long, the page has settled


class Change(NamedTuple):
    """milliseconds until the page stood still; bytes received; milliseconds from first to last byte."""

    ms: float
    bytes: int
    server_ms: float


def change_seed(page: Page) -> Change:
    """Press the + of the seed: every number of the app changes."""
    page.locator('[data-testid="stNumberInput"]:has([aria-label="seed"]) [data-testid="stNumberInputStepUp"]').evaluate(
        "button => button.click()"
    )
    page.wait_for_function(f"window.lastByte && performance.now() - Math.max(changed, lastByte) > {QUIET_MS}")
    ms, received, server_ms = page.evaluate("[Math.max(changed, lastByte) - start, bytes, lastByte - firstByte]")
    return Change(ms, received, server_ms)
