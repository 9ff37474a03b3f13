"""Cards of the masks lesson: the mask itself, and -inf before the softmax beside 0 after it."""

from torch import Tensor

from attention import Trace
from attention.masked_run import hidden_cells
from attention.mistakes import row_sums
from figures import Series, bars_spec, weight_scale
from ui import reading
from ui.cards import chart_card, heatmap_card
from ui.plot import Card
from ui.words import t

RULES = {
    "causal": r"j > i",
    "none": r"\varnothing",
    "sliding_window": r"j > i \; \lor \; j \le i - w",
    "padding": r"j > n",
    "prefix": r"j > i \; \land \; j > p",
    "drawn": r"m_{ij} = 1",
}


def mask_card(trace: Trace, name: str, head: int, *, picks: bool) -> Card:
    """Which cells the pass hid, as 1; its formula says when query i does not see key j, both counted from 1."""
    item = reading.item(trace)
    return heatmap_card(
        "mask",
        t("steps.mask.title"),
        hidden_cells(trace, item).float().numpy(),
        ("query", "key"),
        trace.tokens[item],
        weight_scale(),
        formula=RULES[name],
        picks=picks,
        digits=0,
        head=head,
        opens="masked_scores",
    )


def before_and_after(trace: Trace, zeroed: Tensor, head: int) -> list[Card]:
    """The weights with -inf before the softmax, ``zeroed`` ones with 0 after it, and what the rows of both sum to."""
    item = reading.item(trace)
    tokens = trace.tokens[item]
    cards = [
        heatmap_card(
            step,
            t(f"steps.{step}.title"),
            weights[item, head].numpy(),
            ("query", "key"),
            tokens,
            weight_scale(),
            formula=formula,
            shape=tuple(weights.shape),
            head=head,
            opens=opens,
        )
        for step, opens, weights, formula in (
            ("inf_before", "weights", trace["weights"].value, r"\mathrm{softmax}(M / \sqrt{d})"),
            ("zero_after", None, zeroed, r"\mathrm{mask}(\mathrm{softmax}(S / \sqrt{d}), 0)"),
        )
    ]
    bars = [
        Series(t("steps.inf_before.title"), row_sums(trace, item)[head].numpy()),
        Series(t("steps.zero_after.title"), zeroed[item, head].sum(dim=-1).numpy(), ink=1),
    ]
    axis = t("figure.axis_titles.query")
    figure = bars_spec(tokens, bars, x_title=axis, y_title=t("masks.row_sum"), y_range=(0, 1.05))
    return [*cards, chart_card("row_sums", t("masks.row_sums"), figure)]
