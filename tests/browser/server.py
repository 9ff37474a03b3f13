"""A Streamlit server of its own, on a free port of this machine."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHIPPED = ("--runner.postScriptGC", "true")  # as Streamlit ships it: garbage is collected after each run


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serve(script: Path = ROOT / "app.py", *arguments: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run ``script`` with the project's configuration; its address and its process, until the block ends."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    options = ["--server.address", "127.0.0.1", "--server.headless", "true", *arguments]
    process = subprocess.Popen(
        [*command, *options],
        cwd=ROOT,
        env=os.environ | {"PYTHONWARNINGS": "default"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until_healthy(address, 30)
        yield address, process
    finally:
        process.terminate()
        process.wait(10)


def wait_until_healthy(address: str, seconds: int) -> None:
    """Until the server at ``address`` answers. Raises TimeoutError if it does not in so many seconds."""
    for _ in range(10 * seconds):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"the server at {address} did not start in {seconds} s")
