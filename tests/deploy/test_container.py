"""The Dockerfile without Docker: what it copies is enough for what it starts, and its health check tells the truth."""

import json
import os
import re
import shutil
import subprocess
import sys
import time

from tests.browser.server import ROOT, free_port
from tests.deploy.nginx import CONFIGURATION, DEPLOYED

DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
COMPOSE = (ROOT / "deploy" / "docker-compose.yml").read_text(encoding="utf-8")


def command(instruction: str, port: int) -> list[str]:
    """The command behind CMD, run by this Python and on ``port``; the last one, if there are several."""
    found = json.loads(re.findall(rf"\b{instruction} (\[.*\])$", DOCKERFILE, re.MULTILINE)[-1])
    words = [word.replace("8501", str(port)).replace("0.0.0.0", "127.0.0.1") for word in found]
    return [sys.executable, *(words[1:] if words[0] == "python" else ["-m", *words])]


def copies() -> list[tuple[str, str]]:
    """(source, target) of every file and folder that the image gets."""
    lines = re.findall(r"^COPY (.+) (\S+)$", DOCKERFILE, re.MULTILINE)
    return [(source, target) for sources, target in lines for source in sources.split()]


def test_the_copied_files_serve_the_app_and_the_health_check_knows(tmp_path, browser):
    for source, target in copies():
        if source.endswith("/"):
            shutil.copytree(ROOT / source, tmp_path / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, tmp_path / target)
    port = free_port()
    health = command(r"HEALTHCHECK .* CMD", port)
    assert subprocess.run(health, stderr=subprocess.DEVNULL).returncode != 0
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["STREAMLIT_SERVER_COOKIE_SECRET"] = "a long random text"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command(r"^CMD", port), cwd=tmp_path, env=environment, **quiet) as server:
        try:
            healthy = (subprocess.run(health, stderr=subprocess.DEVNULL).returncode == 0 for _ in range(60))
            assert any(healthy or time.sleep(0.2) for healthy in healthy)
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{port}")
            page.wait_for_selector(".att-root[data-drawn]", timeout=60_000)
            page.close()
        finally:
            server.terminate()


def test_every_room_is_copied_and_sent_to_docker():
    ignored = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    copied = {source.rstrip("/") for source, _ in copies()}
    assert copied == {line[1:] for line in ignored if line.startswith("!")}
    rooms = {"app.py", ".streamlit", "attention", "figures", "pages", "static", "ui"}
    assert copied == {"requirements.txt", "requirements-model.txt", *rooms}


def test_nginx_asks_the_servers_that_compose_starts():
    addresses = re.findall(r"ipv4_address: (\S+)", COMPOSE)
    assert [f"{address}:8501" for address in addresses] == list(DEPLOYED)
    text = CONFIGURATION.read_text(encoding="utf-8")
    assert set(re.findall(r"server ([0-9.:]+)", text)) == set(DEPLOYED)


def test_the_python_and_the_extra_index_are_those_of_the_project():
    requirements = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    (index,) = re.findall(r"--extra-index-url \S+", DOCKERFILE)
    assert index in requirements
    (python,) = re.findall(r"^FROM python:([0-9.]+)-slim$", DOCKERFILE, re.MULTILINE)
    assert f"Python {python} or later" in requirements
