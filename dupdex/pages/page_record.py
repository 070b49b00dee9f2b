"""A page as it is kept: what was fetched, what was read of it, and what became of it."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final, Self

from dupdex.pages.page_model import PageState, address_key
from indexer.stores.collection_store import Item, Values
from mappings.collections import moment
from mappings.errors import InputRefused

_DIGEST_BYTES: Final = 16
_LARGEST_BODY: Final = 50_000_000


@dataclass(frozen=True, slots=True)
class PageRecord:
    """One page. `url`: where it was fetched last; `text`: as it was extracted, learned lines of
    the site included; `body`: as it was fetched, None when it is not kept. Times are UTC."""

    id: str
    url: str
    site: str
    state: PageState
    fetched: datetime
    changed: datetime
    status: int
    extraction: int
    quality: float = 0.0
    published: datetime | None = None
    language: str = ""
    raw_hash: str = ""
    document: str = ""
    previous_page: str = ""
    next_page: str = ""
    content_type: str = ""
    title: str = ""
    author: str = ""
    text: str = ""
    body: bytes | None = None
    why: str = ""

    def values(self) -> Values:
        """As the collection keeps it: no empty values, the body compressed."""
        key = address_key(self.url)
        out: dict[str, Any] = {
            "url": key,
            "address": None if key == self.url else self.url,
            "site": self.site,
            "state": self.state.value,
            "fetched": moment(self.fetched),
            "changed": moment(self.changed),
            "status": self.status,
            "extraction": self.extraction,
            "quality": self.quality,
            "published": None if self.published is None else moment(self.published),
            "body": None if self.body is None else packed(self.body),
        }
        for name in _TEXTS:
            out[name] = getattr(self, name) or None
        return out

    @classmethod
    def from_item(cls, item: Item) -> Self:
        """Raises InputRefused for an item that holds no page."""
        values = item.values
        try:
            return cls(
                item.id,
                url=values.get("address") or values["url"],
                site=values["site"],
                state=PageState(values["state"]),
                fetched=datetime.fromisoformat(values["fetched"]),
                changed=datetime.fromisoformat(values["changed"]),
                status=values["status"],
                extraction=values["extraction"],
                quality=values.get("quality", 0.0),
                published=_time(values.get("published")),
                body=None if values.get("body") is None else unpacked(values["body"]),
                **{name: values.get(name, "") for name in _TEXTS},
            )
        except (KeyError, ValueError) as error:
            raise InputRefused(f"what is stored under {item.id!r} is no page: {error}") from error


_TEXTS: Final = (
    "language",
    "raw_hash",
    "document",
    "previous_page",
    "next_page",
    "content_type",
    "title",
    "author",
    "text",
    "why",
)


def raw_hash(body: bytes) -> str:
    """The digest of a body, to tell whether the same bytes came again."""
    return blake2b(body, digest_size=_DIGEST_BYTES).hexdigest()


def packed(body: bytes) -> str:
    """A body, compressed, as a text attribute holds it."""
    return b64encode(zlib.compress(body, 6)).decode("ascii")


def unpacked(value: str) -> bytes:
    """The reverse. Raises ValueError for what is no packed body, or grows without measure."""
    unpack = zlib.decompressobj()
    try:
        body = unpack.decompress(b64decode(value, validate=True), _LARGEST_BODY)
    except zlib.error as error:
        raise ValueError(f"its body cannot be unpacked: {error}") from error
    if not unpack.eof:
        raise ValueError("its body cannot be unpacked: it is cut off, or too large")
    return body


def _time(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)
