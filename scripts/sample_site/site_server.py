"""The sites on loopback: one address for each, one port for all, with a log of what was asked."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from random import Random
from typing import Final, Self
from urllib.parse import urlsplit

from scripts.sample_site.answering import Answers, Handler
from scripts.sample_site.copied_pages import copied_pages, press_pages
from scripts.sample_site.maze_pages import ENTRIES, maze_pages
from scripts.sample_site.original_pages import original_pages, path_of, works
from scripts.sample_site.prose import Work, article, remark
from scripts.sample_site.request_log import Request
from scripts.sample_site.site_lists import is_allowed, robots
from scripts.sample_site.site_pages import HOSTS, Copied, Page, PageTruth

_PORTS: Final = range(20_000, 32_000)
_TRIES: Final = 100


@dataclass(frozen=True, slots=True)
class Traps:
    """How bad the traps are. `crawl_delay`, `slow_seconds`: seconds; the others: megabytes."""

    crawl_delay: float = 0.2
    slow_seconds: float = 60.0
    huge_megabytes: int = 100
    bomb_megabytes: int = 300


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves in the middle is what traps are for."""


class SampleSite:
    """Used in a `with` block, it serves until the end of it. `port` 0: a free one.

    The same seed makes the same pages; only the port in their addresses differs.
    """

    def __init__(self, seed: int = 1, port: int = 0, traps: Traps | None = None) -> None:
        self.seed, self.port = seed, port
        self.traps = traps or Traps()
        self.works: list[Work] = works(seed)
        made = (original_pages(self.works, seed), copied_pages(self.works, seed))
        pages = [page for some in (*made, press_pages(seed), maze_pages(seed)) for page in some]
        self._pages: dict[tuple[str, str], Page] = {(each.host, each.path): each for each in pages}
        self._answers = Answers(self._pages, self.traps, self.home)
        self._servers: list[_Server] = []
        self._added = 0

    def __enter__(self) -> Self:
        candidates = [self.port] if self.port else Random().sample(_PORTS, _TRIES)
        for port in candidates:
            try:
                self._listen(port)
            except OSError:
                self._close()
            else:
                self.port = port
                return self
        raise OSError(f"port {candidates[0]} is not free on all of {', '.join(HOSTS.values())}")

    def __exit__(self, *_: object) -> None:
        self._answers.stopped.set()
        self._close()

    def home(self, host: str) -> str:
        """Scheme, address and port of a site, by its name."""
        return f"http://{HOSTS[host]}:{self.port}"

    def url(self, host: str, path: str) -> str:
        """The address of a page."""
        return path if "://" in path else self.home(host) + path

    @property
    def starts(self) -> list[str]:
        """The home page of every site."""
        return [f"{self.home(host)}/" for host in HOSTS]

    @property
    def feeds(self) -> list[str]:
        """An RSS and an Atom feed."""
        return [self.url("news", "/feed.xml"), self.url("books", "/atom.xml")]

    def requests(self) -> list[Request]:
        """What was asked, in order."""
        return self._answers.log.all()

    def counts(self) -> Counter[str]:
        """How often each address was asked for."""
        return Counter(f"{self.home(each.host)}{each.path}" for each in self.requests())

    def forget_requests(self) -> None:
        """Begin the log anew."""
        self._answers.log.clear()

    def page(self, url: str) -> Page:
        """A page by its address. Raises KeyError."""
        parts = urlsplit(url)
        host = next(name for name, address in HOSTS.items() if address == parts.hostname)
        return self._pages[host, parts.path]

    def change(self, url: str, text: str | None = None) -> None:
        """Another text for a page; by default a sentence more."""
        page = self.page(url)
        rng = Random(f"{self.seed}/change/{page.path}/{page.version}")
        page.text = f"{page.text}\n{remark(rng)}" if text is None else text
        page.version += 1

    def remove(self, url: str, status: int = 410) -> None:
        """From now on the page is gone."""
        page = self.page(url)
        page.status = status
        page.version += 1

    def add(self) -> str:
        """A new article of the first site, linked from its home page; returns its address."""
        self._added += 1
        work = article(self._added, self.seed, "added")
        page = Page("news", f"/news/new-{self._added}.html", work.title, work.text)
        page.declares_canonical = True
        self._pages["news", page.path] = page
        home = self._pages["news", "/"]
        home.links.insert(0, (page.path, page.title))
        home.version += 1
        return self.url("news", page.path)

    def truth(self) -> list[PageTruth]:
        """What is true of every page as it is now, and of the way into each trap."""
        traps = (
            Page("maze", path.format(session="0"), kind, role=f"trap-{kind}")
            for kind, path in ENTRIES.items()
        )
        return [*map(self._truth, self._pages.values()), *map(self._truth, traps)]

    def original(self, work: str) -> str:
        """The address of an original."""
        return self.url("news", path_of(work))

    def _truth(self, page: Page) -> PageTruth:
        rules = robots(page.host, self.home(page.host), self.traps.crawl_delay)
        return PageTruth(
            url=self.url(page.host, page.path),
            role=page.role,
            found_by=page.found_by,
            allowed=is_allowed(rules, page.path),
            canonical=self.url(page.host, page.canonical or page.path),
            text=page.text,
            title=page.title,
            status=page.status,
            indexable="noindex" not in page.robots and page.status == 200,
            part_of=self.url(page.host, page.part_of) if page.part_of else "",
            copies=page.copies,
        )

    def _listen(self, port: int) -> None:
        for name, address in HOSTS.items():
            # Every site has a handler class of its own, as the handler is made for a request.
            handler = type("SiteHandler", (Handler,), {"site": name, "answers": self._answers})
            server = _Server((address, port), handler)
            self._servers.append(server)
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()

    def _close(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()
        self._servers.clear()


def bank_documents(site: SampleSite) -> Iterable[dict[str, object]]:
    """The originals as documents of a bank: id, title, text, work and number of the chapter."""
    for work in site.works:
        more: dict[str, object] = {"work": work.work, "number": work.number} if work.number else {}
        yield {"id": work.id, "title": work.title, "text": work.text, **more}


def documents(truth: Sequence[PageTruth]) -> list[PageTruth]:
    """The pages that a crawl makes documents of, without the parts that go into the first page."""
    return [page for page in truth if page.is_document and not page.part_of]


__all__ = ["Copied", "PageTruth", "Request", "SampleSite", "Traps", "bank_documents", "documents"]
