"""Stored documents by the address of their page, on both stores; nothing is fetched."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from dupdex.index import Index
from dupdex.pages.page_model import PageState, page_id
from dupdex.pages.page_record import PageRecord
from dupdex.pages.page_store import PageStore
from dupdex.session import Session
from dupdex.stored_addresses import document_at, page_document
from indexer.model import Document
from mappings.errors import InputRefused, NotFound
from tests.contract.stores import Store
from tests.texts import METRO, TEA

PAGE = "https://example.org/news/a?id=1&x=%C3%A9"
LONG = "https://example.org/" + "long/" * 200


@pytest.fixture
def index(store: Store) -> Iterator[Index]:
    with Index.create(store.opener.location) as opened:
        documents = [
            Document(PAGE, METRO),
            Document("by-field", TEA, {"url": "https://example.org/tea"}),
            Document(page_id(LONG), TEA),
        ]
        opened.add(documents)
        opened.refresh()
        yield opened


def at(index: Index, address: str) -> str:
    page = page_document(index._session, None, address)
    found = document_at(
        address, index.get_all, lambda clause: next(index.find([clause]), None), page
    )
    return found.ref.id


@pytest.mark.parametrize(
    ("address", "name"),
    [
        (PAGE, PAGE),
        (f"  {PAGE}#part-2 ", PAGE),
        (PAGE.replace("https://example.org", "HTTPS://Example.ORG:443"), PAGE),
        ("https://example.org/tea", "by-field"),
        ("https://EXAMPLE.org/tea#top", "by-field"),
        ("http://www.example.org/news/a?id=1&x=é&utm_source=feed", PAGE),
        (LONG, page_id(LONG)),
    ],
)
def test_the_id_or_the_field_has_the_address(index: Index, address: str, name: str) -> None:
    assert at(index, address) == name


@pytest.mark.parametrize("address", ["https://example.org/news/a", "http://example.org/tea"])
def test_an_address_that_no_document_has(index: Index, address: str) -> None:
    with pytest.raises(NotFound, match="no stored document has the address") as told:
        at(index, address)
    assert "nothing is fetched" in str(told.value)


@pytest.mark.parametrize(
    "words", ["example.org/a", "file:///etc/passwd", "https://", "http://[::1", "http://a:x/", ""]
)
def test_what_is_no_address(index: Index, words: str) -> None:
    with pytest.raises(InputRefused, match="is no address"):
        at(index, words)


def test_a_page_that_is_part_of_another_leads_to_its_document(store: Store, index: Index) -> None:
    second = f"{PAGE}&page=2"
    now = datetime(2026, 3, 1, tzinfo=UTC)
    page = PageRecord(
        page_id(second), second, "example.org", PageState.PART, now, now, 200, 1, document=PAGE
    )
    with Session(store.opener.location) as session:
        assert page_document(session, None, second) == ""
        pages = PageStore.open(session)
        pages.put(page)
        pages.refresh()
        assert at(index, second) == PAGE


def test_nothing_is_fetched(index: Index) -> None:
    """A server at the address hears of nobody."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        with pytest.raises(NotFound):
            at(index, f"http://127.0.0.1:{server.getsockname()[1]}/latest/meta-data")
        with pytest.raises(TimeoutError):
            server.accept()
