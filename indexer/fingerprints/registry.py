"""All schemes, in one list; a plan names those whose terms are stored."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from indexer.fingerprints.exact import Exact
from indexer.fingerprints.minhash import MinHash
from indexer.fingerprints.passages import Passages
from indexer.fingerprints.scheme import Entry, Scheme
from indexer.fingerprints.sentences import Sentences
from indexer.fingerprints.simhash import Simhash
from indexer.prepare import Streams
from mappings.contract import SCHEME_FIELDS, Field
from mappings.plan import Plan

_ENTRIES: Final = (
    Entry(
        name="exact",
        make=Exact,
        threshold=1.0,
        catches="copies whose letters and digits are the same, in either Chinese script",
        misses="everything else: one character more is another text",
        source="direct signature; MurmurHash3 x64 128",
    ),
    Entry(
        name="simhash",
        make=Simhash,
        threshold=1 - 3 / 64,
        catches="long texts with few words changed",
        misses="short texts, excerpts, texts with a large part added",
        source="Charikar 2002; Manku, Jain, Das Sarma 2007",
    ),
    Entry(
        name="minhash",
        make=lambda plan: MinHash(plan.minhash, Streams.character_shingles),
        threshold=0.5,
        catches="texts with up to half of their characters changed in few places",
        misses="homophones in every sentence, short excerpts of long texts",
        source="Broder 1997; Li, Owen, Zhang 2012; Shrivastava 2017",
    ),
    Entry(
        name="syllables",
        make=lambda plan: MinHash(plan.syllable_minhash, Streams.unit_shingles),
        threshold=0.4,
        catches="the same as minhash, and characters replaced by others that sound alike",
        misses="short excerpts of long texts; short texts that merely sound alike are found, too",
        source="MinHash over Mandarin syllables without tone",
    ),
    Entry(
        name="passages",
        make=lambda plan: Passages(plan.passages),
        threshold=0.2,
        catches="copied passages, whatever stands around them",
        misses="texts in which hardly ten syllables in a row are unchanged",
        source="Heintze 1996; Broder 1997 (bottom-k sketches)",
    ),
    Entry(
        name="sentences",
        make=lambda plan: Sentences(plan.sentences),
        threshold=0.2,
        catches="copies that keep one of their longest sentences",
        misses="an edit in each long sentence; a shared disclaimer reads as a copy",
        source="nshash (the n longest sentences)",
    ),
)

REGISTRY: Final[Mapping[str, Entry]] = {entry.name: entry for entry in _ENTRIES}


@cache
def enabled(plan: Plan) -> Mapping[Field, Scheme[Any]]:
    """The schemes whose terms a plan stores, by the field that holds them."""
    return {
        field: REGISTRY[name].make(plan)
        for name, field in SCHEME_FIELDS.items()
        if name in plan.schemes
    }
