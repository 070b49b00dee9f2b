"""What a plan will cost and what it promises, before anything is indexed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb
from typing import Any, Final

from mappings.plan import MinhashPlan, Plan, SimhashPlan
from query.guarantee import minhash_recall, simhash_candidates, simhash_recall

BYTES_PER_HASHED_KEY: Final = 7.5
BYTES_PER_SENTENCE: Final = 15.0  # with the doc values that Kibana aggregates
BYTES_PER_BLOCK_KEY: Final = {1: 4.5}
"""Index bytes of a key, by chosen blocks: few distinct keys (16-bit blocks) share long posting
lists and cost less. These and the others are what the size section of `scripts/bench` measures
(docs/benchmarks.md), rounded; layouts not measured there count as hashed keys."""

BYTES_FIXED: Final = 58.0  # text hash (48), simhash, plan, length
BYTES_IN_SOURCE: Final = 9  # a key of six characters, quoted, with its comma
BYTES_OF_SOURCE_FRAME: Final = 100  # field names, text hash, simhash

LAYOUTS: Final = ((4, 1), (5, 2), (6, 3), (6, 2), (7, 3))
WINDOW: Final = 10_000
"""Elasticsearch returns no more hits than this by default; more candidates would be lost."""

COMFORTABLE: Final = 50
"""Unrelated candidates a lookup can look at without being felt."""


@dataclass(frozen=True, slots=True)
class Layout:
    """One simhash layout at one size."""

    name: str
    keys: int
    bits: float
    guaranteed: int
    recall_4: float
    recall_5: float
    candidates: float
    bytes: float

    @classmethod
    def of(cls, plan: SimhashPlan, documents: int) -> Layout:
        count = comb(plan.blocks, plan.choose)
        return cls(
            name=layout_name(plan),
            keys=count,
            bits=64 * plan.choose / plan.blocks,
            guaranteed=plan.blocks - plan.choose,
            recall_4=simhash_recall(plan, 4),
            recall_5=simhash_recall(plan, 5),
            candidates=simhash_candidates(plan, documents),
            bytes=count * BYTES_PER_BLOCK_KEY.get(plan.choose, BYTES_PER_HASHED_KEY),
        )


def layout_name(plan: SimhashPlan) -> str:
    """`4 x 16` or `5 choose 2`."""
    if plan.choose == 1:
        return f"{plan.blocks} x {64 // plan.blocks}"
    return f"{plan.blocks} choose {plan.choose}"


def recommended(plan: Plan, documents: int) -> Plan:
    """The plan with the smallest simhash layout that keeps lookups comfortable at this size."""
    for blocks, choose in LAYOUTS[:3]:
        layout = SimhashPlan(blocks, choose, plan.simhash.seed)
        if simhash_candidates(layout, documents) <= COMFORTABLE * 1.3:
            return replace(plan, simhash=layout)
    return replace(plan, simhash=SimhashPlan(6, 3, plan.simhash.seed))


def forecast(plan: Plan, documents: int) -> dict[str, Any]:
    """Keys and bytes per document, candidates per lookup, guarantees, and a recommendation."""
    chosen = Layout.of(plan.simhash, documents)
    hashed = {
        "minhash_keys": plan.minhash.bands,
        "syllable_keys": plan.syllable_minhash.bands,
        "passage_keys": plan.passages.keep,
        "sentences": plan.sentences.keep,
    }
    keys = chosen.keys + sum(hashed.values()) + 1
    plain = sum(hashed.values()) - plan.sentences.keep
    index_bytes = (
        chosen.bytes
        + plain * BYTES_PER_HASHED_KEY
        + plan.sentences.keep * BYTES_PER_SENTENCE
        + BYTES_FIXED
    )
    source_bytes = keys * BYTES_IN_SOURCE + BYTES_OF_SOURCE_FRAME
    best = recommended(plan, documents)
    return {
        "plan": plan.id,
        "documents": documents,
        "keys_per_document": {"simhash_keys": chosen.keys, **hashed, "text_hash": 1},
        "keys": keys,
        "index_bytes_per_document": round(index_bytes),
        "source_bytes_per_document": source_bytes,
        "total_gigabytes": round((index_bytes + source_bytes) * documents / 1e9, 2),
        "colliding_documents_per_lookup": sum(hashed.values()) * documents / 2**36,
        "layouts": [
            _row(Layout.of(SimhashPlan(blocks, choose), documents), layout_name(plan.simhash))
            for blocks, choose in LAYOUTS
        ],
        "minhash_recall": {
            name: {f"{j:.1f}": round(minhash_recall(part, j), 4) for j in (0.3, 0.4, 0.5, 0.7, 0.9)}
            for name, part in _bands(plan).items()
        },
        "recommended_layout": layout_name(best.simhash),
        "fits": chosen.candidates <= WINDOW,
    }


def _bands(plan: Plan) -> dict[str, MinhashPlan]:
    return {
        f"characters {plan.minhash.bands} x {plan.minhash.rows}": plan.minhash,
        f"syllables {plan.syllable_minhash.bands} x {plan.syllable_minhash.rows}": (
            plan.syllable_minhash
        ),
    }


def _row(layout: Layout, current: str) -> dict[str, Any]:
    return {
        "layout": layout.name,
        "current": layout.name == current,
        "keys": layout.keys,
        "key_bits": round(layout.bits, 1),
        "guaranteed_distance": layout.guaranteed,
        "recall_at_4": round(layout.recall_4, 3),
        "recall_at_5": round(layout.recall_5, 3),
        "candidates_per_lookup": layout.candidates,
        "index_bytes": round(layout.bytes),
    }
