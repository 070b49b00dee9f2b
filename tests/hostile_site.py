"""Sites of fixed answers for tests of `dupdex crawl`, and the command on them."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from dupdex.index import Index
from dupdex.location import Location
from tests.command import SCRIPT, Result, run

Answer = tuple[int, Mapping[str, str], bytes]
Routes = dict[str, Answer | Callable[["Site"], Answer]]
_LETTERS = "春天的河水从远处山谷里慢流过来岸边老人坐在石头上看着孩子们奔跑城市新桥已经建成通车"


class Site:
    """A site of fixed answers; `asked` are the paths that came, in order, `hosts` whose they
    were; `at`: where it listens."""

    def __init__(self, routes: Routes, at: str = "127.0.0.1") -> None:
        self.routes, self.asked, self.hosts = routes, list[str](), list[str]()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                """Be quiet."""

            def do_GET(self) -> None:
                site.asked.append(self.path)
                site.hosts.append(self.headers["Host"].partition(":")[0])
                found = site.routes.get(self.path, (404, {}, b""))
                status, headers, body = found(site) if callable(found) else found
                self.send_response(status)
                for name, value in {"Content-Type": "text/html", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = ThreadingHTTPServer((at, 0), Handler)
        self.server.daemon_threads = True
        self.home = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


Serve = Callable[..., Site]


def html(seed: int, *links: str, head: str = "") -> str:
    rng = random.Random(seed)
    lines = ("".join(rng.choices(_LETTERS, k=40)) + "。" for _ in range(20))
    text = "".join(f"<p>{line}</p>" for line in lines)
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    return f"<html><head><title>{seed}</title>{head}</head><body>{text}{anchors}</body></html>"


def page(seed: int, *links: str, head: str = "") -> Answer:
    return 200, {"Content-Type": "text/html; charset=utf-8"}, html(seed, *links, head=head).encode()


def crawl(store: Location, *arguments: str, folder: Path) -> Result:
    at = ("--store", store.store, "--index", store.index, "--delay", "0", "--json")
    return run("crawl", *arguments, *at, folder=folder, program=("env", SCRIPT))


def documents(store: Location) -> set[str]:
    with Index.open(store) as index:
        return {stored.ref.id for stored in index.scan()}
