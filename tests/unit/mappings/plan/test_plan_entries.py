"""A plan as it is written down: round trip, absent entries, what is refused and by which name."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.fingerprints import fingerprints_of
from mappings.errors import InputRefused
from mappings.plan import MAX_USER_WORDS, STANDARD, STEPS, Plan, Thresholds
from tests.texts import LAW
from tests.unit.mappings.plan.test_plan import ENTRIES, TEXTS, at, changed

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
