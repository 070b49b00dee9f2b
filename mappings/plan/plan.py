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
from functools import cache, lru_cache
from typing import Any, Final, Literal, Self, get_type_hints

import orjson

from mappings.errors import InputRefused
from mappings.plan.parts import (
    CosinePlan,
    DnaPlan,
    ExactPlan,
    ImatchPlan,
    LoosePlan,
    MinhashPlan,
    PassagePlan,
    ProjectionPlan,
    SentencePlan,
    ShinglesPlan,
    SimhashPlan,
)
from mappings.plan.rules import (
    ALWAYS,
    FORMAT,
    FORMATS,
    MAX_CHARACTERS,
    MAX_NAME,
    MAX_USER_WORDS,
    SINCE,
    STANDARD_SCHEMES,
    STEPS,
    Rule,
    range_rules,
    scheme_rules,
    simhash_rules,
    statistics_rules,
)
from mappings.plan.thresholds import Thresholds
from mappings.schemes import PARTS, SCHEME_FIELDS, STORED

ADDED: Final[Mapping[str, Mapping[str, str | int]]] = {
    "exact": {"digest": "murmur3"},
    "simhash": {"bits": 64, "weights": "log", "stop_words": "none"},
    "passages": {"winnow": 0, "spaced_winnow": 0, "winnow_parts": 10},
    "sentences": {"hash": "murmur3"},
}
"""Entries added after the format was fixed, with the value that was implied before. That value is
left out of the id, so that indices written earlier keep theirs."""


_CHARACTER_BANDS: Final = MinhashPlan(shingle=5, spaced_shingle=9, bands=3, rows=3, seed=2)
_SYLLABLE_BANDS: Final = MinhashPlan(shingle=4, spaced_shingle=3, bands=11, rows=2, seed=3)
_PASSAGES: Final = PassagePlan(spaced_shingle=4, keep=12, winnow=128, spaced_winnow=24)


@dataclass(frozen=True, slots=True)
class Plan:
    """All numbers behind an index. Plans with the same `id` produce identical stored values."""

    name: str = "standard"
    format: int = FORMAT
    table: str = "1"
    steps: tuple[str, ...] = STEPS
    schemes: tuple[str, ...] = STANDARD_SCHEMES
    words: Literal["jieba", "none"] = "jieba"
    dictionary: str = "jieba-0.42.1"
    user_words: tuple[str, ...] = ()
    statistics: str = "1"  # or "sha256-<digest>": computed from the user's corpus
    syllables: str = "table"  # or "pypinyin-<version>": readings by phrase, by exactly that version
    simhash: SimhashPlan = field(default_factory=SimhashPlan)
    minhash: MinhashPlan = _CHARACTER_BANDS
    syllable_minhash: MinhashPlan = _SYLLABLE_BANDS
    passages: PassagePlan = _PASSAGES
    sentences: SentencePlan = field(default_factory=SentencePlan)
    loose: LoosePlan = field(default_factory=LoosePlan)
    exact: ExactPlan = field(default_factory=ExactPlan)
    projection: ProjectionPlan = field(default_factory=ProjectionPlan)
    shingles: ShinglesPlan = field(default_factory=ShinglesPlan)
    cosine: CosinePlan = field(default_factory=CosinePlan)
    dna: DnaPlan = field(default_factory=DnaPlan)
    imatch: ImatchPlan = field(default_factory=ImatchPlan)
    max_characters: int = 5_000_000
    thresholds: Thresholds = field(default_factory=Thresholds)

    def __post_init__(self) -> None:
        for holds, message in _rules(self):
            if not holds:
                raise InputRefused(f"plan {self.name!r}: {message}")

    @property
    def id(self) -> str:
        """Name, format and digest of all that changes stored values: `standard-1-5f3a90c2`."""
        return _id_of(self)

    @property
    def uses_statistics(self) -> bool:
        """Whether any stored value depends on corpus statistics."""
        weighed = self.simhash.weights in ("levels", "tfidf")
        return weighed or any(STORED[name].statistics for name in self.schemes)

    def to_meta(self) -> dict[str, Any]:
        """The plan as plain JSON values."""
        return {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}

    @classmethod
    def from_meta(cls, meta: Mapping[str, Any]) -> Self:
        """The plan of an index `_meta` or a plan file; absent entries take their defaults. In a
        plan with a format, as every stored one is, entries of a part that came later are what they
        were before.

        Raises InputRefused naming the entry that is unknown or of the wrong type.
        """
        plan: Self = _build(cls(), _as_it_was(meta), "plan")
        return plan


@lru_cache(256)  # it is asked for with every record
def _id_of(plan: Plan) -> str:
    stored = plan.to_meta()
    del stored["thresholds"], stored["name"], stored["max_characters"]
    for scheme, part in PARTS.items():
        # A plan keeps its id when dupdex learns a new scheme. Without words the simhash is made
        # of the character shingles.
        if scheme not in plan.schemes and not (part == "minhash" and plan.words == "none"):
            del stored[part]
    if not plan.uses_statistics:
        del stored["statistics"]
    for part, entries in ADDED.items():
        for entry, value in entries.items():
            if part in stored and stored[part][entry] == value:
                del stored[part][entry]
        if not stored.get(part, True):  # the whole part was added later
            del stored[part]
    stored["schemes"] = sorted(plan.schemes)
    digest = hashlib.sha256(orjson.dumps(stored, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return f"{plan.name}-{plan.format}-{digest[:8]}"


def _plain(value: Any) -> Any:
    """The entries of a part; `dataclasses.asdict` would copy every value."""
    names = getattr(value, "__dataclass_fields__", None)
    return value if names is None else {name: getattr(value, name) for name in names}


def _as_it_was(meta: Mapping[str, Any]) -> Mapping[str, Any]:
    """A stored plan with the entries that were added after it was stored."""
    if not isinstance(meta, Mapping) or "format" not in meta:
        return meta
    parts = {part: meta.get(part) for part in ADDED}
    was = {part: {**ADDED[part], **own} for part, own in parts.items() if isinstance(own, Mapping)}
    return {**meta, **was}


def _rules(plan: Plan) -> Iterator[Rule]:
    """What must hold of a plan that code can serve; each message names the entry."""
    yield from range_rules(plan.to_meta())
    yield from simhash_rules(plan.simhash, plan.words)
    yield from scheme_rules(plan.exact, plan.projection, plan.shingles, plan.cosine, plan.words)
    yield from statistics_rules(plan.statistics, plan.dna, plan.imatch)
    yield (
        plan.format in FORMATS,
        f"format {plan.format} is none that this dupdex serves, {FORMATS[0]} to {FORMATS[-1]}",
    )
    for name in (*plan.steps, *plan.schemes):
        since = SINCE.get(name, 0)
        later = f"it came with format {since}; leave it out, or write format {FORMAT}"
        yield plan.format >= since, f"format {plan.format} has no {name}: {later}"
    yield plan.words in ("jieba", "none"), "words must be jieba or none"
    readings = plan.syllables == "table" or plan.syllables.startswith("pypinyin-")
    yield readings, "syllables must be table, or pypinyin- with a version"
    yield set(ALWAYS) <= set(plan.schemes), f"schemes must hold {' and '.join(ALWAYS)}"
    once = len(set(plan.schemes)) == len(plan.schemes)
    yield (
        once and set(plan.schemes) <= set(SCHEME_FIELDS),
        f"schemes must be among {', '.join(SCHEME_FIELDS)}, each once",
    )
    yield set(plan.steps) <= set(STEPS), f"steps must be among {', '.join(STEPS)}"
    few = len(plan.user_words) <= MAX_USER_WORDS
    yield few, f"user_words holds at most {MAX_USER_WORDS}"
    yield all(word.strip() for word in plan.user_words), "user_words holds an empty word"
    yield plan.sentences.hash in ("murmur3", "md5"), "sentences.hash must be murmur3 or md5"
    named = 1 <= len(plan.name) <= MAX_NAME and plan.name.isprintable()
    yield named, f"name must be 1 to {MAX_NAME} printable characters"
    sized = 1 <= plan.max_characters <= MAX_CHARACTERS
    yield sized, f"max_characters must be 1 to {MAX_CHARACTERS}"


def _build(base: Any, meta: Mapping[str, Any], where: str) -> Any:
    """`base` with its entries replaced by those of `meta`."""
    if not isinstance(meta, Mapping):
        raise InputRefused(f"{where} must be an object, not {type(meta).__name__}")
    hints = _hints(base.__class__)
    values: dict[str, Any] = {}
    for name, value in meta.items():
        hint = hints.get(name)
        if hint is None:
            raise InputRefused(
                f"{where}.{name} is not an entry of a plan; known: {', '.join(sorted(hints))}"
            )
        values[name] = _value(hint, value, f"{where}.{name}", getattr(base, name))
    return dataclasses.replace(base, **values)


@cache
def _hints(part: type) -> dict[str, Any]:
    """The types of the entries of a part, evaluated once: every session reads a plan."""
    return get_type_hints(part)


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


FORMAT_1_PARTS: Final[Mapping[str, Any]] = {
    "minhash": dataclasses.replace(_CHARACTER_BANDS, bands=8),
    "syllable_minhash": dataclasses.replace(_SYLLABLE_BANDS, bands=16),
    "passages": PassagePlan(),
}
"""The standard numbers of plans of format 1, where those of today are others."""


def newest(plan: Plan) -> Plan:
    """The plan in the format of today: steps and schemes that came later are added, and numbers
    that were the standard ones are those of today.
    """
    if plan.format == FORMAT:
        return plan
    steps = [step for step in STEPS if step in plan.steps or SINCE.get(step, 0) > plan.format]
    later = [name for name in STANDARD_SCHEMES if SINCE.get(name, 0) > plan.format]
    schemes = (*plan.schemes, *(name for name in later if name not in plan.schemes))
    today = Plan()
    parts = {
        name: getattr(today, name)
        for name, standard in FORMAT_1_PARTS.items()
        if getattr(plan, name) == standard
    }
    return dataclasses.replace(plan, format=FORMAT, steps=tuple(steps), schemes=schemes, **parts)


STANDARD: Final = Plan()
CHARACTERS: Final = Plan(name="characters", words="none")
PLANS: Final = {plan.name: plan for plan in (STANDARD, CHARACTERS)}
"""Plans by name: `standard` weighs words (jieba), `characters` needs no segmenter."""
