"""Who sends a request, whether they may, and how much of it: before anything else looks at it."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dupdex.gateway.callers import Caller, Right, set_caller
from dupdex.gateway.guard.body_budget import BodyBudget
from dupdex.gateway.guard.bulk_names import BulkLines
from dupdex.gateway.guard.doors import NOBODY, is_open, login_shown
from dupdex.gateway.guard.es_access import Demand, demand_of
from dupdex.gateway.guard.guarded_bodies import Guarded, is_compressed, replaced
from dupdex.gateway.guard.handles import Sealing
from dupdex.gateway.guard.limits import STREAMED, last_segment, takes_long
from dupdex.gateway.guard.rates import Rates
from dupdex.gateway.guard.refusals import Refusal, refuse, too_large, too_long, too_many
from dupdex.gateway.guard.request_turns import Turns
from dupdex.gateway.headers import value_of, without
from dupdex.gateway.passing import Disconnected
from dupdex.gateway.services import Services
from mappings.errors import DupdexError, InputRefused

_FOR_ALL: Final = frozenset({"/healthz", "/readyz"})
_OWN: Final = ("/_dupdex", "/metrics", "/version")
_AS_SOMEBODY: Final = (
    b"authorization",
    b"es-security-runas-user",
    b"es-secondary-authorization",
    b"es-secondary-x-client-authentication",
    b"x-client-authentication",
)
"""Headers by which the cluster would take a request for that of another user."""


def guarded(app: ASGIApp, services: Services) -> ASGIApp:
    """The application behind keys and limits, as the settings say."""
    return _Guard(app, services)


class _Guard:
    def __init__(self, app: ASGIApp, services: Services) -> None:
        self._app = app
        self._keyring = services.keyring
        self._limits = services.settings.limits
        self._turns, self._rates = Turns(self._limits), Rates()
        self._bodies = BodyBudget(self._limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in _FOR_ALL:
            await self._app(scope, receive, send)
            return
        most = self._most(scope["raw_path"])
        try:
            announced = value_of(scope["headers"], b"content-length")
            if announced is not None and int(announced) > most:
                await refuse(scope, send, too_large(most))
                return
            caller = self._identify(scope)
            demand = _demand(caller, scope) if self._keyring and caller else None
        except (DupdexError, ValueError) as error:
            await refuse(scope, send, _refusal(error))
            return
        wait = self._rates.wait_for(caller) if caller else 0.0
        if wait:
            reason = "this key sends more requests a second than it may"
            await refuse(scope, send, too_many(reason, wait))
        elif not await self._turns.take():
            reason = "the gateway has as many requests as it answers at once; try again"
            await refuse(scope, send, too_many(reason, 1.0))
        else:
            share = self._bodies.share(scope["raw_path"], scope["headers"], most)
            try:
                await self._within_limits(scope, Guarded(receive, most, share), send, demand)
            finally:
                self._turns.give_back()
                share.give_back()

    def _most(self, raw_path: bytes) -> int:
        streams = last_segment(raw_path) in STREAMED
        return self._limits.stream if streams else self._limits.body

    def _identify(self, scope: Scope) -> Caller | None:
        """Who asks; None where nobody is asked who they are. With keys, nothing of what a client
        says of itself goes on to the cluster."""
        shown = value_of(scope["headers"], b"authorization")
        if self._keyring is None:
            if shown is None:  # the login of the gateway goes along: it is for nobody else
                scope["headers"] = without(scope["headers"], *_AS_SOMEBODY)
            return None
        if is_open(scope):
            caller = NOBODY
        else:
            login = login_shown(self._keyring, scope) if shown is None else None
            caller = login.caller if login else self._keyring.caller(shown)
        set_caller(scope, caller)
        scope["headers"] = without(scope["headers"], *_AS_SOMEBODY, b"cookie")
        return caller

    async def _within_limits(
        self, scope: Scope, body: Guarded, send: Send, demand: Demand | None
    ) -> None:
        answer = _Answer(send, body)
        seconds = None if takes_long(scope["raw_path"]) else self._limits.seconds
        try:
            async with asyncio.timeout(seconds) as clock:
                answer.clock = clock
                await self._checked(scope, body, answer, demand)
        except TimeoutError:
            if answer.started:
                raise
            body.refusal = too_long(self._limits.seconds)
        except DupdexError as error:
            if answer.started:
                raise
            body.refusal = _refusal(error)
        except Disconnected:
            pass  # the client has gone, or is told below why its body was not taken
        if body.refusal is not None and not answer.started:
            await refuse(scope, send, body.refusal)

    async def _checked(
        self, scope: Scope, body: Guarded, answer: Send, demand: Demand | None
    ) -> None:
        receive: Receive = body
        if demand is not None and demand.reads_body:
            found = await replaced(scope, body, demand, self._limits.body)
            if found is None:
                return
            receive, seals = found
            if seals:
                answer = Sealing(answer, demand.caller, seals)
        elif demand is not None and demand.reads_lines:
            body.watch(BulkLines(demand.caller, demand.names), is_compressed(scope))
        await self._app(scope, receive, answer)


class _Answer:
    """`send` of one request: an answer to a body that was cut short is not sent, and one that has
    begun may take its time."""

    def __init__(self, send: Send, body: Guarded) -> None:
        self._send, self._body = send, body
        self.started = False
        self.clock: asyncio.Timeout | None = None

    async def __call__(self, message: Message) -> None:
        if not self.started:
            if self._body.refusal is not None:
                return
            self.started = True
            if self.clock is not None:
                self.clock.reschedule(None)
        await self._send(message)


def _demand(caller: Caller, scope: Scope) -> Demand | None:
    """What a request to Elasticsearch asks for; routes of the gateway itself check what their
    callers may do, but for the two that only tell about it."""
    path: str = scope["path"]
    if any(path == own or path.startswith(f"{own}/") for own in _OWN):
        if not path.startswith("/_dupdex"):
            caller.check(Right.READ)
        return None
    return demand_of(caller, scope["method"], scope["raw_path"], scope["query_string"])


def _refusal(error: Exception) -> Refusal:
    return Refusal.of(error if isinstance(error, DupdexError) else InputRefused(str(error)))
