"""Documents in, records out, outcomes back: the one path from text to store.

    documents -> to_records -> writer.write -> outcomes

Fingerprints are made in batches (see `indexer.text.ragged`), on several processes when asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain

from indexer.fingerprints import fingerprints_of
from indexer.fingerprints.compute import check_text
from indexer.meta import IndexMeta
from indexer.model import Document, Fingerprint, Outcome, Record, RecordWriter, Status
from indexer.weight import HELD_BYTES, weight
from indexer.workers import in_processes
from mappings.errors import InputRefused
from mappings.plan import Plan

BATCH_CHARACTERS = 45_000
BATCH_DOCUMENTS = 512
REFUSED_AT_ONCE = 1_000

Batch = list[Document | Outcome]
"""Documents to be fingerprinted, with the outcomes of refused ones in their places."""


def index(
    documents: Iterable[Document],
    plan: Plan,
    writer: RecordWriter,
    workers: int = 1,
    meta: IndexMeta | None = None,
) -> Iterator[Outcome]:
    """Fingerprint and store documents; yield one outcome for each, once it is durable.

    Outcomes come in the order of the documents: whoever has seen one may forget all documents
    before it. A document that cannot be fingerprinted, or whose text is not what `meta` reads in
    its body, yields REJECTED and costs the others nothing.
    """
    items = to_records(documents, plan, workers, meta)
    refused: deque[tuple[int, Outcome]] = deque()  # with the number of records sent before it
    held = 0
    more = True

    def records() -> Iterator[Record]:
        nonlocal more, held
        sent = 0
        for item in items:
            if isinstance(item, Record):
                sent += 1
                yield item
                continue
            refused.append((sent, item))
            held += weight(item.document.body)
            if len(refused) >= REFUSED_AT_ONCE or held >= HELD_BYTES:
                return  # report these before reading on: memory is bounded
        more = False

    while more:
        for acknowledged, outcome in enumerate(writer.write(records())):
            while refused and refused[0][0] <= acknowledged:
                yield refused.popleft()[1]
            yield outcome
        while refused:
            yield refused.popleft()[1]
        held = 0


def to_records(
    documents: Iterable[Document], plan: Plan, workers: int = 1, meta: IndexMeta | None = None
) -> Iterator[Record | Outcome]:
    """Fingerprint documents in order; those refused come out as REJECTED outcomes."""
    batches = _batches(documents, plan, meta)
    if workers <= 1:
        done: Iterator[tuple[Batch, list[Fingerprint]]] = (
            (batch, fingerprints_of(_texts(batch), plan)) for batch in batches
        )
    else:
        done = in_processes(batches, _texts, plan, workers)
    return chain.from_iterable(_joined(batch, made, plan.id) for batch, made in done)


def _joined(
    batch: Batch, fingerprints: list[Fingerprint], plan_id: str
) -> Iterator[Record | Outcome]:
    made = iter(fingerprints)
    for item in batch:
        yield item if isinstance(item, Outcome) else Record(item, next(made), plan_id)


def _texts(batch: Batch) -> list[str]:
    return [item.text for item in batch if isinstance(item, Document)]


def _check(document: Document, plan: Plan, meta: IndexMeta | None) -> None:
    """Raises InputRefused for a document that could not be found again."""
    check_text(document.text, plan)
    if meta is not None and meta.text_of(document.body) != document.text:
        raise InputRefused(
            f"the text is not what the body holds in {', '.join(meta.text_fields)}; give both the "
            "same, as a lookup compares what is stored"
        )


def _batches(documents: Iterable[Document], plan: Plan, meta: IndexMeta | None) -> Iterator[Batch]:
    batch: Batch = []
    size = held = 0
    for document in documents:
        try:
            _check(document, plan, meta)
            item: Document | Outcome = document
        except InputRefused as error:
            item = Outcome(document, Status.REJECTED, str(error))
        length = len(document.text) if item is document else 0
        heavy = weight(document.body)
        full = (
            len(batch) == BATCH_DOCUMENTS
            or size + length > BATCH_CHARACTERS
            or held + heavy > HELD_BYTES
        )
        if batch and full:
            yield batch
            batch, size, held = [], 0, 0
        batch.append(item)
        size += length
        held += heavy
    if batch:
        yield batch
