"""documents: one by id, or any number as a stream of lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from dupdex.gateway.callers import NotAllowed, Right
from dupdex.gateway.rest.document_stream import OutcomeLine, documents
from dupdex.gateway.rest.index_writing import writing
from dupdex.gateway.rest.operations import (
    LINES,
    NDJSON,
    Asked,
    Gives,
    Operation,
    Operations,
    Reply,
    Target,
)
from dupdex.gateway.rest.problems import Refused
from dupdex.gateway.rest.seen_documents import one
from dupdex.matches.forgetting import Receipt
from dupdex.wire.forms import Stored, to_json
from indexer.model import Document, Status
from indexer.sources.encodings import LineDecoder
from indexer.sources.jsonl import object_in
from mappings.errors import NotFound, TextRefused

_TAG: Final = "documents"


class PutQuery(Target):
    """`refresh`: lookups find it when this is answered."""

    refresh: bool = False


class DeleteQuery(Target):
    """`forget`: also decisions and all else that is kept of it; the answer is a receipt."""

    forget: bool = False


@dataclass(frozen=True, slots=True)
class DocumentForm:
    """A stored document with its id."""

    id: str
    document: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Deleted:
    """Ids that were removed, and ids that were not there."""

    deleted: tuple[str, ...]
    missing: tuple[str, ...]


def get(asked: Asked) -> Reply:
    """A stored document."""
    name = asked.path["id"]
    return Reply({"id": name, "document": dict(one(asked, name).body)})


def put(asked: Asked) -> Reply:
    """Store a document under an id, over any that has it."""
    name = asked.path["id"]
    _check_no_filters(asked)
    # The library's own reader: it refuses numbers that would be rounded, and names said twice.
    body = object_in(asked.raw, LineDecoder("utf-8"))
    _check_id(body, name)
    with writing(asked.services, asked.target) as index:
        (outcome,) = index.add([Document(name, body=body)])
        if outcome.status is Status.REJECTED:
            raise TextRefused(outcome.reason)
        if asked.query.refresh:
            index.refresh()
    told = to_json(Stored(outcome.document.id, outcome.status))
    return Reply(told, 201 if outcome.status is Status.CREATED else 200)


def delete(asked: Asked) -> Reply:
    """Remove a document."""
    name = asked.path["id"]
    if asked.filters:
        one(asked, name)
    with writing(asked.services, asked.target) as index:
        if asked.query.forget:
            return Reply(to_json(index.forget_document(name)))
        gone = index.delete([name])
        index.refresh()
    if not gone:
        raise NotFound(f"no document {name!r} in {asked.target!r}")
    return Reply({"deleted": gone, "missing": []})


def _check_id(body: Mapping[str, Any], name: str) -> None:
    said = body.get("id", name)
    if str(said) != name:
        detail = "the document has another id than the path; write the same, or leave it out"
        raise Refused(422, "invalid_request", detail, pointer="/id")


def _check_no_filters(asked: Asked) -> None:
    """A key that sees some documents only could overwrite others without knowing."""
    if asked.filters:
        raise NotAllowed(
            f"key {asked.caller.name!r} sees a part of {asked.target!r} only, so it stores nothing"
        )


OPERATIONS: Final[Operations] = (
    Operation(
        "POST",
        "/documents",
        "add_documents",
        "Stores documents, one JSON object a line, and answers each line with one line, in "
        "order, while the body is still being sent. A line that cannot be stored costs only "
        "itself. Sent again after an interruption, documents overwrite themselves.",
        Right.WRITE,
        {200: Gives("One outcome a line.", OutcomeLine, (NDJSON,))},
        stream=documents,
        query=PutQuery,
        body=dict[str, Any],
        media=LINES,
        whole=True,
        tag=_TAG,
    ),
    Operation(
        "GET",
        "/documents/{id}",
        "get_document",
        "Gives a stored document.",
        Right.READ,
        {200: Gives("The document.", DocumentForm)},
        get,
        tag=_TAG,
    ),
    Operation(
        "PUT",
        "/documents/{id}",
        "put_document",
        "Stores a document under an id, over any that has it.",
        Right.WRITE,
        {200: Gives("It was overwritten.", Stored), 201: Gives("It is new.", Stored)},
        put,
        query=PutQuery,
        body=dict[str, Any],
        tag=_TAG,
    ),
    Operation(
        "DELETE",
        "/documents/{id}",
        "delete_document",
        "Removes a document, with the pairs that are kept of it; with `forget` also what was "
        "decided about it, and every other trace.",
        Right.WRITE,
        {200: Gives("What was removed.", (Deleted, Receipt))},
        delete,
        query=DeleteQuery,
        tag=_TAG,
    ),
)
