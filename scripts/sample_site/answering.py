"""From a request to an answer: pages with validators, lists, and the traps."""

from __future__ import annotations

import gzip
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler
from typing import Final, Protocol
from urllib.parse import urlsplit

from scripts.sample_site import maze_pages
from scripts.sample_site.layouts import html_of
from scripts.sample_site.request_log import Request, RequestLog
from scripts.sample_site.site_lists import machine_lists, modified, robots
from scripts.sample_site.site_pages import Page

_HTML: Final = "text/html; charset=utf-8"
_MEGABYTE: Final = 1 << 20
_DRIP: Final = 0.5
_ETAGS: Final = ("news", "books", "press")
_DATES: Final = ("news", "mirror")
"""Sites that say when a page changed, and that name its version; `rewrites` does neither."""


class Severity(Protocol):
    """How bad the traps are."""

    @property
    def crawl_delay(self) -> float: ...
    @property
    def slow_seconds(self) -> float: ...
    @property
    def huge_megabytes(self) -> int: ...
    @property
    def bomb_megabytes(self) -> int: ...


@dataclass(slots=True)
class Reply:
    """An answer. `body`: whole, or piece by piece; `length`: what is said of it, where that is not
    its length; None for pieces that end with the connection."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | Iterable[bytes] = b""
    length: int | None = None


class Answers:
    """The answers of all sites; threads share it."""

    def __init__(
        self, pages: Mapping[tuple[str, str], Page], traps: Severity, home: Callable[[str], str]
    ) -> None:
        self.log = RequestLog()
        self.stopped = threading.Event()
        self._pages, self._traps, self._home = pages, traps, home
        self._bomb: bytes | None = None

    def reply(self, site: str, target: str, headers: Mapping[str, str]) -> Reply:
        """The answer to a request for `target`, a path with its query."""
        parts = urlsplit(target)
        path = parts.path
        if path == "/robots.txt":
            rules = robots(site, self._home(site), self._traps.crawl_delay)
            return Reply(200, {"Content-Type": "text/plain"}, rules.encode())
        if site == "maze" and (trap := self._trap(path, parts.query)):
            return trap
        page = self._pages.get((site, path))
        if page:
            return self._page(page, headers)
        own = [each for (host, _), each in list(self._pages.items()) if host == site]
        if found := machine_lists(path, own, self._home(site)):
            return _checked(found[1], found[0], headers, "")
        return Reply(404, {"Content-Type": _HTML}, maze_pages.list_html("没有此页", []))

    def _page(self, page: Page, headers: Mapping[str, str]) -> Reply:
        if page.location:
            return Reply(page.status, {"Location": page.location})
        if page.fails and self.log.failed(page.host, page.path) < page.fails:
            return Reply(503, {"Content-Type": _HTML, "Retry-After": "1"}, b"<h1>503</h1>")
        body = html_of(page, self._home(page.host))
        kind = "text/html" + (f"; charset={page.header_charset}" if page.header_charset else "")
        if page.status != 200:
            return Reply(page.status, {"Content-Type": kind}, body)
        if b"{session}" in body:
            body = body.replace(b"{session}", secrets.token_hex(8).encode())
            return Reply(200, {"Content-Type": kind}, body)
        date = format_datetime(modified(page), usegmt=True) if page.host in _DATES else ""
        return _checked(body, kind, headers, date, page.host in _ETAGS)

    def _trap(self, path: str, query: str) -> Reply | None:
        links = maze_pages.endless(path, query, secrets.token_hex(8))
        if links is not None:
            return Reply(200, {"Content-Type": _HTML}, maze_pages.list_html("迷宫", links))
        if path.startswith("/circle/"):
            other = "b" if path.endswith("a") else "a"
            return Reply(302, {"Location": f"/circle/{other}"})
        if path.startswith("/chain/"):
            number = path.rpartition("/")[2]
            return Reply(302, {"Location": f"/chain/{int(number) + 1 if number.isdigit() else 1}"})
        return self._body_trap(path)

    def _body_trap(self, path: str) -> Reply | None:
        html = {"Content-Type": _HTML}
        match path:
            case "/abroad":
                return Reply(302, {"Location": "http://127.0.0.99:9/elsewhere"})
            case "/huge.html":
                size = self._traps.huge_megabytes * _MEGABYTE
                return Reply(200, html, maze_pages.huge_body(size), size)
            case "/bomb.html":
                if self._bomb is None:
                    self._bomb = maze_pages.bomb(self._traps.bomb_megabytes)
                return Reply(200, html | {"Content-Encoding": "gzip"}, self._bomb)
            case "/slow.html":
                return Reply(200, html, self._drops(), None)
            case "/cut.html":
                return Reply(200, html, b"<html><body><p>" + b"x" * 500, 5_000)
            case "/empty.html":
                return Reply(200, html)
            case "/broken/1.html":
                return Reply(500, html, b"<h1>500</h1>")
            case "/files/logo.png":
                return Reply(200, {"Content-Type": "image/png"}, b"\x89PNG\r\n\x1a\n" + b"\0" * 999)
        return None

    def _drops(self) -> Iterable[bytes]:
        end = time.monotonic() + self._traps.slow_seconds
        yield b"<html><body>"
        while time.monotonic() < end and not self.stopped.wait(_DRIP):
            yield b"<p>"


def _checked(
    body: bytes, kind: str, headers: Mapping[str, str], date: str, tagged: bool = True
) -> Reply:
    """An answer with validators, or 304 when the client has it already."""
    tag = f'"{blake2b(body, digest_size=8).hexdigest()}"' if tagged else ""
    given = {"Content-Type": kind}
    given |= {"ETag": tag} if tag else {}
    given |= {"Last-Modified": date} if date else {}
    if tag and (asked := headers.get("If-None-Match")):
        return Reply(304, given) if tag in asked else Reply(200, given, body)
    if date and (since := headers.get("If-Modified-Since")) and _not_newer(date, since):
        return Reply(304, given)
    return Reply(200, given, body)


def _not_newer(date: str, since: str) -> bool:
    try:
        return parsedate_to_datetime(date) <= parsedate_to_datetime(since)
    except ValueError:
        return False


class Handler(BaseHTTPRequestHandler):
    """Sends what Answers says, and notes it."""

    protocol_version = "HTTP/1.1"
    timeout = 60
    wbufsize = -1
    # Answers are short and come at once: a delayed acknowledgement would double their time.
    disable_nagle_algorithm = True
    site: str
    answers: Answers

    def do_GET(self) -> None:
        """Answer a request."""
        self._answer()

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """The log of the site is its own."""

    def _answer(self) -> None:
        headers = {name.title(): value for name, value in self.headers.items()}
        reply = self.answers.reply(self.site, self.path, headers)
        agent = self.headers.get("User-Agent", "")
        noted = self.answers.log.add(self.site, self.command, self.path, reply.status, agent)
        try:
            self._head(reply, headers)
            if self.command == "GET" and reply.status != 304:
                self._body(reply, noted)
        except OSError:
            self.close_connection = True

    def _head(self, reply: Reply, headers: Mapping[str, str]) -> None:
        is_packed = "gzip" in headers.get("Accept-Encoding", "") and self.site == "books"
        if is_packed and isinstance(reply.body, bytes) and reply.body:
            reply.body = gzip.compress(reply.body, mtime=0)
            reply.headers["Content-Encoding"] = "gzip"
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        length = reply.length
        if isinstance(reply.body, bytes):
            length = len(reply.body) if length is None else length
            self.close_connection |= length != len(reply.body)
        if reply.status != 304:
            if length is None:
                self.close_connection = True
                self.send_header("Connection", "close")
            else:
                self.send_header("Content-Length", str(length))
        self.end_headers()

    def _body(self, reply: Reply, noted: Request) -> None:
        for piece in [reply.body] if isinstance(reply.body, bytes) else reply.body:
            self.wfile.write(piece)
            self.wfile.flush()
            noted.sent += len(piece)
