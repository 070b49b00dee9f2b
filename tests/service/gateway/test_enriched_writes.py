"""Writes through a gateway: what is stored and answered is that of a direct write, but for the
object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from dupdex import Index
from mappings.contract import OBJECT_FIELD
from tests.service.elastic_data import chinese
from tests.service.gateway.running import Running
from tests.service.gateway.writes import NDJSON, Pair, ask, current, lines, pair_of, zipped


@pytest.fixture(scope="module")
def pair(es_url: str) -> Iterator[Pair]:
    with pair_of(es_url) as pair:
        yield pair


TEXT, OTHER, THIRD = chinese(1), chinese(2), chinese(3)


def without_ours(source: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in source.items() if name != OBJECT_FIELD}


def plain(content: bytes, pair: Pair) -> str:
    """An answer without what differs from write to write."""
    text = content.decode().replace(pair.ours, "INDEX").replace(pair.bare, "INDEX")
    text = re.sub(r'"(took|_seq_no)":\d+', '"number":0', text)
    text = re.sub(r"seqNo \[\d+\]", "seqNo", text)
    text = re.sub(r'"_id":"[\w-]{20}"', '"_id":"made"', text)
    return re.sub(r'"index_uuid":"[^"]*"', '"index_uuid":""', text)


def both(
    gateway: Running,
    pair: Pair,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[int, bytes]:
    """Send a request through the gateway to the one index, and to the server for the other. The
    answers are alike; returns that of the gateway."""
    own = body.replace(b"INDEX", pair.ours.encode()) if body is not None else None
    other = body.replace(b"INDEX", pair.bare.encode()) if body is not None else None
    got = ask(gateway.url, method, path.replace("INDEX", pair.ours), own, headers)
    url = pair.settings.url
    expected = ask(url, method, path.replace("INDEX", pair.bare), other, headers)
    assert got[0] == expected[0], (got, expected)
    assert plain(got[2], pair) == plain(expected[2], pair)
    for name in ("content-type", "x-elastic-product"):
        assert got[1].get(name) == expected[1].get(name)
    stored = pair.stored(pair.ours)
    ids = {name for name in stored if len(name) < 20}
    bare = pair.stored(pair.bare)
    assert {name: without_ours(stored[name]) for name in ids} == {
        name: source for name, source in bare.items() if len(name) < 20
    }
    assert len(stored) == len(bare)
    assert [name for name, source in stored.items() if not current(source)] == []
    return got[0], got[2]


BULKS = [
    lines({"index": {"_index": "INDEX", "_id": "1"}}, {"text": TEXT, "n": 1}),
    lines({"index": {}}, {"text": TEXT}, {"create": {}}, {"text": OTHER, "title": "t"}),
    lines({"create": {"_id": "1"}}, {"text": TEXT}, {"create": {"_id": "c"}}, {"text": OTHER}),
    lines({"index": {"_id": "2"}}, {"title": "no text"}),
    lines({"index": {"_id": "2"}}, {"n": "no number", "text": TEXT}),
    lines({"index": {"_id": "3"}}, {}),
    lines({"index": {"_id": "4", "routing": "r"}}, {"text": OTHER}),
    lines({"index": {"_id": "e", "version": 7, "version_type": "external"}}, {"text": OTHER}),
    lines({"delete": {"_id": "1"}}, {"delete": {"_id": "never"}}),
    lines({"index": {"_id": 5}}, {"text": TEXT}, {"update": {"_id": 5}}, {"doc": {"text": OTHER}}),
    lines({"update": {"_id": "5"}}, {"doc": {"text": OTHER}}),
    lines({"update": {"_id": "5"}}, {"doc": {"n": 2}}, {"update": {"_id": "5"}}, {"doc": {}}),
    lines({"update": {"_id": "none"}}, {"doc": {"text": TEXT}}),
    lines({"update": {"_id": "u"}}, {"doc": {"text": TEXT, "n": 1}, "doc_as_upsert": True}),
    lines({"update": {"_id": "u"}}, {"doc": {"text": THIRD}, "doc_as_upsert": True}),
    lines({"update": {"_id": "v"}}, {"doc": {"n": 3}, "upsert": {"text": TEXT, "n": 1}}),
    lines({"update": {"_id": "v"}}, {"doc": {"text": None}}),
    lines({"update": {"_id": "v"}}, {"doc": {"text": OTHER}}),
    lines({"index": {"_id": "6", "if_seq_no": 999, "if_primary_term": 1}}, {"text": TEXT}),
    lines({"index": {"_id": "7", "require_alias": True}}, {"text": TEXT}),
    lines({"index": {"_id": "8", "pipeline": "no-such"}}, {"text": TEXT}),
    lines({"index": {"_id": "x" * 600}}, {"text": TEXT}),
    lines({"index": {"_id": ""}}, {"text": TEXT}, {"index": {"_id": None}}, {"text": TEXT}),
    b'{"index":{"_id":"9"}}\r\n{"text":"' + TEXT.encode() + b'"}\r\n',
    b'\n{"index":{"_id":"10"}}\n{"text":"' + TEXT.encode() + b'"}\n\n',
    b'{"index":{"_id":"11"}}\n{"text":"' + TEXT.encode() + b'"}',
    b'{"index":{"_id":"12"}}\n{"text":"' + TEXT.encode() + b'"\n',
    b'{"index":{"_id":"14"}}\n{"text":"a"}\n{"nothing":{}}\n{}\n',
    b'{"index":{"_id":"15"}}\n{"text":"a"}\n{bad\n{}\n',
    b'{"index":{"_id":"16"}} and more\n{"text":"' + TEXT.encode() + b'"}\n',
    b'{"index":{"_id":"17","unknown":1}}\n{"text":"a"}\n',
    b'{"index":{"_id":"19"}}\n',
    b'{"update":{"_id":"5"}}\n{"doc":{"text":"b"\n',
    b"",
    b"\n",
    b"[]\n",
]


@pytest.mark.parametrize("body", BULKS)
def test_bulk_is_as_without(gateway: Running, pair: Pair, body: bytes) -> None:
    both(gateway, pair, "POST", "/INDEX/_bulk", body, {"Content-Type": NDJSON})


@pytest.mark.parametrize(
    "parameters", ["refresh=true", "filter_path=items.*.status", "pipeline=no"]
)
def test_parameters_of_a_bulk(gateway: Running, pair: Pair, parameters: str) -> None:
    body = lines(
        {"index": {"_id": "p"}}, {"text": TEXT}, {"update": {"_id": "p"}}, {"doc": {"text": OTHER}}
    )
    both(gateway, pair, "PUT", f"/INDEX/_bulk?{parameters}", body)


def test_a_compressed_bulk(gateway: Running, pair: Pair) -> None:
    body, headers = zipped(lines({"index": {"_index": pair.ours, "_id": "z"}}, {"text": TEXT}))
    status, _, content = ask(gateway.url, "POST", "/_bulk", body, headers)
    assert status == 200
    assert orjson.loads(content)["errors"] is False
    assert current(pair.stored(pair.ours)["z"])
    pair.client.index(index=pair.bare, id="z", document={"text": TEXT})


def test_foreign_indices_between_ours(gateway: Running, pair: Pair) -> None:
    body = lines(
        {"index": {"_index": pair.bare, "_id": "f"}},
        {"text": TEXT, OBJECT_FIELD: {"theirs": 1}},
        {"index": {"_index": pair.ours, "_id": "f"}},
        {"text": TEXT, OBJECT_FIELD: {"theirs": 1}},
    )
    status, _, content = ask(gateway.url, "POST", "/_bulk", body, {"Content-Type": NDJSON})
    assert (status, orjson.loads(content)["errors"]) == (200, False)
    bare = pair.stored(pair.bare)["f"]
    assert bare == {"text": TEXT, OBJECT_FIELD: {"theirs": 1}}
    assert current(pair.stored(pair.ours)["f"])
    pair.client.index(index=pair.bare, id="f", document={"text": TEXT})


@pytest.mark.parametrize("action", ['"index":{"_id":"sly"}', '"delete":{"_id":"kept"}'])
def test_what_only_servers_read_is_not_done(gateway: Running, pair: Pair, action: str) -> None:
    """A line with a comment is an action to the server: nobody could look at it here."""
    for each in (pair.ours, pair.bare):
        pair.client.index(index=each, id="kept", document={"n": 1})
    body = b'/* */{%b}\n{"text":"a"}\n' % action.encode()
    path = f"/{pair.ours}/_bulk"
    status, _, content = ask(gateway.url, "POST", path, body, {"Content-Type": NDJSON})
    assert (status, b"strict JSON" in content) == (400, True)
    stored = pair.stored(pair.ours)
    assert "kept" in stored
    assert "sly" not in stored


SINGLE = [
    ("PUT", "/INDEX/_doc/s1", {"text": TEXT}),
    ("POST", "/INDEX/_doc/s1?refresh=wait_for", {"text": OTHER}),
    ("POST", "/INDEX/_doc", {"text": OTHER}),
    ("POST", "/INDEX/_doc?filter_path=result", {"text": OTHER}),
    ("PUT", "/INDEX/_create/s1", {"text": OTHER}),
    ("POST", "/INDEX/_create/s%2F2", {"text": OTHER}),
    ("PUT", "/INDEX/_doc/s3?op_type=create", {"text": OTHER}),
    ("PUT", "/INDEX/_doc/s1?if_seq_no=100000&if_primary_term=1", {"text": TEXT}),
    ("PUT", "/INDEX/_doc/s4?routing=a", {"text": TEXT, "title": "汉"}),
    ("POST", "/INDEX/_update/s1", {"doc": {"text": THIRD}}),
    ("POST", "/INDEX/_update/s1", {"doc": {"text": THIRD}}),
    ("POST", "/INDEX/_update/s1?retry_on_conflict=3", {"doc": {"n": 3}}),
    ("POST", "/INDEX/_update/s1?retry_on_conflict=3", {"doc": {"text": TEXT}}),
    ("POST", "/INDEX/_update/missing", {"doc": {"text": TEXT}}),
    ("POST", "/INDEX/_update/s5", {"doc": {"text": TEXT}, "doc_as_upsert": True}),
    ("POST", "/INDEX/_update/s6", {"doc": {"text": TEXT}, "upsert": {"text": OTHER}}),
    ("POST", "/INDEX/_update/s1", {"nothing": 1}),
    ("PUT", "/INDEX/_doc/s7", ["no object"]),
    ("PUT", "/INDEX/_doc/s8", {"n": "no number", "text": TEXT}),
    ("DELETE", "/INDEX/_doc/s3", None),
    ("DELETE", "/INDEX/_doc/s3", None),
]


@pytest.mark.parametrize(("method", "path", "body"), SINGLE)
def test_documents_are_as_without(
    gateway: Running, pair: Pair, method: str, path: str, body: Any
) -> None:
    both(gateway, pair, method, path, None if body is None else orjson.dumps(body))


def test_what_is_written_is_found(gateway: Running, pair: Pair) -> None:
    text = chinese("found")
    ask(gateway.url, "PUT", f"/{pair.ours}/_doc/found?refresh=true", orjson.dumps({"text": text}))
    pair.client.index(index=pair.bare, id="found", document={"text": text})
    with Index.open(pair.location) as index:
        assert [match.id for match in index.lookup(text).matches] == ["found"]
    ours = pair.objects()
    assert ours["found"]["group"] == "found"
    assert {name: each["group"] for name, each in ours.items() if each} == {
        name: name for name, each in ours.items() if each
    }


def test_a_document_without_text_is_told(gateway: Running, pair: Pair) -> None:
    path = f"/{pair.ours}/_doc/w"
    status, headers, _ = ask(gateway.url, "PUT", path, orjson.dumps({"n": 1}))
    assert (status, headers["x-dupdex-without-fingerprint"]) == (201, "1")
    pair.client.index(index=pair.bare, id="w", document={"n": 1})
