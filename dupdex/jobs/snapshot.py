"""An index as it was at one moment: what all pairs are found from, without a lookup for each.

Keys are held in arrays, eight bytes each; texts and fingerprints wait in a temporary file.
Documents are numbered in the order of their keys in collections (`mappings.records.key_of`), so the
same documents have the same order whenever they are read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import orjson

from dupdex.corpus.spill import Spill, Spilled
from indexer.fingerprints.compute import check_text, fingerprints_of
from indexer.fingerprints.key_rows import key_numbers
from indexer.model import Fingerprint, Ref
from indexer.text.hashing import Hashes
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.plan import Plan
from mappings.records import key_of
from query.answers import Stored
from query.key_join import MOST_DOCUMENTS, KeyColumn, packed, renumbered

_BATCH: Final = 200
_CHARACTERS: Final = 30_000


@dataclass(frozen=True)
class Snapshot:
    """All documents that can be compared, by number. `refused`: how many could not be."""

    plan: Plan
    refs: list[Ref]
    simhashes: Hashes
    columns: dict[Field, KeyColumn]
    records: Spilled
    refused: int = 0

    def __len__(self) -> int:
        return len(self.refs)

    def stored(self, number: int) -> Stored:
        """A document without its fields."""
        return next(self.each([number]))

    def each(self, numbers: Sequence[int]) -> Iterator[Stored]:
        """Documents without their fields, in order."""
        for number, record in zip(numbers, self.records.read(numbers), strict=True):
            text_hash, simhash, length, keys, text = orjson.loads(record)
            terms = {Field(name): tuple(own) for name, own in keys.items()}
            fingerprint = Fingerprint(text_hash, simhash, length, terms)
            ref = self.refs[number]
            yield Stored(ref.id, ref.index, {}, text, self.plan.id, fingerprint)

    def key(self, number: int) -> str:
        """What documents are ordered by."""
        return _key(self.refs[number])

    def first_after(self, key: str) -> int:
        """The number of the first document behind a key."""
        return bisect_right(self.refs, key, key=_key)

    def has(self, document: Stored) -> bool:
        """Whether the document was the same when the snapshot was taken."""
        number = self.first_after(_key(document.ref)) - 1
        if number < 0 or self.refs[number] != document.ref:
            return False
        return self.stored(number).text == document.text


def taken(documents: Iterable[Stored], plan: Plan, folder: Path) -> Snapshot:
    """Read all documents of an index into `folder`. Fingerprints of another plan are made anew."""
    remaining = iter(documents)
    with Spill(folder / "documents") as records:
        taking = _Taking(plan, records)
        while batch := list(islice(remaining, _BATCH)):
            taking.add(batch)
        return taking.snapshot()


@dataclass(slots=True)
class _Taking:
    """What was read so far, numbered as it came."""

    plan: Plan
    writer: Spill
    refs: list[Ref] = field(default_factory=list)
    simhashes: list[int] = field(default_factory=list)
    refused: int = 0
    _entries: dict[Field, list[Hashes]] = field(default_factory=dict)

    def add(self, batch: list[Stored]) -> None:
        """Some documents more."""
        first = len(self.refs)
        terms: dict[Field, list[str]] = {}
        owners: dict[Field, list[int]] = {}
        for document, fingerprint in self._fingerprinted(batch):
            number = len(self.refs)
            self.refs.append(document.ref)
            self.simhashes.append(fingerprint.simhash)
            self.writer.append(_packed(fingerprint, document.text))
            for name, keys in fingerprint.keys.items():
                terms.setdefault(name, []).extend(keys)
                owners.setdefault(name, []).extend([number] * len(keys))
        if len(self.refs) > MOST_DOCUMENTS:
            raise InputRefused(
                f"the index has more than {MOST_DOCUMENTS:,} documents; sweep its parts with "
                "'--since'"
            )
        if len(self.refs) > first:
            for name, spelled in terms.items():
                numbers = np.array(owners[name], np.int64)
                self._entries.setdefault(name, []).append(packed(key_numbers(spelled), numbers))

    def snapshot(self) -> Snapshot:
        """All documents, numbered in the order of their keys."""
        order = np.array(
            sorted(range(len(self.refs)), key=lambda at: _key(self.refs[at])), np.int64
        )
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        hot = self.plan.thresholds.hot
        columns = {
            name: KeyColumn(renumbered(self._entries.pop(name), number), hot)
            for name in [*self._entries]
        }
        return Snapshot(
            self.plan,
            [self.refs[at] for at in order.tolist()],
            np.array(self.simhashes, np.uint64)[order],
            columns,
            self.writer.spilled().at(order),
            self.refused,
        )

    def _fingerprinted(self, batch: list[Stored]) -> Iterator[tuple[Stored, Fingerprint]]:
        """The documents that can be compared, with their fingerprints under the plan."""
        readable = [document for document in batch if self._is_readable(document)]
        made = self._made([document for document in readable if not self._is_current(document)])
        for document in readable:
            current = document.fingerprint if self._is_current(document) else None
            yield document, current or next(made)

    def _made(self, documents: list[Stored]) -> Iterator[Fingerprint]:
        part: list[str] = []
        for document in documents:
            part.append(document.text)
            if sum(map(len, part)) >= _CHARACTERS:
                yield from fingerprints_of(part, self.plan)
                part = []
        if part:
            yield from fingerprints_of(part, self.plan)

    def _is_current(self, document: Stored) -> bool:
        return document.fingerprint is not None and document.plan_id == self.plan.id

    def _is_readable(self, document: Stored) -> bool:
        if self._is_current(document):
            return True
        try:
            check_text(document.text, self.plan)
        except InputRefused:
            self.refused += 1
            return False
        return True


def _packed(fingerprint: Fingerprint, text: str) -> bytes:
    keys = {name.value: terms for name, terms in fingerprint.keys.items()}
    return orjson.dumps(
        [fingerprint.text_hash, fingerprint.simhash, fingerprint.length, keys, text]
    )


def _key(ref: Ref) -> str:
    return key_of(ref.index, ref.id)
