"""What a site says of itself to machines: robots.txt, sitemaps, feeds."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from html import escape
from typing import Final
from urllib.robotparser import RobotFileParser

from scripts.sample_site.layouts import NAMES, published
from scripts.sample_site.site_pages import Page

_IN_FEED: Final = 30
_CHANGED: Final = datetime(2026, 10, 1, tzinfo=UTC)

Body = tuple[str, bytes]
"""The content type and the bytes of an answer."""


def modified(page: Page) -> datetime:
    """When a page last changed, as its site says."""
    if page.version == 1:
        return datetime.fromisoformat(f"{published(page)}T00:30:00+00:00")
    return _CHANGED + timedelta(days=page.version)


def robots(host: str, home: str, delay: float) -> str:
    """The robots.txt of a site."""
    rules = {
        "news": "Disallow: /private/\nDisallow: /search\nDisallow: /*?sort=\n\n"
        f"Sitemap: {home}/sitemap.xml",
        "mirror": "Disallow: /cgi-bin/",
        "books": f"Disallow:\nSitemap: {home}/sitemap.xml",
        "press": f"Crawl-delay: {delay:g}\nDisallow: /drafts/",
        "maze": "Disallow: /forbidden/",
    }
    others = "User-agent: GreedyBot\nDisallow: /\n\n"
    return f"{others}User-agent: *\n{rules.get(host, 'Disallow:')}\n"


def is_allowed(rules: str, path: str) -> bool:
    """Whether everybody may fetch a path, by the robots.txt of its site."""
    parser = RobotFileParser()
    parser.parse(rules.splitlines())
    return parser.can_fetch("dupdex", path) and "?sort=" not in path


def machine_lists(path: str, pages: Sequence[Page], home: str) -> Body | None:
    """A sitemap or feed by its path; None where it is something else."""
    host = pages[0].host
    own = [page for page in pages if _is_listed(page)]
    if path == "/sitemap.xml" and host in ("news", "books"):
        parts = ("/sitemap-1.xml.gz", "/sitemap-2.xml") if host == "news" else ("/sitemap-2.xml",)
        return "application/xml", _index(home + part for part in parts)
    if path == "/sitemap-1.xml.gz":
        return "application/gzip", gzip.compress(_sitemap(own[::2], home), mtime=0)
    if path == "/sitemap-2.xml":
        return "application/xml", _sitemap(own[1::2] if host == "news" else own, home)
    if path == "/feed.xml" and host == "news":
        newest = sorted(own, key=lambda page: (page.found_by != "feed", -page.version, page.path))
        return "application/rss+xml; charset=utf-8", rss(newest[:_IN_FEED], home)
    if path == "/atom.xml" and host == "books":
        return "application/atom+xml", atom(own[:_IN_FEED], home)
    return None


def _is_listed(page: Page) -> bool:
    texts = ("article", "chapter", "copy", "joined", "quote", "part")
    return page.role in texts and page.status == 200 and not page.robots


def _index(addresses: Iterable[str]) -> bytes:
    rows = "".join(f"<sitemap><loc>{escape(each)}</loc></sitemap>" for each in addresses)
    return _xml(
        f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</sitemapindex>'
    )


def _sitemap(pages: Iterable[Page], home: str) -> bytes:
    rows = "".join(
        f"<url><loc>{escape(home + page.path)}</loc>"
        f"<lastmod>{modified(page):%Y-%m-%d}</lastmod></url>"
        for page in pages
        if page.found_by != "feed"
    )
    return _xml(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>')


def rss(pages: Iterable[Page], home: str) -> bytes:
    """RSS 2.0 with the first paragraph of each page."""
    items = "".join(
        f"<item><title>{escape(page.title)}</title><link>{escape(home + page.path)}</link>"
        f'<guid isPermaLink="true">{escape(home + page.path)}</guid>'
        f"<pubDate>{format_datetime(modified(page))}</pubDate>"
        f"<description>{escape(page.text.partition(chr(10))[0])}</description></item>"
        for page in pages
        if page.found_by != "sitemap"
    )
    return _xml(
        f'<rss version="2.0"><channel><title>{NAMES["news"]}</title><link>{home}/</link>'
        f"<description>{NAMES['news']}</description>{items}</channel></rss>"
    )


def atom(pages: Iterable[Page], home: str) -> bytes:
    """Atom 1.0 with whole texts."""
    entries = "".join(
        f"<entry><title>{escape(page.title)}</title><id>{escape(home + page.path)}</id>"
        f'<link href="{escape(home + page.path)}"/><updated>{modified(page).isoformat()}</updated>'
        f'<content type="text">{escape(page.text)}</content></entry>'
        for page in pages
    )
    return _xml(
        f'<feed xmlns="http://www.w3.org/2005/Atom"><title>{NAMES["books"]}</title>'
        f"<id>{home}/</id><updated>{_CHANGED.isoformat()}</updated>{entries}</feed>"
    )


def _xml(text: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>{text}'.encode()
