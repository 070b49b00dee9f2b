"""The costs and guarantees of a plan, before anything is indexed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any, Final

from dupdex.forecast.chance import Chance, measured, together, uniform
from dupdex.forecast.key_counts import (
    BYTES_FIXED,
    bits_of,
    index_bytes,
    keys_of,
    source_bytes,
)
from dupdex.forecast.layouts import (
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
from dupdex.forecast.sampling import Sample
from mappings.contract import Field
from mappings.plan import MinhashPlan, Plan, SimhashPlan
from mappings.schemes import HASHED_BYTES, block_bytes

WINDOW: Final = 10_000
"""Elasticsearch returns no more hits than this by default; more candidates would be lost."""

OWN_NAME: Final = "custom"
"""Of a recommended plan that is not the one asked about."""

BANDS: Final = (Field.MINHASH_KEYS, Field.SYLLABLE_KEYS)
"""Fields that hold keys of bands; a plan may store either, both or none."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The facts about a plan at an index size, as JSON values, and the recommended plan."""

    facts: dict[str, Any]
    recommended: Plan


def forecast(plan: Plan, documents: int, sample: Sample | None = None) -> Forecast:
    """Keys and bytes per document, candidates per lookup, guarantees, and a recommendation;
    candidates also as the texts of the sample have them."""
    layouts = simhash_choices(plan, documents, sample)
    both = zip(BANDS, band_choices(plan, documents, sample), strict=True)
    bands = {field: choices for field, choices in both if field in bits_of(plan)}
    simhash = advise_simhash(layouts)
    advice = {field: advise_bands(choices) for field, choices in bands.items()}
    best = _with(plan, simhash, advice)
    listed: dict[Field, Advice[Any]] = {Field.SIMHASH_KEYS: simhash, **advice}
    facts: dict[str, Any] = {
        "plan": plan.id,
        "documents": documents,
        **_size(plan, documents, sample),
        "max_df": plan.thresholds.hot,
        "candidates_per_lookup": _candidates(plan, documents, sample),
        "layouts": [
            row_of(choice, choice.keys * block_bytes(choice.part.choose)) for choice in layouts
        ],
        "bands": {
            field.value: [row_of(choice, choice.keys * HASHED_BYTES) for choice in choices]
            for field, choices in bands.items()
        },
        "recommended_layout": layout_name(best.simhash),
        "recommended": {
            field.value: {"layout": chosen.choice.name, "reason": chosen.reason}
            for field, chosen in listed.items()
        },
        "recommended_plan": best.id,
        "fits": _fits(layouts),
    }
    if sample is not None:
        facts["sample"] = _sample_facts(sample, documents, plan)
    return Forecast(facts, best)


def _size(plan: Plan, documents: int, sample: Sample | None) -> dict[str, Any]:
    keys = keys_of(plan, sample)
    size = {field: index_bytes(plan, field, count) for field, count in keys.items()}
    total = sum(size.values()) + BYTES_FIXED
    return {
        "keys_per_document": {field.value: count for field, count in keys.items()},
        "keys": sum(keys.values()),
        "index_bytes_per_key_field": {field.value: round(count) for field, count in size.items()},
        "index_bytes_per_document": round(total),
        "source_bytes_per_document": source_bytes(keys),
        "total_gigabytes": round((total + source_bytes(keys)) * documents / 1e9, 2),
    }


def _with(
    plan: Plan, simhash: Advice[SimhashPlan], bands: Mapping[Field, Advice[MinhashPlan]]
) -> Plan:
    """The plan with the recommended layouts, under a new name if they differ from its own."""
    best = replace(plan, simhash=simhash.choice.part)
    if Field.MINHASH_KEYS in bands:
        best = replace(best, minhash=bands[Field.MINHASH_KEYS].choice.part)
    if Field.SYLLABLE_KEYS in bands:
        best = replace(best, syllable_minhash=bands[Field.SYLLABLE_KEYS].choice.part)
    return plan if best == plan else replace(best, name=OWN_NAME)


def _candidates(plan: Plan, documents: int, sample: Sample | None) -> dict[str, Any]:
    """Chances for each scheme and in total, for uniform keys and in the sample."""
    max_df = plan.thresholds.hot
    keys = keys_of(plan, sample)
    bits = bits_of(plan)
    by_bits = [
        uniform(keys[field], key_bits, documents, max_df) for field, key_bits in bits.items()
    ]
    by_bits.append(together(by_bits))
    sampled: Sequence[Chance | None] = [None] * len(by_bits)
    if sample is not None:
        rows = [sample.keys(field) for field in bits]
        sampled = measured(rows, list(bits.values()), documents, max_df)
    names = [*(field.value for field in bits), "all"]
    return {
        name: {"uniform": chance_row(uniform_chance), "sampled": chance_row(sampled_chance)}
        for name, uniform_chance, sampled_chance in zip(names, by_bits, sampled, strict=True)
    }


def _fits(layouts: Sequence[Choice[SimhashPlan]]) -> bool:
    """Whether a server can return the fewest documents that the plan's layout brings."""
    (current,) = [choice for choice in layouts if choice.current]
    return current.uniform.sharing <= WINDOW


def _sample_facts(sample: Sample, documents: int, plan: Plan) -> dict[str, Any]:
    texts = len(sample.texts)
    return {
        "texts": texts,
        "copies_left_out": sample.copies,
        "refused": sample.refused,
        "text_pairs": comb(texts, 2),
        # beyond this one other text stands for more documents than a key with a vote has
        "frequent_keys_seen": documents <= plan.thresholds.hot * (texts - 1),
        "unseen_candidates": 3 * documents / comb(texts, 2),
    }
