"""What may be said of a bulk request of which one item was never settled."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from indexer.model import Document, Fingerprint, Record, Status
from indexer.stores.elastic.bulk import Item, Settled
from indexer.stores.elastic.elastic_writer import _Chunk, _Entry, _outcomes
from mappings.errors import StoreUnavailable


def test_nothing_behind_an_open_item_is_acknowledged() -> None:
    """Whoever resumes after the last outcome would leave the open document out for ever."""
    chunk = _Chunk()
    for number in range(4):
        chunk.add(
            _Entry(
                Record(Document(str(number), "text"), Fingerprint("", 0, 0, {}), ""), b"operation"
            )
        )
    future: Future[Settled] = Future()
    settled = [Item("created"), None, Item("created"), Item("created")]
    future.set_result(Settled(settled, StoreUnavailable("one shard stayed at 429")))
    outcomes = _outcomes(chunk, future)
    assert next(outcomes).status is Status.CREATED
    with pytest.raises(StoreUnavailable, match="429"):
        next(outcomes)
