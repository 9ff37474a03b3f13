"""The app without a browser: open a page, use its controls, read what it shows."""

import json
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.testing.v1 import AppTest, app_test

from attention import Experiment, format_vectors
from ui import link as link_module
from ui import words
from ui.lesson import ORDER
from ui.words import locale

DOOR = Path(__file__).parents[2] / "app.py"
LANGUAGES = ("en", "zh")
TRAINED = ("training", "model")  # pages whose numbers are not those of an Experiment
OF_AN_EXPERIMENT = tuple(name for name in ORDER if name not in TRAINED)


def new_session() -> AppTest:
    """A visitor who has seen nothing yet."""
    at = AppTest.from_file(DOOR, default_timeout=60)
    at._bidi_component_manager = _components()
    return at


@cache
def _components() -> BidiComponentManager:
    """Shared: each AppTest would search all installed packages for components, which takes longer than a page."""
    return BidiComponentManager()


def open_page(name: str = "start", /, **link: object) -> AppTest:
    """The page at ``name?link``, as its first visitor sees it."""
    at = new_session()
    at.query_params.update({key: value if isinstance(value, list) else str(value) for key, value in link.items()})
    return go_to(at, name) if name != "start" else run(at)


def go_to(at: AppTest, name: str) -> AppTest:
    return run(at.switch_page(f"pages/{name}.py"))


def go_back(at: AppTest, **link: object) -> AppTest:
    """What a browser asks for when Back, or Forward, leads to this address of the page."""
    at.query_params = {key: str(value) for key, value in link.items()}
    with patch.object(link_module, "went_back", lambda: True):
        return run(at)


def run(at: AppTest, sent: WidgetState | None = None) -> AppTest:
    """Run the page; whatever happened, no traceback is shown and no text lacks its values.

    sent: what a browser sends for an element that AppTest does not know how to use.
    """
    states = partial(_states, at._tree.get_widget_states, sent)
    language = partial(_language, at, words.browser_language)
    with (
        patch.object(at._tree, "get_widget_states", states),
        patch.object(words, "browser_language", language),
        patch.object(app_test, "PagesManager", _Known),
    ):
        at.run()
    assert not at.exception, [exception.value for exception in at.exception]
    for text in [element.value for kind in (at.title, at.markdown, at.caption, at.error, at.info) for element in kind]:
        assert "{" not in re.sub("`.*?`", "", text), text
    return at


def control(at: AppTest, key: str) -> Any:
    """The widget with this key. Raises KeyError if the page has none."""
    kinds = (
        at.slider,
        at.select_slider,
        at.selectbox,
        at.toggle,
        at.number_input,
        at.text_area,
        at.radio,
        at.file_uploader,
    )
    for widget in (widget for kind in kinds for widget in kind):
        if widget.key == key:
            return widget
    raise KeyError(key)


def choose(at: AppTest, **values: object) -> AppTest:
    """Set controls one after the other, as a person does. The query token is chosen in the figures."""
    for key, value in values.items():
        if key == "query":
            at.session_state["query"] = value
        else:
            control(at, key).set_value(value)
        run(at)
    return at


def press(at: AppTest, text_key: str) -> AppTest:
    """Press the button whose label is this text."""
    (button,) = [button for button in at.button if button.label == text(at, text_key)]
    button.click()
    return run(at)


def edit(at: AppTest, rows: dict[int, dict[str, str | None]]) -> AppTest:
    """Edit cells of the page's table: {row: {column: value}}."""
    (table,) = at.data_editor
    state = {"edited_rows": rows, "added_rows": [], "deleted_rows": []}
    return run(at, WidgetState(id=table.proto.id, string_value=json.dumps(state)))


def text(at: AppTest, key: str, **values: object) -> str:
    """The text at ``key`` in the language of the page."""
    found: Any = locale(at.session_state["lang"])
    for part in key.split("."):
        found = found[part]
    return found.format(**values) if values else found


def experiment_of(at: AppTest) -> Experiment:
    """The experiment in the script of the code panel, which claims to give the numbers on screen."""
    (script,) = [code.value for code in at.code if "trace = Experiment(" in code.value]
    return eval(re.search(r"trace = (Experiment\(.*\))\.run\(\)", script)[1], {"Experiment": Experiment})


def link_to(experiment: Experiment) -> dict[str, str]:
    """The address that carries ``experiment``, written out in full."""
    fields = {name: str(value) for name, value in vars(experiment).items() if name not in ("vectors", "variant")}
    fields["qkv_bias"] = str(experiment.qkv_bias).lower()
    return fields | ({"vectors": format_vectors(experiment.vectors)} if experiment.vectors else {})


class _Known(PagesManager):
    """A server that has shown a page before. AppTest makes each run the first one of a new server, where
    Streamlit tries a file of ``pages/`` without the door (see ``ui.lesson.enter``), and so loses widgets."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        PagesManager.uses_pages_directory = False
        super().__init__(*arguments, **named)


def _states(of_the_widgets: Callable[[], WidgetStates], sent: WidgetState | None) -> WidgetStates:
    states = of_the_widgets()
    states.widgets.extend([sent] if sent else [])
    return states


def _language(at: AppTest, of_the_script: Callable[[], str]) -> str:
    """AppTest asks for the labels of options outside the script too, where Streamlit knows no session."""
    inside = get_script_run_ctx(suppress_warning=True) is not None
    return of_the_script() if inside else str(at.session_state["lang"])
