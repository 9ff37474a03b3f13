"""What a browser says about each control: the state that Streamlit's frontend keeps for a widget."""

from collections.abc import Callable, Mapping
from typing import Any

from streamlit.proto.Element_pb2 import Element
from streamlit.proto.WidgetStates_pb2 import WidgetState


def state_of(element: Element, before: Mapping[str, WidgetState]) -> WidgetState | None:
    """The widget's state as it is drawn; None for what is no widget, or has no state before it is used.

    before: the states until now; what was chosen stays, unless the server sets another value.
    """
    kind = element.WhichOneof("type")
    if kind not in _VALUES:
        return None
    proto = getattr(element, kind)
    if proto.id in before and not proto.set_value:
        return before[proto.id]
    return _VALUES[kind](proto, WidgetState(id=proto.id))


def choose(state: WidgetState, value: Any) -> None:
    """Put ``value`` where the widget's present one stands."""
    match state.WhichOneof("value"):
        case "double_array_value":
            state.double_array_value.data[:] = [value]
        case str() as field:
            setattr(state, field, value)


def _slider(proto: Any, state: WidgetState) -> WidgetState:
    """A number, or the labels of a slider over options."""
    if proto.options:
        labels = proto.raw_value if proto.set_value else [proto.options[int(place)] for place in proto.default]
        state.string_array_value.data[:] = labels
        return state
    state.double_array_value.data[:] = proto.value if proto.set_value else proto.default
    return state


def _number(proto: Any, state: WidgetState) -> WidgetState:
    state.double_value = proto.value if proto.set_value else proto.default
    return state


def _text(proto: Any, state: WidgetState) -> WidgetState:
    state.string_value = proto.value if proto.set_value else proto.default
    return state


def _checkbox(proto: Any, state: WidgetState) -> WidgetState:
    state.bool_value = proto.value if proto.set_value else proto.default
    return state


def _choice(proto: Any, state: WidgetState) -> WidgetState | None:
    """The chosen label itself; none where nothing is chosen."""
    if proto.set_value and proto.HasField("raw_value"):
        state.string_value = proto.raw_value
    elif proto.HasField("default"):
        state.string_value = proto.options[proto.default]
    else:
        return None
    return state


_VALUES: dict[str, Callable[[Any, WidgetState], WidgetState | None]] = {
    "slider": _slider,
    "number_input": _number,
    "text_area": _text,
    "checkbox": _checkbox,
    "selectbox": _choice,
    "radio": _choice,
}
