"""A run may be broken off by the next one wherever it uses the state: the address ends right all the same."""

from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from ui import link
from ui.parameters import PARAMETERS


class BrokenOffError(Exception):
    """What Streamlit raises in a run that a newer one takes the place of."""


class Visit:
    """The state of a visitor and the address of the browser, as Streamlit gives them, with a run that ends early."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.uses_left: float = float("inf")
        self.held: dict[str, Any] = {"lang": "en", "head": PARAMETERS["head"].default, "cell": ""}
        self.browser: dict[str, str] = {}
        self.known = self.browser  # what the browser had when the run was asked for

    def use(self) -> None:
        if self.uses_left <= 0:
            raise BrokenOffError
        self.uses_left -= 1

    def __getitem__(self, key: str) -> Any:
        self.use()
        return self.held[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.use()
        self.held[key] = value

    def __contains__(self, key: str) -> bool:
        self.use()
        return key in self.held

    def get(self, key: str, default: Any = None) -> Any:
        self.use()
        return self.held.get(key, default)

    def setdefault(self, key: str, default: Any) -> Any:
        self.use()
        return self.held.setdefault(key, default)

    __getattr__ = __getitem__

    def to_dict(self) -> dict[str, Any]:
        self.use()
        return dict(self.held)


class Address:
    def __init__(self, visit: Visit) -> None:
        self.visit = visit

    def to_dict(self) -> dict[str, str]:
        return dict(self.visit.known)

    def get_all(self, key: str) -> list[str]:
        return [self.visit.known[key]] if key in self.visit.known else []

    def from_dict(self, query: dict[str, str]) -> None:
        self.visit.use()
        self.visit.browser = dict(query)


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Visit:
    made = Visit()
    monkeypatch.setattr(link, "st", SimpleNamespace(session_state=made, query_params=Address(made)))
    monkeypatch.setattr(link, "browser_language", lambda: "en")
    return made


def run(visit: Visit, seed: int, *, uses: float = float("inf")) -> bool:
    """Whether a run that began with this seed came to its end."""
    visit.held["seed"] = seed
    visit.uses_left = uses
    try:
        link.write()
    except BrokenOffError:
        return False
    return True


def test_a_seed_that_is_set_and_taken_back_leaves_the_address_without_it(visit):
    for broken_off in count():
        visit.begin()
        ended = [run(visit, 124, uses=broken_off)]  # asked for before the browser had its address
        ended.append(run(visit, 123, uses=broken_off))
        assert run(visit, 123)
        assert visit.browser == {}
        if all(ended):
            break
    assert broken_off >= 3  # the controls read, the last address read, the new one sent


def test_an_address_that_is_there_is_not_sent_again(visit):
    assert run(visit, 124)
    visit.known, visit.browser = visit.browser, {"sent": "again"}
    assert run(visit, 124)
    assert visit.browser == {"sent": "again"}
