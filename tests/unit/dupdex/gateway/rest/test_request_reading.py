"""Query strings and bodies become what operations declare, or a problem that says what is wrong."""

from __future__ import annotations

import asyncio
import gzip
from enum import StrEnum
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from dupdex.gateway.rest.problems import Refused, problem_of
from dupdex.gateway.rest.request_reading import body_of, check_media, query_of, whole_body


class Colour(StrEnum):
    RED = "red"


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    n: int


class Form(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    name: str | None = None
    size: int = 1
    yes: bool = False
    colour: Colour | None = None
    many: list[str] | None = None
    inner: list[Inner] = []


def refused(call: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        call()
    return caught.value


def test_parameters_are_read_as_their_types() -> None:
    found = query_of(b"name=%E4%B8%AD+1&size=7&yes=true&colour=red&many=a&many=b", Form)
    assert found == Form(name="中 1", size=7, yes=True, colour=Colour.RED, many=["a", "b"])
    assert query_of(b"", Form) == Form()
    assert query_of(b"name=null", Form).name == "null"


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        (b"size=x", "size"),
        (b"size=1&size=2", "size"),
        (b"colour=null", "colour"),
        (b"colour=blue", "colour"),
        (b"other=1", "other"),
        (b"name=%FF", None),
        (b"name=\xff", None),
        (b"name", None),
        (b"&".join(b"many=1" for _ in range(101)), None),
    ],
)
def test_what_is_wrong_with_a_parameter_is_told(query: bytes, parameter: str | None) -> None:
    error = refused(lambda: query_of(query, Form))
    assert (error.answer_status, error.code, error.parameter) == (400, "invalid_request", parameter)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (b'{"size": "7"}', "/size"),
        (b'{"other": 1}', "/other"),
        (b'{"a/b~c": 1}', "/a~1b~0c"),
        (b'{"inner": [{"n": 1}, {"n": "x"}]}', "/inner/1/n"),
        (b'{"inner": [{}]}', "/inner/0/n"),
        (b"[]", ""),
    ],
)
def test_the_entry_of_a_body_is_named(body: bytes, pointer: str) -> None:
    error = refused(lambda: body_of(body, Form))
    assert (error.answer_status, error.code, error.pointer) == (422, "invalid_request", pointer)
    assert problem_of(error).pointer == pointer


@given(st.binary(max_size=60))
def test_no_bytes_are_an_error_of_ours(content: bytes) -> None:
    for read in (lambda: query_of(content, Form), lambda: body_of(content, Form)):
        try:
            read()
        except Refused as error:
            orjson.dumps(msgspec.to_builtins(problem_of(error)))


@given(st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner)))
def test_no_json_is_an_error_of_ours(value: Any) -> None:
    content = msgspec.json.encode({"inner": value}) if _small(value) else b"{}"
    try:
        body_of(content, Form)
    except Refused as error:
        assert error.pointer is None or error.pointer.startswith("/inner")


def _small(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_small, value))
    if isinstance(value, str):
        return value.isascii()
    return value is None or abs(value) < 1 << 63


def test_media_types_are_compared_without_their_parameters() -> None:
    check_media("Application/JSON; charset=utf-8", ("application/json",))
    for kind in (None, "", "text/plain", "application/jsonx"):
        assert refused(lambda kind=kind: check_media(kind, ("application/json",))).code == (
            "unsupported_media_type"
        )


def test_many_values_are_refused_unread() -> None:
    said = refused(lambda: body_of(b'{"a":[' + b"[]," * 3_000_000 + b"1]}", dict[str, Any]))
    assert (problem_of(said).status, said.code) == (413, "too_large")


def test_every_member_of_a_gzip_is_read() -> None:
    packed = gzip.compress(b"one\n") + gzip.compress(b"two\n")
    for size in (1, 7, len(packed)):
        cuts = [packed[at : at + size] for at in range(0, len(packed), size)]

        async def receive(waiting: list[bytes] = cuts) -> dict[str, Any]:
            body = waiting.pop(0)
            return {"type": "http.request", "body": body, "more_body": bool(waiting)}

        async def whole(receive: Any = receive) -> bytes:
            headers = [(b"content-encoding", b"gzip")]
            scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
            return await whole_body(Request(scope, receive))

        assert asyncio.run(whole()) == b"one\ntwo\n"
