"""What a session keeps between two runs must not grow with the numbers on its page."""

import gc
import sys
import weakref

import pytest

from attention import trace
from tests.pages.app import open_page
from ui import runs
from ui.lessons import model_runs, training_runs


@pytest.mark.parametrize(
    "name", ["start", "causal", "multihead", "masks", "scale", "heads", "dropout", "mistakes", "model"]
)
def test_a_page_keeps_no_pass_once_it_is_drawn(name, monkeypatch):
    made = []

    def remembered(*given, **options):
        seen = trace(*given, **options)
        made.append(weakref.ref(seen))
        return seen

    for module in ("attention.experiment", "attention.language.survey"):
        monkeypatch.setattr(sys.modules[module], "trace", remembered)
    at = open_page(name, sentence="a page that is drawn and then left alone", seed=987)
    runs.forget()
    for cache in (model_runs.layer_trace.cache, training_runs.answers_of.cache):
        cache.clear()
    gc.collect()
    assert made and at
    assert not [each for each in made if each() is not None]
