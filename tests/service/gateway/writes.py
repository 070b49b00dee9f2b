"""An attached index and a bare one of the same mapping, to write to with and without a gateway."""

from __future__ import annotations

import gzip
import http.client
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import orjson
from elasticsearch import Elasticsearch

from dupdex import Index, Location
from indexer.fingerprints import fingerprint_of
from indexer.stores.elastic.client import ElasticSettings, connect
from mappings.contract import OBJECT_FIELD
from mappings.plan import CHARACTERS

MAPPINGS: Final = {
    "properties": {"text": {"type": "text"}, "title": {"type": "text"}, "n": {"type": "integer"}}
}
NDJSON: Final = "application/x-ndjson"

Said = tuple[int, dict[str, str], bytes]


@dataclass(frozen=True, slots=True)
class Pair:
    """`ours` is attached, `bare` is not; both are empty at first."""

    client: Elasticsearch
    settings: ElasticSettings
    ours: str
    bare: str

    @property
    def location(self) -> Location:
        return Location(self.settings.url, self.ours)

    def stored(self, index: str) -> dict[str, dict[str, Any]]:
        """Sources by id."""
        self.client.indices.refresh(index=index)
        hits = self.client.search(index=index, size=1_000)["hits"]["hits"]
        return {hit["_id"]: hit["_source"] for hit in hits}

    def objects(self) -> dict[str, Any]:
        return {name: source.get(OBJECT_FIELD) for name, source in self.stored(self.ours).items()}


@contextmanager
def pair_of(url: str, **options: Any) -> Iterator[Pair]:
    name = f"t-{uuid.uuid4().hex}"
    settings = ElasticSettings(url, f"{name}-ours")
    with connect(settings) as client:
        pair = Pair(client, settings, settings.index, f"{name}-bare")
        for index in (pair.ours, pair.bare):
            client.indices.create(index=index, mappings=MAPPINGS)
        Index.attach(pair.location, ["text"], plan=CHARACTERS, **options)
        try:
            yield pair
        finally:
            found = client.indices.get(index=f"{name}*", expand_wildcards="all")
            client.indices.delete(index=",".join(found))


def ask(
    url: str,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> Said:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=120)
    try:
        kind = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(method, path, body, {**kind, **(headers or {})})
        answer = connection.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def lines(*values: Any) -> bytes:
    return b"".join(orjson.dumps(value) + b"\n" for value in values)


def zipped(body: bytes) -> tuple[bytes, dict[str, str]]:
    return gzip.compress(body), {"Content-Encoding": "gzip", "Content-Type": NDJSON}


def current(source: Mapping[str, Any]) -> bool:
    """Whether the object of a document is that of its text."""
    ours = source.get(OBJECT_FIELD)
    text = source.get("text")
    if not isinstance(text, str):
        return not ours
    made = fingerprint_of(text, CHARACTERS)
    return (
        isinstance(ours, dict)
        and ours["text_hash"] == made.text_hash
        and ours["plan"] == CHARACTERS.id
    )
