"""What people decided goes before verdicts in lookups of stored documents, on both stores."""

from __future__ import annotations

import pytest
from msgspec import structs

from dupdex.index import Index
from dupdex.session import Session
from indexer.model import Document
from mappings.errors import InputRefused, NotFound
from query.answers import Answer, Decision, Ref, Verdict
from query.questions import Options, Question
from tests.contract.stores import Store, real
from tests.texts import METRO, METRO_HOMOPHONES, TEA

TEXTS = {
    "metro": METRO,
    "other": METRO_HOMOPHONES,
    "more": METRO.replace("十七座", "八座"),
    "tea": TEA,
}
WITH = Decision.DUPLICATE
APART = Decision.NOT_DUPLICATE


@pytest.fixture
def index(store: Store) -> Index:
    store.write(*(real(name, text) for name, text in TEXTS.items()))
    store.close_writer()
    session = store.opened.enter_context(Session(store.opener.location))
    return Index.open(session)


def decided(answer: Answer) -> dict[str, Decision | None]:
    return {match.id: match.decided for match in answer.matches}


def test_without_decisions_nothing_is_said(index: Index) -> None:
    answer = index.lookup_id("metro")
    assert decided(answer) == {"other": None, "more": None}
    assert answer.completeness.decided == 0


def test_a_pair_decided_to_be_none_is_left_out_and_counted(index: Index) -> None:
    index.decide("other", "metro", APART, "another line", "Li")
    for asked, rest in (("metro", "more"), ("other", "more")):
        answer = index.lookup_id(asked)
        assert decided(answer) == {rest: None}
        assert answer.completeness.decided == 1
    kept = index.lookup_id("metro", Options(decided=True))
    assert decided(kept) == {"other": APART, "more": None}
    assert kept.completeness.decided == 0
    assert set(decided(index.lookup(METRO))) == {"metro", "other", "more"}  # a text, no document


def test_what_is_left_out_costs_no_place(index: Index) -> None:
    (best,) = index.lookup_id("metro", Options(size=1)).matches
    index.decide("metro", best.id, APART)
    (second,) = index.lookup_id("metro", Options(size=1)).matches
    assert second.id != best.id
    assert index.lookup_id("metro", Options(size=0)).matches == ()


def test_a_pair_decided_to_be_one_is_a_match(index: Index) -> None:
    index.decide("metro", "tea", WITH)
    index.decide("metro", "more", WITH)
    answer = index.lookup_id("metro")
    assert decided(answer) == {"other": None, "more": WITH, "tea": WITH}
    last = answer.matches[-1]
    assert (last.id, last.verdict) == ("tea", Verdict.NEAR)
    assert last.similarity < 0.1
    assert last.document["text"] == TEA
    assert decided(index.lookup_id("tea")) == {"metro": WITH}
    bare = index.lookup_id("tea", Options(bodies=False, facts=False)).matches[0]
    assert (bare.document, bare.facts_total) == ({}, None)


def test_a_match_by_decision_says_all_that_another_one_says(store: Store) -> None:
    store.write(real("part", METRO), real("page", TEA + METRO + METRO[::-1]))
    store.close_writer()
    index = Index.open(store.opened.enter_context(Session(store.opener.location)))
    (found,) = index.lookup_id("part").matches
    assert found.located is not None
    index.decide("part", "page", WITH)
    (added,) = index.lookup_id("part", Options(candidates=0)).matches
    assert added == structs.replace(found, decided=WITH)
    (bare,) = index.lookup_id("part", Options(candidates=0, located=False)).matches
    assert bare.located is None


def test_a_decision_taken_back_says_nothing(index: Index) -> None:
    index.decide("metro", "tea", WITH)
    index.decide("metro", "other", APART)
    index.decide("tea", "metro", None)
    index.decide("metro", "other", None)
    assert decided(index.lookup_id("metro")) == {"other": None, "more": None}


def test_documents_of_a_file_are_known_by_id(index: Index) -> None:
    index.decide("metro", "tea", WITH)
    index.decide("metro", "other", APART)
    questions = [
        Question(METRO, "m", Ref("", "metro")),
        Question(METRO),
        Question(TEA, "t", Ref("", "tea")),
    ]
    known, text, tea = index.lookup_all(questions)
    assert decided(known) == {"more": None, "tea": WITH}
    assert set(decided(text)) == {"metro", "other", "more"}
    assert decided(tea) == {"metro": WITH}


def test_a_document_that_is_gone_is_no_match(store: Store, index: Index) -> None:
    index.decide("metro", "tea", WITH)
    with Index.create(store.opener.location) as writing:
        assert writing.delete(["tea"]) == ["tea"]
        writing.refresh()
        assert decided(index.lookup_id("metro")) == {"other": None, "more": None}
        writing.add([Document("tea", TEA)])  # and the decision stands when it is back
        writing.refresh()
        assert decided(index.lookup_id("metro")) == {"other": None, "more": None, "tea": WITH}


def test_only_stored_documents_are_decided_about(store: Store, index: Index) -> None:
    for pair in (("metro", "nobody"), ("nobody", "metro"), ("x/metro", "tea")):
        with pytest.raises(NotFound, match="no document"):
            index.decide(*pair, WITH)
    with pytest.raises(InputRefused, match="one document"):
        index.decide("tea", "tea", WITH)
    name = f"{store.opener.location.index}/metro"
    assert index.decide(name, "tea", WITH).first.id == "metro"


def test_elsewhere_a_decision_is_seen_within_a_second(
    store: Store, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupdex.matches.upkeep.Upkeep.EVERY", 0.0)
    assert decided(index.lookup_id("metro")) == {"other": None, "more": None}
    with Index.open(store.opener.location) as another:
        another.decide("metro", "other", APART)
    assert decided(index.lookup_id("metro")) == {"more": None}
