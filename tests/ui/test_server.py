"""What holds for the whole server: no pause after a rerun, nothing sent elsewhere, plotly.js from the app itself."""

import asyncio
import gc
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch
from streamlit import config
from streamlit.web.server.app_discovery import discover_asgi_app

from ui import server

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


@pytest.fixture
def restored():
    """What ``settle`` changes for the whole process, changed back."""
    threads, interval = torch.get_num_threads(), sys.getswitchinterval()
    yield
    gc.unfreeze()
    torch.set_num_threads(threads)
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("restored")
def test_imports_are_taken_out_of_the_garbage_collectors_sight():
    gc.unfreeze()
    server.settle()
    assert gc.get_freeze_count() > 100_000  # torch's and Streamlit's objects
    assert SETTINGS["runner"]["postScriptGC"] is False


@pytest.mark.usefixtures("restored")
def test_reruns_share_the_machine_one_thread_of_torch_each():
    server.settle()
    assert torch.get_num_threads() == 1


HOLES = """
import psutil, torch
from ui import server
torch.zeros(5_000_000).sum()
steps = [(torch.zeros(4_000_000), torch.zeros(10_000)) for _ in range(12)]
left = [small for _, small in steps]
del steps
before = psutil.Process().memory_info().rss
server.trim()
print((before - psutil.Process().memory_info().rss) // 2**20)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's way to keep memory")
def test_what_large_steps_took_goes_back_to_the_system_though_small_ones_are_kept():
    given = subprocess.run([sys.executable, "-c", HOLES], cwd=ROOT, capture_output=True, check=True).stdout
    assert int(given) > 100  # megabytes, of 12 x 16


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("headless", [True, False])
def test_the_server_opens_the_page_where_there_is_somebody_to_see_it(monkeypatch, headless):
    opened = []
    options = {"server.headless": headless, "browser.serverAddress": "localhost", "browser.serverPort": 8501}
    monkeypatch.setattr(server.st, "get_option", options.__getitem__)
    monkeypatch.setattr(server.webbrowser, "open", opened.append)
    monkeypatch.setattr(server, "settle", lambda: None)
    monkeypatch.setattr(server.PagesManager, "uses_pages_directory", None)

    async def start():
        async with server.lifespan(None):
            await asyncio.sleep(0)

    with ThreadPoolExecutor() as elsewhere:  # the browser tests leave a loop running in this thread
        elsewhere.submit(lambda: asyncio.run(start())).result()
    assert opened == ([] if headless else ["http://localhost:8501"])


def test_streamlit_finds_the_app_that_starts_the_server():
    assert discover_asgi_app(ROOT / "app.py").import_string == "app:app"


def test_nothing_is_reported_to_anybody():
    assert SETTINGS["browser"]["gatherUsageStats"] is False


@pytest.mark.parametrize("section", SETTINGS)
def test_streamlit_knows_every_setting(section):
    known = config.get_config_options()
    assert {f"{section}.{name}" for name, value in SETTINGS[section].items() if not isinstance(value, dict)} <= set(
        known
    )


def test_no_file_of_the_page_names_another_host():
    for file in [
        *ROOT.glob("static/front/*"),
        *ROOT.glob("ui/**/*.py"),
        ROOT / ".streamlit" / "config.toml",
    ]:
        addresses = re.findall(r"(?:https?:)?//[a-z][\w.-]*\.[a-z]{2,}", file.read_text(encoding="utf-8"))
        assert set(addresses) <= {"http://www.w3.org"}, file  # the name of SVG, not an address


def test_plotly_comes_with_the_app_and_is_small_enough():
    (script,) = (ROOT / "static").glob("plotly*.js")
    assert any(script.name in file.read_text(encoding="utf-8") for file in ROOT.glob("static/front/*.js"))
    assert SETTINGS["server"]["enableStaticServing"] is True
    assert script.stat().st_size < 2_500_000
