"""The negative cache: the same matches with and without it, fewer questions, and as of when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import orjson
import pytest

from dupdex import Document, Index, InputRefused, Location, Options, Plan, PlanMismatch
from dupdex.session import Session
from indexer.fingerprints import fingerprint_of, fingerprints_of
from mappings.contract import Field
from mappings.plan import CHARACTERS, STANDARD
from query.answers import CandidatePage, Ref, Request, Stored
from query.cache.negative import CachedCandidates
from query.lookup import EVERYTHING, Question, near_duplicates_all
from query.stores import StoreReader
from tests.texts import LIBRARY, METRO, METRO_HOMOPHONES, chinese, english

SAMPLE = [
    orjson.loads(line) for line in (files("dupdex.data") / "sample.jsonl").read_bytes().splitlines()
]
OTHERS = [*(chinese(300, seed) for seed in range(60)), *(english(80, seed) for seed in range(20))]
LAYOUTS = [STANDARD, CHARACTERS, Plan.from_meta({"simhash": {"blocks": 6, "choose": 3}})]

plans = pytest.mark.parametrize("plan", LAYOUTS, ids=["4 x 16", "characters", "6 choose 3"])


def fill(place: Path, texts: Sequence[tuple[str, str]], plan: Plan = STANDARD) -> Location:
    location = Location(str(place))
    with Index.create(location, plan=plan) as index:
        done = list(index.add(Document(name, text, {"text": text}) for name, text in texts))
        assert len(done) == len(texts)
    return location


class Counting:
    """A reader that counts the requests it gets."""

    def __init__(self, reader: StoreReader) -> None:
        self.requests = self.trips = 0
        self._reader = reader

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        self.requests += len(requests)
        self.trips += 1
        return self._reader.candidates(requests)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)


@pytest.fixture
def half(tmp_path: Path) -> Location:
    """Every other text of the shipped sample is stored."""
    return fill(tmp_path, [(each["id"], each["text"]) for each in SAMPLE[::2]])


@pytest.fixture
def reader(half: Location) -> Iterator[Counting]:
    made = Counting(Session(half).reader())
    yield made
    made.close()


def cache_of(reader: Counting) -> CachedCandidates:
    return CachedCandidates(cast("StoreReader", reader))


@plans
@pytest.mark.parametrize("options", [Options(), EVERYTHING, Options(size=3, verify=1)])
def test_matches_are_the_same_with_and_without_it(
    tmp_path: Path, plan: Plan, options: Options
) -> None:
    location = fill(tmp_path, [(each["id"], each["text"]) for each in SAMPLE[::2]], plan)
    questions = [Question(each["text"], each["id"], Ref("", each["id"])) for each in SAMPLE]
    questions += [Question(text) for text in (*OTHERS, "短", "😀")]
    reader = Session(location).reader()
    cache = CachedCandidates(reader)
    plain = near_duplicates_all(questions, plan, reader, options)
    cached = near_duplicates_all(questions, plan, cache, options)
    assert [each.matches for each in cached] == [each.matches for each in plain]
    assert sum(bool(each.matches) for each in plain) > 10
    assert cache.spared > 30
    for mine, theirs in zip(cached, plain, strict=True):
        if mine.completeness.as_of is None:
            assert mine == theirs
        else:
            assert mine.completeness.as_of == cache.since
            assert mine.completeness.candidates == 0
            if options is EVERYTHING:  # then what shares a block by chance is asked for, too
                assert theirs.completeness.candidates == 0
    reader.close()


def test_unrelated_texts_cost_the_store_nothing(reader: Counting) -> None:
    cache = cache_of(reader)
    answers = near_duplicates_all([Question(text) for text in OTHERS], STANDARD, cache)
    assert not any(answer.matches for answer in answers)
    assert (cache.asked, cache.spared) == (reader.requests, len(OTHERS) - reader.requests)
    assert reader.requests <= 0.1 * len(OTHERS)
    before = reader.trips
    spared = [a for a in answers if a.completeness.as_of]
    assert len(spared) == cache.spared
    (alone,) = near_duplicates_all([Question(OTHERS[answers.index(spared[0])])], STANDARD, cache)
    assert alone.completeness.as_of == cache.since
    assert reader.trips == before  # no trip at all when no request is left


def test_since_when_it_knows(reader: Counting) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    since = datetime.fromisoformat(cache_of(reader).since)
    assert before <= since <= datetime.now(UTC)


def test_it_never_decides_a_duplicate(half: Location) -> None:
    """A document deleted meanwhile is asked for, and the store says that it is gone."""
    gone = SAMPLE[0]
    with Index.create(half) as index:
        cache = index.cache_terms()
        assert [m.id for m in index.lookup(gone["text"]).matches if m.verdict == "exact"]
        assert index.delete([gone["id"]]) == [gone["id"]]
        asked = cache.asked
        answer = index.lookup(gone["text"])
        assert cache.asked == asked + 1
        assert answer.completeness.as_of is None
        assert gone["id"] not in [match.id for match in answer.matches]


def test_what_is_added_through_the_same_index_is_known(half: Location) -> None:
    with Index.create(half) as index:
        cache = index.cache_terms()
        assert index.lookup(METRO).completeness.as_of == cache.since
        list(index.add([Document("metro", METRO, {"text": METRO})]))
        assert [match.id for match in index.lookup(METRO_HOMOPHONES).matches] == ["metro"]


def test_what_others_add_is_missed_and_the_answer_says_so(half: Location) -> None:
    with Index.create(half) as writing, Index.open(half) as reading:
        cache = reading.cache_terms()
        list(writing.add([Document("metro", METRO, {"text": METRO})]))
        answer = reading.lookup(METRO)
        assert (answer.matches, answer.completeness.as_of) == ((), cache.since)
        assert writing.lookup(METRO).matches  # which has no cache
        reading.cache_terms()
        assert reading.lookup(METRO).matches


def test_a_near_simhash_alone_is_asked_for(reader: Counting) -> None:
    """No other key is shared, but the values differ in few bits; a far value with an equal block
    is not worth a question, unless every candidate is to be compared."""
    stored = fingerprint_of(SAMPLE[0]["text"], STANDARD)
    keys = {Field.SIMHASH_KEYS: stored.keys[Field.SIMHASH_KEYS]}
    near = Request(keys, simhash=stored.simhash ^ 0b111, simhash_only=12)
    far = replace(near, simhash=stored.simhash ^ (1 << 40) - 1)
    cache = cache_of(reader)
    found = [bool(cache.candidates([each])[0].candidates) for each in (near, far)]
    assert found == [True, False]
    assert cache.candidates([replace(far, simhash=None)])[0].candidates


def test_a_filter_the_store_does_not_understand_is_refused_all_the_same(half: Location) -> None:
    with Index.open(half) as index:
        index.cache_terms()
        with pytest.raises(InputRefused, match="filter clause 'range'"):
            index.lookup(OTHERS[0], Options(filters=({"range": {"n": {"gt": 1}}},)))
        kept = Options(filters=({"term": {"city": "x"}},))
        assert index.lookup(OTHERS[0], kept).completeness.as_of is None
        assert index.lookup(OTHERS[0], kept).completeness.as_of


def test_it_grows(reader: Counting) -> None:
    """More documents than it was made for: all are known, and errors stay rare."""
    texts = [chinese(200, seed) for seed in range(1_000, 3_000)]
    made = fingerprints_of(texts, CHARACTERS)
    cache = cache_of(reader)
    cache.learn(made)
    assert len(cache._terms) == 2
    assert all(known.added <= known.capacity for known in cache._terms)
    known = [Request({Field.PASSAGE_KEYS: each.keys[Field.PASSAGE_KEYS]}) for each in made]
    cache.candidates(known)
    assert cache.spared == 0
    others = fingerprints_of([chinese(200, seed) for seed in range(5_000, 5_500)], CHARACTERS)
    cache.candidates(
        [Request({Field.PASSAGE_KEYS: each.keys[Field.PASSAGE_KEYS]}) for each in others]
    )
    assert cache.spared > 450


def test_keys_that_cannot_be_read_are_no_base_for_a_no(
    reader: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = Stored("f", "", {}, LIBRARY, "", None)
    broken = Stored("b", "", {}, LIBRARY, STANDARD.id, None)
    monkeypatch.setattr(reader, "scan", lambda: iter([foreign]), raising=False)
    assert cache_of(reader).candidates([]) == []
    monkeypatch.setattr(reader, "scan", lambda: iter([foreign, broken]), raising=False)
    with pytest.raises(PlanMismatch, match="the keys of document 'b' cannot be read"):
        cache_of(reader)
