"""What the searches for one request found, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from msgspec import structs

from indexer.stores.stored_object import fingerprint_in, to_unsigned, values_in
from mappings.contract import OBJECT_FIELD, Field
from query.answers import Candidate, CandidatePage, Ref, Term
from query.stores.elastic.bodies import frequencies_in
from query.stores.elastic.scores import Cut, is_simhash_only, simhash_weight

Answer = Mapping[str, Any]
Hit = Mapping[str, Any]


@dataclass(slots=True)
class Merged:
    """The candidates of one request, from all its parts; the scores of a document add up.

    Where frequent keys have no vote, `sharing` counts the documents that share any key, up to a
    page, and `by_terms` those of them that became candidates. `counted`: document frequencies that
    were asked for along.
    """

    candidates: dict[Ref, Candidate] = field(default_factory=dict)
    full: bool = False
    sharing: int = 0
    by_terms: int = 0
    hits: dict[Ref, Hit] = field(default_factory=dict)
    counted: dict[Term, int] = field(default_factory=dict)

    def note_sharing(self, answer: Answer) -> None:
        """How many documents share a term, from the answer to `sharing_body`."""
        self.sharing = answer["hits"]["total"]["value"]

    def note_counts(self, terms: Sequence[Term], answer: Answer) -> None:
        """The document frequencies of terms, from the answer to `frequencies_body`."""
        self.counted = frequencies_in(answer, terms)

    def add_answer(self, size: int, weight: float, answer: Answer) -> None:
        """The answer to one part, in which a simhash key weighs `weight`."""
        self.add(answer["hits"]["hits"], size, weight)

    def add(self, hits: Sequence[Mapping[str, Any]], size: int, weight: float) -> None:
        """Hits of one part, `size` of which may not be all; one part holds all simhash keys."""
        self.full = self.full or len(hits) >= size
        for hit in hits:
            candidate = candidate_of(hit, weight)
            ref = candidate.ref
            before = self.candidates.get(ref)
            if before is not None:
                score = candidate.score + before.score
                candidate = structs.replace(candidate, score=score, simhash_only=False)
            self.candidates[ref] = candidate

    def add_documents(self, size: int, cut: Cut | None, answer: Answer) -> list[Hit]:
        """The answer to a search for whole documents; returns the hits below the cut, which are no
        candidates."""
        hits: list[Hit] = answer["hits"]["hits"]
        rare = [hit for hit in hits if cut is None or hit["_score"] >= cut.least]
        self.add(rare, size, simhash_weight(cut))
        self.note_documents(rare)
        if cut is not None:
            self.sharing = len(hits)
        return hits[len(rare) :]

    def note_documents(self, hits: Sequence[Hit]) -> None:
        """Hits that are whole documents."""
        self.hits |= {Ref(hit["_index"], hit["_id"]): hit for hit in hits}

    def page(self, limit: int | None, frequent: Sequence[Term] = ()) -> CandidatePage:
        best = sorted(self.candidates.values(), key=lambda candidate: -candidate.score)
        truncated = self.full or (limit is not None and len(best) > limit)
        full_page = limit is not None and self.by_terms > limit
        rare_only = self.sharing > self.by_terms and not full_page
        return CandidatePage(
            tuple(best[:limit]), truncated, tuple(frequent), rare_only, counted=self.counted
        )

    def with_others(self, page: CandidatePage) -> CandidatePage:
        """The page with what is stored of those documents that came along besides its own."""
        others = {
            ref: found
            for ref, hit in self.hits.items()
            if ref not in page.documents
            and (found := fingerprint_in(hit["_source"].get(OBJECT_FIELD))) is not None
        }
        return replace(page, others=others)


def text_hashes_near(hits: Sequence[Hit], simhash: int, most: int) -> set[str]:
    """The text hashes of those hits, hundreds in a large index, whose simhash differs from the
    given one in at most so many bits."""
    path, text_hash = Field.SIMHASH.path, Field.TEXT_HASH.path
    fields = [hit["fields"] for hit in hits if path in hit.get("fields", ())]
    values = np.fromiter((each[path][0] for each in fields), np.int64, len(fields))
    differing = np.bitwise_count(values.view(np.uint64) ^ np.uint64(simhash))
    return {
        fields[at].get(text_hash, ("",))[0] for at in np.flatnonzero(differing <= most).tolist()
    }


def stored_values(hit: Mapping[str, Any]) -> tuple[str, int]:
    """Text hash and simhash of a hit, as fields or in the whole document; "" and 0 when absent."""
    fields = hit.get("fields")
    if fields is None:
        text_hash, simhash_there = values_in((hit.get("_source") or {}).get(OBJECT_FIELD))
        return text_hash or "", simhash_there or 0
    simhash = fields.get(Field.SIMHASH.path, (0,))[0]
    return fields.get(Field.TEXT_HASH.path, ("",))[0], to_unsigned(int(simhash))


def candidate_of(hit: Mapping[str, Any], weight: float) -> Candidate:
    text_hash, simhash = stored_values(hit)
    score = float(hit["_score"])
    alone = is_simhash_only(score, weight)
    return Candidate(hit["_id"], hit["_index"], score, text_hash, simhash, alone)
