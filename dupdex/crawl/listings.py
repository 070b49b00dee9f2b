"""Sitemaps and feeds: lists of addresses, with the times of their last change."""

from __future__ import annotations

import re
from calendar import timegm
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, Final

import orjson

from dupdex.crawl.page_links import absolute
from dupdex.pages.page_model import Fetched
from mappings.collections import moment

MOST_ENTRIES: Final = 60_000
"""A sitemap has 50,000 at the most."""

_GZIP: Final = b"\x1f\x8b\x08"
_HEAD: Final = 2_000
_BLANKS: Final = BOM_UTF8 + b" \t\r\n"
_SITEMAP: Final = re.compile(rb"<\s*(?:\w+:)?(?:urlset|sitemapindex)[\s>]", re.IGNORECASE)
_FEED: Final = re.compile(rb"<\s*(?:rss|(?:\w+:)?feed|rdf:RDF)[\s>]", re.IGNORECASE)
_JSON_FEED: Final = re.compile(rb"https?:(?:\\?/){2}(?:www\.)?jsonfeed\.org(?:\\?/)version")
_END_OF_DAY: Final = "T23:59:59.999Z"
_DAY: Final = timedelta(days=1, milliseconds=-1)


class TooLarge(ValueError):
    """What a compressed answer holds is larger than an answer may be."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An address of a list; `modified`: when it says that the page changed last, as
    `mappings.collections.moment` writes it."""

    url: str
    modified: str | None = None


def unpacked(body: bytes, most: int) -> bytes:
    """A body without the gzip that some sitemaps come in. Raises TooLarge."""
    if not body.startswith(_GZIP):
        return body
    from scrapy.utils.gz import gunzip

    try:
        return gunzip(body, max_size=most)
    except (OSError, EOFError):
        return body
    except Exception as error:  # Scrapy's exception for this has no public name
        raise TooLarge("it is a sitemap that unpacks to more than a page may have") from error


def is_sitemap(body: bytes) -> bool:
    """Whether the root element is one of a sitemap."""
    return _SITEMAP.search(body[:_HEAD]) is not None


def is_feed(body: bytes) -> bool:
    """Whether it looks like RSS, Atom, or a JSON feed."""
    head = body[:_HEAD]
    if head.lstrip(_BLANKS).startswith(b"{"):
        return _JSON_FEED.search(head) is not None
    return _FEED.search(head) is not None


def sitemap_entries(fetched: Fetched, body: bytes) -> list[Entry]:
    """The addresses of a sitemap, or the sitemaps of an index of them; what is no address, and
    what follows a fault, is left out."""
    from lxml import etree
    from scrapy.utils.sitemap import Sitemap

    out: list[Entry] = []
    try:
        for each in islice(Sitemap(body), MOST_ENTRIES):
            url = absolute(fetched.url, str(each.get("loc") or ""))
            if url:
                out.append(Entry(url, w3c_moment(str(each.get("lastmod") or ""))))
    except (etree.LxmlError, StopIteration, ValueError):
        pass
    return out


def feed_entries(fetched: Fetched, body: bytes) -> list[Entry]:
    """The pages that a feed names."""
    if body.lstrip(_BLANKS).startswith(b"{"):
        return list(islice(_json_entries(body, fetched.url), MOST_ENTRIES))
    import feedparser

    try:
        parsed = feedparser.parse(body, response_headers={"content-location": fetched.url})
    except ValueError:  # an encoding with a null in its name
        return []
    return list(islice(_feed_entries(parsed, fetched.url), MOST_ENTRIES))


def _json_entries(body: bytes, base: str) -> Iterator[Entry]:
    try:
        feed = orjson.loads(body.removeprefix(BOM_UTF8))
    except orjson.JSONDecodeError:
        return
    items = feed.get("items") if isinstance(feed, dict) else None
    for item in items if isinstance(items, list) else ():
        url = absolute(base, str(item.get("url") or "")) if isinstance(item, dict) else ""
        if url:
            time = item.get("date_modified") or item.get("date_published") or ""
            yield Entry(url, w3c_moment(str(time)))
    if isinstance(feed, dict) and (url := absolute(base, str(feed.get("next_url") or ""))):
        yield Entry(url)


def _feed_entries(parsed: Any, base: str) -> Iterator[Entry]:
    for entry in parsed.entries:
        url = absolute(base, str(entry.get("link") or ""))
        # not by its own `get`, which warns of a name for the other one
        time = dict.get(entry, "updated_parsed") or dict.get(entry, "published_parsed")
        if url:
            yield Entry(url, _moment_of(time) if time else None)
    for link in parsed.feed.get("links", ()):
        if link.get("rel") == "next" and (url := absolute(base, str(link.get("href") or ""))):
            yield Entry(url)


def _moment_of(time: Any) -> str | None:
    try:
        return moment(datetime.fromtimestamp(timegm(time), UTC))
    except (ValueError, OverflowError, OSError):
        return None


def is_same_day(modified: str, earlier: str) -> bool:
    """Whether one list names the day of what another one names the time."""
    day = slice(0, 10)
    return modified[day] == earlier[day] and any(
        each.endswith(_END_OF_DAY) for each in (modified, earlier)
    )


def w3c_moment(text: str) -> str | None:
    """A time of a sitemap (a year, a day, or a time with its zone); of a day its end, as a page may
    change later on that day than it was asked. None for what is no time."""
    text = text.strip()
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return moment(datetime.fromisoformat(text).replace(tzinfo=UTC) + _DAY)
        time = datetime.fromisoformat(text)
        return moment(time if time.tzinfo else time.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None
