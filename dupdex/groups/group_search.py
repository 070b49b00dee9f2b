"""Searches with one hit a group, page by page: a cursor is one word, and belongs to its search."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from dupdex.wire.cursors import from_word, to_word
from mappings.errors import InputRefused
from query.answers import Filter, GroupHits
from query.stores import StoreReader


def search_groups(
    reader: StoreReader, text: str, size: int, after: str | None, filters: Sequence[Filter]
) -> GroupHits:
    """A page; see `dupdex.index.Index.search_groups`."""
    search, begun = _digest(text, filters), None
    if after is not None:
        of, *rest = from_word(after)
        if of != search or len(rest) != 1:
            raise InputRefused("this cursor belongs to another search; give both as they were")
        (begun,) = rest
    hits = reader.search_groups(text, size, begun, filters)
    return replace(hits, next=to_word((search, hits.next)) if hits.next else None)


def _digest(text: str, filters: Sequence[Filter]) -> str:
    said = json.dumps([text, list(filters)], sort_keys=True, default=str)  # halves of pairs as well
    return hashlib.blake2b(said.encode(), digest_size=8).hexdigest()
