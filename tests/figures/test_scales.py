"""Numbers become colours that can be told apart, over ranges that can be compared."""

import numpy as np
import pytest

from figures import signed_scale, weight_scale


def lightness(color: str) -> float:
    """Relative luminance, as the Web Content Accessibility Guidelines define it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_weights_go_from_0_to_1():
    assert (weight_scale().low, weight_scale().high) == (0, 1)
    assert (weight_scale(2.0).low, weight_scale(2.0).high) == (0, 2)


@pytest.mark.parametrize(
    ("arrays", "largest"),
    [
        (([1.0, -3.0],), 3),
        (([2.0], [[-5.0, 1.0]], [0.5]), 5),
        (([-np.inf, -0.5],), 0.5),
        (([np.nan, np.inf, 0.25],), 0.25),
        (([0.0, 0.0],), 1),
        (([-np.inf, -np.inf],), 1),
        (([],), 1),
        ((), 1),
    ],
)
def test_signed_numbers_are_centred_on_0_over_all_finite_ones(arrays, largest):
    scale = signed_scale(*map(np.array, arrays))
    assert (scale.low, scale.high) == (-largest, largest)


@pytest.mark.parametrize("scale", [weight_scale(), signed_scale()], ids=["weights", "signed"])
@pytest.mark.parametrize("theme", ["colors", "dark_colors"])
def test_stops_are_hex_colours_from_0_to_1(scale, theme):
    positions, colors = zip(*getattr(scale, theme), strict=True)
    assert positions == tuple(np.linspace(0, 1, len(positions)))
    assert all(len(color) == 7 and color[0] == "#" and int(color[1:], 16) >= 0 for color in colors)


@pytest.mark.parametrize(("theme", "rises"), [("colors", False), ("dark_colors", True)])
def test_more_weight_is_darker_on_a_light_page_and_lighter_on_a_dark_one(theme, rises):
    steps = np.diff([lightness(color) for _, color in getattr(weight_scale(), theme)])
    assert (steps > 0).all() if rises else (steps < 0).all()


@pytest.mark.parametrize(("theme", "rises"), [("colors", True), ("dark_colors", False)])
def test_zero_is_nearest_to_the_page_and_both_signs_leave_it_evenly(theme, rises):
    steps = np.diff([lightness(color) for _, color in getattr(signed_scale(), theme)])
    negative, positive = steps[: len(steps) // 2], steps[len(steps) // 2 :]
    assert (negative > 0).all() and (positive < 0).all() if rises else (negative < 0).all() and (positive > 0).all()
    ends = [lightness(color) for _, color in getattr(signed_scale(), theme)]
    assert ends[0] == pytest.approx(ends[-1], abs=0.1)


def test_the_signs_differ_in_blue_and_red_not_in_red_and_green():
    for theme in ("colors", "dark_colors"):
        low, high = (getattr(signed_scale(), theme)[i][1] for i in (0, -1))
        assert int(low[5:], 16) > int(low[1:3], 16)
        assert int(high[1:3], 16) > int(high[5:], 16)
