"""The texts that a forecast is measured on: the first documents of a source, without copies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np

from dupdex.forecast.chance import KeyRows
from dupdex.location import Location
from dupdex.scratch import scratch_folder
from dupdex.session import Session
from indexer.fingerprints import fingerprints_of
from indexer.fingerprints.simhash import block_keys
from indexer.model import Document, Fingerprint, Record
from indexer.pipeline import to_records
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.plan import ALWAYS, MinhashPlan, Plan, SimhashPlan
from mappings.plan.parts import ShinglesPlan
from query.questions import Options
from query.sweep import all_pairs

DOCUMENTS: Final = 5_000
CHARACTERS: Final = 20_000_000
"""The most that is read, to bound memory and time."""

_BAND_SCHEMES: Final = (*ALWAYS, "minhash", "syllables")
_LOOKUP: Final = Options(candidates=50, verify=50, facts=False, located=False)
_AT_ONCE: Final = 50


@dataclass(frozen=True, slots=True)
class Sample:
    """Texts that contain no duplicates; `copies` and `refused` count the documents left out."""

    plan: Plan
    texts: tuple[str, ...]
    fingerprints: tuple[Fingerprint, ...]
    copies: int = 0
    refused: int = 0

    def keys(self, field: Field) -> KeyRows:
        """The keys of each text in one field."""
        return [fingerprint.keys.get(field, ()) for fingerprint in self.fingerprints]

    def simhash_keys(self, layout: SimhashPlan) -> KeyRows:
        """The keys each text would have under another layout."""
        values = np.array([fingerprint.simhash for fingerprint in self.fingerprints], np.uint64)
        return block_keys(values, layout)

    def band_keys(self, characters: MinhashPlan, syllables: MinhashPlan) -> tuple[KeyRows, KeyRows]:
        """The bands each text would have under other numbers."""
        # without words, as only the simhash has any and they take most of the time
        other = replace(
            self.plan,
            schemes=_BAND_SCHEMES,
            words="none",
            simhash=SimhashPlan(),
            shingles=ShinglesPlan(),
            minhash=characters,
            syllable_minhash=syllables,
        )
        rows = [
            fingerprint.keys
            for start in range(0, len(self.texts), _AT_ONCE)
            for fingerprint in fingerprints_of(self.texts[start : start + _AT_ONCE], other)
        ]
        fields = (Field.MINHASH_KEYS, Field.SYLLABLE_KEYS)
        first, second = ([keys.get(field, ()) for keys in rows] for field in fields)
        return first, second


def take(
    documents: Iterable[Document], plan: Plan, progress: Callable[[int], None] = lambda _: None
) -> Sample:
    """The first documents, less those that the lookup calls duplicates of an earlier one.

    Raises InputRefused when fewer than two texts are left: there is no pair to count.
    """
    records: list[Record] = []
    refused = 0
    for item in to_records(_first(documents), plan):
        if isinstance(item, Record):
            records.append(item)
        else:
            refused += 1
        progress(1)
    unlike = _without_copies(records, plan)
    if len(unlike) < 2:
        raise InputRefused(
            f"the sample holds {len(unlike)} documents that are no copies of each other, and "
            "chance takes two at least; name more documents with --sample"
        )
    return Sample(
        plan,
        tuple(record.document.text for record in unlike),
        tuple(record.fingerprint for record in unlike),
        len(records) - len(unlike),
        refused,
    )


def _first(documents: Iterable[Document]) -> Iterator[Document]:
    characters = 0
    for document in islice(documents, DOCUMENTS):
        yield document
        characters += len(document.text)
        if characters > CHARACTERS:
            return


def _without_copies(records: Sequence[Record], plan: Plan) -> list[Record]:
    """The records that no earlier one of the list is a copy of, as an index of them finds it."""
    earlier: dict[int, set[int]] = {}  # of each document, those that it is a copy of
    with (
        scratch_folder() as folder,
        Session(Location(str(folder))) as session,
    ):
        with closing(session.writer(plan=plan)) as writer:
            deque(writer.write(map(_numbered, range(len(records)), records)), maxlen=0)
        reader = session.reader()
        for pair in all_pairs(reader.scan(), plan, reader, options=_LOOKUP):
            first, second = sorted((int(pair.first.id), int(pair.second.id)))
            earlier.setdefault(second, set()).add(first)
    dropped: set[int] = set()
    for number in sorted(earlier):
        if earlier[number] - dropped:
            dropped.add(number)
    return [record for number, record in enumerate(records) if number not in dropped]


def _numbered(number: int, record: Record) -> Record:
    """The record with its number as the id, and nothing but its text as the body."""
    text = record.document.text
    return replace(record, document=Document(str(number), text, {"text": text}))
