"""A feed in RSS or Atom: one document an entry."""

from __future__ import annotations

import calendar
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from indexer.model import Mark
from indexer.sources.byte_streams import Input
from indexer.sources.documents import document_of, short_id
from indexer.sources.markup_text import read_markup
from indexer.sources.options import BadLine, Item, Place, ReadOptions
from indexer.sources.plain import text_field
from mappings.errors import InputRefused

if TYPE_CHECKING:
    from types import ModuleType


def read_feed(source: Input, options: ReadOptions, skip_items: int = 0) -> Iterator[Item]:
    """The entries after the first `skip_items`: id, title, url, site, author, published, and the
    content or the summary as text. A feed that is broken gives what can be read of it."""
    data = source.content(options.max_line_bytes)
    source.line = 1
    if data is None:
        yield source.bad(f"the feed is over {options.max_line_bytes:,} bytes")
        return
    try:
        feed = _feedparser().parse(
            io.BytesIO(data), sanitize_html=False, resolve_relative_uris=False
        )
    except InputRefused as error:
        yield source.bad(str(error))
        return
    except ValueError as error:  # an encoding with a null in its name
        yield source.bad(f"not a feed: {error}")
        return
    if not feed.entries:
        why = f" ({feed.bozo_exception})" if feed.get("bozo") else ""
        yield source.bad(" ".join(f"not a feed with entries, or a broken one{why}".split()))
    for position, entry in enumerate(feed.entries, 1):
        if position > skip_items:
            source.line = position
            place = Place(f"{source.name}:{position}", Mark(source.part, position))
            yield _item(entry, feed.feed, place, options)


def _feedparser() -> ModuleType:
    try:
        import feedparser
    except ImportError as error:
        raise InputRefused(
            "feeds need feedparser; install it with: pip install 'dupdex[crawl]'"
        ) from error
    module: ModuleType = feedparser
    return module


def _item(entry: Any, feed: Any, place: Place, options: ReadOptions) -> Item:
    link = str(entry.get("link") or "")
    name = str(entry.get("id") or link)
    # without its fallback from one to the other, which warns
    time = dict.get(entry, "published_parsed") or dict.get(entry, "updated_parsed")
    body = {
        "title": _plain(entry.get("title") or ""),
        "url": link,
        "site": _site(link),
        "author": str(entry.get("author") or ""),
        "published": _moment(time),
        "language": str(entry.get("language") or feed.get("language") or ""),
        text_field(options): _text(entry),
    }
    kept: dict[str, object] = {name: value for name, value in body.items() if value}
    if name:
        kept = {options.id_field: short_id(name), **kept}
    try:
        return document_of(kept, place, options)
    except InputRefused as error:
        return BadLine(place.origin, str(error), None, place.mark)


def _text(entry: Any) -> str:
    """The longest of the contents, else the summary."""
    contents = [each.get("value") or "" for each in entry.get("content") or ()]
    texts = [_plain(str(each)) for each in (*contents, entry.get("summary") or "")]
    return max(texts, key=len, default="")


def _plain(value: str) -> str:
    """Feeds do not reliably say whether a text is HTML."""
    return read_markup(value).text.strip() if "<" in value or "&" in value else value.strip()


def _site(link: str) -> str:
    try:
        return urlsplit(link).netloc.lower()
    except ValueError:
        return ""


def _moment(parsed: Any) -> str:
    if parsed is None:
        return ""
    try:
        return datetime.fromtimestamp(calendar.timegm(parsed), UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
