"""Documents in, records out, outcomes back: the one path from text to store.

    documents -> to_records -> writer.write -> outcomes

Fingerprints are made in batches (see `indexer.text.ragged`), on several processes when asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
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
"""Documents to fingerprint, with the outcomes of refused documents in their places."""


class OnlyDocuments:
    """The items of an iterable up to the first that is no Document, which has no outcome: those
    before it are stored first, then `refusal` refuses it.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        """Raises InputRefused for what cannot be a list of documents."""
        if isinstance(documents, Document):
            raise InputRefused("one Document, a list of documents is needed: write [document]")
        kind = type(documents).__name__
        if isinstance(documents, str | bytes | Mapping) or not isinstance(documents, Iterable):
            raise InputRefused(f"a {kind} is no list of documents; give Document(ID, TEXT) objects")
        self._documents = documents
        self._refused = ""

    def __iter__(self) -> Iterator[Document]:
        for number, document in enumerate(self._documents, 1):
            if not isinstance(document, Document):
                kind = type(document).__name__
                self._refused = f"item {number} is a {kind}, no Document; give Document(ID, TEXT)"
                return
            yield document

    def refusal(self) -> Iterator[Outcome]:
        """Yields nothing; raises InputRefused, when it is reached, for the item that ended it."""
        if self._refused:
            raise InputRefused(f"{self._refused}. Nothing from there on was stored")
        yield from ()


def index(
    documents: Iterable[Document],
    plan: Plan,
    writer: RecordWriter,
    workers: int = 1,
    meta: IndexMeta | None = None,
) -> Iterator[Outcome]:
    """Fingerprint and store documents; yield one outcome for each, once it is durable.

    Outcomes come in the order of the documents: with an outcome, all documents before it are
    settled. A document that cannot be fingerprinted, or whose text differs from what `meta` reads
    in its body, yields REJECTED and does not affect the others.
    """
    items = to_records(documents, plan, workers, meta)
    refused: deque[tuple[int, Outcome]] = deque()  # with the number of records sent before each
    held = 0
    unread = True

    def records() -> Iterator[Record]:
        nonlocal unread, held
        sent = 0
        for item in items:
            if isinstance(item, Record):
                sent += 1
                yield item
                continue
            refused.append((sent, item))
            held += weight(item.document.body)
            if len(refused) >= REFUSED_AT_ONCE or held >= HELD_BYTES:
                return  # report these before reading on, to bound memory
        unread = False

    while unread:
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
    batches = checked_batches(documents, plan, meta)
    if workers <= 1:
        done: Iterator[tuple[Batch, list[Fingerprint]]] = (
            (batch, fingerprints_of(texts_of(batch), plan)) for batch in batches
        )
    else:
        done = in_processes(batches, texts_of, plan, workers)
    return chain.from_iterable(
        _joined(batch, fingerprints, plan.id) for batch, fingerprints in done
    )


def _joined(
    batch: Batch, fingerprints: list[Fingerprint], plan_id: str
) -> Iterator[Record | Outcome]:
    remaining = iter(fingerprints)
    for item in batch:
        yield item if isinstance(item, Outcome) else Record(item, next(remaining), plan_id)


def texts_of(batch: Batch) -> list[str]:
    """The texts of the documents that were not refused."""
    return [item.text for item in batch if isinstance(item, Document)]


def _checked(document: Document, plan: Plan, meta: IndexMeta | None) -> Document:
    """The document with text and body. Raises InputRefused for one that lookups could not find.

    Not every caller is type-checked, so a value of the wrong type also rejects just one document.
    """
    if not (type(document.id) is type(document.text) is str and type(document.body) is dict):
        _check_types(document)
    if meta is not None:
        document = _completed(document, meta)
    check_text(document.text, plan)
    return document


def _check_types(document: Document) -> None:
    for name, value, kind in (
        ("id", document.id, str),
        ("text", document.text, str),
        ("body", document.body, Mapping),
    ):
        if not isinstance(value, kind):
            wanted = "a string" if kind is str else "a mapping of field names to values"
            raise InputRefused(f"the {name} is of type {type(value).__name__}, not {wanted}")


def _completed(document: Document, meta: IndexMeta) -> Document:
    fields = {top for name in meta.text_fields for top in (name, name.partition(".")[0])}
    if document.text and not fields & document.body.keys():
        body = {**document.body, meta.text_fields[0]: document.text}
        return replace(document, body=body)
    stored = meta.text_of(document.body)
    if not document.text:
        return replace(document, text=stored)
    if stored != document.text:
        raise InputRefused(
            f"the text is not what the body holds in {', '.join(meta.text_fields)}; leave one of "
            "them out, as a lookup compares what is stored"
        )
    return document


def checked_batches(
    documents: Iterable[Document],
    plan: Plan,
    meta: IndexMeta | None = None,
    *,
    characters: int = BATCH_CHARACTERS,
) -> Iterator[Batch]:
    """Documents in order, up to so many characters at a time, with a REJECTED outcome in the place
    of each that cannot be fingerprinted.
    """
    batch: Batch = []
    size = held = 0
    for document in documents:
        length = heavy = 0
        try:
            item: Document | Outcome = (checked := _checked(document, plan, meta))
            length = len(checked.text)
            heavy = weight(checked.body) if checked.body else 0
        except InputRefused as error:
            item = Outcome(document, Status.REJECTED, str(error))
        full = (
            len(batch) == BATCH_DOCUMENTS or size + length > characters or held + heavy > HELD_BYTES
        )
        if batch and full:
            yield batch
            batch, size, held = [], 0, 0
        batch.append(item)
        size += length
        held += heavy
    if batch:
        yield batch
