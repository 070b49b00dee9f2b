"""What the parts of a gateway have in common: the store, the cluster, threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import ParamSpec, TypeVar

from dupdex.gateway.draining import Draining
from dupdex.gateway.guard.keyring import Keyring
from dupdex.gateway.our_indices import OurIndices
from dupdex.gateway.settings import ServeSettings
from dupdex.gateway.upstream import Upstream
from dupdex.session import Session
from indexer.meta import check_servable
from mappings.errors import DupdexError
from mappings.plan import STANDARD

P = ParamSpec("P")
T = TypeVar("T")


class Services:
    """`upstream` is None where the store is a folder: there is no cluster to pass requests on to.

    `keyring`: the API keys, None without authentication; for the loop alone. Opened and closed by
    the loop of the application.
    """

    def __init__(self, settings: ServeSettings) -> None:
        self.settings = settings
        self.location = settings.location
        self.keyring = Keyring(settings.keys_path) if settings.keys else None
        self.session = Session(self.location)
        self.indices = OurIndices(self.session)
        server = self.location.server if self.location.is_server else None
        self.upstream = Upstream(server) if server else None
        self.draining = Draining(settings.drain_seconds)
        self._pool = ThreadPoolExecutor(settings.threads, thread_name_prefix="dupdex-gateway")

    async def open(self) -> None:
        if self.upstream is not None:
            await self.upstream.open()
        with suppress(DupdexError):  # an index says so itself when it cannot be read
            await self.blocking(check_servable, STANDARD)  # the first request need not wait

    async def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self.indices.close()
        self.session.close()
        if self.upstream is not None:
            await self.upstream.close()

    async def blocking(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Run what computes, or waits for the store, on a thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, partial(function, *arguments, **named))
