"""One gateway before the server of the tests, shared by all tests of a process."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from dupdex.location import Location
from tests.contract.stores import Elastic
from tests.servers import remove_all
from tests.service.gateway.near_data import Corpus, corpus
from tests.service.gateway.rest_client import Rest
from tests.service.gateway.running import Running, gateway_before


@pytest.fixture(scope="session")
def folder_gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One whose store is a folder."""
    with gateway_before(str(tmp_path_factory.mktemp("store"))) as running:
        yield running


@pytest.fixture(params=["folder", "server"])
def rest(request: pytest.FixtureRequest) -> Iterator[Rest]:
    """The REST interface before each kind of store, with a fresh index that keeps groups."""
    on_server = request.param == "server"
    running: Running = request.getfixturevalue("gateway" if on_server else "folder_gateway")
    made = Rest(running.url, f"rest-{uuid.uuid4().hex[:12]}")
    assert made.ask("PUT", "/index", {"grouping": {}}).status == 201
    yield made
    made.settle()  # a job that is under way would bring back what is removed
    if on_server:
        location = Location(request.getfixturevalue("es_url"), made.target)
        Elastic(location.elastic).remove()


@pytest.fixture(scope="session")
def gateway(es_url: str) -> Iterator[Running]:
    banks = f"banks-{uuid.uuid4().hex[:12]}"
    with gateway_before(es_url, DUPDEX_BANKS=banks) as running:
        yield running
    remove_all(es_url, banks)


@pytest.fixture(scope="session")
def stored(gateway: Running, es_url: str) -> Iterator[Corpus]:
    """Copies of one text in two indices, for searches that change nothing."""
    with corpus(gateway, es_url) as made:
        yield made
