"""One browser for all tests that need one; and one thread for torch, as the server has it."""

from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Browser, sync_playwright

from tests.browser.install import FLAGS, chromium

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()
