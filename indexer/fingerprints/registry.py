"""The list of all schemes; a plan names those whose terms are stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from indexer.fingerprints.classic.cosine import Cosine
from indexer.fingerprints.classic.dna import PinyinInitials
from indexer.fingerprints.classic.imatch import IMatch
from indexer.fingerprints.classic.lcs import Lcs
from indexer.fingerprints.classic.projection import Projection
from indexer.fingerprints.classic.shingles import Shingles
from indexer.fingerprints.exact import Exact
from indexer.fingerprints.loose import LooseWindows
from indexer.fingerprints.minhash import MinHash
from indexer.fingerprints.passages import Passages
from indexer.fingerprints.scheme import Entry, Scheme
from indexer.fingerprints.sentences import LongestSentence, Sentences
from indexer.fingerprints.simhash import Simhash
from indexer.text import Streams
from mappings.contract import Field
from mappings.plan import Plan
from mappings.schemes import SCHEME_FIELDS, store


def _always(value: float) -> Callable[[Plan], float]:
    return lambda _plan: value


_ENTRIES: Final = (
    Entry(
        name="exact",
        make=Exact,
        threshold=_always(1.0),
        catches="copies whose letters and digits are the same, in either Chinese script",
        misses="everything else: one character more is another text",
        source="direct signature: MurmurHash3 x64 128, MD5, SHA-1 or SHA-256",
    ),
    Entry(
        name="simhash",
        make=Simhash,
        threshold=lambda plan: 1 - plan.thresholds.hamming / plan.simhash.bits,
        catches="long texts with few words changed",
        misses="short texts, excerpts, texts with a large part added",
        source="Charikar 2002; Manku, Jain, Das Sarma 2007",
    ),
    Entry(
        name="minhash",
        make=lambda plan: MinHash(plan.minhash, Streams.character_shingles),
        threshold=_always(0.5),
        catches="texts with up to half of their characters changed in few places",
        misses="homophones in every sentence, short excerpts of long texts",
        source="Broder 1997; Li, Owen, Zhang 2012; Shrivastava 2017",
    ),
    Entry(
        name="syllables",
        make=lambda plan: MinHash(plan.syllable_minhash, Streams.unit_shingles),
        threshold=_always(0.4),
        catches="the same as minhash, and characters replaced by others that sound alike",
        misses="short excerpts of long texts; short texts that merely sound alike are found, too",
        source="MinHash over Mandarin syllables without tone",
    ),
    Entry(
        name="passages",
        make=lambda plan: Passages(plan.passages),
        threshold=_always(0.2),
        catches="copied passages, whatever stands around them",
        misses="texts in which hardly ten syllables in a row are unchanged",
        source="Heintze 1996; Broder 1997 (bottom-k sketches); Schleimer et al. 2003 (winnowing)",
    ),
    Entry(
        name="sentences",
        make=lambda plan: Sentences(plan.sentences),
        threshold=_always(0.2),
        catches="copies that keep one of their longest sentences",
        misses="an edit in each long sentence; a shared disclaimer reads as a copy",
        source="nshash (the n longest sentences)",
    ),
    Entry(
        name="loose",
        make=lambda plan: LooseWindows(plan.loose),
        threshold=_always(0.3),
        catches="letters swapped, masked or left out all over a text; short texts with an edit",
        misses="excerpts; a text whose characters are replaced all over",
        source="Broder 1997 (bottom-k sketches) over multisets of letters",
    ),
    Entry(
        name="dna",
        make=PinyinInitials,
        threshold=_always(0.3),
        catches="homophones in every sentence; few edits in a long text; passages moved elsewhere",
        misses="an edit every 20 characters, texts below a hundred characters, other languages",
        source="pinyin-initial frequencies in windows (Datagrand 2016)",
    ),
    Entry(
        name="imatch",
        make=IMatch,
        threshold=_always(0.05),
        catches="the same telling words in any order, whatever common or rare words are added",
        misses="excerpts, many small edits; texts of one template; words not in the statistics",
        source="Chowdhury et al. 2002; Kolcz, Chowdhury, Alspector 2004",
    ),
    Entry(
        name="longest_sentence",
        make=lambda plan: LongestSentence(plan.sentences),
        threshold=_always(1.0),
        catches="copies whose longest sentence is untouched, with hardly a false one",
        misses="one edit in the longest sentence, or a longer one added",
        source="the single longest sentence (Baidu)",
    ),
    Entry(
        name="projection",
        make=Projection,
        threshold=_always(0.85),
        catches="texts that use the same telling words about as often, in any order",
        misses="excerpts, short texts, another text on the same matter in the same words",
        source="Charikar 2002 (random hyperplanes); Johnson, Lindenstrauss 1984",
    ),
    Entry(
        name="shingles",
        make=Shingles,
        threshold=_always(0.3),
        catches="what minhash catches, counted exactly",
        misses="homophones in every sentence, short excerpts of long texts",
        source="Broder 1997 (k-shingles, Jaccard)",
    ),
    Entry(
        name="cosine",
        make=Cosine,
        threshold=_always(0.75),
        catches="texts that use the same telling words about as often, in any order",
        misses="excerpts; reads another text on the same matter as a copy",
        source="Salton, Wong, Yang 1975 (vector space, TF-IDF)",
    ),
    Entry(
        name="lcs",
        make=Lcs,
        threshold=_always(0.8),
        catches="small edits spread all over a text, in texts of any length",
        misses="sentences in another order, excerpts; the slowest to compare",
        source="longest common subsequence; Hyyrö 2004 (bit-parallel)",
    ),
)

REGISTRY: Final[dict[str, Entry]] = {entry.name: entry for entry in _ENTRIES}


def register(entry: Entry) -> None:
    """Register a further scheme, in each process that needs it; with `stored`, plans can name it
    and indices hold its keys."""
    REGISTRY[entry.name] = entry
    if entry.stored is not None:
        store(entry.stored)


@lru_cache(maxsize=4)  # some schemes cache words: tens of megabytes each
def enabled(plan: Plan) -> Mapping[Field, Scheme[Any]]:
    """The schemes whose terms a plan stores, by the field that holds them."""
    return {
        field: REGISTRY[name].make(plan)
        for name, field in SCHEME_FIELDS.items()
        if name in plan.schemes
    }
