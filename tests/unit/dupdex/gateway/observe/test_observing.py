"""What a gateway tells of requests: enough to find one, and nothing that is in it."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

from dupdex.gateway.observe import log_lines
from dupdex.gateway.observe.log_lines import EcsFormatter, RequestLog, TextFormatter
from dupdex.gateway.observe.metrics import count_lookup, count_written, exposition, names
from dupdex.gateway.observe.observing import observed
from dupdex.gateway.observe.request_ids import ids_of
from dupdex.gateway.observe.route_names import route_of
from query.answers import Answer, Completeness

TRACE = b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


lines: list[bytes] = []
"""What was logged of requests."""


def scope_of(path: str, **headers: str) -> Scope:
    return {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"text=secret",
        "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()],
        "client": ("127.0.0.1", 1),
    }


def answered(app: Any, scope: Scope, form: str = "json") -> list[Message]:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    async def one() -> None:
        await observed(app, RequestLog(form, lines.append))(scope, receive, send)

    asyncio.run(one())
    return sent


@pytest.fixture(autouse=True)
def forgotten() -> None:
    lines.clear()


async def fine(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hi"})


async def failing(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise ValueError("the text of a document")


async def breaking(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await failing(scope, receive, send)


def test_a_request_is_one_line() -> None:
    answered(fine, scope_of("/a/_search", x_request_id="r1"))
    (written,) = lines
    assert written.endswith(b"}\n")
    line = json.loads(written)
    assert line["http.request.id"] == "r1"
    assert (line["http.response.status_code"], line["http.response.body.bytes"]) == (200, 2)
    assert line["log.level"] == "info"
    assert "secret" not in json.dumps(line)
    assert "trace.id" not in line


def test_a_request_for_people_is_one_line() -> None:
    answered(fine, scope_of("/a\n\x1b[2J/_search"), "text")
    (written,) = lines
    assert b"GET /{index}/_search 200" in written
    assert (written.count(b"\n"), written.count(b"\x1b")) == (1, 0)


def test_a_fault_is_told_without_what_it_was_about(caplog: pytest.LogCaptureFixture) -> None:
    start, body = answered(failing, scope_of("/a"))
    assert start["status"] == 500
    assert "text of a document" not in body["body"].decode()
    for form in (EcsFormatter(), TextFormatter()):
        told = "\n".join(form.format(record) for record in caplog.records)
        assert "ValueError" in told
        assert "test_observing.py" in told
        assert "text of a document" not in told
    with pytest.raises(ValueError):  # the connection has to end: no answer is made to look whole
        answered(breaking, scope_of("/a"))


def test_ids_come_back_where_a_client_sent_them() -> None:
    assert answered(fine, scope_of("/a"))[0]["headers"] == []
    sent = answered(fine, scope_of("/a", x_request_id="r", x_opaque_id="o"))[0]["headers"]
    assert sent == [(b"x-request-id", b"r"), (b"x-opaque-id", b"o")]
    (own,) = answered(fine, scope_of("/_dupdex/v1/info"))[0]["headers"]
    assert own[0] == b"x-request-id"
    assert len(own[1]) == 32


def test_the_order_of_ids() -> None:
    headers = [(b"traceparent", TRACE), (b"x-opaque-id", b"o"), (b"x-request-id", b"r")]
    assert ids_of(headers).id == "r"
    assert ids_of(headers[:2]).id == "o"
    assert ids_of(headers[:1]).id == ids_of(headers[:1]).trace == TRACE[3:35].decode()


@given(st.binary(max_size=200))
def test_an_id_is_printable_or_not_taken(value: bytes) -> None:
    ids = ids_of([(b"x-request-id", value), (b"x-opaque-id", value), (b"traceparent", value)])
    assert ids.id.isascii()
    assert ids.id.isprintable()
    assert len(ids.id) <= 128


@given(st.text(max_size=40))
def test_routes_are_few(path: str) -> None:
    route = route_of(f"/{path}")
    assert route in ("/", "other", "/{index}", "/_dupdex") or route.startswith(
        ("/_", "/{index}/_", "/healthz", "/readyz", "/metrics", "/version")
    )


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/", "/"),
        ("/news", "/{index}"),
        ("/news/_doc/secret", "/{index}/_doc"),
        ("/_search", "/_search"),
        ("/_made_up", "other"),
        ("/news/_made_up", "other"),
        ("/_dupdex/v1/documents/secret", "/_dupdex/v1/documents"),
        ("/healthz", "/healthz"),
    ],
)
def test_a_route_has_no_names(path: str, route: str) -> None:
    assert route_of(path) == route


def figures() -> dict[str, float]:
    """What is told, by name: of the whole process, so other tests may have counted before."""
    lines = exposition()[0].decode().splitlines()
    parts = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in parts}


def test_other_parts_count() -> None:
    nothing = Completeness(7, 0, 0, 0, False, 0, False, 0, 0, 0, "")
    before = figures()
    count_lookup(Answer((), nothing, compared_seconds=0.5))
    count_written(3, 2)
    after = figures()
    for name, more in {
        'dupdex_bulk_documents_total{enriched="yes"}': 3,
        "dupdex_lookup_candidates_sum": 7,
        "dupdex_verification_seconds_sum": 0.5,
    }.items():
        assert after[name] == pytest.approx(before.get(name, 0) + more)
    assert all(name.startswith("dupdex_") for name in names())


def test_lines_that_are_held_go_out_together_and_whole() -> None:
    async def some(count: int) -> list[list[str]]:
        written: list[bytes] = []
        log = RequestLog("json", written.append, held=16)
        for number in range(count):
            log.tell(f"number {number}", {"url.path": "/" + "p" * 500})
        await asyncio.sleep(3 * log_lines.HELD_SECONDS)
        assert all(len(piece) <= 4_096 and piece.endswith(b"\n") for piece in written)
        return [[json.loads(each)["message"] for each in piece.splitlines()] for piece in written]

    for count in (1, 16, 40):
        pieces = asyncio.run(some(count))
        assert [each for piece in pieces for each in piece] == [
            f"number {number}" for number in range(count)
        ]
        assert len(pieces) <= 1 + count // 3


def test_a_line_for_people_is_one_line() -> None:
    record = logging.makeLogRecord({"msg": "a\nb\x1b[2J", "levelname": "INFO"})
    assert TextFormatter().format(record).count("\n") == 0
    assert "\x1b" not in TextFormatter().format(record)


def test_asyncio_tells_no_error_of_a_task() -> None:
    said = "Task exception was never retrieved\nfuture: <Task exception=ValueError('a text')>"
    record = logging.LogRecord("asyncio", logging.ERROR, "", 0, said, None, None)
    for form in (EcsFormatter(), TextFormatter()):
        assert "a text" not in form.format(record)
