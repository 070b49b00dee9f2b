"""The explanation of a pair: the same verdict as a lookup, keys with frequencies, scores."""

from __future__ import annotations

import time

import pytest

from indexer.boilerplate import NOTHING, Boilerplate, sentence_keys
from indexer.fingerprints import fingerprint_of
from indexer.fingerprints.registry import REGISTRY
from indexer.model import Keys
from indexer.text import prepare
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.plan import CHARACTERS, STANDARD, Plan
from query.answers import Direction, Verdict
from query.explain import explanation as module
from query.explain.explanation import Explanation, Subject, explain
from query.grams import features_all
from query.verify.verdict import judge
from tests.lookups import near_duplicates
from tests.texts import (
    LIBRARY,
    METRO,
    METRO_HOMOPHONES,
    MIXED,
    ORCHARD,
    TEA,
    chinese,
    english,
)
from tests.unit.query.memory import MemoryReader

NOTICE = "本网站转载此文只为传播信息，并不代表赞同其中的观点，也不对其真实性负责。"
(NOTICE_SENTENCES,) = sentence_keys(prepare(NOTICE, STANDARD), STANDARD)
BOILERPLATE = Boilerplate({key: 8 for _, _, key in NOTICE_SENTENCES}, 100)


class Counter:
    """A store that holds the terms of some texts."""

    def __init__(self, *texts: str) -> None:
        self.fingerprints = [fingerprint_of(text, STANDARD) for text in texts]
        self.asked: list[Keys] = []

    def frequencies(self, keys: Keys) -> dict[tuple[Field, str], int]:
        self.asked.append(keys)
        return {
            (name, term): sum(term in made.keys.get(name, ()) for made in self.fingerprints)
            for name, terms in keys.items()
            for term in terms
        }

    def count(self) -> int:
        return len(self.fingerprints)


def explained(left: str, right: str, plan: Plan = STANDARD) -> Explanation:
    return explain(Subject(left), Subject(right), plan)


PAIRS = [
    (METRO, METRO_HOMOPHONES),
    (METRO, METRO),
    (METRO + TEA, TEA),
    (METRO, TEA),
    (LIBRARY, LIBRARY.replace("summer", "winter")),
    (LIBRARY, METRO),
    (MIXED, MIXED + LIBRARY),
    ("！？", "！？"),
    ("！？", METRO),
]


@pytest.mark.parametrize("plan", [STANDARD, CHARACTERS], ids=lambda plan: plan.name)
@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_it_says_what_a_lookup_would(left: str, right: str, plan: Plan) -> None:
    found = explained(left, right, plan)
    features = features_all([left, right], plan)
    assert found.judgement == judge(features[0], features[1], plan)
    assert found.verdict is found.judgement.verdict
    fingerprints = [fingerprint_of(text, plan) for text in (left, right)]
    assert found.lengths == tuple(each.length for each in fingerprints)
    shared = {
        name: set(terms) & set(fingerprints[1].keys.get(name, ()))
        for name, terms in fingerprints[0].keys.items()
    }
    assert {each.field: {hit.term for hit in each.hits} for each in found.keys} == {
        name: terms for name, terms in shared.items() if terms
    }
    for each in found.keys:
        assert each.shared == len(each.hits)


def test_without_a_store_frequencies_are_unknown() -> None:
    found = explained(METRO, METRO_HOMOPHONES)
    assert found.documents is None
    assert found.keys
    assert {hit.documents for each in found.keys for hit in each.hits} == {None}


def test_keys_come_rarest_first_with_their_frequency() -> None:
    # the other documents share a part of the keys
    counter = Counter(METRO, METRO_HOMOPHONES, METRO[:90] + TEA, TEA)
    found = explain(Subject(METRO, "a"), Subject(METRO_HOMOPHONES), STANDARD, counter)
    assert found.documents == 4
    assert len(counter.asked) == 1
    counts = [[hit.documents or 0 for hit in each.hits] for each in found.keys]
    assert {number for row in counts for number in row} == {2, 3}
    assert all(row == sorted(row) for row in counts)


def test_keys_of_long_texts_are_counted_and_some_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEYS_LISTED", 3)
    counter = Counter(METRO)
    found = explain(Subject(METRO), Subject(METRO), STANDARD, counter)
    (passages,) = [each for each in found.keys if each.field is Field.PASSAGE_KEYS]
    assert (passages.shared, len(passages.hits)) == (19, 3)
    assert max(map(len, counter.asked[0].values())) == 3


def test_every_scheme_has_its_say() -> None:
    found = {each.name: each for each in explained(METRO, METRO_HOMOPHONES).scores}
    assert set(found) == set(REGISTRY)
    assert found["syllables"].similarity == 1.0
    assert found["exact"].similarity == 0.0
    for name, each in found.items():
        assert each.threshold == REGISTRY[name].threshold(STANDARD)
        assert 0 <= each.similarity <= 1


def test_only_two_texts_with_spaces_are_read_by_words() -> None:
    assert explained(LIBRARY, ORCHARD).spaced
    assert not explained(LIBRARY, METRO).spaced
    assert not explained(METRO, TEA).spaced


def test_boilerplate_has_no_say_as_in_a_lookup() -> None:
    left, right = (chinese(60, seed) + "。" + NOTICE * 3 for seed in (1, 2))
    reader = MemoryReader({"right": right}, STANDARD)
    for boilerplate in (NOTHING, BOILERPLATE):
        found = explain(Subject(left), Subject(right), STANDARD, boilerplate=boilerplate)
        matches = near_duplicates(left, STANDARD, reader, boilerplate=boilerplate).matches
        assert [each.verdict for each in matches] == ([found.verdict] if found.verdict else [])
        features = features_all([left, right], STANDARD, boilerplate)
        assert found.judgement == judge(features[0], features[1], STANDARD)
        assert found.boilerplate == tuple(each.boilerplate() for each in features)
        assert found.lengths == tuple(
            fingerprint_of(each, STANDARD).length for each in (left, right)
        )
        assert (found.verdict is None) is (boilerplate is BOILERPLATE)
        shared = {name for name, terms in reader.requests[-1].keys.items() if terms}
        keys = {each.field for each in found.keys}
        assert (Field.SENTENCES in keys) is (Field.PASSAGE_KEYS in keys) is (boilerplate is NOTHING)
        assert keys <= shared


def test_keys_that_one_lookup_asks_for_are_listed() -> None:
    """They are left out only where they are boilerplate on both sides."""
    left, right = TEA + NOTICE, chinese(10, 1) + NOTICE  # here it is a part of a longer sentence
    found = explain(Subject(left), Subject(right), STANDARD, boilerplate=BOILERPLATE)
    assert found.boilerplate[0] > found.boilerplate[1] == 0
    (passages,) = [each for each in found.keys if each.field is Field.PASSAGE_KEYS]
    (features,) = features_all([left], STANDARD, BOILERPLATE)
    assert {hit.term for hit in passages.hits} & features.boilerplate_passage_keys()


def test_facts_are_those_of_a_lookup() -> None:
    other = METRO.replace("下月十五日", "下月十六日").replace("十七座", "十八座")
    found = explained(METRO, other)
    (match,) = near_duplicates(METRO, STANDARD, MemoryReader({"other": other}, STANDARD)).matches
    assert (found.facts_differ, found.facts_total) == (match.facts_differ, match.facts_total)
    assert [each.kind.value for each in found.facts_differ or ()] == ["date", "number"]


@pytest.mark.parametrize(
    ("left", "right"),
    [(METRO, TEA), (METRO + chinese(2_000, 3), METRO.replace("五", "六"))],
)
def test_only_near_duplicates_have_facts_that_differ(left: str, right: str) -> None:
    found = explained(left, right)
    assert found.verdict is not Verdict.NEAR
    assert (found.facts_differ, found.facts_total) == (None, None)


def test_equal_texts_have_no_facts_that_differ() -> None:
    found = explained(METRO, METRO)
    assert (found.facts_differ, found.facts_total) == ((), 0)


def test_a_chapter_in_a_book() -> None:
    book = "".join(chinese(3_000, seed) for seed in range(10))
    found = explained(book[6_000:9_000], book)
    assert (found.verdict, found.judgement.direction) == (Verdict.PARTIAL, Direction.CONTAINED_IN)
    (passage,) = found.passages.passages
    assert (passage.right.start, passage.right.stop) == pytest.approx((6_000, 9_000), abs=1)


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        (Subject(" "), Subject(METRO), "the first text: the text is empty"),
        (Subject(METRO), Subject("\u200b"), "the second text: the text is empty"),
        (Subject(METRO), Subject("", "n-7"), "document 'n-7': the text is empty"),
    ],
)
def test_refused_texts_are_named(left: Subject, right: Subject, said: str) -> None:
    with pytest.raises(InputRefused, match=said):
        explain(left, right, STANDARD)


@pytest.mark.parametrize("make", [chinese, lambda size, seed: english(size // 5, seed)])
def test_ten_thousand_characters_take_no_time(make: object) -> None:
    """Some tens of milliseconds when measured alone (scripts.explain_time); machines are busy."""
    assert callable(make)
    text = make(10_000, 1)
    copy = "".join(c for at, c in enumerate(text) if at % 40)
    taken = []
    for _ in range(4):
        begun = time.process_time()
        explained(text, copy)
        taken.append(time.process_time() - begun)
    assert min(taken) < 0.5
