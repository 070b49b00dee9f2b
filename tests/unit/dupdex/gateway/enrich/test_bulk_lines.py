"""Bulk bodies are cut where the server cuts them, whatever pieces they come in."""

from __future__ import annotations

import time

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.gateway.enrich.bulk_lines import LineSplitter, Malformed, Operation
from tests.texts import LAW

_VALUES = st.dictionaries(
    st.text(max_size=5), st.integers(-99, 99) | st.text(max_size=20), max_size=3
)
_NAMED = st.fixed_dictionaries({}, optional={"_id": st.text(min_size=1, max_size=5)})
_SPACE = st.sampled_from([b"", b" ", b"\r"])


@st.composite
def bodies(draw: st.DrawFn) -> tuple[bytes, list[tuple[str, object, object]]]:
    """A body, and what is in it."""
    body = b""
    expected: list[tuple[str, object, object]] = []
    for _ in range(draw(st.integers(0, 6))):
        action = draw(st.sampled_from(["index", "create", "update", "delete"]))
        named, value, space = draw(_NAMED), draw(_VALUES), draw(_SPACE)
        body += draw(st.sampled_from([b"", b"\n", b" \n"])) + orjson.dumps({action: named})
        body += space + b"\n"
        if action == "delete":
            expected.append((action, named, None))
            continue
        body += orjson.dumps(value) + space + b"\n"
        expected.append((action, named, value))
    return body, expected


def split(body: bytes, size: int) -> list[Operation]:
    splitter = LineSplitter()
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return [operation for piece in pieces for operation in splitter.feed(piece)]


@LAW
@given(bodies(), st.integers(1, 50))
def test_pieces_make_no_difference(
    body: tuple[bytes, list[tuple[str, object, object]]], size: int
) -> None:
    made = split(body[0], size)
    read = [
        (each.action, each.named, orjson.loads(each.source) if each.source else None)
        for each in made
    ]
    assert read == body[1]
    kept = [line for line in body[0].split(b"\n") if line.strip()]
    assert [line for each in made for line in each.raw.split(b"\n") if line.strip()] == kept


def test_what_comes_after_the_last_line() -> None:
    splitter = LineSplitter()
    assert list(splitter.feed(b'{"index":{}}\n{"a"')) == []
    assert splitter.rest == b'{"a"'
    (operation,) = splitter.feed(b":1}\n")
    assert (operation.source, splitter.rest) == (b'{"a":1}\n', b"")


@pytest.mark.parametrize(
    "line", [b"{}", b"[]", b"{bad", b'{"none":{}}', b'{"index":null}', b"1", b"\xff"]
)
def test_a_line_that_is_no_action(line: bytes) -> None:
    splitter = LineSplitter()
    body = b'{"delete":{"_id":"1"}}\n\n' + line + b"\n"
    with pytest.raises(Malformed) as found:
        list(splitter.feed(body))
    assert (found.value.line, found.value.number) == (line + b"\n", 3)


def test_what_follows_an_action_is_not_looked_at() -> None:
    (operation,) = split(b'{"index":{"_id":"1"}} {"delete":{}}\n{}\n', 7)
    assert (operation.action, operation.named) == ("index", {"_id": "1"})


def test_values_as_the_server_reads_them() -> None:
    operation = Operation("index", {"_id": 7, "routing": True, "x": {}, "pipeline": "p"}, b"")
    read = [operation.text_of(name) for name in ("_id", "routing", "x", "pipeline", "none")]
    assert read == ["7", "true", None, "p", None]
    line = operation.line_with(("x", "routing"), _id="n")
    assert orjson.loads(line) == {"index": {"_id": "n", "pipeline": "p"}}


def test_millions_of_empty_lines_cost_no_step_each() -> None:
    began, splitter = time.monotonic(), LineSplitter()
    for _ in range(20):
        assert not list(splitter.feed(b"\n" * (1 << 20)))
    (operation,) = splitter.feed(b" \r\n\n" + b'{"delete":{}}\n')
    assert (operation.line, splitter.number) == (b'{"delete":{}}\n', 20 * (1 << 20) + 3)
    assert time.monotonic() - began < 5
