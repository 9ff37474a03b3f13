"""What is done once for the whole server, when it starts."""

import asyncio
import ctypes
import gc
import os
import sys
import webbrowser
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from threading import Lock, Thread, local

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager


class Turn:
    """Reruns take turns: Python computes one at a time anyway, and half a class that computes at once waits for all.

    Whoever has it may ask for it again: a page for its run, the lesson in it for its own.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._mine = _Mine()

    def __enter__(self) -> None:
        if not self._mine.depth:
            self._lock.acquire()
        self._mine.depth += 1

    def __exit__(self, *_: object) -> None:
        self._mine.depth -= 1
        if not self._mine.depth:
            self._lock.release()

    @contextmanager
    def left_to_others(self) -> Iterator[None]:
        """For what takes long: whoever holds the turn gives it away until then."""
        depth = self._mine.depth
        if not depth:
            yield
            return
        self._mine.depth = 0
        self._lock.release()
        try:
            yield
        finally:
            self._lock.acquire()
            self._mine.depth = depth


class _Mine(local):
    """How often the thread that looks asked for the turn and did not give it back."""

    depth = 0


turn = Turn()


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Load torch, the longest wait of the first visitor, while the browser still fetches the page.

    From the first run on, pages are what ``st.navigation`` names: not until it was called once (see ``ui/door.py``).
    """
    PagesManager.uses_pages_directory = False
    Thread(target=settle, daemon=True).start()
    asyncio.get_running_loop().call_soon(_open_browser)
    trimming = asyncio.create_task(_keep_trimming())
    yield
    trimming.cancel()


async def _keep_trimming() -> None:
    while sys.platform == "linux":
        await asyncio.sleep(2)
        if int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") > ENOUGH:
            await asyncio.to_thread(trim)


ENOUGH = 450 * 2**20  # bytes in memory; below it, what is freed is kept: to ask for it again takes longer


def trim() -> None:
    """What was freed goes back to the system: glibc keeps it where something in use lies behind it, for each thread.

    One tab that walked through four pages with 2,048 tokens left the server with 781 MB; trimmed, with 404. It takes
    1 ms where little was freed. But a change at 512 tokens x 12 heads takes 20 ms longer when all was given back.
    """
    if hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)


def settle() -> None:
    """Import what a page needs, then three settings of the whole process.

    One thread for torch: every rerun is a new thread of Python's, and for each the first parallel step makes workers
    of its own. That took 11 ms, the whole attention of a short sentence 0.8 ms. A change at 32 tokens x 12 heads took
    36 ms of CPU with one thread, 99 with two (medians on two busy cores).
    What the imports left goes out of the garbage collector's sight: with torch loaded, each look at it costs over
    100 ms, and Streamlit would take one after every rerun (``postScriptGC`` in its configuration).
    A rerun keeps the interpreter until it waits or has had 50 ms, so that its messages leave together: the browser
    builds the page anew for every 10 ms in which some arrive.
    """
    import torch

    import ui.door  # noqa: F401  and with it all of attention, figures and ui

    torch.set_num_threads(1)
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(0.05)


def _open_browser() -> None:
    if not st.get_option("server.headless"):
        webbrowser.open(f"http://{st.get_option('browser.serverAddress')}:{st.get_option('browser.serverPort')}")
