"""Fingerprints as stored documents hold them: there and back, and what is none."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from indexer.fingerprints import fingerprint_of
from indexer.model import Document, Fingerprint, Record
from indexer.stores.stored_object import fingerprint_in, object_of, objects_in
from mappings.contract import OBJECT_FIELD, new_field
from mappings.plan import STANDARD
from mappings.schemes import SCHEME_FIELDS
from tests.texts import METRO

MADE = fingerprint_of(METRO, STANDARD)
STORED: dict[str, Any] = orjson.loads(
    orjson.dumps(object_of(Record(Document("a", METRO), MADE, STANDARD.id)))
)
NO_UTF8 = b'{"dupdex": {"text_hash": "\xff", "simhash": 1, "length": 1}}'


def read(value: object) -> Fingerprint | None:
    """The fingerprint of an object field; of the same in a document as JSON it is the same one."""
    found = fingerprint_in(value)
    try:
        source = orjson.dumps({"text": METRO, OBJECT_FIELD: value})
    except orjson.JSONEncodeError:  # no JSON has it
        return found
    (ours,) = objects_in([source])
    assert (ours and ours.fingerprint()) == found
    return found


def test_a_fingerprint_comes_back_from_json() -> None:
    assert read(STORED) == MADE
    assert read({**STORED, "another": [1, None]}) == MADE


@pytest.mark.parametrize("changed", [{}, {"sentences": []}, {"sentences": None}])
def test_key_lists_may_be_absent_empty_or_null(changed: dict[str, Any]) -> None:
    others = {name: value for name, value in STORED.items() if name != "sentences"}
    found = read(others | changed)
    assert found is not None
    assert found.keys == {name: own for name, own in MADE.keys.items() if name != "sentences"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"simhash": True},
        {"simhash": 1.0},
        {"simhash": 1 << 63},
        {"simhash": -(1 << 63) - 1},
        {"length": "5"},
        {"length": None},
        {"text_hash": 5},
        {"sentences": "abc"},
        {"sentences": ["a", 1]},
        {"sentences": [["a"]]},
        {"\ud800": 2},  # a name that is no text: no JSON of a server has one
    ],
)
def test_what_is_malformed_is_no_fingerprint(wrong: dict[str, Any]) -> None:
    assert read({**STORED, **wrong}) is None


def test_a_field_of_a_scheme_may_have_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("values", "fingerprint", "a-b"):
        field = new_field(name)
        monkeypatch.setitem(SCHEME_FIELDS, name, field)
        found = read({**STORED, name: ["x"]})
        assert found is not None
        assert found.keys == {**MADE.keys, field: ("x",)}


def test_what_is_no_object_or_lacks_a_value_is_none() -> None:
    nothing: list[object] = [None, [], "a", {}]
    assert [read(value) for value in nothing] == [None] * 4
    for name in ("text_hash", "simhash", "length"):
        assert read({k: v for k, v in STORED.items() if k != name}) is None
    for edge in (-(1 << 63), (1 << 63) - 1):
        found = read({**STORED, "simhash": edge})
        assert found is not None and found.simhash == edge % (1 << 64)


@pytest.mark.parametrize("source", [b"", b"{", b"[]", b"null", b'{"text": "a"}', NO_UTF8])
def test_documents_without_an_object_have_none(source: bytes) -> None:
    assert objects_in([source, source]) == [None, None]
