"""How long a cell takes to open, and whether one who plays the steps keeps another one waiting."""

import statistics

from playwright.sync_api import Page

from tests.bench.watch import change_d_in

REPEATS = 11
# Click a cell of the scores as a finger would, and wait until the panel shows another number.
CLICK = """
row => new Promise((done, fail) => {
  const gd = document.querySelector('[data-step="scores"] .att-gd'), box = gd.getBoundingClientRect();
  const { xaxis, yaxis } = gd._fullLayout, place = {
    bubbles: true, clientX: box.x + xaxis._offset + xaxis.l2p(0), clientY: box.y + yaxis._offset + yaxis.l2p(row) };
  const title = () => document.querySelector('.att-panel .att-name')?.textContent, before = title();
  const start = performance.now();
  new MutationObserver((_, watch) => {
    if (title() === before) return;
    watch.disconnect();
    done(performance.now() - start);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  for (const kind of ['mousedown', 'click']) gd.dispatchEvent(new MouseEvent(kind, place));
  setTimeout(fail, 5000);
})
"""


def cell_opens(page: Page, empty: Page) -> dict[str, float]:
    """Milliseconds from the click on a cell to its panel, beside the empty app's rerun: medians over pairs."""
    page.locator('[data-step="scores"]').scroll_into_view_if_needed()
    page.wait_for_selector('[data-step="scores"] .att-over')
    pairs = []
    for repeat in range(REPEATS):
        milliseconds = page.evaluate(CLICK, repeat % 5)
        page.wait_for_timeout(400)
        pairs.append((milliseconds, change_d_in(empty).ms))
    ours, floor = (statistics.median(each) for each in zip(*pairs[1:], strict=True))
    return {"ms": round(ours, 1), "empty_ms": round(floor, 1)}


def beside_play(page: Page, player: Page) -> dict[str, float]:
    """Milliseconds of a change in ``page``, alone and while ``player`` walks through the steps."""
    alone = [change_d_in(page).ms for _ in range(REPEATS)]
    player.locator(".att-walk button").nth(1).click()
    beside = [change_d_in(page).ms for _ in range(REPEATS)]
    return {"alone_ms": round(statistics.median(alone), 1), "beside_ms": round(statistics.median(beside), 1)}
