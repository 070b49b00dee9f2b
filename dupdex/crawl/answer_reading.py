"""What an answer holds: a page, a sitemap, a feed, or nothing of use. Runs in worker processes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import Final

from dupdex.crawl.listings import (
    Entry,
    TooLarge,
    feed_entries,
    is_feed,
    is_sitemap,
    sitemap_entries,
    unpacked,
)
from dupdex.crawl.page_links import links_of
from dupdex.pages.extraction import extract
from dupdex.pages.page_model import Extracted, Fetched

_SENTENCE: Final = re.compile(r"[^\W\d_]{2}[^。！？!?\n.;；]{6,}")
_NOT_LETTERS: Final = re.compile(r"[\W\d_]+")
_SENTENCES: Final = 60
_TEXTUAL: Final = ("text/", "application/xhtml", "application/xml", "application/rss",
                   "application/atom", "application/rdf", "application/feed", "application/json",
                   "application/gzip", "application/x-gzip")  # fmt: skip


class Kind(StrEnum):
    """What an answer is."""

    PAGE = "page"
    LISTING = "listing"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a worker read of an answer. `entries`: where it leads to; `sentences`: hashes of the
    sentences of its text without numbers; `no_index`: it asks not to be taken in; `why`: why
    nothing of it is used."""

    kind: Kind
    entries: tuple[Entry, ...] = ()
    extracted: Extracted | None = None
    sentences: tuple[int, ...] = ()
    no_index: bool = False
    forward: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer to be read, `robots_header`: its X-Robots-Tag; `most_bytes`: when unpacked."""

    fetched: Fetched
    robots_header: str
    agent: str
    most_bytes: int


def is_textual(content_type: str) -> bool:
    """Whether an answer of this type can be of use; one without a type may be."""
    kind = content_type.partition(";")[0].strip().lower()
    return not kind or kind.startswith(_TEXTUAL) or kind.endswith("+xml")


def read_answer(asked: Asked) -> Reading:
    """What the answer is and says. Raises nothing for a bad one."""
    fetched = asked.fetched
    try:
        body = unpacked(fetched.body, asked.most_bytes)
    except TooLarge as error:
        return Reading(Kind.OTHER, why=str(error))
    if is_sitemap(body):
        return Reading(Kind.LISTING, tuple(sitemap_entries(fetched, body)))
    if is_feed(body):
        return Reading(Kind.LISTING, tuple(feed_entries(fetched, body)))
    kind = fetched.content_type.partition(";")[0].strip().lower()
    if kind in ("application/json", "application/gzip", "application/x-gzip"):
        return Reading(Kind.OTHER, why=f"it is of type {kind}")
    return _page(asked, plain=kind == "text/plain")


def _page(asked: Asked, plain: bool) -> Reading:
    if plain:
        extracted = extract(asked.fetched)
        return Reading(Kind.PAGE, (), extracted, sentence_hashes(extracted.text))
    links = links_of(asked.fetched, asked.robots_header, asked.agent)
    entries = tuple(map(Entry, links.links))
    if links.no_index:
        why = "it asks not to be indexed"
        return Reading(Kind.PAGE, entries, no_index=True, forward=links.forward, why=why)
    extracted = extract(asked.fetched)
    hashes = sentence_hashes(extracted.text)
    return Reading(Kind.PAGE, entries, extracted, hashes, forward=links.forward)


def sentence_hashes(text: str) -> tuple[int, ...]:
    """Hashes of the first sentences of a text, of their letters alone: pages of a calendar differ
    in numbers."""
    found: dict[int, None] = {}
    for match in _SENTENCE.finditer(text):
        letters = _NOT_LETTERS.sub("", match[0]).casefold()
        digest = blake2b(letters.encode("utf-8", "replace"), digest_size=8).digest()
        found[int.from_bytes(digest, "big")] = None
        if len(found) >= _SENTENCES:
            break
    return tuple(found)
