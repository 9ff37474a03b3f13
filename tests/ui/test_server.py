"""What holds for the whole server: no pause after a rerun, nothing sent elsewhere, plotly.js from the app itself."""

import gc
import re
import tomllib
from pathlib import Path

import pytest
from streamlit import config

from ui import server

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def test_imports_are_taken_out_of_the_garbage_collectors_sight():
    gc.unfreeze()
    server.settle.clear()
    server.settle()
    try:
        assert gc.get_freeze_count() > 100_000  # torch's and Streamlit's objects
    finally:
        gc.unfreeze()
    assert SETTINGS["runner"]["postScriptGC"] is False


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
        *ROOT.glob("ui/**/*.js"),
        *ROOT.glob("ui/**/*.css"),
        *ROOT.glob("ui/*.py"),
        ROOT / ".streamlit" / "config.toml",
    ]:
        addresses = re.findall(r"(?:https?:)?//[a-z][\w.-]*\.[a-z]{2,}", file.read_text(encoding="utf-8"))
        assert set(addresses) <= {"http://www.w3.org"}, file  # the name of SVG, not an address


def test_plotly_comes_with_the_app_and_is_small_enough():
    (script,) = (ROOT / "static").glob("plotly*.js")
    assert any(script.name in file.read_text(encoding="utf-8") for file in ROOT.glob("ui/**/*.js"))
    assert SETTINGS["server"]["enableStaticServing"] is True
    assert script.stat().st_size < 2_500_000
