"""One browser tab without a browser: Streamlit's websocket protocol, as its frontend speaks it.

It opens the socket with the frontend's subprotocols, asks for a page, and sends the states of all controls with every
change; of large messages it says which it still has, and the server then sends their hash only.
"""

import asyncio
import time
from typing import Any, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

from tests.load.widgets import choose, state_of

PATIENCE = 30  # seconds without the end of a run, after which the tab gives up
_PROTOCOLS = ["streamlit", "PLACEHOLDER_AUTH_TOKEN"]  # what the frontend offers when it has no cookie
_WRONG = ("exception", "alert")  # elements that no change in the load may bring


class Tab:
    """A page of the app that is open. ``errors``: what went wrong; ``data``: what its components were sent last."""

    def __init__(self, socket: ClientConnection, page: str, query: str) -> None:
        self.errors: list[str] = []
        self.data: list[bytes] = []
        self._socket = socket
        self._page, self._query, self._script = page, query, ""
        self._widgets: dict[str, WidgetState] = {}
        self._before: dict[str, WidgetState] = {}  # the widgets of the run before
        self._kept: dict[str, tuple[ForwardMsg, int]] = {}  # by hash; with the number of the run that brought it
        self._runs, self._oldest = 0, 2

    @classmethod
    async def open(cls, address: str, page: str, query: str) -> Self:
        """Connect and wait for the first page. Raises OSError or TimeoutError if there is none."""
        host = address.partition("//")[2]
        socket = await connect(
            f"ws://{host}/_stcore/stream",
            origin=address,  # type: ignore[arg-type]
            subprotocols=_PROTOCOLS,  # type: ignore[arg-type]
            compression=None,
            max_size=None,
            open_timeout=PATIENCE,
        )
        tab = cls(socket, page, query)
        await tab.rerun()
        return tab

    async def close(self) -> None:
        await self._socket.close()

    async def change(self, key: str, value: Any) -> float:
        """Move the control with this key; the seconds until the last byte of what follows. KeyError if it is absent."""
        (name,) = [name for name in self._widgets if name.endswith(f"-{key}")] or [key]
        choose(self._widgets[name], value)
        return await self.rerun()

    async def rerun(self) -> float:
        """Send the states of all controls; the seconds until the script has finished and its messages are here."""
        message = BackMsg()
        client = message.rerun_script
        client.query_string = self._query
        client.page_script_hash = self._script
        client.page_name = "" if self._script else self._page
        client.widget_states.widgets.extend(self._widgets.values())
        client.cached_message_hashes.extend(self._kept)
        begin = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while not self._read(await self._socket.recv(decode=False)):
                pass
        return time.perf_counter() - begin

    def _read(self, raw: bytes) -> bool:
        """Take one message in; whether it says that the script has finished."""
        message = ForwardMsg.FromString(raw)
        if message.WhichOneof("type") == "ref_hash":
            path = list(message.metadata.delta_path)
            message = self._kept[message.ref_hash][0]
            message.metadata.delta_path[:] = path
        if message.metadata.cacheable:
            self._kept[message.hash] = (message, self._runs)
        match message.WhichOneof("type"):
            case "new_session":
                self._begin(message.new_session, part=bool(message.metadata.run.fragment_ids))
            case "delta":
                self._draw(message)
            case "navigation":
                self._script = message.navigation.page_script_hash
            case "page_info_changed":
                self._query = message.page_info_changed.query_string
            case "script_finished":
                return self._finish(message.script_finished)
        return False

    def _begin(self, new_session: Any, *, part: bool) -> None:
        """A run of a part of the page draws its own controls again, and leaves the others where they are."""
        self._script = new_session.page_script_hash
        self._oldest = new_session.config.max_cached_message_age or self._oldest
        self._before, self._widgets = self._widgets, dict(self._widgets) if part else {}
        self.data = []

    def _finish(self, how: int) -> bool:
        """Whether this is the end, and not the run's being broken off for another one."""
        if how == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            self.errors.append("compile error")
        if how in (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY):
            self._runs += 1
            self._kept = {name: kept for name, kept in self._kept.items() if self._runs - kept[1] <= self._oldest}
        if how == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self._widgets = {**self._before, **self._widgets}  # those that it did not come to are still there
            return False
        return True

    def _draw(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "bidi_component":
            self.data.extend([element.bidi_component.bytes] if element.bidi_component.bytes else [])
        elif kind in _WRONG:
            self.errors.append(f"{kind}: {getattr(element, kind)}".replace("\n", " "))
        elif kind and (state := state_of(element, self._before)):
            self._widgets[state.id] = state
