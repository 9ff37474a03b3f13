"""The language: from the browser, from the link, by the switch; and a page's own address on a new server."""

import pytest
import streamlit as st

from attention import Experiment
from tests.pages.app import TRAINED, choose, control, experiment_of, new_session, open_page
from tests.pages.look import components, figures
from ui.words import locale


@pytest.mark.parametrize(
    ("browser", "language"),
    [("zh-CN", "zh"), ("zh", "zh"), ("ZH-TW", "zh"), ("en-GB", "en"), ("de", "en"), (None, "en")],
)
def test_the_browser_decides_at_first(browser, language):
    at = new_session()
    at.context["locale"] = browser
    assert at.run().title[0].value == locale(language)["start"]["title"]


@pytest.mark.parametrize(("browser", "named"), [("zh-CN", "en"), ("en", "zh")])
def test_the_link_decides_over_the_browser(browser, named):
    at = new_session()
    at.context["locale"] = browser
    at.query_params["lang"] = named
    assert at.run().title[0].value == locale(named)["start"]["title"]


def test_the_switch_decides_over_both_and_is_in_the_link():
    at = choose(open_page("start"), lang="zh")
    assert at.title[0].value == locale("zh")["start"]["title"]
    assert at.query_params["lang"] == "zh"
    at = choose(at, lang="en")
    assert at.title[0].value == locale("en")["start"]["title"]
    assert "lang" not in at.query_params


def test_switching_the_language_changes_words_only():
    chosen = {
        "tokenizer": "characters",
        "embedding": "one_hot",
        "positions": "learned",
        "mask": "none",
        "mode": "train",
    }
    at = choose(open_page("multihead", **chosen), d_out=6, num_heads=3, query=2)
    before, shown = experiment_of(at), figures(at)
    assert before == Experiment(d_out=6, num_heads=3, d_in=before.d_in, **chosen)
    choose(at, lang="zh")
    assert experiment_of(at) == before
    assert [new.values.tobytes() for new in figures(at)] == [old.values.tobytes() for old in shown]
    assert {component["query"] for component in components(at)} == {1}
    assert control(at, "mask").options == [
        locale("zh")["controls"]["mask"][name] for name in ("causal", "none", "sliding_window", "padding")
    ]


def test_the_words_of_the_figures_are_in_the_language_too(page, language):
    for component in components(page):
        assert component["words"]["masked"] == locale(language)["figure"]["masked"]
        assert component["words"]["head"] == locale(language)["figure"]["head"]


def test_a_pages_own_address_works_for_the_first_visitor_of_a_new_server(name, language):
    at = new_session()  # AppTest's every run is the first of a new server
    at.query_params.update({"lang": language, "d_out": "8"})
    at.switch_page(f"pages/{name}.py").run()
    assert not at.exception
    assert at.title[0].value == locale(language)[name]["title"]
    assert at.session_state["d_out"] == 8
    assert name in TRAINED or experiment_of(at).d_out == 8


@pytest.mark.parametrize("name", ["start", "causal"])
def test_the_first_click_on_a_new_server_counts(name):
    st.cache_resource.clear()  # what the server remembers
    at = new_session()
    (at.switch_page(f"pages/{name}.py") if name != "start" else at).run()
    assert choose(at, lang="zh").title[0].value == locale("zh")[name]["title"]
