"""What the searches for one request found, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from msgspec import structs

from indexer.stores.stored_object import StoredObject, objects_in, values_in
from query.answers import Candidate, CandidatePage, Ref, Term
from query.stores.elastic.answered import Found, Hit
from query.stores.elastic.scores import Cut, is_simhash_only, simhash_weight


class Along(NamedTuple):
    """A document that came along with its id, and the object of dupdex in it; None where that is
    absent or malformed.
    """

    hit: Hit
    ours: StoredObject | None


@dataclass(slots=True)
class Merged:
    """The candidates of one request, from all its parts; the scores of a document add up.

    Where frequent keys have no vote, `sharing` counts the documents that share any key, up to a
    page, and `by_terms` those of them that became candidates. `along`: the documents that came
    along, with the candidates. `unlisted`: see `CandidatePage`.
    """

    candidates: dict[Ref, Candidate] = field(default_factory=dict)
    full: bool = False
    sharing: int = 0
    by_terms: int = 0
    along: dict[Ref, Along] = field(default_factory=dict)
    unlisted: int = 0

    def note_sharing(self, answer: Found) -> None:
        """How many documents share a term, from the answer to `sharing_body`."""
        self.sharing = answer.total

    def add_answer(self, size: int, weight: float, answer: Found) -> None:
        """The answer to one part, in which a simhash key weighs `weight`."""
        self.add(answer.hits, size, weight)

    def add(self, hits: Sequence[Hit], size: int, weight: float) -> None:
        """Hits of one part, `size` of which may not be all; one part holds all simhash keys."""
        self.full = self.full or len(hits) >= size
        objects = objects_in(hit.source for hit in hits)
        for hit, ours in zip(hits, objects, strict=True):
            ref, score = Ref(hit.index, hit.id), hit.score or 0.0
            text_hash, simhash = _values(hit, ours)
            if hit.source:
                self.along[ref] = Along(hit, ours)
            alone = is_simhash_only(score, weight)
            before = self.candidates.get(ref)
            if before is not None:
                score, alone = score + before.score, False
            self.candidates[ref] = Candidate(hit.id, hit.index, score, text_hash, simhash, alone)

    def add_documents(self, size: int, cut: Cut | None, answer: Found) -> list[StoredObject]:
        """The answer to a search for whole documents; returns the objects of those below the cut,
        which are no candidates."""
        hits = answer.hits
        rare = [hit for hit in hits if cut is None or (hit.score or 0.0) >= cut.least]
        self.add(rare, size, simhash_weight(cut))
        if cut is not None:
            self.sharing = len(hits)
        below = objects_in(hit.source for hit in hits[len(rare) :])
        return [ours for ours in below if ours is not None]

    def page(self, limit: int | None, frequent: Sequence[Term] = ()) -> CandidatePage:
        best = sorted(self.candidates.values(), key=lambda candidate: -candidate.score)
        found = len(best) + self.unlisted
        truncated = self.full or (limit is not None and found > limit)
        full_page = limit is not None and self.by_terms > limit
        rare_only = self.sharing > self.by_terms and not full_page
        listed = tuple(best[:limit])
        unlisted = 0 if limit is None else min(self.unlisted, limit - len(listed))
        return CandidatePage(listed, truncated, tuple(frequent), rare_only, unlisted=unlisted)

    def with_others(self, page: CandidatePage) -> CandidatePage:
        """The page with what is stored of those documents that came along besides its own."""
        others = {
            ref: along.ours.fingerprint()
            for ref, along in self.along.items()
            if along.ours is not None and ref not in page.documents
        }
        return structs.replace(page, others=others)


def _values(hit: Hit, ours: StoredObject | None) -> tuple[str, int]:
    """Text hash and simhash of a hit; "" and 0 when absent."""
    if ours is not None:
        return ours.values
    if hit.fields is not None:
        return hit.fields.values
    text_hash, simhash = values_in(hit.ours())
    return text_hash or "", simhash or 0


def values_near(hits: Sequence[Hit], simhash: int, most: int) -> list[tuple[str, int]]:
    """Of those hits, hundreds in a large index, whose simhash differs from the given one in at most
    so many bits: the text hash, and in how many bits it differs."""
    fields = [hit.fields for hit in hits if hit.fields is not None and hit.fields.simhash]
    values = np.fromiter((each.simhash[0] for each in fields), np.int64, len(fields))
    differing = np.bitwise_count(values.view(np.uint64) ^ np.uint64(simhash))
    near = np.flatnonzero(differing <= most)
    found = zip(near.tolist(), differing[near].tolist(), strict=True)
    return [(text_hash, bits) for at, bits in found if (text_hash := fields[at].values[0])]
