"""The ASGI application: what a request meets on its way, from the outside in.

observe (request id, log, metrics) -> guard (who, how much) -> /_dupdex and health, or
the interfaces of Elasticsearch that are more than passed on, or passing
"""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send

from dupdex.console import console_routes
from dupdex.gateway import enrich, search
from dupdex.gateway.api_paths import CALL, Api, api_call, typed_call
from dupdex.gateway.guard.guarding import guarded
from dupdex.gateway.headers import takes_types
from dupdex.gateway.observe.health import Health, routes
from dupdex.gateway.observe.log_lines import HELD_LINES, RequestLog, log_to_stderr, to_stderr
from dupdex.gateway.observe.metrics import forget_the_dead
from dupdex.gateway.observe.observing import observed
from dupdex.gateway.passing import Disconnected, Passing
from dupdex.gateway.replies import media_type, send_error
from dupdex.gateway.rest import rest_app
from dupdex.gateway.services import Services
from dupdex.gateway.settings import ServeSettings
from dupdex.gateway.upstream import BrokenOff

OWN_PATHS: Final = ("/_dupdex", "/healthz", "/readyz", "/metrics", "/version")


class Gateway:
    """`handlers` answer interfaces of Elasticsearch, each by scope[CALL]; `own` everything below
    OWN_PATHS."""

    def __init__(self, services: Services, handlers: Mapping[Api, ASGIApp], own: ASGIApp) -> None:
        self._services, self._handlers, self._own = services, handlers, own
        self._pass = Passing(services.upstream) if services.upstream else _no_cluster

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            try:
                await self._answer(scope, receive, send)
            except (BrokenOff, ClientDisconnect, Disconnected):
                # The server closes the connection, as the cluster or the client did: the answer
                # is not whole.
                return

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if is_own(scope["path"]):
            await self._own(scope, receive, send)
            return
        call = api_call(scope["method"], scope["raw_path"])
        if call is None and takes_types(scope["headers"]):
            call = typed_call(scope["method"], scope["raw_path"])
        handler = self._handlers.get(call.api) if call else None
        if call is None or handler is None or self._services.upstream is None:
            await self._pass(scope, receive, send)
        else:
            scope[CALL] = call
            await handler(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self._services.open()
                self._services.draining.listen()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self._services.close()
                await send({"type": "lifespan.shutdown.complete"})
                return


def is_own(path: str) -> bool:
    """Whether a path is of the gateway itself, and of no index of the cluster."""
    if not path.startswith(OWN_PATHS):
        return False
    return any(path == own or path.startswith(f"{own}/") for own in OWN_PATHS)


def application(settings: ServeSettings | None = None) -> ASGIApp:
    """The whole gateway; worker processes take the settings from the environment."""
    if settings is None:
        settings = ServeSettings.from_environment(os.environ)
        log_to_stderr(settings.log)
        forget_the_dead()
        # What the imports have made stays: looking for garbage among it takes a tenth of a second,
        # in which nobody is answered.
        gc.collect()
        gc.freeze()
    services = Services(settings)
    others = [*routes(Health(services)), *search.clause_routes(services), *console_routes.routes()]
    own = rest_app.application(services, *others)
    handlers = {**enrich.handlers(services), **search.handlers(services)}
    log = RequestLog(settings.log, to_stderr if settings.log_requests else None, HELD_LINES)
    return observed(guarded(Gateway(services, handlers, own), services), log)


async def _no_cluster(scope: Scope, _receive: Receive, send: Send) -> None:
    reason = (
        f"nothing is at {scope['path']}: the store is a folder, which has no interface of "
        "Elasticsearch; see /_dupdex"
    )
    await send_error(
        send, 404, "resource_not_found_exception", reason, media_type(scope["headers"])
    )
