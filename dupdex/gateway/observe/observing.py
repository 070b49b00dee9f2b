"""Every request is counted, timed and logged once, when its answer has ended."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import Any

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dupdex.gateway.callers import ANYBODY, caller_of
from dupdex.gateway.headers import value_of
from dupdex.gateway.observe import metrics
from dupdex.gateway.observe.log_lines import RequestLog
from dupdex.gateway.observe.request_ids import RequestIds, ids_of
from dupdex.gateway.observe.route_names import route_of
from dupdex.gateway.replies import PRODUCT, elastic_error
from dupdex.wire.escapes import shortened

_log = logging.getLogger("dupdex.gateway")

_IDS = "dupdex.ids"
_LONGEST_PATH = 200
_LOST = 499
"""What is counted for a client that went before its answer began."""


def observed(app: ASGIApp, log: RequestLog) -> ASGIApp:
    """The application, watched."""
    return _Observer(app, log)


def request_id(scope: Scope) -> str:
    """What the log calls this request."""
    ids: RequestIds = scope[_IDS]
    return ids.id


class _Observer:
    def __init__(self, app: ASGIApp, log: RequestLog) -> None:
        self._app, self._log = app, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            try:
                await self._app(scope, receive, send)
            finally:
                self._log.flush()
            return
        ids = scope[_IDS] = ids_of(scope["headers"])
        answer = _Answer(send, ids, scope["path"])
        began = perf_counter()
        metrics.begin_request()
        try:
            await self._app(scope, receive, answer)
        except Exception:
            _log.exception("a request failed", extra={"http.request.id": ids.id})
            if answer.status:
                raise  # the server ends the connection: the answer is not whole
            await answer.fail()
        finally:
            metrics.end_request()
            self._tell(scope, ids, answer, perf_counter() - began)

    def _tell(self, scope: Scope, ids: RequestIds, answer: _Answer, seconds: float) -> None:
        """Neither query strings nor bodies: both may hold texts."""
        status = answer.status or _LOST
        method, route = scope["method"], route_of(scope["path"])
        metrics.count_request(route, method, status, seconds)
        if self._log.write is None:
            return
        caller, client = caller_of(scope), scope.get("client")
        self._log.tell(
            f"{method} {route} {status}",
            {
                "event.duration": int(seconds * 1e9),
                "event.outcome": "failure" if status >= 500 else "success",
                "http.request.method": method,
                "http.request.id": ids.id,
                "http.response.status_code": status,
                "http.response.body.bytes": answer.bytes,
                "url.path": shortened(scope["path"], _LONGEST_PATH),
                "trace.id": ids.trace,
                "span.id": ids.span,
                "client.ip": client[0] if client else None,
                "user.name": None if caller is ANYBODY else caller.name,
            },
        )


class _Answer:
    """`send` of a request: remembers what was answered, and adds the ids that clients look for."""

    def __init__(self, send: Send, ids: RequestIds, path: str) -> None:
        self._send, self._ids, self._path = send, ids, path
        self.status = 0
        self.bytes = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            if added := self._added(message.get("headers", [])):
                message = {**message, "headers": [*message.get("headers", []), *added]}
        else:
            self.bytes += len(message.get("body", b""))
        await self._send(message)

    def _added(self, headers: Any) -> list[tuple[bytes, bytes]]:
        """Answers of the cluster stay as they are, unless the client sent an id of its own."""
        ids, added = self._ids, []
        if ids.asked or self._path.startswith("/_dupdex"):
            added.append((b"x-request-id", ids.id.encode()))
        if ids.opaque is not None and value_of(headers, b"x-opaque-id") is None:
            added.append((b"x-opaque-id", ids.opaque.encode()))
        return added

    async def fail(self) -> None:
        """Tell the client that this is our fault, and nothing of what it was about."""
        headers = [(b"content-type", b"application/json"), PRODUCT]
        await self({"type": "http.response.start", "status": 500, "headers": headers})
        reason = "dupdex failed at this request; its log names the place"
        content = orjson.dumps(elastic_error(500, "internal_error", reason))
        await self({"type": "http.response.body", "body": content})
