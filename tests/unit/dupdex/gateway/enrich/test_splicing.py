"""Objects get a member, and no byte of the client's changes."""

from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.gateway.enrich.splicing import (
    NoObject,
    is_taken_by_servers,
    read_object,
    with_inner,
    with_object,
    without_members,
)
from mappings.contract import OBJECT_FIELD
from tests.texts import LAW

_LEAVES = st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=8)
_VALUES = st.recursive(
    _LEAVES, lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=4), x, max_size=3)
)
_OBJECTS = st.dictionaries(st.text(max_size=6), _VALUES, max_size=4).filter(
    lambda value: not any(name.startswith(OBJECT_FIELD) for name in value)
)
_INDENTS = st.sampled_from([None, 0, 2])
OURS = b'{"plan":"p"}'


def written(value: object, indent: int | None, plain: bool, space: str) -> bytes:
    return (json.dumps(value, indent=indent, ensure_ascii=plain) + space).encode()


@LAW
@given(_OBJECTS, _INDENTS, st.booleans(), st.sampled_from(["", "\n", " \r\n"]))
def test_the_bytes_of_the_client_stay(
    body: dict[str, object], indent: int | None, plain: bool, space: str
) -> None:
    source = written(body, indent, plain, space)
    made = with_object(source, body, OURS)
    assert orjson.loads(made) == {**body, OBJECT_FIELD: {"plan": "p"}}
    inserted = b'"dupdex":' + OURS
    assert made.replace(b"," + inserted if body else inserted, b"", 1) == source
    assert with_object(source, body, None) is source


@LAW
@given(_OBJECTS, _OBJECTS, _INDENTS, st.booleans(), st.integers(0, 4))
def test_an_object_of_the_client_is_replaced(
    body: dict[str, object], fake: dict[str, object], indent: int | None, plain: bool, at: int
) -> None:
    members = [*body.items()]
    members.insert(at, (OBJECT_FIELD, fake))
    members.insert(at, (f"{OBJECT_FIELD}.plan", "fake"))
    source = written(dict(members), indent, plain, "\n")
    escaped = source.replace(b'"dupdex"', b'"d\\u0075pdex"')
    for each in (source, escaped):
        made = with_object(each, read_object(each), OURS)
        assert orjson.loads(made) == {**body, OBJECT_FIELD: {"plan": "p"}}
        assert orjson.loads(with_object(each, read_object(each), None)) == body


@LAW
@given(_OBJECTS, _OBJECTS, _INDENTS)
def test_an_inner_object(body: dict[str, object], doc: dict[str, object], indent: int) -> None:
    value = {**body, "doc": doc, "more": [{"doc": 1}]}
    source = written(value, indent, plain=False, space="")
    made = with_inner(source, "doc", lambda inner: with_object(inner, doc, OURS))
    assert orjson.loads(made) == {**value, "doc": {**doc, OBJECT_FIELD: {"plan": "p"}}}


def test_members_go_with_their_commas() -> None:
    source = b'{ "a" : 1 , "b":{"a":[2,3]} ,"a":"}," }'
    assert without_members(source, {"a"}.__contains__) == b'{ "b":{"a":[2,3]} }'
    assert without_members(source, {"b"}.__contains__) == b'{ "a" : 1 ,"a":"}," }'
    assert without_members(source, {"a", "b"}.__contains__) == b"{}"
    assert without_members(source, {"c"}.__contains__) is source


@pytest.mark.parametrize("source", [b"", b"[]", b"1", b'{"a":', b'{"a":NaN}', b"{/**/}"])
def test_what_is_no_object(source: bytes) -> None:
    with pytest.raises(NoObject):
        read_object(source)


@pytest.mark.parametrize(
    ("source", "taken"),
    [
        (b'{"a":NaN}', True),
        (b'{"a":"\\ud800"}', True),
        (b'{/* */"a":1}', True),
        (b'{"a":1}//', True),
        ('{"a":1}'.encode("utf-16"), True),
        (b'{"a":1} x', True),
        (b'{"a":1}{"b":2}', True),
        (b'{"a":"\xc1\x81"}', True),
        (b'{"a":"\xed\xa0\x80"}', True),
        (b'{"a":', False),
        (b"[1]", False),
    ],
)
def test_what_servers_take_all_the_same(source: bytes, taken: bool) -> None:
    assert is_taken_by_servers(source) is taken
