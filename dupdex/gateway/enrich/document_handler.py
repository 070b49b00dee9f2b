"""`_doc`, `_create`, `_update` and the deletion of one document."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final
from urllib.parse import quote

import orjson
from starlette.types import Receive, Scope, Send

from dupdex.gateway.api_paths import Api, call_of
from dupdex.gateway.enrich.bulk_lines import Operation
from dupdex.gateway.enrich.bulk_sending import CHANGED
from dupdex.gateway.enrich.inflating import encoding_of, inflated, pieces
from dupdex.gateway.enrich.planned import Asked, Planned, Refusal
from dupdex.gateway.enrich.settling import TIMES
from dupdex.gateway.enrich.write_requests import (
    LARGEST,
    Parameters,
    Writing,
    asked_of,
    count,
    headers_for,
    is_json,
    parameters_of,
    target_with,
    with_header,
)
from dupdex.gateway.headers import Headers, to_client, to_cluster, without
from dupdex.gateway.passing import Disconnected, forward, incoming
from dupdex.gateway.replies import media_type, send, send_error
from dupdex.gateway.upstream import Body, BrokenOff, TooSlow, Unreachable

_ACTIONS: Final = {
    Api.INDEX: "index",
    Api.CREATE: "create",
    Api.UPDATE: "update",
    Api.DELETE: "delete",
}
_UNREADABLE: Final = (
    "the document gets a fingerprint of its text, and the gateway reads JSON only, plain or "
    "compressed with gzip or deflate; send it so"
)
_TOO_LARGE: Final = "the body is larger than 100 MB, which no server takes"


class TooLarge(Exception):
    """A body is larger than the server takes."""


class DocumentWrites:
    """The handler of writes of single documents."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing

    async def __call__(self, scope: Scope, receive: Receive, reply: Send) -> None:
        name = call_of(scope).index or ""
        parameters = parameters_of(scope)
        request = asked_of(scope, name, parameters)
        request.check(name)
        ours = await self._writing.services.blocking(self._writing.targets.ours, name)
        if ours is None:
            await self._writing.pass_on(scope, receive, reply)
            return
        if not is_json(scope["headers"]) and call_of(scope).api is not Api.DELETE:
            await _refuse(scope, reply, Refusal(415, "dupdex_refused", _UNREADABLE))
            return
        with suppress(Disconnected):
            try:
                body = await whole(scope["headers"], await incoming(scope["headers"], receive))
            except TooLarge:
                await _refuse(scope, reply, Refusal(413, "dupdex_refused", _TOO_LARGE))
            else:
                await _Document(self._writing, scope, reply, request, parameters).answer(body)


class _Document:
    """One request."""

    def __init__(
        self, writing: Writing, scope: Scope, reply: Send, asked: Asked, parameters: Parameters
    ) -> None:
        self._writing, self._scope, self._reply, self._asked = writing, scope, reply, asked
        self._named = dict(parameters)

    async def answer(self, body: bytes | None) -> None:
        operation = self._operation(body or b"")
        for _ in range(TIMES):
            (planned,) = await self._plan([operation])
            bare = count([planned])
            reply = with_header(self._reply, bare)
            if planned.refusal is not None:
                await _refuse(self._scope, reply, planned.refusal)
                return
            if await self._sent(planned, body, reply):
                return
        await _refuse(
            self._scope,
            self._reply,
            Refusal(409, "version_conflict_engine_exception", "the document changes all the while"),
        )

    async def _plan(self, operations: Sequence[Operation]) -> list[Planned]:
        return await self._writing.services.blocking(
            self._writing.enriching.plan, operations, self._asked
        )

    def _operation(self, body: bytes) -> Operation:
        call = call_of(self._scope)
        action = _ACTIONS[call.api]
        if self._named.get("op_type") == "create":
            action = "create"
        known = ("if_seq_no", "if_primary_term", "pipeline", "routing")
        named = {name: self._named[name] for name in known if name in self._named}
        if call.id is not None:
            named["_id"] = call.id
        return Operation(action, {"_index": call.index, **named}, b"\n", body)

    async def _sent(self, planned: Planned, body: bytes | None, reply: Send) -> bool:
        """Send it, and the answer back; False for a conflict that is not the client's."""
        due = await self._writing.services.blocking(self._writing.settling.is_due, planned)
        headers = to_cluster(self._scope["headers"])
        if planned.source is not None or encoding_of(self._scope["headers"]):
            body = planned.source if planned.source is not None else body
            headers = headers_for(self._scope["headers"], reads=False)
        if not due and not planned.conditional and not planned.values:
            await forward(self._writing.upstream, self._scope, reply, headers, body)
            return True
        method, target = self._target(planned)
        headers = without(headers, b"accept-encoding")
        try:
            answer = await self._writing.upstream.send(method, target, headers, body)
            async with answer:
                content = await answer.read()
        except (Unreachable, BrokenOff) as error:
            reason = f"the cluster cannot be reached ({error}); try again"
            await _refuse(self._scope, reply, Refusal(503, "cluster_unreachable", reason))
            return True
        except TooSlow:
            reason = "the cluster did not answer in time; what it did is not known, try again"
            await _refuse(self._scope, reply, Refusal(504, "cluster_timeout", reason))
            return True
        if answer.status in CHANGED and planned.conditional:
            return False
        if due and answer.status in (200, 201, 404):
            unsettled = await self._settled(planned, answer.status, content)
            if unsettled is not None:
                await _refuse(self._scope, reply, unsettled)
                return True
        told = without(to_client(answer.headers), b"content-length")
        await send(reply, answer.status, told, content)
        return True

    def _target(self, planned: Planned) -> tuple[str, str]:
        """Method and target with what the plan says otherwise than the client."""
        method: str = self._scope["method"]
        values = dict(planned.values)
        name = values.pop("_id", None)
        gone = [name for name, value in values.items() if value is None]
        more = {name: str(value) for name, value in values.items() if value is not None}
        path = None
        if name is not None:  # an id of ours: the server makes none, and takes no document for it
            path = f"/{quote(self._asked.index or '', safe='')}/_doc/{name}"
            more["op_type"] = "create"
        return method, target_with(self._scope, path, gone, **more)

    async def _settled(self, planned: Planned, status: int, content: bytes) -> Refusal | None:
        """Groups and pairs. What the answer does not say, as the client wants to see a part of it
        only, is what it would mostly say."""
        try:
            told: Any = orjson.loads(content)
        except orjson.JSONDecodeError:
            told = {}
        told = told if isinstance(told, dict) else {}
        if told.get("error"):
            return None
        index = await self._writing.services.blocking(
            self._writing.targets.write_index, self._asked.index or ""
        )
        item: dict[str, Any] = {
            "_index": told.get("_index", index),
            "_id": told.get("_id", planned.operation.text_of("_id") or planned.values.get("_id")),
            "result": told.get("result", "created" if status == 201 else "updated"),
        }
        items = [{planned.operation.action: item}]
        await self._writing.services.blocking(
            self._writing.settling.settle, [planned], items, self._asked
        )
        error = item.get("error")
        if error is None:
            return None
        return Refusal(int(item["status"]), str(error["type"]), str(error["reason"]))


async def whole(headers: Headers, body: Body) -> bytes | None:
    """A body in one piece, decompressed. Raises TooLarge, and InputRefused for a body that is not
    compressed as it says."""
    if body is None:
        return None
    held, size = [], 0
    async for piece in inflated(pieces(body), encoding_of(headers)):
        size += len(piece)
        if size > LARGEST:
            raise TooLarge
        held.append(piece)
    return b"".join(held)


async def _refuse(scope: Scope, reply: Send, refusal: Refusal) -> None:
    media = media_type(scope["headers"])
    await send_error(reply, refusal.status, refusal.kind, refusal.reason, media)
