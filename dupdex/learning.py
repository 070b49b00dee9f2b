"""Learns boilerplate from the documents of an index, and changes its meta among other programs."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any, Final

from indexer.boilerplate import Learned, Learner
from indexer.meta import check_settled
from indexer.meta_watch import MetaChanged
from indexer.stores import StoreWriter
from query.stores import StoreReader

FROM: Final = 1_000
"""Documents an index must hold before `learned_if_grown` learns: fewer say little."""

AUTOMATIC: Final = 5_000
"""How many `learned_if_grown` learns from: few, as all their sentences are held in memory."""

_AT_ONCE: Final = 100


def learned_from(reader: StoreReader, writer: StoreWriter, sample: int) -> Learned:
    """What up to `sample` documents, drawn from the whole index, say; it is kept in the index."""
    writer.check_changeable()
    check_settled(writer.meta)
    learner, total = Learner(writer.meta.plan), reader.count()
    share = sample / total if total > sample else 1.0
    documents = islice(reader.scan(share=share), sample)
    while batch := list(islice(documents, _AT_ONCE)):
        learner.add([stored.text for stored in batch], [stored.fingerprint for stored in batch])
    learned = learner.learned(total)
    change_meta(writer, boilerplate=learned.boilerplate)
    return learned


def learned_if_grown(reader: StoreReader, writer: StoreWriter) -> None:
    """Learn from few documents when the index is twice what it was the last time, or more."""
    if reader.count() >= max(FROM, 2 * reader.meta.boilerplate.total):
        learned_from(reader, writer, AUTOMATIC)


def change_meta(writer: StoreWriter, **changes: Any) -> None:
    """Replace attributes of the meta; all else is kept as it is by now.

    Raises StoreRefused when other programs changed it meanwhile, twice in a row.
    """
    for last in (False, True):
        writer.watch.check()
        try:
            writer.set_meta(replace(writer.meta, **changes))
            return
        except MetaChanged:  # between the reading and the change, or at the same moment
            if last:
                raise
