"""Answers to many searches: what is read of them, and what is no answer."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from query.stores.elastic.answered import Found, Hit, answers_in

DOCUMENT: dict[str, Any] = {"text": "台风登陆", "n": [1, {"a": None}], "dupdex": {"simhash": -5}}
BROKEN = b'{"text": "\xff"}'
OTHER = b'{"responses": [{"hits": {"hits": [{"_index": "\xff"}]}}]}'


def told(**search: Any) -> bytes:
    """What a server answers to one search."""
    whole = {"took": 1, "timed_out": False, "_shards": {"total": 1, "failed": 0}, **search}
    return orjson.dumps({"took": 3, "responses": [whole]})


def deep(levels: int) -> object:
    """Lists in lists."""
    out: object = []
    for _ in range(levels):
        out = [out]
    return out


def one(body: object) -> Found:
    """The only answer."""
    found = answers_in(body)
    assert found is not None
    (answer,) = found
    return answer


def hit_of(body: object) -> Hit:
    (hit,) = one(body).hits
    return hit


def test_documents_come_along_unread() -> None:
    hit = {"_index": "a", "_id": "1", "_score": 2.5, "_source": DOCUMENT, "sort": [2.5, 7]}
    body = told(hits={"max_score": None, "hits": [hit]})
    for found in (hit_of(body), hit_of(orjson.loads(body))):  # the latter as some clients read it
        assert (found.index, found.id, found.score, found.fields) == ("a", "1", 2.5, None)
        assert found.body() == {"text": "台风登陆", "n": [1, {"a": None}]}
        assert found.ours() == {"simhash": -5}
        assert len(found.source) == len(orjson.dumps(DOCUMENT))


def test_documents_that_stayed_where_they_are() -> None:
    fields = {"dupdex.simhash": [-2], "dupdex.text_hash": ["abc"]}
    found = hit_of(told(hits={"hits": [{"_index": "a", "_score": None, "fields": fields}]}))
    assert (found.id, found.score, found.body(), found.ours()) == ("", None, None, None)
    assert found.fields is not None
    assert found.fields.values == ("abc", (1 << 64) - 2)
    found = hit_of(told(hits={"hits": [{"_index": "a", "_id": "1", "fields": {}}]}))
    assert found.fields is not None
    assert found.fields.values == ("", 0)


def test_counts() -> None:
    body = told(hits={"total": {"value": 7, "relation": "eq"}, "hits": []}, aggregations={"a": 1})
    assert (one(body).total, one(body).aggregations) == (7, {"a": 1})
    assert one(told(hits={"hits": []})).total == 0


def test_errors_and_parts_are_told() -> None:
    refused = one(b'{"took": 1, "responses": [{"error": {"type": "x"}, "status": 429}]}')
    assert (refused.error, refused.status) == ({"type": "x"}, 429)
    partial = one(told(hits={"hits": []}, _shards={"total": 2, "failed": 1}, timed_out=True))
    assert (partial.shards.failed, partial.timed_out) == (1, True)
    assert one(b'{"responses": [{}]}').shards.failed is None


@pytest.mark.parametrize("broken", [BROKEN, b'{"text": "a", "n": 1e400}'])
def test_one_broken_document_costs_no_other(broken: bytes) -> None:
    """It is none that came along, and will be read by itself."""
    source = b'{"_index": "a", "_id": "1", "_source": %s}'
    body = b'{"responses": [{"hits": {"hits": [%s, %s]}}]}' % (source % broken, source % b"{}")
    found = answers_in(body)
    assert found is not None
    assert [hit.body() for hit in found[0].hits] == [None, {}]
    assert [hit.ours() for hit in found[0].hits] == [None, None]


def test_values_of_another_mapping_are_none() -> None:
    fields = {"dupdex.simhash": [5.0], "dupdex.text_hash": [7]}
    found = hit_of(told(hits={"hits": [{"_index": "a", "_id": "1", "fields": fields}]}))
    assert found.fields is not None
    assert found.fields.values == ("", 5)


def test_large_numbers_of_clients_that_read_json_themselves() -> None:
    document = {"text": "a", "n": 2**70, "deep": deep(400)}
    body = {"responses": [{"hits": {"hits": [{"_index": "a", "_id": "1", "_source": document}]}}]}
    assert hit_of(body).id == "1"


def test_what_is_nested_a_thousand_times_is_no_answer() -> None:
    nested = b"[" * 5_000 + b"]" * 5_000
    body = b'{"responses": [{"hits": {"hits": [{"_index": "a", "_source": %s}]}}]}' % nested
    assert answers_in(body) is None


@pytest.mark.parametrize(("status", "is_busy"), [(429, True), (503, True), (400, False)])
def test_what_may_be_sent_again(status: int, is_busy: bool) -> None:
    refused = orjson.dumps({"responses": [{"error": {"type": "x"}, "status": status}]})
    assert one(refused).is_busy is is_busy
    assert not one(told(hits={"hits": []})).is_busy


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"[]", b"{}", {}, None, "", {"responses": [1]}, b'{"responses": {}}', OTHER],
)
def test_what_is_no_answer(body: object) -> None:
    assert answers_in(body) is None
