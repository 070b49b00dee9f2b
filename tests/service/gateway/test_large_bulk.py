"""A body larger than the memory that it may take, and larger than the server takes at once."""

from __future__ import annotations

import gzip
import http.client
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import orjson
import pytest

from tests.service.elastic_data import chinese
from tests.service.gateway.running import gateway_before
from tests.service.gateway.writes import NDJSON, Pair, ask, current, pair_of

MEGABYTES: Final = int(os.environ.get("DUPDEX_TEST_BULK_MB", "150"))
"""1,000 takes some minutes."""

MOST_MEMORY: Final = 300 << 20
_TEXTS: Final = [chinese(at, 1_400) for at in range(8)]
_FILLER: Final = "x" * 24_000


@pytest.fixture(scope="module")
def pair(es_url: str) -> Iterator[Pair]:
    with pair_of(es_url) as pair:
        pair.client.indices.put_settings(
            index=f"{pair.ours},{pair.bare}", settings={"number_of_replicas": 0}
        )
        yield pair


def peak_of(process: int) -> int:
    """The most memory that a process has had, in bytes."""
    status = Path(f"/proc/{process}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) << 10


def body_of(size: int, counts: list[int]) -> Iterator[bytes]:
    """Pieces of a body of documents without ids, to a size; most of a document is in a field that
    nobody looks at. Every fourth one goes to another index."""
    sent = number = 0
    while sent < size:
        document = {"text": _TEXTS[number % len(_TEXTS)], "filler": _FILLER}
        line = b'{"index":{"_index":"BARE"}}' if number % 4 == 3 else b'{"index":{}}'
        piece = line + b"\n" + orjson.dumps(document) + b"\n"
        counts[number % 4 == 3] += 1
        sent, number = sent + len(piece), number + 1
        yield piece


def test_a_large_body_streams(es_url: str, pair: Pair) -> None:
    mapping = {"properties": {"filler": {"type": "keyword", "index": False, "doc_values": False}}}
    pair.client.indices.put_mapping(index=f"{pair.ours},{pair.bare}", body=mapping)
    counts = [0, 0]
    with gateway_before(es_url) as running:
        connection = http.client.HTTPConnection(urlsplit(running.url).netloc, timeout=600)
        path = f"/{pair.ours}/_bulk?filter_path=errors,items.*.status"
        pieces = (
            piece.replace(b"BARE", pair.bare.encode()) for piece in body_of(MEGABYTES << 20, counts)
        )
        connection.request("POST", path, pieces, {"Content-Type": NDJSON}, encode_chunked=True)
        answer = connection.getresponse()
        content = orjson.loads(answer.read())
        connection.close()
        memory = peak_of(running.process.pid)
    assert answer.status == 200
    assert content["errors"] is False
    assert len(content["items"]) == sum(counts)
    assert {item["index"]["status"] for item in content["items"]} == {201}
    pair.client.indices.refresh(index=f"{pair.ours},{pair.bare}")
    assert pair.client.count(index=pair.ours)["count"] == counts[0]
    assert pair.client.count(index=pair.bare)["count"] == counts[1]
    lacking = {"bool": {"must_not": {"exists": {"field": "dupdex.text_hash"}}}}
    assert pair.client.count(index=pair.ours, query=lacking)["count"] == 0
    print(f"{MEGABYTES} MB in {memory >> 20} MB")
    assert memory < MOST_MEMORY


def test_a_large_body_that_breaks(es_url: str, pair: Pair) -> None:
    """What came before the broken line is stored, and told to be."""
    good = b"".join(
        b'{"index":{"_id":"%d"}}\n%b\n' % (at, orjson.dumps({"text": _TEXTS[at % 8]}))
        for at in range(2_100)
    )
    headers = {"Content-Type": NDJSON}
    with gateway_before(es_url) as running:
        path = f"/{pair.ours}/_bulk"
        for end, number in ((b'{"nothing":{}}\n{}\n', 2 * 2_100 + 1), (b'{"index":{}}', None)):
            status, _, content = ask(running.url, "POST", path, good + end, headers)
            answer = orjson.loads(content)
            assert (status, answer["errors"]) == (200, True)
            *stored, last = answer["items"]
            assert [item["index"]["_id"] for item in stored] == [str(at) for at in range(2_100)]
            assert {item["index"]["status"] for item in stored} <= {200, 201}
            assert last["index"]["status"] == 400
            reason = last["index"]["error"]["reason"]
            assert (f"line [{number}]" if number else "newline") in reason
        body = gzip.compress(good)
        more = {**headers, "Content-Encoding": "gzip"}
        status, _, content = ask(running.url, "POST", path, body[:-200], more)
        answer = orjson.loads(content)
        assert (status, answer["errors"]) == (200, True)
        *stored, last = answer["items"]
        assert {item["index"]["status"] for item in stored} == {200}
        assert "gzip" in last["index"]["error"]["reason"]
    assert all(map(current, pair.stored(pair.ours).values()))
