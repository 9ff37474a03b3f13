"""The real nginx, with ``deploy/nginx.conf`` as it is but for the addresses."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.browser.server import ROOT, free_port, wait_until_healthy

CONFIGURATION = ROOT / "deploy" / "nginx.conf"
DEPLOYED = ("172.30.0.11:8501", "172.30.0.12:8501")
_FRAME = """
daemon off; worker_processes 2; pid {folder}/pid; error_log {folder}/error.log; {user}
events {{ }}
http {{
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    log_format told '$http_user_agent|$served_by|$status|$request_uri';
    access_log {folder}/access.log told;
    include {folder}/app.conf;
}}
"""


def find() -> str | None:
    """Where nginx is; Debian keeps it where only root looks for programs. Installed where apt-get is and it may."""
    if nginx := _which():
        return nginx
    if shutil.which("apt-get"):
        root = [] if os.geteuid() == 0 else ["sudo", "-n"]
        for command in (["update"], ["install", "-y", "--no-install-recommends", "nginx"]):
            subprocess.run([*root, "apt-get", *command], check=False, stdout=subprocess.DEVNULL)
    return _which()


def _which() -> str | None:
    return shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")


@contextmanager
def balance(nginx: str, servers: Sequence[str], folder: Path) -> Iterator[str]:
    """Run nginx in front of ``servers``, each "127.0.0.1:port", with all its files in ``folder``; its address."""
    port = free_port()
    text = CONFIGURATION.read_text(encoding="utf-8").replace("listen 80;", f"listen 127.0.0.1:{port};")
    for deployed, here in zip(DEPLOYED, servers, strict=True):
        text = text.replace(deployed, here)
    (folder / "app.conf").write_text(text, encoding="utf-8")
    user = "user root;" if os.geteuid() == 0 else ""  # the folder is this user's
    (folder / "nginx.conf").write_text(_FRAME.format(folder=folder, user=user), encoding="utf-8")
    command = [nginx, "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    process = subprocess.Popen(command)
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until_healthy(address, 5)
        yield address
    finally:
        process.terminate()
        process.wait(10)


def told(folder: Path) -> list[tuple[str, str, str, str]]:
    """What nginx wrote down: the browser's name, the server, the status and the path of each request."""
    lines = (folder / "access.log").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("|", 3)) for line in lines]
