"""Searches of callers who may see a part of the documents, and in what names stand for."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
import pytest

from dupdex.gateway.api_paths import CALL, api_call
from dupdex.gateway.callers import Caller, Right, set_caller
from dupdex.gateway.search import handlers
from dupdex.gateway.services import Services
from dupdex.gateway.settings import ServeSettings
from tests.service.gateway.near_data import COPIES, Corpus, ids_in, near

READ = frozenset({Right.READ})


def search_as(caller: Caller, url: str, path: str, body: object) -> tuple[int, Any]:
    """A search as the guard hands it on: with its caller."""
    sent: list[dict[str, Any]] = []
    content = orjson.dumps(body)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": content}

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        services = Services(ServeSettings(store=url))
        await services.open()
        call = api_call("POST", path.encode())
        assert call is not None
        scope: dict[str, Any] = {
            "type": "http",
            "method": "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(b"content-type", b"application/json")],
            CALL: call,
        }
        set_caller(scope, caller)
        try:
            await handlers(services)[call.api](scope, receive, send)
        finally:
            await services.close()

    asyncio.run(run())
    answer = b"".join(message.get("body", b"") for message in sent[1:])
    return sent[0]["status"], orjson.loads(answer)


def test_a_caller_is_told_of_what_filters_let_through(stored: Corpus) -> None:
    """Also by the counts of the lookup; an alias hides no filter of an index behind it."""
    filters: dict[str, Any] = {
        stored.first: [{"term": {"topic": "a"}}],
        stored.second: [{"term": {"n": 1}}],
        stored.all: [],
    }
    caller = Caller("some", READ, filters=filters)
    even = COPIES // 2
    for name, count in ((stored.first, even), (stored.all, 0)):
        status, answer = search_as(caller, stored.client_url, f"/{name}/_search", {"query": near()})
        assert status == 200
        assert answer["_dupdex"]["clauses"][0]["found"] == count
        assert answer["_dupdex"]["completeness"]["candidates"] == count


@pytest.mark.parametrize(("name", "status"), [("c0", 200), ("c1", 404)])
def test_a_document_that_filters_hide_is_not_there(stored: Corpus, name: str, status: int) -> None:
    caller = Caller("some", READ, filters={f"{stored.first}*": [{"term": {"topic": "a"}}]})
    body = {"query": {"near_duplicate": {"like": {"_index": stored.first, "_id": name}}}}
    found, _ = search_as(caller, stored.client_url, f"/{stored.first}/_search", body)
    assert found == status


def test_an_index_that_a_caller_may_not_use(stored: Corpus) -> None:
    caller = Caller("some", READ, indices=(stored.second,))
    like = {"query": {"near_duplicate": {"like": {"_index": stored.first, "_id": "c0"}}}}
    for name, body in ((stored.first, {"query": near()}), (stored.second, like)):
        status, answer = search_as(caller, stored.client_url, f"/{name}/_search", body)
        assert (status, answer["error"]["type"]) == (403, "security_exception")


def test_indices_of_others_stand_beside_ours(stored: Corpus) -> None:
    """Behind one alias, and among many that a pattern means: those of ours are looked in."""
    others = [f"{stored.first}-2{n}" for n in range(5)]
    for name in others:
        stored.client.index(index=name, id="c0", document={"text": "c0"}, refresh=True)
    stored.client.indices.put_alias(index=[stored.second, others[0]], name=f"{stored.first}-mixed")
    for name, count in ((f"{stored.first}-mixed", 2), (f"{stored.first}-1*,{stored.first}-2*", 2)):
        answer = stored.search(name, {"query": near()})
        assert sorted(ids_in(answer)) == ["c0", "c1"]
        assert answer["hits"]["total"]["value"] == count
    status, answer = stored.post(f"/{stored.first}-mixed/_search", {"dedup": {}})
    stored.client.indices.delete(index=others)
    assert status == 400
    assert others[0] in answer["error"]["reason"]
