"""Any choices: either a reason that both languages can say, or the numbers of PyTorch's own attention."""

import pytest
import torch

from attention import Experiment, LearnerError
from attention.errors import shown
from tests.fuzz.choices import ANYTHING, NAMES, fitting
from tests.fuzz.examples import holds_for
from tests.fuzz.oracle import last_step, visible
from tests.ui.test_literal import code_span
from ui import words
from ui.errors import OF_A_FILE, TYPED, message


def said(error: LearnerError) -> None:
    """Each language has a sentence for it, in which what was typed is short and stands inside one code span."""
    for language in words.LANGUAGES:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(words, "browser_language", lambda language=language: language)
            sentence = message(error).replace(f"`{error.values.get('known')}`", "")  # the app's own words
        assert len(sentence) < 500
        if len(error.values.keys() & {*TYPED, *OF_A_FILE}) == 1:
            before = sentence.partition("`")[0]
            inside, after = code_span(sentence.removeprefix(before))
            assert inside and not {"<", "$", "`"} & set(before + after)


@holds_for(30, chosen=fitting(), name=NAMES, value=ANYTHING)
def test_a_wrong_choice_is_named_with_its_value(chosen, name, value):
    try:
        Experiment(**chosen | {name: value}).run()
    except LearnerError as error:
        said(error)
        if "name" in error.values:
            assert error.values["name"] == name
            assert name in str(error) and str(shown(value)) in str(error)


@holds_for(12, chosen=fitting())
def test_choices_that_fit_give_the_numbers_of_pytorchs_own_attention(chosen):
    try:
        experiment = Experiment(**chosen)
    except LearnerError as error:
        said(error)
        return
    trace = experiment.run()
    weights, scores = trace["weights"].value, trace["scaled_scores"].value
    seen = visible(experiment)  # (batch, 1, query, key)
    seen = (seen if weights.dim() == 4 else seen.squeeze(1)).expand_as(weights)
    assert torch.equal(torch.isneginf(trace["masked_scores"].value), ~seen)
    assert not weights[~seen].any() and not trace["dropped_weights"].value[~seen].any()
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(weights.shape[:-1]), atol=1e-4, rtol=0)
    for name, step in trace.items():
        finite = torch.isfinite(step.value)
        assert (finite[seen] if name in ("masked_scores", "scaled_scores") else finite).all(), name
    if experiment.mode == "train" and experiment.dropout > 0:
        return
    assert torch.equal(weights, trace["dropped_weights"].value)
    if scores[seen].abs().max() < 100:  # where they are larger, rounding decides who gets the weight
        *_, last = trace.values()
        largest = max(1.0, float(last.value.abs().max()))
        torch.testing.assert_close(last.value / largest, last_step(experiment) / largest, atol=2e-4, rtol=0)
