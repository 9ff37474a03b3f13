"""The lesson of mistakes: each mistaken run beside the right one, and the numbers that prove the harm."""

import inspect
from dataclasses import replace
from math import isnan

import numpy as np
import pytest

from attention import Experiment
from attention.mistakes import MISTAKES, measure, run_mistaken, showing
from tests.pages.app import LANGUAGES, choose, control, experiment_of, link_to, open_page, press, text
from tests.pages.look import charts, components, drawn, figures
from ui.numbers import number

CHANGED = {  # what stands in the code, and what is typed instead
    "sqrt_d_out": [("masked_scores / self.head_dim**0.5", "masked_scores / self.d_out**0.5")],
    "no_scaling": [("masked_scores / self.head_dim**0.5)", "masked_scores)")],
    "mask_after_softmax": [
        ("torch.softmax(scaled_scores, dim=-1)", "torch.softmax(scores / self.head_dim**0.5, dim=-1) * ~hidden")
    ],
    "softmax_axis": [("dim=-1", "dim=-2")],
    "tril": [(".triu(", ".tril(")],
    "diagonal_zero": [("diagonal=1", "diagonal=0")],
    "no_transpose_on_merge": [("context.transpose(1, 2).reshape", "context.reshape")],
    "dropout_in_eval": [("self.dropout(", "self.dropout.train()(")],
    "dropout_without_rescale": [("self.dropout(weights))", "weights * (self.dropout(weights) > 0))")],
    "keys_queries_swapped": [("queries @ keys", "keys @ queries")],
}
STEPS = {
    "sqrt_d_out": ["scaled_scores", "weights"],
    "no_scaling": ["scaled_scores", "weights"],
    "mask_after_softmax": ["weights"],
    "softmax_axis": ["weights"],
    "tril": ["masked_scores", "weights"],
    "diagonal_zero": ["weights", "output"],
    "no_transpose_on_merge": ["merged_context", "output"],
    "dropout_in_eval": ["dropped_weights"],
    "dropout_without_rescale": ["dropped_weights"],
    "keys_queries_swapped": ["scores", "weights"],
}
BARS = {
    "mask_after_softmax": "row_sums",
    "softmax_axis": "row_sums",
    "tril": "future_weight",
    "dropout_in_eval": "dropped_row_sums",
    "dropout_without_rescale": "dropped_row_sums",
}
# What runs where the reader chose the first visit's experiment.
NEEDED = {"dropout_in_eval": {"dropout": 0.5}, "dropout_without_rescale": {"dropout": 0.5, "mode": "train"}}
HEADS = ("no_transpose_on_merge",)  # shown in all heads together
LONG = " ".join(f"word{i % 90}" for i in range(512))


@pytest.fixture(params=list(MISTAKES))
def mistake(request):
    return request.param


def the_change(at):
    """Both sides of the diff: the lines taken out, the lines put in."""
    (lines,) = [code.value.splitlines() for code in at.code if code.language == "diff"]
    return [[line for line in lines if line.startswith(sign)] for sign in "-+"]


def per_query(name, trace, head, item=0):
    """The height of each bar, worked out here."""
    step = "dropped_weights" if name == "dropped_row_sums" else "weights"
    weights = trace[step].value[item, head].double().numpy()
    counted = np.triu(np.ones_like(weights), 1) if name == "future_weight" else np.ones_like(weights)
    return (weights * counted).sum(axis=-1)


def check(at, name, experiment, head=0, item=0):
    """Every map, bar and number of the page belongs to these two runs."""
    right, wrong = experiment.run(), run_mistaken(experiment, name)
    assert experiment_of(at) == experiment
    shown = figures(at)
    assert [each.step for each in shown] == [step for step in STEPS[name] for _ in "rw"]
    for place, each in enumerate(shown):
        side = (right, wrong)[place % 2]
        np.testing.assert_array_equal(each.values, drawn(side[each.step], head=head, item=item))
        assert each.range == shown[place - place % 2].range
        assert each.card["title"].startswith(text(at, f"steps.{each.step}.title"))
        assert each.card["title"].endswith(text(at, f"mistakes.{('right', 'mistaken')[place % 2]}"))
        assert each.card["title"] in each.card["alt"]
    figures_of_both = [measure(side, right, item)[MISTAKES[name].proof] for side in (right, wrong)]
    expected = [
        "NaN" if isnan(each) else str(each) if type(each) is int else f"{each:z.4f}" for each in figures_of_both
    ]
    assert [metric.value for metric in at.metric] == expected
    assert [card["step"] for card in charts(at)] == [BARS[each] for each in BARS if each == name]
    for card in charts(at):
        for bars, side in zip(card["figure"]["data"], (right, wrong), strict=True):
            heights = np.array([np.nan if each is None else each for each in bars["y"]])
            np.testing.assert_allclose(heights, per_query(card["step"], side, head, item), rtol=1e-5, atol=1e-6)
    nan = any(np.isnan(wrong[step].value[item].numpy()).any() for step in STEPS[name])
    assert (text(at, "mistakes.nan") in [caption.value for caption in at.caption]) == nan


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_mistake_is_drawn_beside_the_right_run_with_its_proof_and_its_words(mistake, language):
    at = open_page("mistakes", mistake=mistake, lang=language)
    check(at, mistake, Experiment(**NEEDED.get(mistake, {})))
    assert at.metric[0].value != at.metric[1].value
    assert not [*at.info, *at.error, *at.warning]
    prose = "\n".join(markdown.value for markdown in at.markdown)
    for part in ("typed", "notice"):
        assert text(at, f"mistakes.{mistake}.{part}") in prose
    assert text(at, f"mistakes.{mistake}.broken").partition("{")[0] in prose
    assert text(at, f"mistakes.proofs.{MISTAKES[mistake].proof}") in prose


def test_the_diff_has_exactly_the_changed_lines(mistake):
    taken, put = the_change(open_page("mistakes", mistake=mistake))
    assert len(taken) == len(put) == len(CHANGED[mistake])
    real = inspect.getsource(MISTAKES[mistake].where).splitlines()
    for old, new, (right, wrong) in zip(taken, put, CHANGED[mistake], strict=True):
        assert old[1:].strip() in [line.strip() for line in real]
        assert right in old and new == f"+{old[1:].replace(right, wrong)}"


def test_the_code_is_the_real_function_and_a_program_that_prints_both_proofs(mistake, capsys):
    at = open_page("mistakes", mistake=mistake)
    shown = ["".join(code.value.split()) for code in at.code]
    assert "".join(inspect.getsource(MISTAKES[mistake].where).split()) in shown
    (program,) = [code.value for code in at.code if "Experiment(" in code.value]
    exec(program, {})
    *_, right, wrong = capsys.readouterr().out.splitlines()
    proof, names = MISTAKES[mistake].proof, {"nan": float("nan")}
    found = [eval(line, names)[proof] for line in (right, wrong)]
    assert [f"{each:z.4f}" for each in found] == [f"{float(metric.value):z.4f}" for metric in at.metric]


def test_another_head_is_one_click_away_and_the_heads_together_need_none(mistake):
    at = open_page("mistakes", mistake=mistake, d_out=6, num_heads=3, head=3)
    check(at, mistake, Experiment(**NEEDED.get(mistake, {}), d_out=6, num_heads=3), head=2)
    if mistake in HEADS:
        with pytest.raises(KeyError):
            control(at, "head")
    else:
        check(choose(at, head="2"), mistake, Experiment(**NEEDED.get(mistake, {}), d_out=6, num_heads=3), head=1)


def test_the_mistake_is_in_the_address_and_stays_when_the_language_changes():
    at = choose(open_page("mistakes"), mistake="tril")
    assert at.query_params == {"mistake": "tril"}
    at = choose(at, lang="zh")
    assert control(at, "mistake").value == "tril"
    assert list(control(at, "mistake").options) == [text(at, f"mistakes.{name}.name") for name in MISTAKES]
    check(at, "tril", Experiment())
    assert control(press(at, "controls.reset"), "mistake").value == "sqrt_d_out"


@pytest.mark.parametrize(
    ("mistake", "own", "needed"),
    [
        ("sqrt_d_out", {"num_heads": 1}, {"num_heads": 2}),
        ("no_transpose_on_merge", {"num_heads": 1, "d_out": 7}, {"num_heads": 2, "d_out": 8}),
        ("no_transpose_on_merge", {"num_heads": 1, "d_out": 1}, {"num_heads": 2, "d_out": 2}),
        ("mask_after_softmax", {"mask": "none"}, {"mask": "causal"}),
        ("tril", {"mask": "padding"}, {"mask": "causal"}),
        ("diagonal_zero", {"mask": "none"}, {"mask": "causal"}),
        ("dropout_in_eval", {"mode": "train", "dropout": 0.25}, {"mode": "eval"}),
        ("dropout_without_rescale", {"dropout": 0.25}, {"mode": "train"}),
        ("dropout_without_rescale", {"mode": "train"}, {"dropout": 0.5}),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_mistake_needs_is_put_in_and_told_and_the_controls_stay(mistake, own, needed, language):
    at = open_page("mistakes", mistake=mistake, lang=language, **own)
    experiment = Experiment(**own)
    check(at, mistake, replace(experiment, **needed))
    assert at.metric[0].value != at.metric[1].value
    (told,) = [c.value for c in at.caption if c.value.startswith(text(at, "mistakes.changed").partition("{")[0])]
    for name, value in needed.items():
        assert str(value) in told and f"{getattr(experiment, name)}".removesuffix(".0") in told
    assert all(control(at, name).value == getattr(experiment, name) for name in needed)


def test_nothing_is_changed_where_the_mistake_shows_already(mistake):
    own = Experiment(mask="sliding_window", window=3, dropout=0.25, mode="eval", num_heads=4, seed=7)
    own = replace(own, mode=NEEDED.get(mistake, {}).get("mode", "eval"))
    at = open_page("mistakes", mistake=mistake, **link_to(own))
    check(at, mistake, own)
    start = text(at, "mistakes.changed").partition("{")[0]
    assert not [caption for caption in at.caption if caption.value.startswith(start)]


@pytest.mark.parametrize("item", [1, 2])
def test_a_sentence_of_a_batch_is_shown_with_its_padding(mistake, item):
    batch = "Your journey starts with one step\nstep with one journey"
    at = open_page("mistakes", mistake=mistake, sentence=batch, item=item)
    check(at, mistake, Experiment(**NEEDED.get(mistake, {}), sentence=batch), item=item - 1)


def test_one_token_is_enough_and_where_the_mistake_does_no_harm_it_is_said(mistake):
    at = open_page("mistakes", mistake=mistake, sentence="one")
    check(at, mistake, Experiment(**NEEDED.get(mistake, {}), sentence="one"))
    assert not at.error
    same = text(at, "mistakes.same") in [info.value for info in at.info]
    assert same == (at.metric[0].value == at.metric[1].value)
    assert same or mistake in ("sqrt_d_out", "no_scaling", "tril", "diagonal_zero", *NEEDED)


@pytest.mark.parametrize("mistake", ["sqrt_d_out", "tril", "no_transpose_on_merge"])
def test_the_longest_sentence_with_all_heads_draws_one_head(mistake):
    at = open_page("mistakes", mistake=mistake, sentence=LONG, num_heads=16, d_out=128, head=16)
    assert not at.error
    assert {each.values.shape[0] for each in figures(at)} == {512}


def test_a_batch_too_large_for_two_heads_is_told_and_runs_with_one():
    at = open_page("mistakes", sentence="\n".join([LONG, *["a"] * 15]), num_heads=1)
    assert len(at.error) == 1 and "16" in at.error[0].value
    assert experiment_of(at).num_heads == 1
    assert [info.value for info in at.info] == [text(at, "mistakes.same")]


def test_a_cell_opens_with_the_arithmetic_of_the_right_run_and_the_number_of_the_mistaken_one(mistake):
    shown = showing(Experiment(), mistake)
    right, wrong = shown.run(), run_mistaken(shown, mistake)
    step = next(iter(MISTAKES[mistake].shows))
    places = [2, 1] if right[step].value.dim() == 3 else [0, 2, 1]
    cell = ".".join([step, *(str(place + 1) for place in places)])
    at = open_page("mistakes", mistake=mistake, cell=cell)
    assert all(card["opens"] for card in cards_of(at))
    (panel,) = [each["panel"] for each in components(at) if each["panel"]]
    assert panel["value"] == number(float(right[step].value[0, *places]))
    assert panel["why"].endswith(text(at, "mistakes.beside", value=number(float(wrong[step].value[0, *places]))))


def cards_of(at):
    return [card for component in components(at) for card in component["cards"] if card["kind"] == "heatmap"]


def test_weights_that_grow_in_eval_by_mistake_are_within_the_range_of_both_figures():
    at = open_page("mistakes", mistake="dropout_in_eval", dropout=0.5)
    ranges = [shown.range for shown in figures(at) if shown.step == "dropped_weights"]
    assert ranges == [(0, 2), (0, 2)]
