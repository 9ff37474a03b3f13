"""Several figures in one component that keeps them alive: no blank, no jump, one mark over all of them."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from attention import Trace
from figures.levels import LARGE, fitted
from ui import link, reading, selection
from ui.front import front
from ui.wire import message
from ui.words import language, text

AXES = ("query", "key", "token", "feature", "d_in", "unsplit", "merged", "output", "answer")


class Card(NamedTuple):
    """A figure with its heading: the step's name, its formula as MathML, its shape, a text for blind readers."""

    step: str
    title: str
    formula: str
    shape: str
    alt: str
    figure: dict[str, Any]  # as figures.heatmap_spec, lines_spec or bars_spec gives it
    head: int | None = None  # the one head shown of a step that has several
    kind: str = "heatmap"  # or "chart"
    picks: bool = False  # a click on a cell is told to the page
    opens: str | None = None  # the step whose cell a click opens, if it is not the one that the card is named for

    def titled(self, title: str) -> "Card":
        """The same figure under another title."""
        return self._replace(title=title, alt=self.alt.replace(self.title, title, 1))

    def told(self) -> dict[str, Any]:
        """The card for ``ui.wire.message``; a large map goes as levels of colour."""
        if self.kind == "chart":
            return self._asdict()
        (trace,) = self.figure["data"]
        z: np.ndarray = trace["z"]
        if z.size < LARGE:
            return self._with({**trace, "z": {"numbers": z.astype("<f4"), "shape": z.shape}})
        levels, count = fitted(z, trace["zmin"], trace["zmax"])
        coded = {"levels": levels, "count": count, "shape": z.shape}
        return {**self._with({**trace, "z": coded}), "kind": "picture"}

    def _with(self, trace: dict[str, Any]) -> dict[str, Any]:
        return {**self._asdict(), "figure": {**self.figure, "data": [trace]}}


def nothing() -> None:
    """A callback."""


def plots(
    cards: Sequence[Card],
    trace: Trace,
    *,
    key: str,
    across: int = 4,
    opens: bool = False,
    strip: dict[str, Any] | None = None,
    on_pick: Callable[[int, int, int], None] | None = None,
    marked: Mapping[str, int] | None = None,
    tick: float | None = None,
) -> None:
    """Show ``cards`` in rows of ``across``, and under them ``strip`` (see ``ui.steps.strip``).

    opens: a click on a cell opens it in the page's ``ui.foot.foot``. on_pick: told the head, the row and the column
    of a cell that was clicked in a card that ``picks``. marked: the query, the key, or both with their head, to
    outline instead of what the reader chose. tick: seconds from when they are drawn until they are asked for again.
    """
    told = [{**card.told(), "opens": _opened(card, trace) if opens else None} for card in cards]

    def picked() -> None:
        place = st.session_state[key]["pick"]
        if on_pick is not None:
            on_pick(*(int(place[name]) for name in ("head", "row", "column")))

    component(trace, key=key, cards=told, across=across, strip=strip, on_pick=picked, marked=marked, tick=tick)


def _opened(card: Card, trace: Trace) -> str | None:
    step = card.opens or card.step
    return step if step in trace.explained else None


def component(
    trace: Trace,
    *,
    key: str,
    cards: Sequence[dict[str, Any]] = (),
    across: int = 4,
    strip: dict[str, Any] | None = None,
    walk: dict[str, Any] | None = None,
    panel: dict[str, Any] | None = None,
    on_pick: Callable[[], None] = nothing,
    on_query: Callable[[], None] = nothing,
    marked: Mapping[str, int] | None = None,
    tick: float | None = None,
) -> None:
    """What the browser is told, and what follows from its answers. on_query: when another query token was chosen."""
    known = selection.places_of(trace)

    def chosen(choose: Callable[[Any], None], what: str) -> None:
        before = st.session_state.query
        choose(st.session_state[key][what])
        link.write()
        if st.session_state.query != before:
            on_query()

    query: int | None
    if marked is None:
        query, cell = reading.query(trace), selection.told(trace, reading.item(trace))
    else:
        query = marked.get("query")
        cell = {"step": "", "places": dict(marked)} if "key" in marked else None
    front()(
        data=message(
            {
                "cards": list(cards),
                "strip": strip,
                "walk": walk,
                "panel": panel,
                "query": query,
                "cell": cell,
                "across": across,
                "tick": tick and [tick, monotonic()],
                "words": _words(language()),
            }
        ),
        key=key,
        on_query_change=lambda: chosen(reading.choose_query, "query"),
        on_cell_change=lambda: chosen(lambda told: selection.choose(known, **told), "cell"),
        on_pick_change=on_pick,
        on_tick_change=nothing,
    )


@cache
def _words(language: str) -> dict[str, Any]:
    """What figures say, whatever they show."""
    names = ("masked", "about", "overview", "root", "head")
    axes = {axis: text(language, f"figure.axes.{axis}") for axis in AXES}
    hints = ("enter", "ctrl_enter", "upload", "upload_limit", "upload_large")
    fields = {name: text(language, f"fields.{name}") for name in hints}
    said = {name: text(language, f"figure.{name}") for name in names}
    return {"lang": language, **said, "axes": axes, "fields": fields}
