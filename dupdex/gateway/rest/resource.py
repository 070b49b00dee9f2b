"""One path of the REST interface: finds the operation, checks the request, and answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from dupdex.gateway.callers import caller_of
from dupdex.gateway.rest.operations import KEY, Asked, Operation, Operations, Reply
from dupdex.gateway.rest.problems import Refused
from dupdex.gateway.rest.request_reading import body_of, check_media, query_of, whole_body
from dupdex.gateway.rest.request_store import Once
from dupdex.gateway.services import Services
from indexer.model import is_text


class Resource:
    """An ASGI application for one path; errors are told by whoever holds it."""

    def __init__(self, services: Services, operations: Operations) -> None:
        self._services = services
        self._operations: dict[str, Operation] = {each.method: each for each in operations}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        operation = self._operations.get(_method(scope["method"]))
        if operation is None:
            allowed = ", ".join(sorted(self._operations))
            said = f"{scope['method']} is not taken here, only {allowed}"
            raise Refused(405, "method_not_allowed", said, headers={"allow": allowed})
        request = Request(scope, receive)
        asked = await self._asked(operation, request)
        if operation.stream is not None:
            response = await operation.stream(asked, request)
        else:
            response = response_of(await self._answer(operation, asked, request))
        await response(scope, receive, send)

    async def _asked(self, operation: Operation, request: Request) -> Asked:
        """The request, checked: its caller, its parameters, its body."""
        scope, services = request.scope, self._services
        path = {name: _part(name, part) for name, part in request.path_params.items()}
        query = query_of(scope["query_string"], operation.query)
        target = getattr(query, "target", None) or services.location.index
        caller = caller_of(scope)
        operation.check(caller, target)
        raw, body = b"", None
        if operation.body is not None and operation.stream is None:
            raw = await whole_body(request)
            if raw or not operation.body_optional:
                check_media(request.headers.get("content-type"), operation.media)
                body = body_of(raw, operation.body)
        accept = request.headers.get("accept", "")
        return Asked(services, caller, target, path, query, body, raw, accept)

    async def _answer(self, operation: Operation, asked: Asked, request: Request) -> Reply:
        answer = operation.answer
        assert answer is not None
        key = request.headers.get("idempotency-key")
        if operation.awaited is not None and key is None:
            return await operation.awaited(asked)
        if key is None or not operation.keeps_key:
            return await self._services.blocking(answer, asked)
        if not re.fullmatch(KEY, key):
            said = "an Idempotency-Key has 1 to 250 visible characters of ASCII"
            raise Refused(400, "invalid_request", said)
        once = Once(asked, operation.name, key, request.url.query)
        return await self._services.blocking(once.answer, answer)


def response_of(reply: Reply) -> Response:
    """The HTTP answer of a reply."""
    content = orjson.dumps(reply.value) if reply.content is None else reply.content
    return Response(content, reply.status, _headers(reply.headers), media_type=reply.media)


def _headers(headers: Mapping[str, str]) -> dict[str, str]:
    return {"cache-control": "no-store", "x-content-type-options": "nosniff", **headers}


def _method(method: str) -> str:
    return "GET" if method == "HEAD" else method


def _part(name: str, part: str) -> str:
    """A part of the path, decoded. Raises Refused for what is no text."""
    try:
        value = unquote(part, errors="strict")
    except UnicodeDecodeError:
        value = "\ud800"
    if not is_text(value):
        raise Refused(400, "invalid_request", f"the {name} in the path is not UTF-8")
    return value
