"""What a plan will cost and what it promises, before anything is indexed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any, Final

from dupdex.forecast import Chance, measured, together, uniform
from dupdex.forecast_layouts import (
    KEY_BITS,
    Advice,
    Choice,
    advise_bands,
    advise_simhash,
    band_choices,
    chance_row,
    layout_name,
    row_of,
    simhash_choices,
)
from dupdex.forecast_sample import Sample
from mappings.contract import Field
from mappings.plan import MinhashPlan, Plan, SimhashPlan

BYTES_PER_HASHED_KEY: Final = 7.5
BYTES_PER_SENTENCE: Final = 15.0  # with the doc values that Kibana aggregates
BYTES_PER_BLOCK_KEY: Final = {1: 4.5}
"""Index bytes of a key, by chosen blocks: few distinct keys (16-bit blocks) share long posting
lists and cost less. These and the others are what the size section of `scripts/bench` measures
(docs/benchmarks.md), rounded; layouts not measured there count as hashed keys."""

BYTES_PER_TEXT_HASH: Final = 48.0
BYTES_FIXED: Final = 10.0  # simhash, plan, length
BYTES_IN_SOURCE: Final = 9  # a key of six characters, quoted, with its comma
BYTES_OF_SOURCE_FRAME: Final = 100  # field names, text hash, simhash

WINDOW: Final = 10_000
"""Elasticsearch returns no more hits than this by default; more candidates would be lost."""

OWN_NAME: Final = "custom"
"""Of a recommended plan that is not the one asked about."""

SCHEMES: Final = (
    Field.SIMHASH_KEYS,
    Field.MINHASH_KEYS,
    Field.SYLLABLE_KEYS,
    Field.PASSAGE_KEYS,
    Field.SENTENCES,
)


@dataclass(frozen=True, slots=True)
class Forecast:
    """The facts about a plan at a size, as JSON values, and the plan to take instead."""

    facts: dict[str, Any]
    recommended: Plan


def forecast(plan: Plan, documents: int, sample: Sample | None = None) -> Forecast:
    """Keys and bytes per document, candidates per lookup, guarantees, and a recommendation;
    candidates also as the texts of the sample have them."""
    layouts = simhash_choices(plan, documents, sample)
    characters, syllables = band_choices(plan, documents, sample)
    advice = (advise_simhash(layouts), advise_bands(characters), advise_bands(syllables))
    listed: Sequence[Advice[Any]] = advice
    best = _with(plan, *advice)
    keys = keys_of(plan)
    size = {field: index_bytes(plan, field) for field in keys}
    source_bytes = sum(keys.values()) * BYTES_IN_SOURCE + BYTES_OF_SOURCE_FRAME
    total = sum(size.values()) + BYTES_FIXED
    facts: dict[str, Any] = {
        "plan": plan.id,
        "documents": documents,
        "keys_per_document": {field.value: count for field, count in keys.items()},
        "keys": sum(keys.values()),
        "index_bytes_per_key_field": {field.value: round(each) for field, each in size.items()},
        "index_bytes_per_document": round(total),
        "source_bytes_per_document": source_bytes,
        "total_gigabytes": round((total + source_bytes) * documents / 1e9, 2),
        "hot": plan.thresholds.hot,
        "candidates_per_lookup": _candidates(plan, documents, sample),
        "layouts": [row_of(choice, _block_bytes(choice.part)) for choice in layouts],
        "bands": {
            field.value: [row_of(choice, choice.keys * BYTES_PER_HASHED_KEY) for choice in choices]
            for field, choices in zip(SCHEMES[1:3], (characters, syllables), strict=True)
        },
        "recommended_layout": layout_name(best.simhash),
        "recommended": {
            field.value: {"layout": each.choice.name, "reason": each.reason}
            for field, each in zip(SCHEMES, listed, strict=False)
        },
        "recommended_plan": best.id,
        "fits": _fits(layouts),
    }
    if sample is not None:
        facts["sample"] = _sample_facts(sample, documents, plan)
    return Forecast(facts, best)


def keys_of(plan: Plan) -> dict[Field, int]:
    """Keys of a document long enough to have all of them, and not longer than one chunk."""
    return {
        Field.SIMHASH_KEYS: comb(plan.simhash.blocks, plan.simhash.choose),
        Field.MINHASH_KEYS: plan.minhash.bands,
        Field.SYLLABLE_KEYS: plan.syllable_minhash.bands,
        Field.PASSAGE_KEYS: plan.passages.keep,
        Field.SENTENCES: plan.sentences.keep,
        Field.TEXT_HASH: 1,
    }


def index_bytes(plan: Plan, field: Field) -> float:
    """What the keys of one field take in the index, for each document."""
    if field is Field.SIMHASH_KEYS:
        return _block_bytes(plan.simhash)
    each = {Field.SENTENCES: BYTES_PER_SENTENCE, Field.TEXT_HASH: BYTES_PER_TEXT_HASH}
    return keys_of(plan)[field] * each.get(field, BYTES_PER_HASHED_KEY)


def _block_bytes(part: SimhashPlan | MinhashPlan) -> float:
    if isinstance(part, MinhashPlan):
        return part.bands * BYTES_PER_HASHED_KEY
    each = BYTES_PER_BLOCK_KEY.get(part.choose, BYTES_PER_HASHED_KEY)
    return comb(part.blocks, part.choose) * each


def _with(
    plan: Plan,
    simhash: Advice[SimhashPlan],
    characters: Advice[MinhashPlan],
    syllables: Advice[MinhashPlan],
) -> Plan:
    """The plan with the advised layouts, under a name of its own when they are other ones."""
    best = replace(
        plan,
        simhash=simhash.choice.part,
        minhash=characters.choice.part,
        syllable_minhash=syllables.choice.part,
    )
    return plan if best == plan else replace(best, name=OWN_NAME)


def _candidates(plan: Plan, documents: int, sample: Sample | None) -> dict[str, Any]:
    """Chances by scheme and in all, for uniform keys and in the sample."""
    hot = plan.thresholds.hot
    keys = keys_of(plan)
    bits: dict[Field, float] = dict.fromkeys(SCHEMES, KEY_BITS)
    bits[Field.SIMHASH_KEYS] = plan.simhash.bits * plan.simhash.choose / plan.simhash.blocks
    found: list[Chance] = [uniform(keys[field], bits[field], documents, hot) for field in SCHEMES]
    found.append(together(found))
    sampled: Sequence[Chance | None] = [None] * len(found)
    if sample is not None:
        rows = [sample.keys(field) for field in SCHEMES]
        sampled = measured(rows, list(bits.values()), documents, hot)
    names = [*(field.value for field in SCHEMES), "all"]
    return {
        name: {"uniform": chance_row(one), "sampled": chance_row(other)}
        for name, one, other in zip(names, found, sampled, strict=True)
    }


def _fits(layouts: Sequence[Choice[SimhashPlan]]) -> bool:
    """Whether what the plan's layout brings at least is not more than a server returns."""
    (own,) = [choice for choice in layouts if choice.current]
    return own.found.sharing <= WINDOW


def _sample_facts(sample: Sample, documents: int, plan: Plan) -> dict[str, Any]:
    texts = len(sample.texts)
    return {
        "texts": texts,
        "copies_left_out": sample.copies,
        "refused": sample.refused,
        "text_pairs": comb(texts, 2),
        # below this a hot key is not seen twice in the sample: which are hot is inferred
        "hot_keys_seen": documents <= plan.thresholds.hot * texts,
        "unseen_candidates": 3 * documents / comb(texts, 2),
    }
