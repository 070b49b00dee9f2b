"""The plan: round trip, id, what changes it, what is refused."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints import fingerprints_of
from indexer.model import Fingerprint
from mappings.errors import InputRefused
from mappings.plan import (
    ADDED,
    ALWAYS,
    CHARACTERS,
    FORMAT,
    MAX_USER_WORDS,
    PLANS,
    STANDARD,
    STANDARD_SCHEMES,
    STEPS,
    Plan,
    Thresholds,
    newest,
)
from mappings.schemes import PARTS, SCHEME_FIELDS
from tests.golden.freeze import FORMAT_1
from tests.texts import LAW, LIBRARY, METRO, chinese, english

Path = tuple[str, ...]

TEXTS = [
    METRO,
    LIBRARY,
    chinese(5_000, 1),
    english(600, 1),
    "银行\u200b职员　在，行走？ＡＢ电腦“Ｃ”  e\u0301①了解。短句子就是这样的。",
    "二〇二〇至二一赛季第一轮\r主队以3–2战胜来访的客队",
    "短句子就是这样的",
    "今天下午两点在人民广场集合出发",
    "the price is much too high for me",
]

NAMES_ONLY = {("table",), ("dictionary",), ("statistics",)}
"""Names of data: another one needs files that this installation does not have."""

OTHER: dict[Path, Any] = {
    ("schemes",): STANDARD_SCHEMES[:-1],
    ("steps",): STEPS[:-1],
    ("words",): "none",
    ("user_words",): ("南湖新区", "银杏路"),
    ("syllables",): f"pypinyin-{version('pypinyin')}",
    ("simhash", "blocks"): 5,
    ("simhash", "bits"): 32,
    ("simhash", "weights"): "levels",
    ("simhash", "stop_words"): "1",
    ("sentences", "hash"): "md5",
    ("passages", "chunk"): 1_000,
    ("loose", "full"): 300,
    ("loose", "spaced_full"): 1_500,
    ("loose", "short"): 5,
    ("loose", "middle"): 12,
    ("loose", "spaced_middle"): 20,
    ("statistics",): "2",
    ("dna", "levels"): 8,
    ("exact", "digest"): "sha1",
    ("projection", "planes"): 128,
    ("projection", "entries"): "gaussian",
    ("shingles", "units"): "words",
    ("cosine", "weights"): "tf",
}
"""Another allowed value where adding one would not be: the rest are numbers, and get one more."""


def leaves(value: Any, path: Path = ()) -> list[Path]:
    """Every entry of a plan that is no dataclass itself."""
    out: list[Path] = []
    for entry in dataclasses.fields(value):
        inner = getattr(value, entry.name)
        here = (*path, entry.name)
        out += leaves(inner, here) if dataclasses.is_dataclass(inner) else [here]
    return out


def at(plan: Any, path: Path) -> Any:
    for name in path:
        plan = getattr(plan, name)
    return plan


def changed(plan: Any, path: Path, value: Any) -> Any:
    name, *rest = path
    inner = changed(getattr(plan, name), tuple(rest), value) if rest else value
    return replace(plan, **{name: inner})


EVERY_SCHEME = replace(STANDARD, schemes=tuple(SCHEME_FIELDS))
"""Numbers of a scheme that is not stored change nothing, so here all are."""


def other(path: Path) -> Plan:
    """That plan with one entry changed."""
    old = at(EVERY_SCHEME, path)
    if path in OTHER:
        value = OTHER[path]
    elif isinstance(old, float):
        value = old / 2
    elif isinstance(old, int):
        value = old + 1
    else:
        value = old + "-other"
    plan: Plan = changed(EVERY_SCHEME, path, value)
    return plan


ENTRIES = leaves(STANDARD)
COMPARED = [p for p in ENTRIES if p[0] in set(PARTS.values()) - {*map(PARTS.get, SCHEME_FIELDS)}]
APART = {"thresholds", "format", "name", "max_characters", *(p[0] for p in COMPARED)}
STORED = [p for p in ENTRIES if p[0] not in APART]
THRESHOLDS = [p for p in ENTRIES if p[0] == "thresholds"]


def digest(plan: Plan) -> str:
    return plan.id.rsplit("-", 1)[1]


@lru_cache(4)  # that of EVERY_SCHEME is asked for again and again
def fingerprints(plan: Plan) -> list[Fingerprint]:
    return fingerprints_of(TEXTS, plan)


# --- the id


def test_ids_are_frozen() -> None:
    """A new id refuses every index written so far: raise the format with it, and say so."""
    assert {name: plan.id for name, plan in PLANS.items()} == {
        "standard": "standard-2-12973e19",
        "characters": "characters-2-046a9ce4",
    }


def test_every_entry_is_looked_at() -> None:
    assert len(STORED) == 64
    assert len(THRESHOLDS) == len(dataclasses.fields(Thresholds)) == 27
    assert len(COMPARED) == 6
    others = 3  # name, format, max_characters
    assert len(ENTRIES) == len(STORED) + len(THRESHOLDS) + len(COMPARED) + others


@pytest.mark.parametrize("path", STORED, ids=".".join)
def test_what_changes_stored_values_changes_the_id(path: Path) -> None:
    assert digest(other(path)) != digest(EVERY_SCHEME)


@pytest.mark.parametrize("path", [p for p in STORED if p not in NAMES_ONLY], ids=".".join)
def test_what_changes_the_id_changes_stored_values(path: Path) -> None:
    """Every number does something: another value gives another fingerprint of some text."""
    assert fingerprints(other(path)) != fingerprints(EVERY_SCHEME)


@pytest.mark.parametrize("path", [*THRESHOLDS, *COMPARED], ids=".".join)
def test_thresholds_change_neither_id_nor_values(path: Path) -> None:
    plan = other(path)
    assert plan != EVERY_SCHEME
    assert plan.id == EVERY_SCHEME.id
    assert fingerprints(plan) == fingerprints(EVERY_SCHEME)


@pytest.mark.parametrize("weights", ["levels", "tfidf"])
def test_statistics_are_in_the_id_where_a_weight_depends_on_them(weights: str) -> None:
    plans = [replace(STANDARD, statistics=name) for name in ("1", "2")]
    assert plans[0].id == plans[1].id == STANDARD.id
    weighed = [changed(plan, ("simhash", "weights"), weights) for plan in plans]
    assert len({plan.id for plan in (*weighed, STANDARD)}) == 3


def test_entries_that_came_later_leave_the_ids_of_old_plans_alone() -> None:
    """What they stood at before they could be chosen is not in the id; anything else is. A stored
    plan that lacks them has them as they stood.
    """
    for part, entries in ADDED.items():
        for name, value in entries.items():
            assert other((part, name)).id != EVERY_SCHEME.id
            meta = changed(EVERY_SCHEME, (part, name), value).to_meta()
            was = Plan.from_meta(meta)
            del meta[part][name]
            assert Plan.from_meta(meta) == was


def test_plans_of_the_first_format_have_passages_without_winnowing() -> None:
    old = FORMAT_1["standard-1"]
    assert old.id == "standard-1-c9f383ea"
    assert not old.passages.winnow
    meta = old.to_meta()
    for name in ADDED["passages"]:
        del meta["passages"][name]
    assert Plan.from_meta(meta) == old
    assert Plan.from_meta({"passages": {"keep": 12}}).passages.winnow == STANDARD.passages.winnow


def test_a_rebuild_brings_the_numbers_of_the_new_format_unless_others_were_chosen() -> None:
    old = FORMAT_1["standard-1"]
    assert newest(old) == STANDARD
    chosen = replace(old, passages=replace(old.passages, keep=9))
    assert newest(chosen).passages == chosen.passages


def test_the_format_is_in_the_id() -> None:
    assert STANDARD.id.split("-")[1] == str(FORMAT)


def test_name_and_limit_leave_the_digest() -> None:
    assert replace(STANDARD, name="mine").id == f"mine-{FORMAT}-{digest(STANDARD)}"
    assert replace(STANDARD, max_characters=99_999).id == STANDARD.id
    assert fingerprints(replace(STANDARD, name="mine")) == fingerprints(STANDARD)


@pytest.mark.parametrize("step", STEPS)
def test_each_step_is_in_the_id_and_in_the_values(step: str) -> None:
    plan = replace(STANDARD, steps=tuple(name for name in STEPS if name != step))
    assert digest(plan) != digest(STANDARD)
    assert fingerprints(plan) != fingerprints(STANDARD)


def test_one_entry_never_passes_for_another() -> None:
    ids = [other(path).id for path in STORED]
    assert len({*ids, EVERY_SCHEME.id, CHARACTERS.id}) == len(ids) + 2


@pytest.mark.parametrize("name", sorted(set(SCHEME_FIELDS) - set(ALWAYS)))
def test_a_scheme_that_is_not_stored_leaves_no_trace(name: str) -> None:
    """Its numbers are not in the id, so an index keeps its id when dupdex learns a new scheme."""
    others = tuple(scheme for scheme in SCHEME_FIELDS if scheme != name)
    plan = replace(STANDARD, schemes=others)
    for made in fingerprints(plan):
        assert SCHEME_FIELDS[name] not in made.keys
    part = at(plan, (PARTS[name],))
    number = "seed" if hasattr(part, "seed") else "granularity"
    changed_part = replace(part, **{number: getattr(part, number) + 1})
    assert replace(plan, **{PARTS[name]: changed_part}).id == plan.id


@pytest.mark.parametrize(
    ("schemes", "wrong"),
    [
        (("exact", "minhash"), "schemes must hold exact and simhash"),
        (("exact", "simhash", "other"), "schemes must be among exact, simhash"),
        (("exact", "simhash", "simhash"), "each once"),
    ],
)
def test_schemes_are_checked(schemes: tuple[str, ...], wrong: str) -> None:
    with pytest.raises(InputRefused, match=wrong):
        replace(STANDARD, schemes=schemes)


# --- round trip

numbers = st.builds(
    Plan,
    name=st.text(min_size=1, max_size=8).filter(lambda t: t.isprintable()),
    user_words=st.lists(st.sampled_from(["茶山", "node.js", "λ"]), max_size=2).map(tuple),
    max_characters=st.integers(1, 1 << 40),
    steps=st.sampled_from([STEPS, STEPS[:2], ()]),
    thresholds=st.builds(Thresholds, near=st.floats(0.01, 1), hot=st.integers(1, 10_000)),
)


@given(numbers)
@LAW
def test_through_json_and_back(plan: Plan) -> None:
    again = Plan.from_meta(orjson.loads(orjson.dumps(plan.to_meta())))
    assert again == plan
    assert again.id == plan.id


def test_absent_entries_take_their_defaults_at_every_depth() -> None:
    assert Plan.from_meta({}) == STANDARD
    plan = Plan.from_meta({"minhash": {"bands": 32}, "thresholds": {"near": 1}})
    assert plan.minhash == replace(STANDARD.minhash, bands=32)
    assert plan.syllable_minhash == STANDARD.syllable_minhash
    assert plan.thresholds == Thresholds(near=1.0)


# --- what is refused


@pytest.mark.parametrize(
    ("meta", "named"),
    [
        ({"bands": 3}, "plan.bands is not an entry"),
        ({"minhash": {"band": 3}}, "plan.minhash.band is not an entry"),
        ({"thresholds": {"far": 0.1}}, "plan.thresholds.far is not an entry"),
        ({"minhash": {"bands": "16"}}, "plan.minhash.bands must be int, not '16'"),
        ({"minhash": {"bands": 1.5}}, "plan.minhash.bands must be int, not 1.5"),
        ({"minhash": {"bands": True}}, "plan.minhash.bands must be int, not True"),
        ({"minhash": {"bands": None}}, "plan.minhash.bands must be int, not None"),
        ({"minhash": [1]}, "plan.minhash must be an object, not list"),
        ({"thresholds": {"near": "high"}}, "plan.thresholds.near must be float"),
        ({"format": 3}, "format 3 is none that this dupdex serves, 1 to 2"),
        ({"format": 1}, "format 1 has no skeleton: it came with format 2; leave it out"),
        ({"name": 3}, "plan.name must be str, not 3"),
        ({"words": 3}, "plan.words must be str, not 3"),
        ({"words": "hanlp"}, "words must be jieba or none"),
        ({"syllables": "tones"}, "syllables must be table, or pypinyin- with"),
        ({"steps": "nfkc"}, "plan.steps must be a list of strings"),
        ({"steps": ["nfkc", 3]}, "plan.steps must be a list of strings"),
        ({"steps": ["nfd"]}, "steps must be among nfkc, casefold"),
        ({"user_words": [""]}, "user_words holds an empty word"),
        ({"user_words": ["词"] * (MAX_USER_WORDS + 1)}, "user_words holds at most 10000"),
        ({"max_characters": 0}, f"max_characters must be 1 to {1 << 40}"),
        ({"simhash": {"blocks": 9}}, "simhash.blocks must be 2 to 8"),
        ({"simhash": {"blocks": -1}}, "simhash.blocks must be 2 to 8"),
        ({"simhash": {"choose": 4}}, "simhash.choose must be below blocks"),
        ({"simhash": {"choose": 0}}, "simhash.choose must be below blocks"),
        ({"simhash": {"blocks": 8, "choose": 4}}, "simhash: 8 choose 4"),
        ({"simhash": {"bits": 48}}, "simhash.bits must be 32 or 64"),
        ({"simhash": {"weights": "idf"}}, "simhash.weights must be among log, count, levels, tf"),
        ({"simhash": {"weights": 3}}, "plan.simhash.weights must be str, not 3"),
        ({"words": "none", "simhash": {"weights": "tfidf"}}, "simhash.stop_words need words"),
        ({"words": "none", "simhash": {"stop_words": "1"}}, "simhash.stop_words need words"),
        ({"sentences": {"hash": "sha1"}}, "sentences.hash must be murmur3 or md5"),
        ({"minhash": {"rows": 17}}, "minhash.rows must be 1 to 16"),
        ({"syllable_minhash": {"bands": 0}}, "syllable_minhash.bands must be 1 to 64"),
        ({"minhash": {"shingle": 0}}, "minhash.shingle must be 1 to 64"),
        ({"passages": {"spaced_shingle": 65}}, "passages.spaced_shingle must be 1 to 64"),
        ({"passages": {"keep": 0}}, "passages.keep must be 1 to 1000"),
        ({"passages": {"chunk": 63}}, "passages.chunk must be 64 to 1000000000"),
        ({"sentences": {"keep": 1_001}}, "sentences.keep must be 1 to 1000"),
        ({"statistics": "../1"}, "statistics must be 1, or sha256- with 16"),
        ({"statistics": "sha256-12"}, "statistics must be 1, or sha256- with 16"),
        ({"exact": {"digest": "md4"}}, "exact.digest must be among murmur3, md5, sha1, sha256"),
        ({"projection": {"planes": 65}}, "projection.planes must be 64, 128, 192 or 256"),
        ({"projection": {"planes": 320}}, "projection.planes must be 64 to 256"),
        ({"projection": {"entries": "x"}}, "projection.entries must be sign or gaussian"),
        ({"projection": {"choose": 4}}, "projection.choose must be below blocks"),
        ({"projection": {"blocks": 8, "choose": 4}}, "projection: 8 choose 4"),
        ({"shingles": {"units": "lines"}}, "shingles.units must be characters or words"),
        ({"shingles": {"units": "words"}, "words": "none"}, "shingles.units must be characters in"),
        ({"shingles": {"word_shingle": 0}}, "shingles.word_shingle must be 1 to 64"),
        ({"cosine": {"weights": "bm25"}}, "cosine.weights must be tfidf or tf"),
        ({"dna": {"levels": 5}}, "dna.levels must be among 2, 4, 8, 10"),
        ({"dna": {"granularity": 15}}, "dna.granularity must be 16 to 4096"),
        ({"dna": {"overlap": 1}}, r"dna.overlap must be in \[0, 1\)"),
        ({"imatch": {"dropout": 1.0}}, r"imatch.dropout must be in \[0, 1\)"),
        ({"imatch": {"low": 0.2, "high": 0.2}}, "imatch.low must be below high"),
        ({"imatch": {"lexicons": 65}}, "imatch.lexicons must be 0 to 64"),
        ({"thresholds": {"dna_tolerance": 181}}, "thresholds.dna_tolerance must be 0 to 180"),
        ({"sentences": {"minimum": 0}}, "sentences.minimum must be 1 to 1000000000"),
        ({"max_characters": 1 << 41}, f"max_characters must be 1 to {1 << 40}"),
        ({"name": ""}, "name must be 1 to 64 printable characters"),
        ({"name": "a\nb"}, "name must be 1 to 64 printable characters"),
        ({"name": "a" * 65}, "name must be 1 to 64 printable characters"),
        ({"simhash": {"seed": -1}}, "simhash.seed must be 0 to 4294967295"),
        ({"minhash": {"seed": 1 << 32}}, "minhash.seed must be 0 to 4294967295"),
        ({"sentences": {"seed": 1 << 70}}, "sentences.seed must be 0 to 4294967295"),
        ({"thresholds": {"near": 0}}, r"thresholds.near must be in \(0, 1\]"),
        ({"thresholds": {"near": float("nan")}}, r"thresholds.near must be in \(0, 1\]"),
        ({"thresholds": {"partial": 1.01}}, r"thresholds.partial must be in \(0, 1\]"),
        ({"thresholds": {"gram": 0}}, "thresholds.gram must be 1 to 64"),
        ({"thresholds": {"word_passage": 65}}, "thresholds.word_passage must be 1 to 64"),
        ({"thresholds": {"word_partial": 0}}, r"thresholds.word_partial must be in \(0, 1\]"),
        ({"thresholds": {"word_partial": 1e400}}, r"thresholds.word_partial must be in \(0, 1\]"),
        ({"thresholds": {"shared": 0}}, "thresholds.shared must be 1 to 1000000000"),
        ({"thresholds": {"shared": -5}}, "thresholds.shared must be 1 to 1000000000"),
        ({"thresholds": {"word_shared": 0}}, "thresholds.word_shared must be 1 to 1000000000"),
        ({"thresholds": {"hamming": -1}}, "thresholds.hamming must be 0 to 64"),
        ({"thresholds": {"hamming": 65}}, "thresholds.hamming must be 0 to 64"),
        ({"thresholds": {"hot": 0}}, "thresholds.hot must be 1 to 1000000000"),
        ({"thresholds": {"hot": 1 << 64}}, "thresholds.hot must be 1 to 1000000000"),
    ],
)
def test_a_wrong_entry_is_refused_by_name(meta: dict[str, Any], named: str) -> None:
    with pytest.raises(InputRefused, match=named):
        Plan.from_meta(meta)


def test_every_number_has_limits() -> None:
    """No number of a part is taken unchecked, nor any that is added later."""
    for path in ENTRIES:
        value = at(STANDARD, path)
        if len(path) == 2 and isinstance(value, int | float):
            for wrong in (-1, 10**10, float("nan")):
                with pytest.raises(InputRefused, match=path[1]):
                    changed(STANDARD, path, wrong)


@pytest.mark.parametrize("meta", [None, [], "standard", 3])
def test_what_is_no_object_is_refused(meta: Any) -> None:
    with pytest.raises(InputRefused, match="plan must be an object"):
        Plan.from_meta(meta)


def test_the_limits_themselves_work() -> None:
    """The largest shingles and seeds that are allowed can be computed with."""
    top = (1 << 32) - 1
    wide = {"shingle": 64, "spaced_shingle": 64, "seed": top}
    plan = Plan.from_meta(
        {
            "minhash": {**wide, "bands": 64, "rows": 16},
            "syllable_minhash": wide,
            "passages": wide,
            "simhash": {"blocks": 8, "choose": 7, "seed": top},
            "sentences": {"seed": top},
        }
    )
    for made in fingerprints_of([*TEXTS, "短", "a"], plan):
        assert all(made.keys.values()) or made.length < 20


def test_a_plan_is_a_value() -> None:
    assert hash(Plan()) == hash(STANDARD)
    with pytest.raises(dataclasses.FrozenInstanceError):
        STANDARD.name = "x"  # type: ignore[misc]


def test_numbers_that_another_scheme_reads_are_in_the_id() -> None:
    """Without words the simhash is made of the shingles of `minhash`, stored or not."""
    schemes = ("exact", "simhash", "sentences")
    plan = replace(CHARACTERS, schemes=schemes)
    other = replace(plan, minhash=replace(plan.minhash, shingle=3))
    assert plan.id != other.id
    assert fingerprints(plan) != fingerprints(other)
    with_words = replace(STANDARD, schemes=schemes)
    same = replace(with_words, minhash=replace(with_words.minhash, shingle=3))
    assert with_words.id == same.id
    assert fingerprints(with_words) == fingerprints(same)
