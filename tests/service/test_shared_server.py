"""One server for several test processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scripts.devnode.ports import free_ports
from tests.servers import NoServerError
from tests.shared_server import SharedServer, url_from


def _nowhere() -> str:
    return f"http://127.0.0.1:{free_ports(1)[0]}"


@pytest.fixture
def shared(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    named = request.getfixturevalue("es_url") if request.param else _nowhere()
    monkeypatch.setenv("DUPDEX_TEST_ES", named)
    server = SharedServer(None)
    yield server.address
    server.close()
    with pytest.raises(FileNotFoundError):
        url_from(server.address)
    server.close()  # once more, as after an error


@pytest.mark.parametrize("shared", [True], indirect=True)
def test_all_who_ask_get_the_same(shared: str, es_url: str) -> None:
    assert [url_from(shared) for _ in range(3)] == [es_url] * 3


@pytest.mark.parametrize("shared", [False], indirect=True)
def test_the_reasons_reach_those_who_ask(shared: str) -> None:
    for _ in range(2):
        with pytest.raises(NoServerError, match="does not answer"):
            url_from(shared)
