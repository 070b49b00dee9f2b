"""/healthz, /readyz, /metrics and /version."""

from __future__ import annotations

import asyncio
import platform
import re
import time
from dataclasses import dataclass
from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import dupdex
from dupdex.gateway.observe.metrics import exposition
from dupdex.gateway.services import Services
from dupdex.gateway.upstream import BrokenOff, TooSlow, Unreachable, Upstream
from mappings.errors import DupdexError, StoreUnavailable
from mappings.plan import STANDARD

_SAME_FOR: Final = 1.0
"""Seconds for which an answer of the store holds, however many ask."""

_PATIENCE: Final = 3.0
"""Seconds after which a cluster is not there."""


_SAYING_VERSION: Final = ("/", "/_nodes/_local?filter_path=nodes.*.version")
"""A server that has switched the first off has the second."""

_NUMBER: Final = re.compile(rb'"(?:number|version)"\s*:\s*"(\d+\.\d+\.\d+[^"]*)"')


@dataclass(frozen=True, slots=True)
class _Found:
    """What the store said: `problem` is None when it answers."""

    problem: str | None
    server: dict[str, Any] | None = None


class Health:
    """What a gateway answers about itself and its store."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._found = _Found("nobody has asked yet")
        self._until = 0.0
        self._turn = asyncio.Lock()

    async def healthz(self, _request: Request) -> Response:
        """The process answers. The cluster has no say: restarting us would not mend it."""
        return _json(200, {"status": "ok"})

    async def readyz(self, _request: Request) -> Response:
        if self._services.draining.begun:
            return _json(503, {"status": "stopping"})
        found = await self._ask()
        if found.problem is not None:
            return _json(503, {"status": "unavailable", "reason": found.problem})
        return _json(200, {"status": "ready"})

    async def metrics(self, _request: Request) -> Response:
        content, media = await asyncio.to_thread(exposition)
        return Response(content, headers={"content-type": media.decode()})

    async def version(self, _request: Request) -> Response:
        found = await self._ask()
        return _json(
            200,
            {
                "dupdex": dupdex.__version__,
                "python": platform.python_version(),
                "plan_format": STANDARD.format,
                "standard_plan": STANDARD.id,
                "server": found.server,
            },
        )

    async def _ask(self) -> _Found:
        async with self._turn:
            if time.monotonic() >= self._until:
                try:
                    async with asyncio.timeout(_PATIENCE):
                        self._found = await self._look()
                except TimeoutError:
                    self._found = _Found("the store does not answer in time")
                self._until = time.monotonic() + _SAME_FOR
            return self._found

    async def _look(self) -> _Found:
        server = None
        if self._services.upstream is not None:
            try:
                status, server = await self._server(self._services.upstream)
            except (Unreachable, TooSlow, BrokenOff):
                return _Found("the cluster cannot be reached")
            if status == 401 or status >= 500:
                return _Found(f"the cluster answered {status}")
        try:
            await self._services.blocking(self._services.session.stored_meta)
        except StoreUnavailable as error:
            return _Found(str(error), server)
        except DupdexError:
            # One index is not there, not ours or not for us, which is told to whoever asks it.
            return _Found(None, server)
        return _Found(None, server)

    async def _server(self, upstream: Upstream) -> tuple[int, dict[str, Any] | None]:
        """The status of an answer, and what the server says of itself where we may know."""
        for target in _SAYING_VERSION:
            async with await upstream.send("GET", target, []) as answer:
                content = await answer.read()
            if answer.status == 200:
                return 200, _version(content)
            if answer.status == 401 or answer.status >= 500:
                break
        return answer.status, None


def routes(health: Health) -> list[Route]:
    """What everybody may ask who can reach the gateway, but for figures and versions where there
    are keys."""
    return [
        Route("/healthz", health.healthz),
        Route("/readyz", health.readyz),
        Route("/metrics", health.metrics),
        Route("/version", health.version),
    ]


def _version(content: bytes) -> dict[str, Any] | None:
    found = _NUMBER.search(content)
    return {"version": found[1].decode()} if found else None


def _json(status: int, value: dict[str, Any]) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(orjson.dumps(value), status, headers, media_type="application/json")
