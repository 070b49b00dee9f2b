"""The documents of an index that pages become: one a text, in the first page's name."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from dupdex.index import Index
from dupdex.pages.page_record import PageRecord
from dupdex.session import Session
from indexer.grouping import Grouping
from indexer.model import Document
from mappings.collections import moment
from mappings.errors import NotFound

_KEYWORDS: Final = ("url", "site", "author", "language")
_DATES: Final = ("published", "fetched")

PAGE_MAPPINGS: Final[dict[str, Any]] = {
    "properties": {
        **{name: {"type": "keyword", "ignore_above": 1_000} for name in _KEYWORDS},
        **{name: {"type": "date", "ignore_malformed": True} for name in _DATES},
    }
}
"""For an index on a server that is made for pages; text and title are those of every index."""


def open_index(
    session: Session, index: str | None = None, grouping: Grouping | None = None
) -> Index:
    """Open an index for pages, for writing; an absent one is made. The errors are those of
    `Index.create`, and StoreRefused for one whose documents others write."""
    check_own(session, index)
    mappings = PAGE_MAPPINGS if session.location.is_server else None
    return Index.create(session, mappings=mappings, index=index, grouping=grouping)


def check_own(session: Session, index: str | None = None) -> None:
    """Raise StoreRefused for an index whose documents others write; an absent one will do."""
    with suppress(NotFound):
        sidecar = session.reader(index).meta.sidecar_of
        if sidecar is not None:
            raise sidecar.refusal()


def document_of(pages: Sequence[PageRecord], texts: Sequence[str]) -> Document:
    """The document of the pages of one text, in order; `texts`: theirs, as they are indexed."""
    first = pages[0]
    body: dict[str, Any] = {"text": "\n".join(text for text in texts if text)}
    body["title"] = first.title
    body["url"], body["site"] = first.url, first.site
    body["author"] = next((page.author for page in pages if page.author), "")
    body["language"] = first.language
    published = next((page.published for page in pages if page.published), None)
    body["published"] = "" if published is None else moment(published)
    body["fetched"] = moment(max(page.fetched for page in pages))
    return Document(first.id, body={name: value for name, value in body.items() if value})
