"""``make bench``: how fast the app answers, beside an empty Streamlit app in the same run."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.bench.cells import beside_play, cell_opens
from tests.bench.passes import pass_ratios
from tests.bench.watch import SCRIPT, SLIDER, Change, change_d_in
from tests.browser.install import FLAGS, chromium
from tests.browser.server import ROOT, SHIPPED, serve

REPEATS = 9
WORDS = ["the", "cat", "saw", "a", "dog", "and", "one", "bird", "sang"]
CASES = [("start", 6, 2), ("multihead", 6, 2)] + [("multihead", n, heads) for n in (6, 32, 128) for heads in (1, 4, 12)]
CASES += [("multihead", 512, 12)]


def link(page: str, tokens: int, heads: int) -> str:
    """The address of a page with so many tokens and heads; every case has d_in 16 and head_dim 4."""
    sentence = "+".join(WORDS[i % len(WORDS)] if tokens < 512 else f"w{i}" for i in range(tokens))
    path = "" if page == "start" else page
    return f"{path}?sentence={sentence}&embedding=seeded&positions=learned&d_in=16&d_out={4 * heads}&num_heads={heads}"


def open_page(browser: Browser | BrowserContext, address: str) -> Page:
    page = browser.new_page()
    page.set_viewport_size({"width": 1400, "height": 900})
    page.add_init_script(SCRIPT)
    page.goto(address)
    page.wait_for_selector(SLIDER, timeout=60_000)
    page.wait_for_timeout(2500)
    return page


def measure(page: Page, empty: Page, shipped: Page, empty_shipped: Page) -> dict[str, float]:
    """Medians over changes in turn: in the app and in the empty app, with this project's settings and with Streamlit's.

    As it is shipped, Streamlit collects garbage after each run; with this project's settings it does not, in neither.
    """
    turns = [tuple(map(change_d_in, (page, empty, shipped, empty_shipped))) for _ in range(REPEATS + 1)][1:]
    ours, floor, default, default_floor = zip(*turns, strict=True)
    quartiles = statistics.quantiles([change.ms for change in ours], n=4)
    return {
        "ms": _median(ours, "ms"),
        "empty_ms": _median(floor, "ms"),
        "bytes": int(_median(ours, "bytes")),
        "spread_ms": round(quartiles[2] - quartiles[0], 1),
        "server_ms": _median(ours, "server_ms"),
        "shipped_ms": _median(default, "ms"),
        "empty_shipped_ms": _median(default_floor, "ms"),
    }


def _median(changes: Sequence[Change], what: str) -> float:
    return round(statistics.median(getattr(change, what) for change in changes), 1)


def first_visit(browser: Browser) -> dict[str, float]:
    """Seconds from ``streamlit run`` to a painted heatmap, the server's memory then, bytes beyond Streamlit's own."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    own: list[int] = []
    page.on("response", lambda r: own.append(len(r.body())) if "/app/static/" in r.url else None)
    begin = time.perf_counter()
    with serve() as (address, process):
        page.goto(address)
        page.wait_for_selector(".att-over", timeout=60_000)
        seconds = time.perf_counter() - begin
        memory = psutil.Process(process.pid).memory_info().rss / 2**20
        page.close()
    return {"first_heatmap_s": round(seconds, 2), "rss_mb": round(memory), "first_visit_bytes": sum(own)}


def import_seconds() -> float:
    """What importing torch and streamlit takes in a new interpreter."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import torch, streamlit"], check=True)
    return round(time.perf_counter() - begin, 2)


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        imports = [import_seconds() for _ in range(3)]
        visits = [first_visit(browser) for _ in range(3)]
        cases = []
        print(f"{'':68} Streamlit's settings:")
        print("page        tokens heads      ms  spread   empty  ratio   bytes  server ms      ms   empty  ratio")
        here = Path(__file__).parent
        with (
            serve() as (app, _),
            serve(ROOT / "app.py", *SHIPPED) as (app_shipped, _),
            serve(here / "controls_app.py") as (sidebar, _),
            serve(here / "controls_app.py", *SHIPPED) as (sidebar_shipped, _),
            serve(here / "empty_app.py") as (floor, _),
            serve(here / "empty_app.py", *SHIPPED) as (floor_shipped, _),
        ):
            empty, empty_shipped = open_page(browser, floor), open_page(browser, floor_shipped)
            servers = [(case, app, app_shipped) for case in CASES]
            servers.append((("controls", 6, 2), sidebar, sidebar_shipped))
            for (name, tokens, heads), served, shipped_served in servers:
                path = link("start" if name == "controls" else name, tokens, heads)
                page, shipped = (open_page(browser, f"{server}/{path}") for server in (served, shipped_served))
                m = measure(page, empty, shipped, empty_shipped)
                page.close()
                shipped.close()
                cases.append({"page": name, "tokens": tokens, "heads": heads, **m})
                print(
                    f"{name:11} {tokens:6} {heads:5} {m['ms']:7.0f} {m['spread_ms']:7.0f} {m['empty_ms']:7.0f}"
                    f" {m['ms'] / m['empty_ms']:6.2f} {m['bytes']:7} {m['server_ms']:10.1f}"
                    f" {m['shipped_ms']:7.0f} {m['empty_shipped_ms']:7.0f}"
                    f" {m['shipped_ms'] / m['empty_shipped_ms']:6.2f}",
                    flush=True,
                )
            opened = []
            for name in ("start", "causal", "multihead"):
                page = open_page(browser, f"{app}/{link(name, 6, 2)}")
                opened.append({"page": name, **cell_opens(page, empty)})
                page.close()
            address = f"{app}/{link('start', 6, 2)}"
            play = beside_play(open_page(browser, address), open_page(browser.new_context(), address))
        browser.close()
    typical = {name: statistics.median(visit[name] for visit in visits) for name in visits[0]}
    result = {
        "cases": cases,
        "cells": opened,
        "play": play,
        **typical,
        "imports_s": statistics.median(imports),
        **pass_ratios(),
    }
    for name, value in result.items():
        if name != "cases":
            print(f"{name}: {value}")
    (ROOT / "build").mkdir(exist_ok=True)
    (ROOT / "build" / "bench.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
