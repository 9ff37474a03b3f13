"""Two servers, and nginx in front of them."""

from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple

import pytest

from tests.browser.server import serve
from tests.deploy.nginx import balance, find


class Server(NamedTuple):
    port: int
    process: Popen[bytes]


class Deployment(NamedTuple):
    address: str
    servers: dict[str, Server]  # by the names that nginx gives them
    folder: Path  # nginx's


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    nginx = find()
    if nginx is None:
        pytest.skip("there is no nginx here, and apt-get cannot install it")
    folder = tmp_path_factory.mktemp("nginx")
    with serve() as (first, one), serve() as (second, two):
        ports = [int(address.rpartition(":")[2]) for address in (first, second)]
        with balance(nginx, [f"127.0.0.1:{port}" for port in ports], folder) as address:
            yield Deployment(address, {"one": Server(ports[0], one), "two": Server(ports[1], two)}, folder)
