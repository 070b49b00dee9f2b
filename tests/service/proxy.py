"""A real HTTP proxy on loopback that can refuse, delay or cut what it forwards."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import orjson

Reply = tuple[int, object]
Rule = Callable[["Seen"], "Reply | None"]


class CutAfter(Exception):
    """Raised by a rule: forward the request, then drop the connection without an answer."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as the proxy saw it; `number` counts from 0 over all of them."""

    number: int
    method: str
    path: str
    body: bytes
    authorization: str = ""


def forward(_: Seen) -> Reply | None:
    """The rule of a proxy that only forwards."""
    return None


@dataclass
class Proxy:
    """`rule` answers a request itself, or leaves it to the server by returning None."""

    url: str
    rule: Rule = forward
    product: str = "Elasticsearch"
    seen: list[Seen] = field(default_factory=list)

    def bulks(self) -> list[Seen]:
        return [each for each in self.seen if "/_bulk" in each.path]


@contextmanager
def proxied(target: str) -> Iterator[Proxy]:
    """A proxy in front of `target`, which may be a server that does not run."""
    place = urlsplit(target)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Silent."""

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            with lock:
                login = self.headers.get("authorization", "")
                seen = Seen(len(proxy.seen), self.command, self.path, body, login)
                proxy.seen.append(seen)
            try:
                own = proxy.rule(seen)
            except CutAfter:
                self.forwarded(body)
                self.close_connection = True
                return
            if own is None:
                status, kind, answer = self.forwarded(body)
            else:
                status, kind, answer = own[0], "application/json", orjson.dumps(own[1])
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(answer)))
            self.send_header("X-Elastic-Product", proxy.product)
            self.end_headers()
            self.wfile.write(answer)

        def forwarded(self, body: bytes) -> tuple[int, str, bytes]:
            line = http.client.HTTPConnection(str(place.hostname), place.port, timeout=60)
            headers = {
                name: value
                for name, value in self.headers.items()
                if name.lower() not in ("host", "connection")
            }
            try:
                line.request(self.command, self.path, body or None, headers)
                answer = line.getresponse()
                return answer.status, answer.getheader("content-type") or "", answer.read()
            finally:
                line.close()

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_any  # noqa: N815

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    proxy = Proxy(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield proxy
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
