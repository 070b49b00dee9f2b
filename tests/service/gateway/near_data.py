"""Two indices with copies of one text, behind one alias, for searches through the gateway."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import orjson
from elasticsearch import Elasticsearch

from dupdex.index import Index
from dupdex.location import Location
from dupdex.session import Session
from indexer.grouping import Grouping
from indexer.model import Document
from mappings.index_body import template_name
from mappings.plan import CHARACTERS
from tests.service.elastic_data import chinese
from tests.service.gateway.running import Running
from tests.service.gateway.test_passing import ask

ASKED: Final = chinese("asked", 200)
"""The text that there are copies of."""

COPIES, OTHERS = 12, 8
MAPPINGS: Final = {
    "properties": {
        "published": {"type": "date"},
        "topic": {"type": "keyword"},
        "as_written": {"type": "object", "enabled": False},
    }
}


def copy_of(text: str, at: int) -> str:
    """A near duplicate: three characters of the text are others."""
    return f"{text[:at]}改了字{text[at + 3 :]}"


def documents(copies: int = COPIES, others: int = OTHERS) -> list[Document]:
    """c0, c1, … are copies of ASKED, o0, o1, … are like nothing else; `n` counts either."""
    texts = [(f"c{n}", n, copy_of(ASKED, 7 * n % 150)) for n in range(copies)]
    texts += [(f"o{n}", n, chinese(f"other {n}", 200)) for n in range(others)]
    return [
        Document(
            name,
            text,
            {"text": text, "n": n, "topic": "ab"[n % 2], "published": f"2026-01-{1 + n % 28:02}"},
        )
        for name, n, text in texts
    ]


@dataclass(frozen=True, slots=True)
class Corpus:
    """`second` holds c0 and c1 as well; `all` is an alias of both."""

    gateway: Running
    session: Session
    client: Elasticsearch
    client_url: str
    first: str
    second: str
    all: str

    def index(self, name: str) -> Index:
        return Index.open(self.session, index=name)

    def search(self, names: str, body: Mapping[str, Any], more: str = "") -> dict[str, Any]:
        """A search through the gateway that succeeds."""
        status, answer = self.post(f"/{names}/_search{more}", body)
        assert status == 200, answer
        return dict(answer)

    def post(self, path: str, body: object) -> tuple[int, Any]:
        content = body if isinstance(body, bytes) else orjson.dumps(body)
        status, _, answer = ask(self.gateway.url, "POST", path, content)
        return status, orjson.loads(answer)


def near(text: str = ASKED, **more: Any) -> dict[str, Any]:
    return {"near_duplicate": {"text": text, **more}}


def ids_in(answer: Mapping[str, Any]) -> list[str]:
    return [hit["_id"] for hit in answer["hits"]["hits"]]


@contextmanager
def corpus(
    gateway: Running, url: str, made: Sequence[Document] = (), grouping: Grouping | None = None
) -> Iterator[Corpus]:
    first = f"t-{uuid.uuid4().hex}"
    second, both = f"{first}-1", f"{first}-all"
    with Session(Location(url, first)) as session:
        client, _ = session.connection()
        for name, stored in ((first, made or documents()), (second, documents(2, 0))):
            with Index.create(
                session, plan=CHARACTERS, mappings=MAPPINGS, index=name, grouping=grouping
            ) as index:
                index.add(stored)
                index.refresh()
                if grouping is not None:
                    index.group()
                    index.refresh()
        client.indices.put_alias(index=[first, second], name=both)
        try:
            yield Corpus(gateway, session, client, url, first, second, both)
        finally:
            beside = client.indices.get(index=f"{first}*", expand_wildcards="all")
            client.indices.delete(index=list(beside))
            for name in (first, second):
                client.options(ignore_status=404).indices.delete_index_template(
                    name=template_name(name)
                )
