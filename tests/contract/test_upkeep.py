"""Pairs follow their documents: verified again after an update, gone after a deletion."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dupdex.index import Index
from dupdex.matches.match_store import MatchQuery, MatchStore
from dupdex.session import Session
from indexer.model import Document, Status
from query.answers import Decision, Verdict
from query.sweep import VerifiedPair
from tests.contract.stores import Store, real
from tests.texts import METRO, METRO_HOMOPHONES, TEA

TEXTS = {"a": METRO, "b": METRO_HOMOPHONES, "c": METRO.replace("十七座", "八座"), "tea": TEA}


@pytest.fixture
def session(store: Store) -> Session:
    store.write(*(real(name, text) for name, text in TEXTS.items()))
    store.close_writer()
    return store.opened.enter_context(Session(store.opener.location))


@pytest.fixture
def index(session: Session) -> Iterator[Index]:
    with Index.create(session) as index:
        yield index


@pytest.fixture
def matches(session: Session, index: Index) -> MatchStore:
    """With the pairs of all documents."""
    matches = MatchStore.open(session)
    pairs = list(index.sweep())
    matches.settle([document.ref for document in index.scan()], pairs, index.plan.id, "sweep")
    matches.refresh()
    return matches


def pairs(index: Index) -> dict[str, Verdict]:
    found = index.matches(MatchQuery())
    assert found.next is None
    return {each.first.id + each.second.id: each.verdict for each in found.records}


def test_pairs_of_a_changed_document_are_verified_again(index: Index, matches: MatchStore) -> None:
    assert set(pairs(index)) == {"ab", "ac", "bc"}
    index.decide("a", "b", Decision.NOT_DUPLICATE)
    assert index.add([Document("a", TEA)])[0].status is Status.UPDATED
    matches.refresh()
    assert pairs(index) == {"atea": Verdict.EXACT, "bc": Verdict.NEAR}
    index.add([Document("a", METRO)])
    matches.refresh()
    assert set(pairs(index)) == {"ab", "ac", "bc"}
    (record,) = (each for each in index.matches().records if each.decision)
    assert (record.first.id, record.second.id, record.run) == ("a", "b", "update")


def test_what_is_new_or_alone_is_left_to_sweeps(index: Index, matches: MatchStore) -> None:
    index.add([Document("new", METRO), Document("tea", METRO)])
    matches.refresh()
    assert set(pairs(index)) == {"ab", "ac", "bc"}


def test_an_index_without_pairs_keeps_none(index: Index, session: Session) -> None:
    index.add([Document("a", TEA)])
    index.delete(["b"])
    assert MatchStore.stored(session) is None
    assert pairs(index) == {}


def test_a_run_that_is_not_taken_to_its_end(index: Index, matches: MatchStore) -> None:
    outcomes = index.add_iter(Document(name, TEA) for name in "ax")
    assert next(outcomes).document.id == "a"
    outcomes.close()  # type: ignore[attr-defined]
    matches.refresh()
    assert "atea" in pairs(index)
    assert "ab" not in pairs(index)


def test_a_deleted_document_has_no_pairs(index: Index, matches: MatchStore) -> None:
    index.decide("a", "b", Decision.DUPLICATE)
    assert index.delete(["a", "nobody"]) == ["a"]
    matches.refresh()
    assert set(pairs(index)) == {"bc"}
    assert len(matches.decisions_of(index.refs_of("a"))) == 1


def test_what_a_killed_deletion_left_goes_with_the_next(index: Index, matches: MatchStore) -> None:
    index._for_writing().delete(["a"])  # and then nothing more happened
    assert index.delete(["a"]) == []
    matches.refresh()
    assert set(pairs(index)) == {"bc"}


def test_many_are_deleted_in_little_time(index: Index, matches: MatchStore) -> None:
    """A request for every document would show here."""
    match = next(index.sweep()).match
    names = [f"n{number:04}" for number in range(1_200)]
    index.add([Document(name, f"{TEA} {name}") for name in names])
    index.refresh()
    asked = [document.ref for document in index.scan()]
    made = [(one, other) for one, other in zip(asked[::2], asked[1::2], strict=True)]
    matches.settle(asked, [VerifiedPair(*pair, match) for pair in made], index.plan.id)
    assert len(index.delete(names)) == 1_200
    matches.refresh()
    assert matches.count(MatchQuery()) <= 4
