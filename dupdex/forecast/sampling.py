"""The texts a forecast is measured on: the first documents of a source, without their copies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np
import numpy.typing as npt

from dupdex.forecast.chance import KeyRows
from indexer.fingerprints import fingerprints_of
from indexer.fingerprints.simhash import block_keys
from indexer.model import Document, Fingerprint, Keys, Record
from indexer.pipeline import to_records
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.plan import ALWAYS, MinhashPlan, Plan, SimhashPlan
from mappings.plan.parts import ShinglesPlan
from query.answers import Candidate, CandidatePage, Ref, Request, Stored, Term
from query.lookup import Options
from query.sweep import all_pairs

DOCUMENTS: Final = 5_000
CHARACTERS: Final = 20_000_000
"""The most that is read, to bound memory and time."""

_BAND_SCHEMES: Final = (*ALWAYS, "minhash", "syllables")
_LOOKUP: Final = Options(candidates=50, verify=50, facts=False, located=False)
_AT_ONCE: Final = 50


@dataclass(frozen=True, slots=True)
class Sample:
    """Texts no two of which are duplicates; `copies` and `refused` count the documents left out."""

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
    reader = _SampleReader(records)
    earlier: dict[int, set[int]] = {}  # of each document, those that it is a copy of
    for pair in all_pairs(reader.scan(), plan, reader, options=_LOOKUP):
        first, second = sorted((int(pair.first.id), int(pair.second.id)))
        earlier.setdefault(second, set()).add(first)
    dropped: set[int] = set()
    for number in sorted(earlier):
        if earlier[number] - dropped:
            dropped.add(number)
    return [record for number, record in enumerate(records) if number not in dropped]


class _SampleReader:
    """The read side of a store over records in memory; ids are their numbers."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records
        postings: dict[Term, list[int]] = {}
        for number, record in enumerate(records):
            for term in dict.fromkeys(record.fingerprint.terms()):
                postings.setdefault(term, []).append(number)
        self._postings: dict[Term, npt.NDArray[np.intp]] = {
            term: np.array(numbers, np.intp)
            for term, numbers in postings.items()
            if len(numbers) > 1
        }

    def scan(self) -> Iterator[Stored]:
        return (self._stored(Ref("", str(number))) for number in range(len(self._records)))

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        return [self._page(request) for request in requests]

    def documents(self, refs: Sequence[Ref]) -> dict[Ref, Stored]:
        return {ref: self._stored(ref) for ref in refs}

    def each(self, refs: Sequence[Ref]) -> Iterator[Stored]:
        return map(self._stored, refs)

    def frequencies(self, keys: Keys) -> dict[Term, int]:
        """Terms of one document, or of none, count as 1: nobody asks for others."""
        out = {(name, term): 1 for name, terms in keys.items() for term in terms}
        known = self._postings.keys() & out.keys()
        return {**out, **{term: len(self._postings[term]) for term in known}}

    def _page(self, request: Request) -> CandidatePage:
        scores = np.zeros(len(self._records))
        for field, terms in request.keys.items():
            for term in terms:
                numbers = self._postings.get((field, term))
                if numbers is not None:
                    scores[numbers] += np.log1p(len(scores) / len(numbers))
        if request.exclude is not None:
            scores[int(request.exclude.id)] = 0
        best = np.argsort(-scores, kind="stable")[: request.limit]
        return CandidatePage(
            tuple(
                self._candidate(number, float(scores[number]))
                for number in best.tolist()
                if scores[number]
            )
        )

    def _candidate(self, number: int, score: float) -> Candidate:
        fingerprint = self._records[number].fingerprint
        return Candidate(str(number), "", score, fingerprint.text_hash, fingerprint.simhash)

    def _stored(self, ref: Ref) -> Stored:
        record = self._records[int(ref.id)]
        return Stored(
            ref.id, ref.index, {}, record.document.text, record.plan_id, record.fingerprint
        )
