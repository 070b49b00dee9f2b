"""The plan: every number that changes a stored value or a verdict, in one frozen value.

A plan travels in the index `_meta`. Its `id` is made from everything that changes stored values,
so two programs that agree on the id agree on every key. Thresholds change answers only: they are
stored with the plan and left out of the id.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self, get_type_hints

import orjson

from mappings.contract import SCHEME_FIELDS
from mappings.errors import InputRefused
from mappings.scheme_plans import (
    MOST_PLANES,
    CosinePlan,
    DnaPlan,
    ExactPlan,
    ImatchPlan,
    ProjectionPlan,
    ShinglesPlan,
    scheme_rules,
    statistics_rules,
)

FORMAT: Final = 1
"""Version of the code that computes stored values; a change that alters any value raises it."""

STEPS: Final = ("nfkc", "casefold", "simplified", "invisible", "space", "punctuation")
"""Preparation steps in the order they are applied."""

STANDARD_SCHEMES: Final = ("exact", "simhash", "minhash", "syllables", "passages", "sentences")
"""Schemes whose terms a plan stores by default."""

ALWAYS: Final = ("exact", "simhash")
"""Their stored values judge candidates whose text is not read, so no plan goes without them."""

PARTS: Final = {
    "simhash": "simhash",
    "minhash": "minhash",
    "syllables": "syllable_minhash",
    "passages": "passages",
    "sentences": "sentences",
    "exact": "exact",
    "projection": "projection",
    "shingles": "shingles",
    "cosine": "cosine",
    "dna": "dna",
    "imatch": "imatch",
}
"""The entry of a plan that holds the numbers of a scheme."""

USE_STATISTICS: Final = ("dna", "imatch", "projection")
"""Schemes whose values depend on corpus statistics."""

SIMHASH_WEIGHTS: Final = ("log", "count", "levels", "tfidf")
WORDLESS: Final = ("log", "none")
"""The weights and stop words of a simhash over characters, which has no words to weigh."""

ADDED: Final[Mapping[str, Mapping[str, str | int]]] = {
    "exact": {"digest": "murmur3"},
    "simhash": {"bits": 64, "weights": "log", "stop_words": "none"},
    "sentences": {"hash": "murmur3"},
}
"""Entries that came after the format, with what they were before they could be chosen. Such a
value is left out of the id, so that an index written before keeps its own."""

MAX_USER_WORDS: Final = 10_000
MAX_WIDTH: Final = 64
"""The longest shingle the hash functions have powers for."""

MAX_SEED: Final = (1 << 32) - 1
MAX_NAME: Final = 64
MAX_CHARACTERS: Final = 1 << 40
_MANY: Final = 1_000_000_000

SHARES: Final = ("near", "short_near", "covered", "partial", "word_partial", "low", "high")
"""Numbers in (0, 1]: parts of a text, or of the documents of a corpus."""

PARTLY: Final = ("overlap", "dropout")
"""Numbers in [0, 1)."""

LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    **dict.fromkeys(("shingle", "spaced_shingle", "word_shingle"), (1, MAX_WIDTH)),
    **dict.fromkeys(("gram", "passage", "spaced_gram"), (1, MAX_WIDTH)),
    **dict.fromkeys(("word_gram", "word_passage", "run"), (1, MAX_WIDTH)),
    **dict.fromkeys(
        ("shared", "word_shared", "hot", "minimum", "short", "covered_units", "unrelated"),
        (1, _MANY),
    ),
    "seed": (0, MAX_SEED),
    "blocks": (2, 8),
    "planes": (64, MOST_PLANES),
    "bands": (1, 64),
    "rows": (1, 16),
    "keep": (1, 1_000),
    "chunk": (64, _MANY),
    "granularity": (16, 4_096),
    "levels": (2, 10),
    "lexicons": (0, 64),
    "dna_tolerance": (0, 180),
    **dict.fromkeys(("hamming", "simhash_only"), (0, 64)),
}
"""The least and the most of each whole number, wherever it stands in a plan."""


@dataclass(frozen=True, slots=True)
class SimhashPlan:
    """Simhash of 64 or 32 bits; `blocks` choose `choose` blocks make one key (Manku et al. 2007).

    `weights` of a word: log, 1 + floor(log2(count)); count; levels, 1 to 5 by rarity in the
    statistics; tfidf. `stop_words`: the shipped list of words that do not count.
    """

    blocks: int = 4
    choose: int = 1
    seed: int = 1
    bits: int = 64
    weights: Literal["log", "count", "levels", "tfidf"] = "log"
    stop_words: str = "none"


@dataclass(frozen=True, slots=True)
class MinhashPlan:
    """`bands` x `rows` MinHash over shingles of `shingle` units.

    `spaced_shingle` replaces it in texts whose script puts spaces between words.
    """

    shingle: int
    spaced_shingle: int
    bands: int
    rows: int
    seed: int


@dataclass(frozen=True, slots=True)
class PassagePlan:
    """The `keep` smallest hashes of long shingles, per chunk of about `chunk` units."""

    shingle: int = 10
    spaced_shingle: int = 5
    keep: int = 16
    chunk: int = 2_048
    seed: int = 4


@dataclass(frozen=True, slots=True)
class SentencePlan:
    """The `keep` longest sentences of at least `minimum` letters and digits; MD5 has no seed."""

    keep: int = 5
    minimum: int = 8
    seed: int = 5
    hash: Literal["murmur3", "md5"] = "murmur3"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where verdicts begin; see `query.verdict` for the definitions."""

    near: float = 0.40
    short: int = 300  # letters and digits up to which two texts are compared by their edits, too
    short_near: float = 0.85
    partial: float = 0.18
    shared: int = 30
    gram: int = 4
    passage: int = 12
    spaced_gram: int = 8
    word_gram: int = 2
    word_passage: int = 5
    word_partial: float = 0.35
    word_shared: int = 12
    hamming: int = 3
    simhash_only: int = 12  # differing bits up to which a simhash key alone is worth a comparison
    dna_tolerance: int = 6  # levels by which windows of initials may differ in all
    run: int = 20  # units of a run that is long enough to be a passage of its own
    covered: float = 0.18  # share of the shorter text in such runs that makes a partial copy,
    covered_units: int = 60  # and how much that must be
    unrelated: int = 8  # so many unrelated documents make a sentence boilerplate
    hot: int = 300  # a key in more documents than this has no vote in a full lookup


@dataclass(frozen=True, slots=True)
class Plan:
    """All numbers behind an index. Two plans with one `id` make identical stored values."""

    name: str = "standard"
    format: int = FORMAT
    table: str = "1"
    steps: tuple[str, ...] = STEPS
    schemes: tuple[str, ...] = STANDARD_SCHEMES
    words: Literal["jieba", "none"] = "jieba"
    dictionary: str = "jieba-0.42.1"
    user_words: tuple[str, ...] = ()
    statistics: str = "1"  # or "sha256-<digest>": computed from a corpus of the user's
    syllables: str = "table"  # or "pypinyin-<version>": readings by phrase, of that very version
    simhash: SimhashPlan = field(default_factory=SimhashPlan)
    minhash: MinhashPlan = MinhashPlan(shingle=5, spaced_shingle=9, bands=8, rows=3, seed=2)
    syllable_minhash: MinhashPlan = MinhashPlan(
        shingle=4, spaced_shingle=3, bands=16, rows=2, seed=3
    )
    passages: PassagePlan = field(default_factory=PassagePlan)
    sentences: SentencePlan = field(default_factory=SentencePlan)
    exact: ExactPlan = field(default_factory=ExactPlan)
    projection: ProjectionPlan = field(default_factory=ProjectionPlan)
    shingles: ShinglesPlan = field(default_factory=ShinglesPlan)
    cosine: CosinePlan = field(default_factory=CosinePlan)
    dna: DnaPlan = field(default_factory=DnaPlan)
    imatch: ImatchPlan = field(default_factory=ImatchPlan)
    max_characters: int = 5_000_000
    thresholds: Thresholds = field(default_factory=Thresholds)

    def __post_init__(self) -> None:
        _check(self)

    @property
    def id(self) -> str:
        """Name, format and digest of all that changes stored values: `standard-1-5f3a90c2`."""
        stored = self.to_meta()
        del stored["thresholds"], stored["name"], stored["max_characters"]
        for scheme, part in PARTS.items():
            # A plan keeps its id when dupdex learns a new scheme. Without words the simhash is made
            # of the character shingles.
            if scheme not in self.schemes and not (part == "minhash" and self.words == "none"):
                del stored[part]
        if not self.uses_statistics:
            del stored["statistics"]
        for part, entries in ADDED.items():
            for entry, value in entries.items():
                if part in stored and stored[part][entry] == value:
                    del stored[part][entry]
            if not stored.get(part, True):  # nothing is left of a part that is younger itself
                del stored[part]
        stored["schemes"] = sorted(self.schemes)
        digest = hashlib.sha256(orjson.dumps(stored, option=orjson.OPT_SORT_KEYS)).hexdigest()
        return f"{self.name}-{self.format}-{digest[:8]}"

    @property
    def uses_statistics(self) -> bool:
        """Whether any stored value depends on corpus statistics."""
        weighed = self.simhash.weights in ("levels", "tfidf")
        return weighed or bool({*USE_STATISTICS} & {*self.schemes})

    def to_meta(self) -> dict[str, Any]:
        """The plan as plain JSON values."""
        return dataclasses.asdict(self)

    @classmethod
    def from_meta(cls, meta: Mapping[str, Any]) -> Self:
        """The plan of an index `_meta` or a plan file; absent entries take their defaults.

        Raises InputRefused naming the entry that is unknown or of the wrong type.
        """
        plan: Self = _build(cls(), meta, "plan")
        return plan


def _build(base: Any, meta: Mapping[str, Any], where: str) -> Any:
    """`base` with the entries of `meta` in place of its own."""
    if not isinstance(meta, Mapping):
        raise InputRefused(f"{where} must be an object, not {type(meta).__name__}")
    hints = get_type_hints(type(base))
    values: dict[str, Any] = {}
    for name, value in meta.items():
        hint = hints.get(name)
        if hint is None:
            raise InputRefused(
                f"{where}.{name} is not an entry of a plan; known: {', '.join(sorted(hints))}"
            )
        values[name] = _value(hint, value, f"{where}.{name}", getattr(base, name))
    return dataclasses.replace(base, **values)


def _value(hint: Any, value: Any, where: str, base: Any) -> Any:
    if dataclasses.is_dataclass(hint):
        return _build(base, value, where)
    if hint == tuple[str, ...]:
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise InputRefused(f"{where} must be a list of strings")
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    expected = hint if hint in (int, float, str) else str
    if not isinstance(value, expected) or isinstance(value, bool):
        raise InputRefused(f"{where} must be {expected.__name__}, not {value!r}")
    return value


def _check(plan: Plan) -> None:
    """Refuse numbers no code can serve; the message names the entry."""
    rules = (
        (plan.format == FORMAT, f"format {plan.format} is not the one this dupdex makes, {FORMAT}"),
        (plan.words in ("jieba", "none"), "words must be jieba or none"),
        (
            plan.syllables == "table" or plan.syllables.startswith("pypinyin-"),
            "syllables must be table, or pypinyin- with a version",
        ),
        (set(ALWAYS) <= set(plan.schemes), f"schemes must hold {' and '.join(ALWAYS)}"),
        (
            set(plan.schemes) <= set(SCHEME_FIELDS) and len(set(plan.schemes)) == len(plan.schemes),
            f"schemes must be among {', '.join(SCHEME_FIELDS)}, each once",
        ),
        (set(plan.steps) <= set(STEPS), f"steps must be among {', '.join(STEPS)}"),
        (len(plan.user_words) <= MAX_USER_WORDS, f"user_words holds at most {MAX_USER_WORDS}"),
        (all(word.strip() for word in plan.user_words), "user_words holds an empty word"),
        (plan.sentences.hash in ("murmur3", "md5"), "sentences.hash must be murmur3 or md5"),
        (
            1 <= len(plan.name) <= MAX_NAME and plan.name.isprintable(),
            f"name must be 1 to {MAX_NAME} printable characters",
        ),
        (
            1 <= plan.max_characters <= MAX_CHARACTERS,
            f"max_characters must be 1 to {MAX_CHARACTERS}",
        ),
    )
    special = (*_simhash_rules(plan), *_choice_rules(plan))
    for holds, message in (*_ranges(plan.to_meta()), *special, *rules):
        if not holds:
            raise InputRefused(f"plan {plan.name!r}: {message}")


def _choice_rules(plan: Plan) -> Iterator[tuple[bool, str]]:
    yield from scheme_rules(plan.exact, plan.projection, plan.shingles, plan.cosine, plan.words)
    yield from statistics_rules(plan.statistics, plan.dna, plan.imatch)


def _simhash_rules(plan: Plan) -> Iterator[tuple[bool, str]]:
    part = plan.simhash
    yield 1 <= part.choose < part.blocks, "simhash.choose must be below blocks"
    # 70 keys, where one of 64 characters says which choice of blocks a key is
    yield (part.blocks, part.choose) != (8, 4), "simhash: 8 choose 4 is too many"
    yield part.bits in (32, 64), "simhash.bits must be 32 or 64"
    known = ", ".join(SIMHASH_WEIGHTS)
    yield part.weights in SIMHASH_WEIGHTS, f"simhash.weights must be among {known}"
    wordless = (part.weights, part.stop_words) == WORDLESS
    yield (
        plan.words != "none" or wordless,
        "simhash.weights and simhash.stop_words need words; leave them out",
    )


def _ranges(meta: Mapping[str, Any]) -> Iterator[tuple[bool, str]]:
    """Every number of the parts against its limits; NaN is in none."""
    for part, entries in meta.items():
        for name, value in entries.items() if isinstance(entries, dict) else ():
            if name in PARTLY:
                yield 0 <= value < 1, f"{part}.{name} must be in [0, 1)"
            elif name in SHARES:
                yield 0 < value <= 1, f"{part}.{name} must be in (0, 1]"
            elif name in LIMITS:
                low, high = LIMITS[name]
                yield low <= value <= high, f"{part}.{name} must be {low} to {high}"


STANDARD: Final = Plan()
CHARACTERS: Final = Plan(name="characters", words="none")
PLANS: Final = {plan.name: plan for plan in (STANDARD, CHARACTERS)}
"""Plans by name: `standard` weighs words (jieba), `characters` needs no segmenter."""
