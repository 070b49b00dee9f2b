"""Partial updates: what they touch, and what they make of a document."""

from __future__ import annotations

import orjson
import pytest

from dupdex.gateway.enrich.update_bodies import UpdateBody, merged, object_over
from indexer.fingerprints import fingerprint_of
from indexer.model import Document, Record
from indexer.stores.elastic.one_version import Version
from indexer.stores.stored_object import object_of
from mappings.plan import CHARACTERS
from query.stores.elastic.versioned import Versioned
from tests.texts import METRO, TEA


def record(text: str) -> Record:
    return Record(Document("1", text), fingerprint_of(text, CHARACTERS), CHARACTERS.id)


def test_documents_are_merged_as_the_server_does() -> None:
    stored = {"a": {"b": 1, "c": [1]}, "d": 1}
    assert merged(stored, {"a": {"c": [2]}, "d": {"e": 1}, "f": None}) == {
        "a": {"b": 1, "c": [2]},
        "d": {"e": 1},
        "f": None,
    }
    assert stored == {"a": {"b": 1, "c": [1]}, "d": 1}


@pytest.mark.parametrize(
    ("doc", "touches"),
    [
        ({"text": "a"}, True),
        ({"body": {"x": 1}}, True),
        ({"body.inner": "a"}, True),
        ({"text2": "a", "n": 1}, False),
        ({}, False),
    ],
)
def test_what_touches_a_text(doc: dict[str, object], touches: bool) -> None:
    update = UpdateBody.read(orjson.dumps({"doc": doc}))
    assert update.touches(("text", "body.inner")) is touches


def test_parts_of_a_body() -> None:
    update = UpdateBody.read(b'{"doc":{"a":1},"doc_as_upsert":true,"upsert":{"dupdex":{}}}')
    assert (update.doc_as_upsert, update.is_scripted, update.has_ours) == (True, False, True)
    assert orjson.loads(update.with_objects(b'{"x":1}', b'{"y":2}')) == {
        "doc": {"a": 1, "dupdex": {"x": 1}},
        "doc_as_upsert": True,
        "upsert": {"dupdex": {"y": 2}},
    }
    assert orjson.loads(update.of_stored().with_objects(None, None)) == {"doc": {"a": 1}}
    assert UpdateBody.read(b'{"script":"x"}').is_scripted
    assert UpdateBody.read(b'{"doc":[1]}').doc is None


def test_the_object_over_another() -> None:
    old, new = record(METRO), record(TEA)
    held = orjson.loads(orjson.dumps({**object_of(old), "dna_keys": ["a"]}))
    stored = Versioned(Version("1", 3, 1), {"text": METRO}, held)
    assert object_over(stored, old) is None
    made = orjson.loads(object_over(stored, new) or b"")
    assert made == orjson.loads(orjson.dumps({**object_of(new), "dna_keys": None}))
    assert object_over(stored, None) == b"null"
    bare = Versioned(Version("1", 3, 1), {}, {})
    assert object_over(bare, None) is None
    assert orjson.loads(object_over(bare, old) or b"")["plan"] == CHARACTERS.id
