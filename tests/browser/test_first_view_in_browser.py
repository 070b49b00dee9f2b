"""Views stand soon after the interface has answered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scripts.console_time import MOST, VIEWS, middle
from tests.browser.conftest import Browser
from tests.browser.console_pages import console_over
from tests.service.gateway.running import Running

BUSY = 3
"""Times as long, on a machine that other tests are busy on. `scripts/console_time` holds to one."""

VISITS = 3


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with console_over(tmp_path_factory.mktemp("first"), lambda _: []) as running:
        yield running


@pytest.mark.parametrize("view", [each for each in VIEWS if each != "banks"])
def test_a_view_stands_soon_after_the_answer(browser: Browser, console: Running, view: str) -> None:
    address = f"{console.url}/_dupdex/console/{view}"
    found = middle(browser.page.context, address, VIEWS[view], VISITS)
    print(f"{view}: drawn {found.after:.0f} ms after the answer")
    assert 0 < found.answered < found.drawn
    assert found.after < BUSY * MOST
    assert browser.complaints() == []
