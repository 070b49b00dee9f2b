"""What a pass of `dupdex attach` does with a page: fingerprints for documents that lack them."""

from __future__ import annotations

from collections.abc import Sequence

from dupdex.attach.passes import Change, Changes
from indexer.meta import IndexMeta
from indexer.model import Document, Record, Standing
from indexer.pipeline import to_records
from indexer.stores.elastic.one_version import set_object
from indexer.stores.stored_object import (
    fingerprint_in,
    now_in_milliseconds,
    object_of,
    plan_id_in,
    standing_in,
)
from query.stores.elastic.versioned import Versioned


def filling(meta: IndexMeta) -> Changes:
    """Give every document of a page the object of its text, unless it has it already. A document
    keeps its group; one that never had a fingerprint is a group of its own.
    """

    def changes(page: Sequence[Versioned]) -> list[Change]:
        documents = [Document(each.version.id, body=each.body) for each in page]
        wanted = zip(page, to_records(documents, meta.writing, meta=meta), strict=True)
        return [change for each in wanted if (change := _change(*each)) is not None]

    return changes


def _change(stored: Versioned, made: Record | object) -> Change | None:
    if not isinstance(made, Record):
        return Change(stored.version.id, reason=getattr(made, "reason", ""))
    if _is_current(stored, made):
        return None
    group = standing_in(stored.ours, stored.version.id).group
    value = object_of(made, Standing(group, now_in_milliseconds()))
    return Change(stored.version.id, set_object(stored.version, value, stored.ours))


def _is_current(stored: Versioned, made: Record) -> bool:
    held = fingerprint_in(stored.ours)
    return (
        held is not None
        and plan_id_in(stored.ours) == made.plan_id
        and held.text_hash == made.fingerprint.text_hash
    )
