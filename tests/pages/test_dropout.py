"""The dropout lesson: a draw that can be made again, train() beside eval(), and the mean of many draws."""

import numpy as np
import pytest
import torch

from attention import Experiment
from attention.dropout_draws import COUNTS, run_draw
from tests.pages.app import choose, control, experiment_of, open_page, press, text
from tests.pages.look import components, drawn, figure, figures, lines

HALF = Experiment(mode="train", dropout=0.5)


def metrics(at: object) -> list[str]:
    return [metric.value for metric in at.metric]


def factors(experiment: Experiment, head: int = 0, draw: int = 1) -> np.ndarray:
    """0 for dropped, 1 / (1 - p) for kept, nothing for hidden; by PyTorch's own weights after dropout."""
    run = run_draw(experiment, draw)
    weights, after = (run[name].value[0, head].numpy() for name in ("weights", "dropped_weights"))
    kept = np.where(after > 0, 1 / (1 - experiment.dropout), 0.0)
    return np.where(weights > 0, kept, np.nan).astype(np.float32)


def test_without_dropout_the_lesson_takes_one_half_and_says_so(language):
    at = open_page("dropout", lang=language)
    captions = [caption.value for caption in at.caption]
    assert text(at, "dropout.assumed", p=0.5) in captions
    assert metrics(at)[:3] == ["0.5", "2.000", "1"]
    np.testing.assert_array_equal(figure(at, "dropped_weights").values, drawn(HALF.run()["dropped_weights"], head=0))


def test_the_experiments_own_dropout_is_used_and_called_so(language):
    at = open_page("dropout", lang=language, dropout=0.2)
    assert text(at, "dropout.own", p=0.2) in [caption.value for caption in at.caption]
    assert metrics(at)[:2] == ["0.2", "1.250"]
    assert text(at, "dropout.draw", p=0.2, rescale=1.25) in "\n".join(each.value for each in at.markdown)
    assert experiment_of(at) == Experiment(mode="train", dropout=0.2)


@pytest.mark.parametrize("head", [1, 2])
def test_the_draw_its_weights_and_the_row_sums_are_those_of_the_run_in_train(head):
    at = open_page("dropout", dropout=0.5, head=head)
    run = HALF.run()
    np.testing.assert_array_equal(figure(at, "dropout_factors").values, factors(HALF, head - 1))
    for step in ("weights", "dropped_weights"):
        np.testing.assert_array_equal(figure(at, step).values, drawn(run[step], head=head - 1))
    before, after = lines(at, "row_sums").values()
    np.testing.assert_allclose(before["y"], np.ones(6), atol=1e-6)
    np.testing.assert_allclose(after["y"], run["dropped_weights"].value[0, head - 1].sum(-1), atol=1e-6)
    dropped = np.count_nonzero(factors(HALF, head - 1) == 0)
    assert (at.metric[3].label, at.metric[3].value) == ("Dropped, of 21 weights", str(dropped))


def test_hidden_cells_are_called_hidden_and_not_minus_infinity(language):
    meta = figure(open_page("dropout", lang=language), "dropout_factors").layout["meta"]
    assert meta["gap"] == {"en": "hidden by the mask", "zh": "被掩码遮住"}[language]
    assert not meta["masked"]


def test_draw_again_draws_other_factors_for_the_same_weights_and_the_link_brings_them_back():
    at = open_page("dropout", dropout=0.5)
    seen = [figure(at, "dropout_factors").values]
    for draw in (2, 3):
        press(at, "controls.draw.label")
        assert metrics(at)[2] == str(draw)
        assert at.query_params["draw"] == str(draw)
        seen.append(figure(at, "dropout_factors").values)
        np.testing.assert_array_equal(seen[-1], factors(HALF, draw=draw))
        np.testing.assert_array_equal(figure(at, "weights").values, drawn(HALF.run()["weights"], head=0))
    assert len({each.tobytes() for each in seen}) == 3
    elsewhere = open_page("dropout", **at.query_params)
    assert components(elsewhere) == components(at)
    assert "run_draw(Experiment(" in elsewhere.code[0].value
    assert metrics(press(open_page("dropout", draw=10_000), "controls.draw.label"))[2] == "1"


def test_the_program_of_a_later_draw_gives_the_numbers_on_screen(capsys):
    names: dict = {}
    exec(open_page("dropout", draw=4).code[0].value, names)
    assert torch.equal(names["trace"]["dropped_weights"].value, run_draw(HALF, 4)["dropped_weights"].value)
    assert "dropped_weights (" in capsys.readouterr().out


@pytest.mark.parametrize("mode", ["train", "eval"])
def test_train_and_eval_stand_side_by_side_whatever_the_mode(mode):
    at = open_page("dropout", dropout=0.5, mode=mode, draw=2)
    train, evaluation = run_draw(HALF, 2), Experiment(mode="eval").run()
    for step, shown in (("dropped_weights", "dropped_weights"), ("context", "context")):
        np.testing.assert_array_equal(figure(at, f"train_{shown}").values, drawn(train[step], head=0))
        np.testing.assert_array_equal(figure(at, f"eval_{shown}").values, drawn(evaluation[step], head=0))
        assert figure(at, f"train_{shown}").range == figure(at, f"eval_{shown}").range
    np.testing.assert_array_equal(figure(at, "eval_dropped_weights").values, figure(at, "weights").values)


def test_the_mean_of_ten_thousand_draws_is_the_undropped_row():
    at = choose(open_page("dropout", dropout=0.5, query=4), draws=10_000)
    undropped, mean = (np.array(bars["y"]) for bars in lines(at, "mean_of_draws").values())
    np.testing.assert_array_equal(undropped.astype(np.float32), HALF.run()["weights"].value[0, 0, 3])
    np.testing.assert_allclose(mean, undropped, atol=0.01)
    assert at.query_params["draws"] == "10000"
    _, single = (np.array(bars["y"]) for bars in lines(choose(at, draws=1), "mean_of_draws").values())
    kept = single > 0
    np.testing.assert_allclose(single[kept], 2 * undropped[kept], rtol=1e-5)


def test_the_spread_is_drawn_against_the_theory_on_logarithmic_axes():
    at = open_page("dropout", dropout=0.2)
    measured, theory, chosen = lines(at, "spread_of_draws").values()
    assert measured["x"] == list(COUNTS)
    weights = Experiment().run()["weights"].value[0, 0, 5].numpy()
    np.testing.assert_allclose(theory["y"], np.sqrt(0.2 / 0.8 * np.mean(weights**2) / np.array(COUNTS)), rtol=1e-5)
    np.testing.assert_allclose(measured["y"], theory["y"], rtol=0.2)
    assert (measured["line"]["dash"], theory["line"]["dash"]) == ("solid", "dot")
    assert [y for y in chosen["y"] if y is not None] == [measured["y"][COUNTS.index(10)]]
    (card,) = [card for told in components(at) for card in told["cards"] if card["step"] == "spread_of_draws"]
    assert [card["figure"]["layout"][axis]["type"] for axis in ("xaxis", "yaxis")] == ["log", "log"]


@pytest.mark.parametrize("draws", [1, 7, 500, 10_000])
def test_any_number_of_draws_in_a_link_is_used_and_can_be_left(draws):
    at = open_page("dropout", draws=draws)
    assert control(at, "draws").value == draws
    assert draws in lines(at, "spread_of_draws")[text(at, "dropout.measured")]["x"]
    assert not at.warning
    assert control(choose(at, draws=100), "draws").value == 100
    assert at.query_params["draws"] == "100"


def test_the_number_of_draws_stays_when_the_language_the_head_or_the_draw_changes():
    at = choose(open_page("dropout", num_heads=4), draws=300, head="3", lang="zh")
    press(at, "controls.draw.label")
    assert (control(at, "draws").value, control(at, "head").value, metrics(at)[2]) == (300, "3", "2")


def test_the_strip_chooses_the_row():
    at = open_page("dropout")
    strips = [told["strip"]["tokens"] for told in components(at) if told["strip"]]
    assert strips == [["Your", "journey", "starts", "with", "one", "step"]]
    first = [bars["y"] for bars in lines(choose(at, query=1, draws=1), "mean_of_draws").values()]
    assert first[0] == [1, 0, 0, 0, 0, 0]
    assert first[1] in ([0] * 6, [2, 0, 0, 0, 0, 0])


@pytest.mark.parametrize(
    "link",
    [
        {"sentence": "step", "dropout": 0.95},
        {"mask": "none", "dropout": 0.05},
        {"sentence": "Your journey\nstep", "item": 2, "query": 2, "dropout": 0.999999},
        {"sentence": "a " * 512, "num_heads": 16, "d_out": 16},
        {"sentence": "<b> $x$ `q`", "draw": 2},
    ],
)
def test_any_experiment_can_be_drawn(link):
    at = open_page("dropout", **link)
    assert not [*at.error, *at.warning]
    assert len(figures(at)) == 7
