"""The cards of the lesson on a real model: what comes next, all heads at once, where one head looks."""

import re

from attention import Trace
from attention.language import LanguageRun, Survey
from figures import Series, arcs_spec, bars_spec, grid_spec, printable, weight_scale
from ui.cards import chart_card, grid_card
from ui.lesson import print_steps
from ui.plot import Card
from ui.words import t


def has_bytes(made: Survey) -> bool:
    """Whether a token is a part of a character, shown by its bytes."""
    return any(re.fullmatch(r" ?<[0-9A-F-]+>", text) for text in made.tokens.texts)


def next_card(before: Survey, after: Survey) -> Card:
    """What the model expects next; where heads are switched off, beside what it expects then."""
    both = [before] if before.run == after.run else [before, after]
    texts = {each.id: each.text for made in both for each in made.predictions}
    names = (t("model.all_heads"), t("model.without"))
    series = [
        Series(name, made.probabilities[list(texts)].numpy(), ink)
        for ink, (name, made) in enumerate(zip(names, both, strict=False))
    ]
    axes = {"x_title": t("model.next_token"), "y_title": t("training.probability")}
    figure = bars_spec(list(texts.values()), series, y_range=(0, 1.05), **axes)
    return chart_card(
        "next_token", t("steps.next_token.title"), figure, formula=r"\mathrm{softmax}(\mathrm{norm}(x) U)"
    )


def all_heads_card(made: Survey, layer: int, head: int) -> Card:
    """Every head of every layer as a small map; a click chooses one."""
    figure = grid_spec(
        made.weights.numpy(),
        scale=weight_scale(),
        tokens=made.tokens.texts,
        layer_title=t("controls.layer.label"),
        head_title=t("controls.head.label"),
        chosen=(layer, head),
    )
    return grid_card("all_heads", t("steps.all_heads.title"), figure, r"A_{l,h}", tuple(made.weights.shape))


def arcs_card(trace: Trace, head: int, query: int) -> Card:
    """Where the query token looks, as arcs."""
    weights = trace["weights"].value[0, head, query].numpy()
    title = t("steps.arcs.title", token=printable(trace.tokens[0][query]))
    figure = arcs_spec(trace.tokens[0], weights, query, x_title=t("figure.axis_titles.key"))
    return chart_card("arcs", title, figure, formula=r"A_{h,i}")


def program(run: LanguageRun, layer: int) -> str:
    """A program that gives the numbers on screen."""
    return (
        "from attention.language import LanguageRun, survey, trace_layer\n\n"
        f"made = survey({run!r})\n"
        "print(made.predictions, made.weights.shape)\n\n"
        f"{print_steps(f'trace_layer(made, {layer})')}"
    )
