"""Writes on their way through: documents of indices of ours get the object of their text."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.types import ASGIApp

from dupdex.gateway.api_paths import Api
from dupdex.gateway.enrich.bulk_handler import BulkWrites
from dupdex.gateway.enrich.by_query_handler import ByQueryWrites
from dupdex.gateway.enrich.document_handler import DocumentWrites
from dupdex.gateway.enrich.typed_paths import TypedWrites
from dupdex.gateway.enrich.write_requests import Writing, telling
from dupdex.gateway.services import Services


def handlers(services: Services) -> Mapping[Api, ASGIApp]:
    """What answers the interfaces that write; nothing where there is no cluster."""
    if services.upstream is None:
        return {}
    writing = Writing(services, services.upstream)
    documents, queries = telling(DocumentWrites(writing)), telling(ByQueryWrites(writing))
    return {
        Api.BULK: telling(BulkWrites(writing)),
        Api.INDEX: documents,
        Api.CREATE: documents,
        Api.UPDATE: documents,
        Api.DELETE: documents,
        Api.UPDATE_BY_QUERY: queries,
        Api.DELETE_BY_QUERY: queries,
        Api.REINDEX: queries,
        Api.TYPED: telling(TypedWrites(writing)),
    }
