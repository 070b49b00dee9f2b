"""The net by Scrapy: its downloader asks; robots, redirects, retries and pace are ours.

The reactor of Twisted runs once in a process, so one process crawls once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Final

from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadTimeoutError,
    IgnoreRequest,
    StopDownload,
)
from scrapy.http import Headers, Response
from scrapy.resolver import CachingHostnameResolver

from dupdex.crawl.answer_reading import is_textual
from dupdex.crawl.crawl_limits import Limits
from dupdex.crawl.crawling import OPEN_IN_ALL
from dupdex.crawl.net import Net, NetAnswer, Unanswered
from dupdex.crawl.private_network import NetworkGuard

_OFF: Final = (
    "COOKIES_ENABLED",
    "HTTPPROXY_ENABLED",  # a proxy would ask machines that nobody has looked at
    "LOG_ENABLED",
    "METAREFRESH_ENABLED",
    "REDIRECT_ENABLED",
    "RETRY_ENABLED",
    "ROBOTSTXT_OBEY",
    "TELNETCONSOLE_ENABLED",
    "REMOTE_CONTROL_ENABLED",
    "MEMUSAGE_ENABLED",
)
_BEGINNING: Final = "dupdex_beginning"
"""Of a request: how many bytes are wanted, and how many came."""

_LARGEST: Final = 64 << 20
"""Bytes of an answer of which the beginning is wanted, by its length or when it is unpacked."""

_NO_HOST: Final = "no address is known for its host"


class ScrapyNet:
    """Satisfies `dupdex.crawl.net.Net` by the downloader of a crawler that runs."""

    def __init__(self, crawler: Crawler, guard: NetworkGuard) -> None:
        self._crawler, self._guard = crawler, guard
        crawler.signals.connect(_look_at_headers, signals.headers_received)
        crawler.signals.connect(_look_at_length, signals.bytes_received)

    async def ask(
        self, url: str, headers: Mapping[str, str], most_bytes: int, beginning: bool = False
    ) -> NetAnswer:
        meta: dict[str, Any] = {"download_maxsize": most_bytes, "download_warnsize": 0}
        if beginning:
            meta |= {"download_maxsize": _LARGEST, _BEGINNING: [most_bytes, 0]}
            headers = {**headers, "Accept-Encoding": "identity"}  # it can be cut anywhere
        engine = self._crawler.engine
        assert engine is not None
        begun = time.monotonic()
        try:
            request = Request(url, headers=dict(headers), meta=meta, dont_filter=True)
            response = await engine.download_async(request)
        except DownloadCancelledError as error:
            why = f"it is larger than {most_bytes >> 20:,} MB"
            raise Unanswered("too large", why, of_host=False, received=most_bytes) from error
        except IgnoreRequest as error:
            why = f"it unpacks to more than {most_bytes >> 20:,} MB"
            raise Unanswered("too large", why, of_host=False) from error
        except DownloadTimeoutError as error:
            raise Unanswered("timeout", "no whole answer came in time") from error
        except CannotResolveHostError as error:
            raise self._unresolved() from error
        except ValueError as error:
            raise Unanswered("unreadable", _told(error), of_host=False) from error
        except Exception as error:  # Twisted has many kinds of lost connections
            raise Unanswered("connection", _told(error)) from error
        seconds = float(request.meta.get("download_latency", time.monotonic() - begun))
        return _answer(response, seconds)

    def _unresolved(self) -> Unanswered:
        if self._guard.all_private:
            return Unanswered("no host", _NO_HOST)
        return Unanswered("no host", f"{_NO_HOST}, or only one in a private network")


def run_with_net(
    work: Callable[[Net], Awaitable[None]], guard: NetworkGuard, limits: Limits, user_agent: str
) -> None:
    """Run what asks the net until it is done. Raises what it raises.

    The caller has made sure that no reactor ran in this process before.
    """
    failed: list[BaseException] = []

    class Crawling(Spider):
        name = "dupdex"

        async def start(self) -> AsyncIterator[Any]:
            try:
                await work(ScrapyNet(self.crawler, guard))
            except BaseException as error:
                failed.append(error)
                if isinstance(error, asyncio.CancelledError):
                    raise
            return
            yield  # makes this the generator that Scrapy iterates over

    process = AsyncCrawlerProcess(_settings(guard, limits, user_agent))
    process.crawl(Crawling)
    process.start(install_signal_handlers=False)
    if failed:
        raise failed[0]


def _settings(guard: NetworkGuard, limits: Limits, user_agent: str) -> dict[str, Any]:
    return {
        **dict.fromkeys(_OFF, False),
        "LOG_INSTALL_ROOT_HANDLER": False,
        "USER_AGENT": user_agent,
        "CONCURRENT_REQUESTS": 2 * OPEN_IN_ALL,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 2 * OPEN_IN_ALL,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_TIMEOUT": limits.timeout,
        "DOWNLOAD_MAXSIZE": limits.page_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "TWISTED_DNS_RESOLVER": _resolver(guard),
        "DEFAULT_REQUEST_HEADERS": {
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5",
        },
    }


def _resolver(guard: NetworkGuard) -> type[CachingHostnameResolver]:
    """A resolver that keeps from connecting what may not be asked: as it gives the very addresses
    that are connected to, none can change between the look and the connection."""

    class Guarded(CachingHostnameResolver):
        def resolveHostName(  # noqa: N802  (a name of Twisted)
            self,
            resolutionReceiver: Any,  # noqa: N803
            hostName: str,  # noqa: N803
            *more: Any,
            **named: Any,
        ) -> Any:
            receiver: Any = _Sieve(resolutionReceiver, hostName, guard)
            return super().resolveHostName(receiver, hostName, *more, **named)

    return Guarded


class _Sieve:
    """Passes on the addresses of a host that may be asked."""

    def __init__(self, receiver: Any, host: str, guard: NetworkGuard) -> None:
        self._receiver, self._host, self._guard = receiver, host, guard

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        if self._guard.lets_connect(self._host, str(getattr(address, "host", ""))):
            self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        self._receiver.resolutionComplete()


def _look_at_headers(headers: Headers, request: Request, **_: Any) -> None:
    """End the download of what is no text as soon as its headers are there."""
    if _BEGINNING in request.meta:
        return
    kind = headers.get("Content-Type") or b""
    if not is_textual(kind.decode("latin-1")):
        raise StopDownload(fail=False)


def _look_at_length(data: bytes, request: Request, **_: Any) -> None:
    """End the download of an answer whose beginning is all that is wanted."""
    if (wanted := request.meta.get(_BEGINNING)) is not None:
        wanted[1] += len(data)
        if wanted[1] > wanted[0]:
            raise StopDownload(fail=False)


def _answer(response: Response, seconds: float) -> NetAnswer:
    headers = {
        name.decode("latin-1").lower(): "\n".join(value.decode("latin-1") for value in values)
        for name, values in response.headers.items()
    }
    length = headers.get("content-length", "")
    received = int(length) if length.isdecimal() and response.body else len(response.body)
    return NetAnswer(response.url, response.status, headers, response.body, seconds, received)


def _told(error: BaseException) -> str:
    """What an error says; one that Twisted wraps into another one, what that one says."""
    reasons = getattr(error, "reasons", None)
    if reasons:
        return " ".join(str(reasons[0].getErrorMessage()).split())[:300]
    return " ".join(str(error).split())[:300] or type(error).__name__
