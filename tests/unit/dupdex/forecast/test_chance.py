"""Forecasts of chance candidates: arithmetic, counting in a sample, and against a real index."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dupdex.forecast import sampling
from dupdex.forecast.chance import (
    COMFORTABLE,
    Chance,
    measured,
    most_texts,
    together,
    uniform,
)
from dupdex.forecast.key_counts import bits_of, keys_of
from dupdex.forecast.sampling import Sample, take
from dupdex.index import Index
from dupdex.location import Location
from dupdex.session import Session
from indexer.fingerprints import fingerprints_of
from indexer.model import Document
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.plan import STANDARD, MinhashPlan, SimhashPlan
from query.answers import FREQUENT_ONLY, Request
from scripts.benchmark.texts_of_corpus import Made
from tests.texts import chinese

EVERY = replace(STANDARD, name="every", schemes=(*STANDARD.schemes, "dna", "imatch", "projection"))


def documents(texts: list[str]) -> list[Document]:
    return [Document(str(at), text, {"text": text}) for at, text in enumerate(texts)]


def random_rows(texts: int, keys: int, values: int, seed: int = 1) -> list[list[str]]:
    """Keys drawn evenly: `bits` random bits when there are 2**bits values."""
    drawn = np.random.default_rng(seed).integers(0, values, (texts, keys)).tolist()
    return [[f"{at}-{value}" for at, value in enumerate(row)] for row in drawn]


# --- uniform keys


def test_uniform_keys() -> None:
    assert uniform(4, 16, 65_536, 300) == Chance(4, 4, 4, 0, 0)
    frequent = uniform(4, 16, 65_536 * 301, 300)
    assert (
        frequent.sharing,
        frequent.candidates,
        frequent.frequent_keys,
        frequent.frequent_only,
    ) == (1_204, 0, 4, FREQUENT_ONLY)
    assert uniform(1, 16, 65_536 * 301, 300).frequent_only == 301


def test_comfort_is_few_candidates_and_few_frequent_keys() -> None:
    assert uniform(4, 16, 1_000_000, 300).comfortable
    assert not uniform(4, 16, 2_000_000, 300).comfortable
    assert not uniform(4, 16, 100_000_000, 300).comfortable  # no candidates: all keys are frequent
    assert Chance(4, 80, 80, 0, 0, error=10, pairs=50).comfortable  # may well be below
    assert not Chance(4, 80, 80, 0, 0, error=1, pairs=50).comfortable


def test_a_sample_is_clear_by_its_pairs_or_by_its_size() -> None:
    few = Chance(4, 0, 0, 0, 0, pairs=2, unseen=COMFORTABLE + 1)
    assert not few.clear
    assert replace(few, pairs=10).clear
    assert replace(few, unseen=COMFORTABLE).clear
    assert uniform(4, 16, 10**9, 300).clear


def test_together_adds_up() -> None:
    both = together([Chance(4, 10, 10, 0, 0), Chance(5, 900, 0, 5, 800)])
    assert both == Chance(9, 910, 10, 5, 800)
    assert together([Chance(1, 0, 0, 1, 800)] * 2).frequent_only == FREQUENT_ONLY


# --- counting in a sample


def test_pairs_are_counted_once_whatever_they_share() -> None:
    """Three of six pairs share something, one of them by two keys and in two schemes."""
    first = [["a", "b"], ["a", "b"], ["c"], ["d"]]
    second = [["x"], ["x"], ["y"], ["y"]]
    one, two, every = measured([first, second], [36, 36], 4_000, 10_000)
    assert (one.pairs, two.pairs, every.pairs) == (1, 2, 2)
    assert one.candidates == one.sharing == pytest.approx(4_000 / 6)
    assert two.candidates == every.candidates == pytest.approx(2 * 4_000 / 6)
    assert (one.keys, two.keys, every.keys) == (1.5, 1, 2.5)
    assert every.frequent_keys == every.frequent_only == 0
    assert every.unseen == pytest.approx(3 * 4_000 / 6)


def test_the_same_key_twice_in_a_text_is_one_key() -> None:
    (once, _) = measured([[["a"], ["a"], ["b"]]], [36], 30, 300)
    (twice, _) = measured([[["a", "a"], ["a"], ["b", "b"]]], [36], 30, 300)
    assert once == twice


@pytest.mark.parametrize(
    ("texts", "grown"), [(1_000, 1_000_000), (1_000, 10_000_000), (3_000, 10_000_000)]
)
def test_uniform_keys_in_a_sample(texts: int, grown: int) -> None:
    """Far beyond the sample the measure finds what arithmetic knows."""
    (found, _) = measured([random_rows(texts, 4, 1 << 16)], [16], grown, 300)
    expected = uniform(4, 16, grown, 300)
    assert abs(found.candidates - expected.candidates) <= 3 * found.error
    assert found.frequent_keys < 0.1


def test_uniform_keys_that_become_frequent() -> None:
    (found, _) = measured([random_rows(1_000, 4, 1 << 16)], [16], 100_000_000, 300)
    assert (found.candidates, found.frequent_keys) == (0, 4)
    assert found.frequent_only == FREQUENT_ONLY


def test_a_line_of_boilerplate_is_frequent_and_the_rest_is_not() -> None:
    """One key in a tenth of the texts; four others are rare."""
    rows = random_rows(1_000, 4, 1 << 20)
    for row in rows[::10]:
        row.append("boilerplate")
    (found, _) = measured([rows], [36], 100_000, 300)
    assert found.frequent_keys == pytest.approx(0.1, abs=0.01)
    assert found.candidates == pytest.approx(4 * 100_000 / 2**20, abs=3 * found.error + 0.01)
    assert found.sharing > 900
    assert found.frequent_only == pytest.approx(FREQUENT_ONLY * 0.1, rel=0.1)


def test_a_text_of_frequent_keys_only_brings_a_bounded_number() -> None:
    (found, _) = measured([[["same"]] * 50], [36], 1_000_000, 300)
    assert (round(found.candidates), round(found.frequent_keys)) == (0, 1)
    assert found.frequent_only == pytest.approx(FREQUENT_ONLY, rel=0.01)


def test_without_any_key() -> None:
    (found, every) = measured([[[], []]], [36], 1_000, 300)
    assert found.candidates == every.candidates == found.keys == 0


def test_the_other_texts_tell_which_keys_are_frequent() -> None:
    """Of 1,001 texts one other stands for 100 documents of 100,000; for 1,000 of a million."""
    assert most_texts(1_001, 100_000, 300, 36) == 4
    assert most_texts(1_001, 1_000_000, 300, 36) == 2  # cannot tell: has a vote
    assert most_texts(1_001, 100_000, 300, 8) == 0  # 390 documents by chance alone
    rows = [["common"]] * 5 + [["rare"]] * 4 + [[str(at)] for at in range(992)]
    (found, _) = measured([rows], [36], 100_000, 300)
    assert found.frequent_keys == pytest.approx(5 / 1_001)
    assert found.candidates == pytest.approx(4 * 3 / 1_001 * 100)
    assert found.sharing == pytest.approx((4 * 3 + 5 * 4) / 1_001 * 100)


def test_what_a_sample_cannot_tell_is_counted() -> None:
    """Half of the shared keys are frequent in truth: candidates are no fewer than said."""
    rng = np.random.default_rng(5)
    whole = [[f"{at}" for at in rng.integers(0, 2_000, 2)] for _ in range(4_000)]
    whole = [
        [*row, f"r{at}"] for row, at in zip(whole, rng.integers(0, 40_000, 4_000), strict=True)
    ]
    (found, _) = measured([whole[:400]], [36], 4_000, 3)
    (truth, _) = measured([whole], [36], 4_000, 3)
    assert truth.candidates <= found.candidates + 2 * found.error
    assert truth.frequent_keys >= found.frequent_keys


# --- the sample


def test_copies_and_what_is_no_text_are_left_out() -> None:
    texts = [chinese(600, 1), chinese(600, 2), "  ", chinese(600, 1)[:-20], chinese(600, 2)]
    steps: list[int] = []
    sample = take(documents(texts), STANDARD, steps.append)
    assert sample.texts == tuple(texts[:2])
    assert (sample.copies, sample.refused, sum(steps)) == (2, 1, 5)


def test_a_copy_of_a_copy_that_was_left_out_stays() -> None:
    """Only copies of texts that are in the sample are duplicates within it."""
    whole, other = chinese(800, 1), chinese(800, 2)
    texts = [whole, whole[400:] + other[:400], other[:400] + chinese(400, 3)]
    sample = take(documents(texts), STANDARD)
    assert sample.texts == (texts[0], texts[2])


def test_one_text_is_no_sample() -> None:
    with pytest.raises(InputRefused, match="name more documents with --sample"):
        take(documents([chinese(600, 1)] * 3), STANDARD)


def test_no_more_is_read_than_is_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "DOCUMENTS", 200)
    read = 0

    def endless() -> object:
        nonlocal read
        while True:
            read += 1
            yield Document(str(read), f"第{read}条", {})

    sample = take(endless(), replace(STANDARD, words="none"))  # type: ignore[arg-type]
    assert read == 200
    assert len(sample.texts) + sample.copies == 200


def test_other_layouts_are_those_of_the_plan() -> None:
    """Keys made for another layout are the keys that a plan with that layout makes."""
    texts = [chinese(600, seed) for seed in range(60)]
    sample = take(documents(texts), STANDARD)
    simhash = SimhashPlan(5, 2)
    characters, syllables = (
        replace(part, bands=24, rows=3) for part in (STANDARD.minhash, STANDARD.syllable_minhash)
    )
    other = replace(STANDARD, simhash=simhash, minhash=characters, syllable_minhash=syllables)
    made = [each.keys for each in fingerprints_of(texts, other)]
    assert [tuple(row) for row in sample.simhash_keys(simhash)] == [
        keys[Field.SIMHASH_KEYS] for keys in made
    ]
    assert sample.band_keys(characters, syllables) == (
        [keys[Field.MINHASH_KEYS] for keys in made],
        [keys[Field.SYLLABLE_KEYS] for keys in made],
    )
    assert isinstance(characters, MinhashPlan)


# --- against an index


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tuple[Sample, Location]:
    """200 made articles as the sample, and an index of 800 with them, of all schemes."""
    corpus = Made()
    stored = documents([corpus.text(number) for number in range(800)])
    folder: Path = tmp_path_factory.mktemp("library")
    where = Location.from_environment(store=str(folder))
    with Index.create(where, plan=EVERY) as index:
        for _ in index.add(stored):
            pass
        index.refresh()
    return take(stored[:200], EVERY), where


@pytest.mark.parametrize("max_df", [300, 7])
def test_the_forecast_meets_an_index(library: tuple[Sample, Location], max_df: int) -> None:
    """Grown from 200 texts to 800 it says what lookups of other texts find there."""
    sample, where = library
    bits = bits_of(EVERY)
    rows = [sample.keys(field) for field in bits]
    *schemes, every = measured(rows, list(bits.values()), 800, max_df)
    corpus = Made()
    asked = fingerprints_of([corpus.unseen(number) for number in range(100)], EVERY)
    reader = Session(where).reader()
    pages = reader.candidates([Request(made.keys, None, max_df=max_df) for made in asked])
    reader.close()
    found = float(np.mean([len(page.candidates) for page in pages]))
    frequent_keys = float(np.mean([len(page.frequent) for page in pages]))
    assert 0.75 <= (every.candidates + every.frequent_only) / found <= 1.35
    assert abs(every.frequent_keys - frequent_keys) <= 0.15
    assert sum(scheme.candidates for scheme in schemes) >= every.candidates - 1e-9


def test_keys_of_a_document_are_those_that_are_stored(library: tuple[Sample, Location]) -> None:
    sample, where = library
    with Index.open(where) as index:
        stored = [made.keys for each in index.scan() if (made := each.fingerprint)]
    assert len(stored) == 800
    for field, told in keys_of(EVERY, sample).items():
        found = float(np.mean([len(set(keys[field])) for keys in stored]))
        assert found == pytest.approx(told, abs=0.5), field


def test_bands_of_a_plan_that_weighs_words_otherwise() -> None:
    """The bands are made without words, which some weights and shingles need."""
    plan = replace(
        STANDARD,
        simhash=replace(STANDARD.simhash, weights="tfidf"),
        shingles=replace(STANDARD.shingles, units="words"),
    )
    sample = take(documents([chinese(600, 1), chinese(600, 2)]), plan)
    characters, _ = sample.band_keys(plan.minhash, plan.syllable_minhash)
    assert characters == sample.keys(Field.MINHASH_KEYS)
