"""Stream against store: spares the question about texts that share nothing with any document.

    reader -> CachedCandidates(reader) -> candidates: the store is asked about the others only

It decides no duplicate: whatever may be in the store is asked for, and a deletion there costs
such a question at most. What others write after it was made it does not know, so it is opt-in and
its answers say as of when they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Final

from indexer.model import Fingerprint, Keys, Outcome, Record, RecordWriter
from mappings.contract import Field
from mappings.errors import PlanMismatch
from query.answers import CandidatePage, Filter, Ref, Request, Stored, Term
from query.cache.bloom import BloomFilter
from query.cache.permuted import PermutedTables
from query.stores import StoreReader

_TERMS: Final = 64  # of a document of the standard plan, and room
_LEAST: Final = 1 << 16
_AT_ONCE: Final = 256


class CachedCandidates:
    """Satisfies `query.answers.CandidateReader`. Takes about 200 bytes a document.

    Short simhash blocks are in any large store, so where each key is one block the values are
    kept, too, and a block counts when a value near enough to be compared has it. `asked` and
    `spared` count requests; `since` is when the store was read (UTC).
    """

    def __init__(self, reader: StoreReader, step: Callable[[int], None] | None = None) -> None:
        """Reads all stored keys once; `step` is told of documents read.

        Raises PlanMismatch when a document has keys that cannot be read.
        """
        self.asked = self.spared = 0
        self.since = datetime.now(UTC).isoformat(timespec="seconds")
        self._reader = reader
        self._terms = [BloomFilter(max(_LEAST, reader.count() * _TERMS))]
        layout = reader.meta.plan.simhash
        self._simhashes: PermutedTables | None = None
        if layout.choose == 1:
            self._simhashes = PermutedTables(layout.blocks, layout.choose, layout.bits)
        self._filters: tuple[Filter, ...] = ()
        stored = reader.scan()
        while batch := list(islice(stored, _AT_ONCE)):
            self.learn(filter(None, map(_fingerprint, batch)))
            if step is not None:
                step(len(batch))

    def learn(self, fingerprints: Iterable[Fingerprint]) -> None:
        """Know of documents that are about to be stored."""
        made = list(fingerprints)
        features = iter([feature for each in made for feature in _features(each.keys)])
        while part := list(islice(features, self._room())):
            self._terms[-1].add_all(part)
        if self._simhashes is not None:
            values = (each.simhash for each in made if each.keys.get(Field.SIMHASH_KEYS))
            self._simhashes.add_all(("", value) for value in values)

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        """One page per request; those that nothing may be found for have none, `as_of` then."""
        wanted = self._are_for_store(requests)
        to_ask = [request for request, ask in zip(requests, wanted, strict=True) if ask]
        self.asked += len(to_ask)
        self.spared += len(requests) - len(to_ask)
        pages = iter(self._reader.candidates(to_ask) if to_ask else ())
        return [next(pages) if ask else CandidatePage((), as_of=self.since) for ask in wanted]

    def documents(self, refs: Sequence[Ref]) -> dict[Ref, Stored]:
        """As the store has them now."""
        return self._reader.documents(refs)

    def frequencies(self, keys: Keys) -> Mapping[Term, int]:
        """As the store has them now."""
        return self._reader.frequencies(keys)

    def _are_for_store(self, requests: Sequence[Request]) -> list[bool]:
        """Which requests something may be found for; computed together, as that is faster."""
        wanted = [False] * len(requests)
        features: list[bytes] = []
        owners: list[int] = []
        near: dict[int, list[tuple[int, int]]] = {}
        for row, request in enumerate(requests):
            if request.filters and request.filters != self._filters:
                self._filters = request.filters  # the store says whether it understands them
                wanted[row] = True
            keys = dict(request.keys)
            known_value = self._simhashes is not None and request.simhash is not None
            if known_value and keys.pop(Field.SIMHASH_KEYS, ()):
                near.setdefault(request.simhash_only, []).append((row, int(request.simhash or 0)))
            features += _features(keys)
            owners += [row] * (len(features) - len(owners))
        for known in self._terms:
            for place in known.may_contain(features).nonzero()[0].tolist():
                wanted[owners[place]] = True
        for distance, asked in near.items():
            rows, values = zip(*asked, strict=True)
            for place in self._near(values, distance):
                wanted[rows[place]] = True
        return wanted

    def _near(self, values: Sequence[int], distance: int) -> list[int]:
        """The places of the simhashes that share a block with one so near."""
        if self._simhashes is None:
            return []
        found: list[int] = self._simhashes.any_near(values, distance).nonzero()[0].tolist()
        return found

    def _room(self) -> int:
        """How many features the last filter still takes; a full one is followed by a larger."""
        last = self._terms[-1]
        if last.is_full:
            last = BloomFilter(2 * last.capacity)
            self._terms.append(last)
        return last.capacity - last.added


class LearningWriter:
    """Satisfies `indexer.model.RecordWriter`: what is written through it, the cache knows."""

    def __init__(self, writer: RecordWriter, cache: CachedCandidates) -> None:
        self._writer, self._cache = writer, cache

    def write(self, records: Iterable[Record]) -> Iterator[Outcome]:
        """Store records; each is known before it is written, so none is ever missed."""
        return self._writer.write(self._learned(records))

    def _learned(self, records: Iterable[Record]) -> Iterator[Record]:
        for record in records:
            self._cache.learn([record.fingerprint])
            yield record


def _features(keys: Keys) -> Iterator[bytes]:
    return (f"{name.value} {term}".encode() for name, terms in keys.items() for term in terms)


def _fingerprint(stored: Stored) -> Fingerprint | None:
    """What is stored of a document; None where there is nothing a lookup could find it by."""
    if stored.fingerprint is None and stored.plan_id:
        raise PlanMismatch(
            f"the keys of document {stored.id!r} cannot be read; run 'dupdex rebuild', or leave "
            "the Bloom filter out"
        )
    return stored.fingerprint
