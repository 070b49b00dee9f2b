"""Ids of scrolls and points in time go to whom they were made for, with what they were made for."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message

from dupdex.gateway.callers import Caller, NotAllowed, Right
from dupdex.gateway.guard.es_access import Allowed, body_for, demand_of
from dupdex.gateway.guard.handles import Sealing, opened, sealed

CLAUSE = {"term": {"tenant": "a"}}
READ = frozenset({Right.READ})
ONE = Caller("one", READ, ("news-*",), {"news-*": [CLAUSE]}, seal="a")
OTHER = Caller("other", READ, ("news-*",), seal="b")
NAMES = st.lists(st.text("abc-*", min_size=1, max_size=5), min_size=1, max_size=3).map(tuple)
HANDLES = st.text("abcXYZ019+/=_-", min_size=1, max_size=40)


@given(NAMES, HANDLES)
def test_an_id_comes_back_with_its_names(names: tuple[str, ...], handle: str) -> None:
    given_out = sealed(ONE, names, handle)
    assert opened(ONE, given_out) == (names, handle)
    with pytest.raises(NotAllowed):
        opened(OTHER, given_out)


@given(NAMES, HANDLES, st.integers(0, 200), st.sampled_from("abX.="))
def test_a_changed_id_is_refused(names: tuple[str, ...], handle: str, at: int, letter: str) -> None:
    given_out = sealed(ONE, names, handle)
    at %= len(given_out)
    changed = given_out[:at] + letter + given_out[at + 1 :]
    if changed != given_out:
        with pytest.raises(NotAllowed):
            opened(ONE, changed)


@pytest.mark.parametrize("value", [None, 3, "", "abc", "dupdex.a.b.c", "dupdex..é.c", ["a"]])
def test_what_was_never_given_out_is_refused(value: object) -> None:
    with pytest.raises(NotAllowed):
        opened(ONE, value)


def asked(request: str, body: object) -> Allowed:
    method, _, target = request.partition(" ")
    path, _, query = target.partition("?")
    return body_for(
        demand_of(ONE, method, path.encode(), query.encode()), json.dumps(body).encode()
    )


def test_a_point_in_time_is_searched_with_the_filters_of_its_names() -> None:
    assert asked("POST /news-1/_pit?keep_alive=1m", {}).seals == ("news-1",)
    allowed = asked("POST /_search", {"pit": {"id": sealed(ONE, ("news-1",), "xyz")}})
    search = json.loads(allowed.body)
    assert search["pit"] == {"id": "xyz"}
    assert search["query"]["bool"]["filter"] == [CLAUSE]
    assert allowed.seals == ("news-1",)
    ended = asked("DELETE /_pit", {"id": sealed(ONE, ("news-1",), "xyz")})
    assert json.loads(ended.body) == {"id": "xyz"}


def test_scrolls_go_on_and_end() -> None:
    assert asked("POST /news-1,news-2/_search?scroll=1m", {}).seals == ("news-1", "news-2")
    assert asked("POST /news-1/_search", {}).seals is None
    given_out = sealed(ONE, ("news-1",), "xyz")
    page = asked("POST /_search/scroll", {"scroll_id": given_out, "scroll": "1m"})
    assert json.loads(page.body) == {"scroll_id": "xyz", "scroll": "1m"}
    assert page.seals == ("news-1",)
    ended = asked("DELETE /_search/scroll", {"scroll_id": [given_out]})
    assert json.loads(ended.body) == {"scroll_id": ["xyz"]}


def through(content: bytes, cuts: list[int], status: int = 200) -> tuple[Message, bytes]:
    """The answer that a client gets of one that comes in pieces."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def answer() -> None:
        sealing = Sealing(send, ONE, ("news-1",))
        length = (b"content-length", str(len(content)).encode())
        await sealing({"type": "http.response.start", "status": status, "headers": [length]})
        places = sorted({0, len(content), *(cut % (len(content) + 1) for cut in cuts)})
        for begin, end in pairwise(places):
            more = end < len(content)
            body = content[begin:end]
            await sealing({"type": "http.response.body", "body": body, "more_body": more})

    asyncio.run(answer())
    start, *pieces = sent
    return start, b"".join(piece["body"] for piece in pieces)


@given(st.lists(st.integers(0, 100), max_size=5), st.sampled_from(["_scroll_id", "pit_id", "id"]))
def test_the_id_of_an_answer_is_sealed_however_it_is_cut(cuts: list[int], field: str) -> None:
    value: dict[str, Any] = {field: "abc==", "took": 3, "hits": {"pit_id": "abc=="}}
    start, content = through(json.dumps(value).encode(), cuts)
    read = json.loads(content)
    assert opened(ONE, read.pop(field)) == (("news-1",), "abc==")
    assert read == {"took": 3, "hits": {"pit_id": "abc=="}}
    assert dict(start["headers"])[b"content-length"] == str(len(content)).encode()


def test_answers_without_an_id_stay_as_they_are() -> None:
    for content, status in ((b'{"took":1}', 200), (b'{"id":"abc"}', 404), (b"x" * 9, 200)):
        start, told = through(content, [4], status)
        assert (told, start["status"]) == (content, status)
