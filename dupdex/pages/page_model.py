"""The nouns of pages.

Fetched (bytes of an address) -> Extracted (its text) -> PageRecord, kept -> a document of the index
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Final

from mappings.collections import LONGEST_ID, LONGEST_KEYWORD

_DIGEST_BYTES: Final = 16


class PageState(StrEnum):
    """What became of a page."""

    INDEXED = "indexed"
    """A document of the index holds its text."""
    PART = "part"
    """Its text is in the document of the page that it goes on from."""
    UNFIT = "unfit"
    """Its text is not good enough: it is kept here and not in the index."""
    GONE = "gone"
    """The site says that it is there no more; the text as it was last is kept."""
    FAILED = "failed"
    """No text could be taken out of it."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer of a site. `url`: the address in the end, after redirects; `content_type`: the
    header as it came; `body`: without its transfer and content encodings."""

    url: str
    status: int
    body: bytes
    at: datetime
    content_type: str = ""
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What an extraction read of a page. `canonical`: the one address of this page, normalised,
    which it names itself or which is made of the address that it was fetched from; `quality`: 0 to
    1; `next_url`, `previous_url`: where a text goes on, and where it comes from."""

    canonical: str
    text: str
    title: str = ""
    author: str = ""
    published: datetime | None = None
    site: str = ""
    language: str = ""
    quality: float = 0.0
    next_url: str = ""
    previous_url: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What became of a page that was taken in. `changed`: its text is new or another one."""

    id: str
    state: PageState
    changed: bool
    document: str = ""
    why: str = ""


def page_id(canonical: str) -> str:
    """The id of a page, and of its document: the canonical address, or as much of it as an id
    holds with a digest."""
    return _shortened(canonical, LONGEST_ID)


def address_key(url: str) -> str:
    """An address as it is asked for: as much of it as a keyword holds, with a digest."""
    return _shortened(url, LONGEST_KEYWORD)


def _shortened(text: str, most: int) -> str:
    if len(text.encode()) <= most:
        return text
    digest = blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()
    start = text.encode()[: most - len(digest) - 1].decode(errors="ignore")
    return f"{start}#{digest}"
