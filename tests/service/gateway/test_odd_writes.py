"""Writes in forms that servers take and hardly a client sends: none leaves an old fingerprint."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from indexer.fingerprints import fingerprint_of
from mappings.contract import OBJECT_FIELD
from mappings.plan import CHARACTERS
from tests.service.gateway.running import Running
from tests.service.gateway.writes import Pair, ask, pair_of

OLD = "the text as it was before anybody sent another one in an odd way"
NEW = b"a text of another kind that has hardly a word of the one before it"
TYPED = {"Content-Type": "application/vnd.elasticsearch+json;compatible-with=7"}
TYPED["Accept"] = TYPED["Content-Type"]
DOCUMENT = b'{"text":"' + NEW + b'"}'


@pytest.fixture(scope="module")
def pair(es_url: str) -> Iterator[Pair]:
    with pair_of(es_url) as made:
        yield made


def stored(pair: Pair) -> dict[str, object]:
    source = pair.client.get(index=pair.ours, id="1")["_source"]
    assert isinstance(source, dict)
    return source


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/{index}/t/1", DOCUMENT),
        ("POST", "/{index}/t", DOCUMENT),
        ("POST", "/{index}/%5Fdoc/1", DOCUMENT),
        ("PUT", "/{index}/t/2/_create", DOCUMENT),
        ("POST", "/{index}/t/1/_update", b'{"doc":' + DOCUMENT + b"}"),
        ("DELETE", "/{index}/t/1", b""),
    ],
)
def test_paths_with_a_type_are_refused(
    gateway: Running, pair: Pair, method: str, path: str, body: bytes
) -> None:
    ask(gateway.url, "PUT", f"/{pair.ours}/_doc/1", f'{{"text":"{OLD}"}}'.encode())
    status, _, told = ask(gateway.url, method, path.format(index=pair.ours), body, TYPED)
    assert status == 400
    assert b"_doc" in told
    assert stored(pair)["text"] == OLD
    assert ask(gateway.url, "PUT", f"/{pair.bare}/t/1", DOCUMENT, TYPED)[0] in (200, 201)


@pytest.mark.parametrize("path", ["/{index}/t/_bulk", "//_bulk", "///_bulk"])
def test_bulk_requests_at_odd_paths_are_enriched(gateway: Running, pair: Pair, path: str) -> None:
    line = f'{{"index":{{"_index":"{pair.ours}","_id":"1"}}}}\n'.encode()
    status, _, told = ask(
        gateway.url, "POST", path.format(index=pair.ours), line + DOCUMENT + b"\n", TYPED
    )
    assert (status, b'"errors":false' in told) == (200, True)
    held = stored(pair)[OBJECT_FIELD]
    assert isinstance(held, dict)
    assert held["text_hash"] == fingerprint_of(NEW.decode(), CHARACTERS).text_hash


@pytest.mark.parametrize(
    "change", [b'{"doc":%s} x', b'{"doc":%s}{"a":1}', b'{"doc":%s,"a\xc1\x81":1}']
)
def test_updates_that_are_no_strict_json_are_refused(
    gateway: Running, pair: Pair, change: bytes
) -> None:
    ask(gateway.url, "PUT", f"/{pair.ours}/_doc/1", f'{{"text":"{OLD}"}}'.encode())
    status, *_ = ask(gateway.url, "POST", f"/{pair.ours}/_update/1", change % DOCUMENT)
    assert status == 400
    line = f'{{"update":{{"_index":"{pair.ours}","_id":"1"}}}}\n'.encode()
    ask(gateway.url, "POST", "/_bulk", line + change % DOCUMENT + b"\n")
    assert stored(pair)["text"] == OLD


def test_letters_longer_than_they_need_to_be_are_refused(gateway: Running, pair: Pair) -> None:
    body = b'{"text":"\xc1\x81 ' + NEW + b'"}'
    assert ask(gateway.url, "PUT", f"/{pair.ours}/_doc/1", body)[0] == 400


def test_an_alias_of_ours_and_others_is_written_to_by_name(gateway: Running, pair: Pair) -> None:
    alias = f"{pair.ours}-both"
    pair.client.indices.put_alias(index=pair.bare, name=alias)
    pair.client.indices.put_alias(index=pair.ours, name=alias, is_write_index=True)
    status, _, told = ask(gateway.url, "PUT", f"/{alias}/_doc/3", DOCUMENT)
    assert (status, pair.ours.encode() in told) == (409, True)
    line = f'{{"index":{{"_index":"{alias}","_id":"3"}}}}\n'.encode()
    _, _, told = ask(gateway.url, "POST", "/_bulk", line + DOCUMENT + b"\n")
    assert b'"status":409' in told
    assert not pair.client.exists(index=pair.ours, id="3")
    pair.client.indices.put_alias(index=pair.ours, name=alias, is_write_index=False)
    pair.client.indices.put_alias(index=pair.bare, name=alias, is_write_index=True)
    time.sleep(1.1)
    assert ask(gateway.url, "PUT", f"/{alias}/_doc/3", DOCUMENT)[0] == 201
