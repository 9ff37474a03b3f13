"""From a change of a control to the last change of the page, as a browser sees it."""

from typing import NamedTuple

from playwright.sync_api import Page

# Sums up what comes over the websocket since the last key, and remembers when the page last changed.
SCRIPT = """
(() => {
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket { constructor(...a) { super(...a); this.addEventListener('message', (e) => {
    const now = performance.now(); window.bytes += e.data.byteLength || e.data.size || e.data.length || 0;
    window.firstByte ??= now; window.lastByte = now; }); } };
  window.addEventListener('keydown', () => { window.start = window.changed = performance.now(); window.bytes = 0;
    window.firstByte = null; window.lastByte = null; }, true);
  document.addEventListener('DOMContentLoaded', () => new MutationObserver((changes) => {
    for (const { target } of changes) {
      const element = target.nodeType === 1 ? target : target.parentElement;
      if (element?.closest('[data-testid="stMain"], [data-testid="stSidebar"]')
          && !element.closest('[data-testid="stStatusWidget"], [data-testid="stSlider"]'))
        { window.changed = performance.now(); break; } }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true }));
})();
"""
SLIDER = 'input[type="range"][aria-label="d_in"]'
QUIET_MS = 350  # without a change for so long, the page has settled


class Change(NamedTuple):
    """milliseconds until the page stood still; bytes received; milliseconds from first to last byte."""

    ms: float
    bytes: int
    server_ms: float


def change_d_in(page: Page) -> Change:
    """Press an arrow key on the slider of d_in: every number changes, to one that was not shown before."""
    slider = page.locator(SLIDER)
    slider.focus()
    slider.press("ArrowRight" if slider.input_value() != slider.get_attribute("max") else "Home")
    page.wait_for_function(f"window.lastByte && performance.now() - Math.max(changed, lastByte) > {QUIET_MS}")
    ms, received, server_ms = page.evaluate("[changed - start, bytes, lastByte - firstByte]")
    return Change(ms, received, server_ms)
