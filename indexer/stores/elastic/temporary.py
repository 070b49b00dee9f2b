"""An index with an unused name, removed at the end, for measurements."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from typing import Final

from elasticsearch import Elasticsearch

from indexer.stores.elastic.client import ElasticSettings, connect, translated
from mappings.errors import DupdexError, StoreRefused
from mappings.index_body import template_name

_NAME_BYTES: Final = 8


@contextmanager
def temporary_index(settings: ElasticSettings, purpose: str) -> Iterator[ElasticSettings]:
    """The settings of an index that does not exist yet, named after the one of `settings`.

    An index created under that name is removed afterwards, with its template. Raises StoreRefused
    when the name is in use, and errors of the server as DupdexErrors.
    """
    name = f"{settings.index}-{purpose}-{secrets.token_hex(_NAME_BYTES)}"
    named = replace(settings, index=name)
    with closing(connect(named)) as client:
        with translated("look for the index", named):
            exists = bool(client.indices.exists(index=name))
        if exists:
            raise StoreRefused(f"index {name!r} exists already; run the same command again")
        try:
            yield named
        except BaseException:
            with suppress(DupdexError):  # the first error is the one to report
                _remove(client, named)
            raise
        _remove(client, named)


def _remove(client: Elasticsearch, settings: ElasticSettings) -> None:
    with translated("delete the temporary index", settings):
        lenient = client.options(ignore_status=404)
        lenient.indices.delete(index=settings.index)
        lenient.indices.delete_index_template(name=template_name(settings.index))
