"""The queue of reviews on both stores: order, leases, skips, second opinions, figures."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest
from msgspec import structs

from dupdex.index import Index
from dupdex.matches import review_queue
from dupdex.matches.match_record import Decision
from dupdex.matches.match_store import MatchStore
from dupdex.matches.review_queue import ReviewQueue, Seat, Turn
from dupdex.session import Session
from mappings.collections import moment
from mappings.errors import InputRefused
from mappings.records import REVIEWS
from query.answers import Evidence, FactDifference, FactKind, Match, Ref, Verdict
from query.sweep import VerifiedPair
from tests.contract.stores import Store, real

NAMES = "abcdefgh"
ANN, BEN = Seat("window-1", "ann"), Seat("window-2", "ben")
EVER = moment(datetime(2000, 1, 1, tzinfo=UTC))


@pytest.fixture
def index(store: Store) -> Index:
    store.write(*(real(name, f"文字 {name}") for name in NAMES))
    store.close_writer()
    return store.opened.enter_context(Index.create(store.opener.location))


@pytest.fixture
def queue(index: Index) -> ReviewQueue:
    return index.reviews


def keep(store: Store, *pairs: tuple[str, float, dict[str, Any]]) -> MatchStore:
    """Keeps pairs: their names, similarity, and what else is special about them."""
    at = store.opener.location.index
    session = store.opened.enter_context(Session(store.opener.location))
    matches = MatchStore.open(session)
    found = []
    for both, similarity, more in pairs:
        one, other = both[0], both[1]
        match = Match(other, at, Verdict.NEAR, similarity, 0.9, 0.9, None, Evidence())
        found.append(VerifiedPair(Ref(at, one), Ref(at, other), structs.replace(match, **more)))
    matches.settle([Ref(at, name) for name in NAMES], found, "plan", "test")
    matches.refresh()
    return matches


def all_pairs(store: Store, similarity: float = 0.7) -> int:
    pairs: list[tuple[str, float, dict[str, Any]]] = [
        (one + other, similarity, {}) for one, other in combinations(NAMES, 2)
    ]
    keep(store, *pairs)
    return len(pairs)


def names(turns: Iterable[Turn]) -> list[str]:
    return [turn.record.first.id + turn.record.second.id for turn in turns]


DIFFER = {"facts_differ": (FactDifference(FactKind.NUMBER, "3", "4"),), "facts_total": 1}


def test_the_most_doubtful_first(store: Store, queue: ReviewQueue) -> None:
    assert queue.next(ANN, 5) == []
    keep(
        store,
        ("ab", 0.98, {}),
        ("ac", 0.45, {}),
        ("ad", 0.60, DIFFER),
        ("ae", 0.60, {}),
        ("af", 0.60, {**DIFFER, "template": True}),
        ("ag", 0.99, DIFFER),
        ("ah", 0.30, {"verdict": Verdict.PARTIAL}),
        ("bc", 1.0, {"verdict": Verdict.EXACT}),
    )
    turns = queue.next(ANN, 10)
    assert names(turns) == ["af", "ad", "ac", "ae", "ag", "ab"]
    causes = ["template", "facts", "threshold", "threshold", "facts", "threshold"]
    assert [turn.cause for turn in turns] == causes
    doubts = [turn.doubt for turn in turns]
    assert doubts == sorted(doubts, reverse=True)
    assert queue.next(BEN, 10) == []
    queue.give_back(ANN)
    partial = queue.next(BEN, 3, verdicts=[Verdict.PARTIAL, Verdict.EXACT])
    assert names(partial) == ["ah", "bc"]


def test_nobody_gets_what_another_has(store: Store, queue: ReviewQueue) -> None:
    total = all_pairs(store)
    first, second = queue.next(ANN, 3), queue.next(BEN, 3)
    assert len({*names(first), *names(second)}) == 6
    assert names(queue.next(ANN, 3)) == names(first)
    assert queue.figures(EVER).left == total
    assert queue.figures(EVER).held == 6
    assert queue.give_back(ANN) == 3
    assert set(names(queue.next(BEN, 6))) == {*names(first), *names(second)}
    assert queue.figures(EVER).held == 6


def test_what_lapses_is_free(
    store: Store, queue: ReviewQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_pairs(store)
    monkeypatch.setattr(review_queue, "HELD", -1.0)
    first = names(queue.next(ANN, 2))
    monkeypatch.undo()
    assert names(queue.next(BEN, 2)) == first
    assert not set(names(queue.next(ANN, 2))) & set(first)


def test_a_race_of_reviewers(store: Store, index: Index) -> None:
    """Each pair is decided once, whoever asks at the same time."""
    total = all_pairs(store)
    shown: dict[str, list[str]] = {f"r{number}": [] for number in range(4)}
    start = threading.Barrier(len(shown))
    failed: list[BaseException] = []

    def review(name: str) -> None:
        seat = Seat(f"window of {name}", name)
        try:
            with Index.open(store.opener.location) as own:
                start.wait()
                while turns := own.reviews.next(seat, 2):
                    record = turns[0].record
                    shown[name].append(record.id)
                    own.decide(record.first.id, record.second.id, Decision.DUPLICATE, by=name)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=review, args=(name,)) for name in shown]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    every = [each for several in shown.values() for each in several]
    assert len(every) == len(set(every)) == total
    figures = index.reviews.figures(EVER)
    assert (figures.left, figures.decided, figures.since) == (0, total, total)
    assert {each.reviewer: each.decisions for each in figures.reviewers} == {
        name: len(several) for name, several in shown.items() if several
    }


def test_skipped_pairs_go_to_others(store: Store, queue: ReviewQueue) -> None:
    keep(store, ("ab", 0.5, {}), ("cd", 0.6, {}))
    (turn,) = queue.next(ANN)
    until = queue.pass_over(turn.record.first, turn.record.second, ANN)
    assert moment(datetime.now(UTC) + timedelta(hours=23)) < until
    assert names(queue.next(ANN, 5)) == ["cd"]
    assert names(queue.next(Seat("window-3", "ann"), 5)) == []
    assert names(queue.next(BEN, 5)) == ["ab"]
    queue.give_back(BEN)
    queue.pass_over(turn.record.first, turn.record.second, ANN, undo=True)
    assert sorted(names(queue.next(ANN, 5))) == ["ab", "cd"]


def test_a_decision_that_is_taken_back_comes_again(index: Index, store: Store) -> None:
    keep(store, ("ab", 0.5, {}), ("cd", 0.6, {}))
    assert names(index.reviews.next(ANN, 1)) == ["ab"]
    index.decide("a", "b", Decision.NOT_DUPLICATE, "other year", "ann")
    assert names(index.reviews.next(ANN, 1)) == ["cd"]
    index.decide("a", "b", None, by="ann")
    assert names(index.reviews.next(BEN, 1)) == []
    assert names(index.reviews.next(ANN, 2)) == ["ab", "cd"]
    assert index.reviews.figures(EVER).decided == 0


def test_second_opinions_are_blind(index: Index, store: Store) -> None:
    keep(store, ("ab", 0.5, {}), ("cd", 0.6, {}))
    queue = index.reviews
    index.decide("a", "b", Decision.DUPLICATE, by="ann")
    index.decide("c", "d", Decision.DUPLICATE)  # by nobody in particular
    assert queue.next(BEN, 5) == []
    assert queue.next(ANN, 5, second=1.0) == []
    (turn,) = queue.next(BEN, 5, second=1.0)
    assert (names([turn]), turn.second_opinion, turn.record.decision) == (["ab"], True, None)
    assert queue.next(Seat("window-3", "cid"), 5, second=1.0) == []
    index.decide("a", "b", Decision.NOT_DUPLICATE, by="ben")
    assert queue.next(BEN, 5, second=1.0) == []
    queue.give_back(BEN)
    assert queue.next(Seat("window-3", "cid"), 5, second=1.0) == []
    figures = queue.figures(EVER)
    assert (figures.twice, figures.agreed, figures.agreement) == (1, 0, 0.0)
    (apart,) = figures.disagreements
    assert apart.reviewers == ("ann", "ben")
    assert apart.decisions == ("duplicate", "not-duplicate")
    index.decide("a", "b", Decision.DUPLICATE, by="ben")
    assert queue.figures(EVER).agreement == 1.0
    assert queue.figures(moment(datetime.now(UTC) + timedelta(1))).since == 0


def test_a_forgotten_document_is_not_held(index: Index, store: Store) -> None:
    keep(store, ("ab", 0.5, {}), ("cd", 0.6, {}))
    queue = index.reviews
    queue.next(ANN, 1)
    queue.pass_over(
        Ref(store.opener.location.index, "a"), Ref(store.opener.location.index, "d"), ANN
    )
    receipt = index.forget_document("a")
    assert receipt.left == ()
    session = store.opened.enter_context(Session(store.opener.location))
    held = session.collection(REVIEWS)
    assert held.count() == 0
    assert names(queue.next(ANN, 5)) == ["cd"]


@pytest.mark.parametrize(
    ("seat", "size", "second"), [(Seat(""), 1, 0.0), (ANN, 0, 0.0), (ANN, 1, 1.5), (ANN, 99, 0.0)]
)
def test_what_no_queue_can_do(queue: ReviewQueue, seat: Seat, size: int, second: float) -> None:
    with pytest.raises(InputRefused):
        queue.next(seat, size, second)
