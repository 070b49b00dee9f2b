"""Stored documents as a caller may see them: those that meet the filters of the caller."""

from __future__ import annotations

from collections.abc import Sequence

from dupdex.gateway.rest.operations import Asked
from dupdex.stored_addresses import document_at, page_document
from mappings.errors import NotFound
from mappings.records import parts_of_key
from query.answers import Stored


def seen(asked: Asked, ids: Sequence[str]) -> dict[str, tuple[Stored, ...]]:
    """The stored documents of ids that the caller may know of; the others are left out."""
    index, filters = asked.index, asked.filters
    found = index.get_all(ids)
    if not filters or not found:
        return found
    if asked.services.location.is_server:
        filters = (*filters, {"ids": {"values": list(found)}})
    allowed = {stored.ref for stored in index.find(filters)}
    kept = {name: tuple(s for s in several if s.ref in allowed) for name, several in found.items()}
    return {name: several for name, several in kept.items() if several}


def one(asked: Asked, name: str) -> Stored:
    """The stored document of an id, the first one behind an alias, or of a key as collections name
    documents (INDEX|ID). Raises NotFound."""
    found = seen(asked, [name]).get(name)
    if not found:
        index, document_id = parts_of_key(name)
        known = seen(asked, [document_id]).get(document_id, ()) if document_id else ()
        found = tuple(stored for stored in known if stored.ref.index == index)
    if not found:
        raise NotFound(f"no document {name!r} in {asked.target!r}")
    return found[0]


def at_address(asked: Asked, address: str) -> Stored:
    """The stored document of a page's address. Raises NotFound, and InputRefused for what is no
    address."""
    return document_at(
        address,
        lambda names: seen(asked, names),
        lambda clause: next(asked.index.find((*asked.filters, clause)), None),
        page_document(asked.services.session, asked.target, address),
    )


def text_of(asked: Asked, name: str) -> str:
    """The text of a stored document. Raises NotFound."""
    return one(asked, name).text
