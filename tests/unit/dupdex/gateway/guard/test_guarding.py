"""The guard before an application: what goes through to it, and what is answered instead."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dupdex.gateway.callers import Caller, Right, caller_of
from dupdex.gateway.guard.api_keys import new_key
from dupdex.gateway.guard.guarding import guarded
from dupdex.gateway.guard.key_file import write_keys
from dupdex.gateway.guard.limits import Limits
from dupdex.gateway.passing import Disconnected
from dupdex.gateway.services import Services
from dupdex.gateway.settings import ServeSettings

LIMITS = Limits(body=100, stream=1_000, seconds=0.2, turn_seconds=0.05)
Behind = Callable[[Scope, bytes], Any]


class App:
    """Reads the whole body, as a handler does; `seen` holds what came to it."""

    def __init__(self, wait: float = 0.0) -> None:
        self.seen: list[tuple[Scope, bytes]] = []
        self._wait = wait

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Disconnected
            body += message["body"]
            more = message["more_body"]
        self.seen.append((scope, body))
        await asyncio.sleep(self._wait)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})


def asked(
    app: ASGIApp,
    path: str = "/news/_search",
    pieces: tuple[bytes, ...] = (b"{}",),
    keys: Path | None = None,
    **headers: str,
) -> tuple[int, Any, dict[bytes, bytes]]:
    """Status, value and headers of the answer."""
    left = list(pieces)
    sent: list[Message] = []

    async def receive() -> Message:
        piece = left.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(left)}

    async def send(message: Message) -> None:
        sent.append(message)

    async def one() -> None:
        settings = ServeSettings(
            "http://127.0.0.1:9", keys=str(keys) if keys else None, limits=LIMITS
        )
        scope: Scope = {
            "type": "http", "method": "POST", "path": path, "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()],
        }  # fmt: skip
        await guarded(app, Services(settings))(scope, receive, send)

    asyncio.run(one())
    start, *bodies = sent
    content = b"".join(each["body"] for each in bodies)
    return start["status"], json.loads(content) if content else None, dict(start["headers"])


def test_a_request_goes_through_as_it_is() -> None:
    app = App()
    assert asked(app, pieces=(b"{", b"}"), authorization="Basic YTpi")[0] == 200
    ((scope, body),) = app.seen
    assert body == b"{}"
    assert (b"authorization", b"Basic YTpi") in scope["headers"]
    assert caller_of(scope).may(Right.ADMIN)


def test_a_client_is_nobody_else_by_the_login_of_the_gateway() -> None:
    app = App()
    asked(app, es_security_runas_user="elastic", es_secondary_authorization="x")
    assert app.seen[0][0]["headers"] == []


@pytest.mark.parametrize("pieces", [(b"x" * 101,), (b"x" * 60,) * 2])
def test_large_bodies(pieces: tuple[bytes, ...]) -> None:
    app = App()
    status, value, headers = asked(app, pieces=pieces)
    assert (status, value) == (413, None)
    assert headers[b"connection"] == b"close"
    assert app.seen == []
    assert asked(App(), content_length="101")[0] == 413
    assert asked(App(), "/_bulk", pieces)[0] == 200
    assert asked(App(), "/_bulk", pieces * 10)[0] == 413
    assert asked(App(), "/_dupdex/v1/documents", pieces)[0] == 200
    assert asked(App(), "/_dupdex/v1/check", pieces)[1]["code"] == "too_large"


def test_slow_answers() -> None:
    status, _value, headers = asked(App(wait=0.5))
    assert (status, headers[b"x-elastic-product"]) == (504, b"Elasticsearch")
    assert asked(App(wait=0.3), "/_bulk")[0] == 200


def test_broken_lengths() -> None:
    assert asked(App(), content_length="many")[0] == 400


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, str, str]:
    """A file with a key for news alone and one of an admin, and both keys."""
    path, now = tmp_path / "keys.json", datetime.now(UTC)
    one = new_key(Caller("one", frozenset({Right.WRITE}), ("news",)), now)
    admin = new_key(Caller("admin", frozenset({Right.ADMIN})), now)
    write_keys(path, [one.key, admin.key])
    return path, f"ApiKey {one.encoded}", f"Bearer {admin.encoded}"


def test_the_caller_is_known_behind_the_guard(keys: tuple[Path, str, str]) -> None:
    path, one, admin = keys
    app = App()
    for sent in (one, admin):
        status = asked(
            app, keys=path, authorization=sent, es_security_runas_user="elastic", cookie="a=b"
        )[0]  # fmt: skip
        assert status == 200
    names = [caller_of(scope).name for scope, _ in app.seen]
    assert names == ["one", "admin"]
    left = [name for scope, _ in app.seen for name, _value in scope["headers"]]
    assert set(left) <= {b"content-length", b"content-type"}
    for own in ("/healthz", "/readyz"):
        assert asked(app, own, keys=path)[0] == 200
    for own in ("/metrics", "/version", "/_dupdex/v1/check", "/"):
        assert asked(app, own, keys=path)[0] == 401
        assert asked(app, own, keys=path, cookie="dupdex-session=a.b.c.d.e")[0] == 401


def test_whoever_signs_in_is_nobody_until_then(keys: tuple[Path, str, str]) -> None:
    path, _, admin = keys
    app = App()
    assert asked(app, "/_dupdex/v1/session", keys=path, authorization=admin)[0] == 200
    ((scope, _body),) = app.seen
    assert not any(caller_of(scope).may(right) for right in Right)


@pytest.mark.parametrize("cut", [10, 30, 45, 60])
def test_a_bulk_ends_at_the_first_foreign_name(keys: tuple[Path, str, str], cut: int) -> None:
    path, one, admin = keys
    body = b'{"index":{}}\n{"text":"a"}\n{"index":{"_index":"mail"}}\n{"text":"b"}\n'
    app = App()
    pieces = (body[:cut], body[cut:])
    status, value, _ = asked(app, "/news/_bulk", pieces, keys=path, authorization=one)
    assert (status, value["error"]["type"]) == (403, "security_exception")
    assert app.seen == []
    assert asked(app, "/news/_bulk", pieces, keys=path, authorization=admin)[0] == 200
    assert app.seen[0][1] == body


def test_bodies_that_cannot_be_read(keys: tuple[Path, str, str]) -> None:
    path, one, _ = keys
    for encoding, media in (("br", ""), ("gzip", ""), ("identity", "application/cbor")):
        kind = media or "application/json"
        status = asked(
            App(), keys=path, authorization=one, content_encoding=encoding, content_type=kind
        )[0]  # fmt: skip
        assert status == 400


def test_too_many_at_once() -> None:
    async def trial() -> list[int]:
        settings = ServeSettings("http://127.0.0.1:9", limits=Limits(requests=1, waiting=1))
        app = guarded(App(wait=0.02), Services(settings))
        statuses: list[int] = []

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        def scope() -> Scope:
            return {
                "type": "http", "method": "GET", "path": "/", "raw_path": b"/", "headers": [],
                "query_string": b"",
            }  # fmt: skip

        await asyncio.gather(*(app(scope(), receive, send) for _ in range(4)))
        return sorted(statuses)

    assert asyncio.run(trial()) == [200, 200, 429, 429]
