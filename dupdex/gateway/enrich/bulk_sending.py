"""Sends the operations of one chunk, and says of each what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from starlette.types import Scope

from dupdex.gateway.enrich.bulk_lines import Operation
from dupdex.gateway.enrich.planned import Asked, Planned, Refusal
from dupdex.gateway.enrich.settling import TIMES
from dupdex.gateway.enrich.write_requests import Writing, count, headers_for, target_with
from dupdex.gateway.headers import Headers, to_client, without
from dupdex.gateway.upstream import BrokenOff, TooSlow, Unreachable

CHANGED: Final = (404, 409)
"""What a server says of a document that is no more as it was read."""


@dataclass(slots=True)
class Sent:
    """`items`: one for each operation. `status`, `headers` and `content` are those of the server's
    answer to the request; a status that is no success means that nothing of it was stored.
    """

    items: list[dict[str, Any]] = field(default_factory=list)
    status: int = 200
    headers: Headers = field(default_factory=list)
    content: bytes = b""
    answer: dict[str, Any] = field(default_factory=dict)


class BulkSending:
    """The requests that one bulk request of a client becomes."""

    def __init__(self, writing: Writing, scope: Scope, asked: Asked) -> None:
        self._writing, self._scope, self._asked = writing, scope, asked
        self._target = target_with(scope, leave_out=("filter_path", "pretty", "human", "format"))
        self._headers = headers_for(scope["headers"], reads=True)
        self.bare = 0

    async def plan(self, operations: Sequence[Operation]) -> list[Planned]:
        """See `Enriching.plan`; on a thread."""
        writing = self._writing
        planned = await writing.services.blocking(writing.enriching.plan, operations, self._asked)
        self.bare += count(planned)
        return planned

    async def segments(self, operations: Sequence[Operation]) -> list[list[Operation]]:
        """See `Enriching.segments`."""
        writing = self._writing
        return await writing.services.blocking(writing.enriching.segments, operations, self._asked)

    async def lives(self, planned: Sequence[Planned]) -> bool:
        """Whether documents of these operations are grouped as they are written."""
        names, live = {each.name for each in planned if each.name}, self._writing.settling.is_live
        return await self._writing.services.blocking(lambda: any(map(live, names)))

    async def probe(self, line: bytes) -> Sent:
        """The server's answer to a line alone."""
        try:
            return await self._asked_cluster(line)
        except (Unreachable, TooSlow) as error:
            return _failed([], Refusal(503, "cluster_unreachable", f"{error}; try again"))

    async def send(self, planned: Sequence[Planned]) -> Sent:
        """Send operations, settle conflicts that are not the client's, groups and pairs."""
        sent = await self._post([each for each in planned if each.refusal is None])
        answered = iter(sent.items)
        sent.items = [
            each.refused_item() if each.refusal is not None else next(answered) for each in planned
        ]
        if sent.status != 200:
            return sent
        final = list(planned)
        await self._repeat(final, sent.items)
        await self._writing.services.blocking(
            self._writing.settling.settle, final, sent.items, self._asked
        )
        return sent

    async def _repeat(self, planned: list[Planned], items: list[dict[str, Any]]) -> None:
        """Plan updates anew whose document was changed since it was read."""
        for _ in range(TIMES):
            places = [
                at
                for at, (each, item) in enumerate(zip(planned, items, strict=True))
                if each.conditional and _status(item) in CHANGED
            ]
            if not places:
                return
            again = await self.plan([planned[at].operation for at in places])
            sent = await self._post([each for each in again if each.refusal is None])
            answered = iter(sent.items)
            for at, each in zip(places, again, strict=True):
                planned[at] = each
                items[at] = each.refused_item() if each.refusal is not None else next(answered)

    async def _post(self, planned: Sequence[Planned]) -> Sent:
        if not planned:
            return Sent()
        body = b"".join(piece for each in planned for piece in each.lines())
        try:
            sent = await self._asked_cluster(body)
        except Unreachable as error:
            reason = f"the cluster cannot be reached ({error}); try again"
            return _failed(planned, Refusal(503, "cluster_unreachable", reason))
        except TooSlow:
            reason = "the cluster did not answer in time; what it did is not known, try again"
            return _failed(planned, Refusal(504, "cluster_timeout", reason))
        items = sent.answer.get("items")
        if sent.status == 200 and isinstance(items, list) and len(items) == len(planned):
            sent.items = items
            return sent
        said = sent.answer.get("error")
        status = sent.status if sent.status >= 400 else 502
        told = said if isinstance(said, dict) else {"type": "http", "reason": str(said or "")}
        told = {name: value for name, value in told.items() if name != "root_cause"}
        sent.items = [_item(each, status, told) for each in planned]
        sent.status = status
        return sent

    async def _asked_cluster(self, body: bytes) -> Sent:
        answer = await self._writing.upstream.send("POST", self._target, self._headers, body)
        try:
            async with answer:
                content = await answer.read()
        except BrokenOff as error:
            raise Unreachable(f"it broke off its answer: {error}") from error
        headers = without(to_client(answer.headers), b"content-length")
        try:
            value = orjson.loads(content)
        except orjson.JSONDecodeError:
            value = {}
        told = value if isinstance(value, dict) else {}
        return Sent([], answer.status, headers, content, told)


def _status(item: dict[str, Any]) -> int:
    return next((int(inner.get("status", 0)) for inner in item.values()), 0)


def _item(planned: Planned, status: int, error: dict[str, Any]) -> dict[str, Any]:
    operation = planned.operation
    named = {"_index": operation.text_of("_index") or planned.name or None}
    return {
        operation.action: {
            **named,
            "_id": operation.text_of("_id"),
            "status": status,
            "error": error,
        }
    }


def _failed(planned: Sequence[Planned], refusal: Refusal) -> Sent:
    answer = {"error": refusal.error(), "status": refusal.status}
    items = [_item(each, refusal.status, refusal.error()) for each in planned]
    return Sent(items, refusal.status, [], orjson.dumps(answer), answer)
