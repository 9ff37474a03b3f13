"""Says at the end how many examples were run."""

import pytest

from tests.fuzz.examples import ran


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if ran:
        terminalreporter.section("examples")
        for name, count in ran.most_common():
            terminalreporter.write_line(f"{count:6} {name}")
        terminalreporter.write_line(f"{ran.total():6} in all")
