"""The frame of a page: title, two sentences, what to look for, the code that ran, the way on."""

import inspect
from collections.abc import Callable, Iterable
from functools import cache
from types import ModuleType

import streamlit as st
from streamlit.navigation.page import Page

from attention import Experiment
from ui.words import t

ORDER = (
    "start",
    "tokens",
    "causal",
    "multihead",
    "heads",
    "masks",
    "scale",
    "dropout",
    "mistakes",
    "training",
    "model",
    "quiz",
)


def page_file(name: str) -> str:
    """The file of a page, as ``st.Page`` and ``st.page_link`` want it."""
    return f"pages/{name}.py"


def navigation() -> Page:
    """The pages, named along the top; the one that was asked for."""
    pages = [
        st.Page(page_file(name), title=t(f"{name}.nav"), url_path=name, default=name == ORDER[0]) for name in ORDER
    ]
    return st.navigation(pages, position="top")


def open_lesson(name: str, **numbers: float) -> None:
    """Write the title and the first sentences, with ``numbers`` in them."""
    st.title(t(f"{name}.title"), anchor=False)
    st.markdown(t(f"{name}.intro", **numbers))


def section(name: str, part: str, **numbers: object) -> None:
    """The heading of a part of the page and what it says, with ``numbers`` in it: one element, not two."""
    st.markdown(f"### {t(f'{name}.part_{part}')}\n{t(f'{name}.{part}', **numbers)}")


def sizes(experiment: Experiment) -> dict[str, int]:
    """How d_out is shared out, for the texts that say it."""
    return {"d_out": experiment.d_out, "num_heads": experiment.num_heads, "head_dim": experiment.head_dim}


def say_untrained() -> None:
    """A label for wherever the pattern of random weights is shown, and the way to where they are trained."""
    st.caption(t("lesson.untrained"))
    st.page_link(page_file("training"), label=t("lesson.to_training"), icon=":material/arrow_forward:")


def programs(*code: Callable[..., object] | str) -> None:
    """What computed the numbers above: a program that gives them, and the code that belongs to what was chosen."""
    st.markdown(f"### {t('lesson.program')}")
    _show(code)


def close_lesson(name: str, *code: Callable[..., object] | ModuleType) -> None:
    """What to look for, the code that just ran, something to try, the next page."""
    st.markdown(f"### {t('lesson.look_for')}\n{t(f'{name}.look_for')}\n### {t('lesson.code')}")
    _show(code)
    st.markdown(f"### {t('lesson.try')}\n{t(f'{name}.try')}")
    following = ORDER[ORDER.index(name) + 1 :]
    if following:
        st.page_link(
            page_file(following[0]),
            label=t("lesson.next", title=t(f"{following[0]}.nav")),
            icon=":material/arrow_forward:",
        )


def _show(code: Iterable[Callable[..., object] | ModuleType | str]) -> None:
    """Real objects, whose source is shown, or ready text."""
    for piece in code:
        text = piece if isinstance(piece, str) else _source(piece)
        st.code(text, language="python", height=min(320, 60 + 20 * text.count("\n")))


@cache
def _source(piece: Callable[..., object] | ModuleType) -> str:
    return inspect.getsource(piece)


def script(experiment: Experiment, run: str = "{}.run()", *imports: str) -> str:
    """A program that gives the numbers on screen. ``run``: what gives the trace, {} for the experiment."""
    first = "\n".join(["from attention import Experiment", *imports])
    return f"{first}\n\ntrace = {run.format(repr(experiment))}\n{print_steps('trace')}"


def print_steps(trace: str) -> str:
    """The lines of a program that print every step of ``trace``."""
    return f"for name, step in {trace}.items():\n    print(name, step.axes, step.value)\n"
