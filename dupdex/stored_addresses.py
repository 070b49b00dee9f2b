"""Stored documents by the address of their page. Nothing is ever fetched: an address is a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from dupdex.pages.addresses import identity, normalised
from dupdex.pages.page_model import page_id
from dupdex.pages.page_store import PageStore
from dupdex.session import Session
from mappings.errors import InputRefused, NotFound
from mappings.page_records import PAGES
from query.answers import Filter, Stored

FIELDS: Final = ("url", "url.keyword")
"""Where a document tells its address; the second is how Elasticsearch maps the first by itself."""

ByIds = Callable[[Sequence[str]], Mapping[str, tuple[Stored, ...]]]
Find = Callable[[Filter], Stored | None]


def names_of(address: str) -> list[str]:
    """The ids that the document of a page may have: the address as it is given, in its normal
    form, and as pages are called however they are reached.

    Raises InputRefused for what is no address.
    """
    plain = normalised(address)
    if not plain:
        raise InputRefused(f"{address[:200]!r} is no address; give one like https://example.org/a")
    return list(dict.fromkeys(map(page_id, (address.strip(), plain, identity(address)))))


def page_document(session: Session, index: str | None, address: str) -> str:
    """The id of the document of a page that was fetched at an address, or "" where pages beside
    the index tell of none: a page may have been met under several addresses."""
    kept = session.stored_collection(PAGES, index)
    page = PageStore(kept).at(address) if kept is not None else None
    return page.document if page is not None else ""


def document_at(address: str, by_ids: ByIds, find: Find, page: str = "") -> Stored:
    """The stored document of an address: the one of that id, else that of its `page`, else one
    whose field `url` has it.

    Raises InputRefused for what is no address, NotFound when no document has it.
    """
    names = [*names_of(address), *([page] if page else [])]
    found = by_ids(names)
    for name in names:
        if found.get(name):
            return found[name][0]
    for field in FIELDS:
        for value in dict.fromkeys((address.strip(), normalised(address))):
            stored = find({"term": {field: value}})
            if stored is not None:
                return stored
    raise NotFound(
        f"no stored document has the address {address[:200]!r}, as its id or in a field 'url'; "
        "nothing is fetched to look a text up, so index the page first, or paste its text"
    )
