"""The texts of a WARC file: records that hold plain text, as Common Crawl's WET files do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from indexer.model import Mark
from indexer.sources.byte_streams import Input
from indexer.sources.documents import document_of, short_id
from indexer.sources.encodings import canonical, detect
from indexer.sources.options import BadLine, Item, Place, ReadOptions
from indexer.sources.plain import text_field
from indexer.sources.warc_records import BrokenRecord, WarcRecord, read_records
from mappings.errors import InputRefused

PAGES: Final = (
    "the file holds pages as sites sent them, not texts; take them in with 'dupdex pages load FILE'"
)
_TITLE: Final = 200
"""Characters of the first line that are the title."""

_KINDS: Final = frozenset(("conversion", "resource", "response"))


def read_warc_texts(source: Input, options: ReadOptions, skip_items: int = 0) -> Iterator[Item]:
    """A document for each record of plain text: id and url are its address, site, fetched,
    language, and its first line as the title. Pages in HTML are told of once."""
    position, is_told = 0, False
    for record in read_records(source, options.max_line_bytes, _KINDS.__contains__):
        if isinstance(record, WarcRecord) and not _is_text(record):
            if is_told or record.kind != "response":
                continue
            is_told = True
            record = BrokenRecord(PAGES)
        position += 1
        source.line = position
        if position <= skip_items:
            continue
        place = Place(f"{source.name}:{position}", Mark(source.part, position))
        yield _item(record, place, options)


def _is_text(record: WarcRecord) -> bool:
    kind = record.headers.get("content-type", "")
    return record.kind != "response" and kind.lower().startswith("text/plain")


def _item(record: WarcRecord | BrokenRecord, place: Place, options: ReadOptions) -> Item:
    if isinstance(record, BrokenRecord):
        return BadLine(place.origin, record.message, None, place.mark)
    try:
        text = _text(record)
        if not text.strip():
            raise InputRefused("it holds no text")
        body = {
            options.id_field: short_id(record.url),
            "title": text.lstrip().partition("\n")[0][:_TITLE].strip(),
            "url": record.url,
            "site": urlsplit(record.url).netloc.lower(),
            "fetched": record.headers.get("warc-date", ""),
            "language": record.headers.get("warc-identified-content-language", ""),
        }
        kept = {name: value for name, value in body.items() if value}
        named = options if record.url else replace(options, make_ids=True)
        return document_of({**kept, text_field(options): text}, place, named)
    except (InputRefused, ValueError) as error:
        return BadLine(place.origin, f"{record.url}: {error}", None, place.mark)


def _text(record: WarcRecord) -> str:
    kind = record.headers.get("content-type", "")
    named = kind.lower().partition("charset=")[2].strip("\"' ;") or "utf-8"
    try:
        return record.body.decode(canonical(named))
    except (LookupError, UnicodeDecodeError):
        return record.body.decode(detect(record.body, complete=True), "replace")
