"""Several sentences, one a line: computed together, shown one at a time, and never seen by one another."""

import numpy as np
import pytest

from attention import PADDING, Experiment
from tests.pages.app import LANGUAGES, choose, control, experiment_of, open_page, text
from tests.pages.look import components, drawn, figure, figures
from ui.words import locale

BATCH = "Your journey starts with one step\nstep with one journey"
LONG, SHORT = BATCH.split("\n")
EXPECTED = Experiment(sentence=BATCH)
TRACE = EXPECTED.run()


@pytest.mark.parametrize(("item", "tokens"), [(1, LONG.split()), (2, [*SHORT.split(), PADDING, PADDING])])
def test_either_sentence_can_be_shown_with_its_padding(item, tokens):
    at = choose(open_page("multihead", sentence=BATCH), item=item)
    assert experiment_of(at) == EXPECTED
    for step, traced in TRACE.items():
        shown = figure(at, step)
        np.testing.assert_array_equal(shown.values, drawn(traced, item=item - 1))
        assert shown.rows == tokens
        assert shown.card["shape"].startswith("(2, ")


def test_a_sentence_is_computed_as_if_it_were_alone():
    in_batch = figure(choose(open_page("multihead", sentence=BATCH), item=2), "output").values
    alone = figure(open_page("multihead", sentence=SHORT), "output").values
    np.testing.assert_allclose(in_batch[:4], alone, atol=1e-6)


def test_nobody_but_padding_looks_at_padding():
    weights = figure(choose(open_page("multihead", sentence=BATCH), item=2), "weights").values
    assert (weights[:, :4, 4:] == 0).all()
    assert (weights[:, :4].sum(-1) > 0.999).all()


def test_padding_is_zeros_on_the_page_of_the_tokens():
    at = choose(open_page("tokens", sentence=BATCH), item=2)
    assert [shown.rows[-1] for shown in figures(at)] == [PADDING] * 3
    assert not figure(at, "embedding").values[4:].any()
    assert components(at)[0]["strip"]["tokens"] == [*SHORT.split(), PADDING, PADDING]


def test_it_is_said_that_the_sentences_never_see_one_another(language):
    at = choose(open_page("tokens", lang=language, sentence=BATCH), item=2)
    assert [info.value for info in at.info] == [text(at, "tokens.batch", item=2, count=2)]
    never = {"en": "never see one another", "zh": "互相看不见"}[language]
    assert never in at.info[0].value
    assert never in control(at, "item").help


def test_a_single_sentence_needs_no_choice_of_the_sentence(name):
    at = open_page(name)
    assert not at.info
    with pytest.raises(KeyError):
        control(at, "item")


def test_the_query_token_is_the_last_one_of_the_sentence_and_not_its_padding():
    at = open_page("start", sentence=BATCH)
    assert components(at)[0]["query"] == 5
    assert components(choose(at, item=2))[0]["query"] == 3


def test_a_sentence_taken_away_is_not_shown_any_more():
    at = choose(choose(open_page("multihead", sentence=BATCH), item=2), sentence=SHORT)
    assert figure(at, "weights").rows == SHORT.split()
    at = choose(at, sentence=f"{LONG}\n{SHORT}\none")
    assert experiment_of(at).sentences == (LONG, SHORT, "one")


def test_own_words_of_several_sentences_share_one_table():
    at = open_page("tokens", sentence="a b\nb", embedding="seeded")
    first = figure(at, "embedding").values
    second = figure(choose(at, item=2), "embedding").values
    np.testing.assert_array_equal(second[0], first[1])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["start", "causal", "masks"])
def test_every_page_says_that_the_sentences_of_a_batch_never_see_one_another(name, language):
    said = [caption.value for caption in open_page(name, lang=language, sentence=BATCH).sidebar.caption]
    assert said == [locale(language)["controls"]["item"]["batch"]]
    assert not open_page(name, lang=language).sidebar.caption
