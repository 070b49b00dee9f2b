"""What the handlers of writes have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import parse_qsl, quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dupdex.gateway.callers import caller_of
from dupdex.gateway.enrich.enriching import Enriching
from dupdex.gateway.enrich.inflating import can_be_read
from dupdex.gateway.enrich.planned import Asked, Planned, Refusal
from dupdex.gateway.enrich.settling import Settling
from dupdex.gateway.enrich.targets import Targets
from dupdex.gateway.headers import Headers, to_cluster, value_of, without
from dupdex.gateway.observe.metrics import count_written
from dupdex.gateway.passing import Passing, target_of
from dupdex.gateway.replies import media_type, send_error
from dupdex.gateway.services import Services
from dupdex.gateway.upstream import BrokenOff, Upstream
from mappings.errors import DupdexError

BARE: Final = b"x-dupdex-without-fingerprint"
"""The header of an answer that says how many documents were stored without fingerprint, as they
have no text."""

LARGEST: Final = 100 << 20
"""In bytes: the server takes no larger body by default."""

_REFRESHES: Final = ("", "true", "wait_for")


Parameters = list[tuple[str, str]]


class Writing:
    """`upstream`: the cluster; handlers exist only where there is one."""

    def __init__(self, services: Services, upstream: Upstream) -> None:
        self.services, self.upstream = services, upstream
        self.targets = Targets(services.indices)
        self.enriching = Enriching(self.targets)
        self.settling = Settling(self.targets, services.session)
        self.passing = Passing(upstream)

    async def pass_on(self, scope: Scope, receive: Receive, reply: Send) -> None:
        """What the gateway adds nothing to."""
        await self.passing(scope, receive, reply)


def telling(handler: ASGIApp) -> ASGIApp:
    """The same handler, whose errors are told to the client, unless its answer has begun."""

    async def answer(scope: Scope, receive: Receive, reply: Send) -> None:
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await reply(message)

        try:
            await handler(scope, receive, sending)
        except DupdexError as error:
            if begun:
                raise BrokenOff(str(error)) from error
            told = Refusal.of(error)
            media = media_type(scope["headers"])
            await send_error(reply, told.status, told.kind, told.reason, media)

    return answer


def parameters_of(scope: Scope) -> Parameters:
    """The parameters of a request, decoded, in order."""
    query = scope["query_string"].decode("latin-1")
    return parse_qsl(query, keep_blank_values=True, encoding="utf-8", errors="surrogateescape")


def asked_of(scope: Scope, index: str | None, parameters: Parameters) -> Asked:
    values = dict(parameters)
    refresh = values.get("refresh") in _REFRESHES
    return Asked(caller_of(scope), index, values.get("pipeline"), values.get("routing"), refresh)


def target_with(
    scope: Scope, path: str | None = None, leave_out: Sequence[str] = (), **more: str
) -> str:
    """The target of a request with another path and other parameters; those that stay are as the
    client wrote them."""
    plain, _, query = target_of(scope).partition("?")
    gone = {*leave_out, *more}
    parts = [part for part in query.split("&") if part and part.partition("=")[0] not in gone]
    parts += [f"{name}={quote(value, safe='')}" for name, value in more.items()]
    return "?".join([path or plain, *(["&".join(parts)] if parts else [])])


def headers_for(headers: Headers, reads: bool) -> Headers:
    """The headers of a request whose body is another one, and not compressed; `reads`: the answer
    is read here."""
    gone = [b"content-length", b"content-encoding", *([b"accept-encoding"] if reads else [])]
    return without(to_cluster(headers), *gone)


def is_json(headers: Headers) -> bool:
    """Whether a body with these headers is JSON, and compressed in a way that can be undone."""
    kind = (value_of(headers, b"content-type") or b"application/json").lower()
    binary = any(name in kind for name in (b"cbor", b"smile", b"yaml"))
    charset = kind.partition(b"charset=")[2].strip(b' "')
    return can_be_read(headers) and not binary and charset in (b"", b"utf-8", b"utf8")


def count(planned: Sequence[Planned]) -> int:
    """Count documents for the metrics; returns how many have no fingerprint."""
    written = [each for each in planned if each.name and not each.refusal]
    bare = sum(bool(each.bare) for each in written)
    enriched = sum(bool(each.refill) or not (each.bare or each.untouched) for each in written)
    count_written(enriched, bare)
    return bare


def with_header(reply: Send, bare: int) -> Send:
    """The same reply, with the header that counts documents without fingerprint, if any."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: Any = [*message["headers"], (BARE, str(bare).encode())]
            message = {**message, "headers": headers}
        await reply(message)

    return sending if bare else reply
