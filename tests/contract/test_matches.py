"""Verified pairs and decisions about them, on both stores."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from msgspec import structs

from dupdex.matches.match_record import UNDECIDED, Decision, MatchRecord, pair_id
from dupdex.matches.match_store import MatchQuery, MatchStore
from dupdex.session import Session
from mappings.collections import moment
from mappings.contract import Field
from mappings.errors import InputRefused
from query.answers import (
    Direction,
    Evidence,
    FactDifference,
    FactKind,
    Located,
    Match,
    Ref,
    Verdict,
)
from query.sweep import VerifiedPair
from tests.contract.stores import Store, real

PLAN = "some-plan"
NEVER = moment(datetime(2000, 1, 1, tzinfo=UTC))


@pytest.fixture
def session(store: Store) -> Session:
    store.write(*(real(name, f"文字 {name}") for name in "abcdefgh"))
    store.close_writer()
    return store.opened.enter_context(Session(store.opener.location))


@pytest.fixture
def matches(session: Session) -> MatchStore:
    return MatchStore.open(session)


@pytest.fixture
def at(store: Store) -> str:
    return store.opener.location.index


def refs(at: str, names: str) -> list[Ref]:
    return [Ref(at, name) for name in names]


def pair(at: str, names: str, verdict: Verdict = Verdict.NEAR, **more: Any) -> VerifiedPair:
    """`names`: the asked and the stored document."""
    match = Match(names[1], at, verdict, 0.75, 0.8, 0.9, None, Evidence())
    return VerifiedPair(Ref(at, names[0]), Ref(at, names[1]), structs.replace(match, **more))


def settle(matches: MatchStore, names: str, *pairs: VerifiedPair) -> None:
    index = pairs[0].first.index if pairs else AT[0]
    matches.settle(refs(index, names), pairs, PLAN, "test")
    matches.refresh()


AT: list[str] = []


@pytest.fixture(autouse=True)
def _remember(at: str) -> None:
    AT[:] = [at]


def names(records: Iterable[MatchRecord]) -> set[str]:
    found = [record.first.id + record.second.id for record in records]
    assert len(found) == len(set(found))
    return set(found)


def edges(matches: MatchStore, wanted: str) -> list[str]:
    return [one.id + other.id for one, other in matches.edges(refs(AT[0], wanted))]


def test_a_record_says_what_the_match_said(matches: MatchStore, at: str) -> None:
    evidence = Evidence({Field.TEXT_HASH: ("x",), Field.MINHASH_KEYS: ("y",)}, 3, 0.7, 0.8, 9)
    facts = (FactDifference(FactKind.DATE, "3月5日", "3月6日"),)
    more: dict[str, Any] = {
        "direction": Direction.CONTAINS,
        "evidence": evidence,
        "facts_differ": facts,
        "facts_total": 4,
        "located": Located((1, 2), (3, 4)),
        "disguise": ("pinyin", "marks between"),
        "template": True,
    }
    before = moment(datetime.now(UTC))
    settle(matches, "ab", pair(at, "ab", **more))
    (record,) = matches.of(refs(at, "a"))
    assert before <= record.found <= moment(datetime.now(UTC))
    assert record == MatchRecord(
        Ref(at, "a"),
        Ref(at, "b"),
        Verdict.NEAR,
        0.75,
        0.8,
        0.9,
        Direction.CONTAINS,
        ("character bands", "same text"),
        "differ",
        True,
        ("pinyin", "marks between"),
        PLAN,
        "test",
        record.found,
        None,
        facts,
        4,
        Located((1, 2), (3, 4)),
        "text",
        3,
        0.7,
        0.8,
    )
    settle(matches, "ab", pair(at, "ba", **more))  # the same, asked from the other side
    (turned,) = matches.of(refs(at, "b"))
    assert turned == replace(
        record,
        found=turned.found,
        first_share=0.9,
        second_share=0.8,
        direction=Direction.CONTAINED_IN,
        differences=(FactDifference(FactKind.DATE, "3月6日", "3月5日"),),
        located=Located((3, 4), (1, 2)),
    )
    assert matches.get(Ref(at, "b"), Ref(at, "a")) == turned
    assert matches.get(Ref(at, "b"), Ref(at, "c")) is None


def test_settling_leaves_exactly_the_pairs_given(matches: MatchStore, at: str) -> None:
    settle(matches, "abcde", pair(at, "ab"), pair(at, "cb"), pair(at, "cd"), pair(at, "de"))
    assert names(matches.of(refs(at, "b"))) == {"ab", "bc"}
    assert names(matches.of(refs(at, "abcde"))) == {"ab", "bc", "cd", "de"}
    settle(matches, "bc", pair(at, "bc"), pair(at, "ce"))
    assert names(matches.of(refs(at, "abcde"))) == {"bc", "ce", "de"}
    settle(matches, "c")
    assert names(matches.of(refs(at, "abcde"))) == {"de"}
    settle(matches, "")
    assert matches.count(MatchQuery()) == 1
    assert matches.remove(refs(at, "dx")) == 1
    matches.refresh()
    assert matches.count(MatchQuery()) == 0


def test_what_has_not_changed_is_not_written(matches: MatchStore, at: str) -> None:
    settle(matches, "ab", pair(at, "ab"))
    (first,) = matches.of(refs(at, "a"))
    matches.settle(refs(at, "a"), [pair(at, "ab")], PLAN, "another run")
    matches.refresh()
    assert list(matches.of(refs(at, "b"))) == [first]
    matches.settle(refs(at, "a"), [pair(at, "ab", similarity=0.7)], PLAN, "another run")
    matches.refresh()
    (second,) = matches.of(refs(at, "b"))
    assert (second.similarity, second.run, second.found) == (0.7, "another run", first.found)
    matches.settle(refs(at, "a"), [pair(at, "ab", Verdict.EXACT)], PLAN)
    matches.refresh()
    (third,) = matches.of(refs(at, "b"))
    assert third.found >= first.found
    assert third.verdict is Verdict.EXACT


def test_many_are_settled_at_once(matches: MatchStore, at: str) -> None:
    every = [Ref(at, f"n{n:04}") for n in range(1_301)]
    found = [VerifiedPair(one, other, pair(at, "ab").match) for one, other in pairwise(every)]
    matches.settle(every, found, PLAN)
    matches.refresh()
    assert matches.count(MatchQuery()) == 1_300
    assert len(list(matches.of(every))) == 1_300
    assert len(list(matches.of(every[:600]))) == 600
    matches.settle(every[::2], [], PLAN)
    matches.refresh()
    assert matches.count(MatchQuery()) == 0


def test_of_two_findings_the_one_from_the_texts_is_kept(matches: MatchStore, at: str) -> None:
    stored = pair(at, "ba", similarity=0.9, evidence=Evidence(verified="stored"))
    for found in ([stored, pair(at, "ab")], [pair(at, "ab"), stored]):
        settle(matches, "ab", *found)
        (record,) = matches.of(refs(at, "a"))
        assert (record.verified, record.similarity) == ("text", 0.75)


def test_edges_are_exact_and_near_and_no_templates(matches: MatchStore, at: str) -> None:
    settle(
        matches,
        "abcdef",
        pair(at, "ab", Verdict.EXACT),
        pair(at, "bc"),
        pair(at, "cd", Verdict.PARTIAL),
        pair(at, "de", template=True),
        pair(at, "ef"),
    )
    assert edges(matches, "abcdef") == ["ab", "bc", "ef"]
    assert edges(matches, "c") == ["bc"]


def test_a_decision_goes_before_the_verdict(matches: MatchStore, at: str) -> None:
    settle(matches, "abcde", pair(at, "ab"), pair(at, "bc", Verdict.PARTIAL), pair(at, "cd"))
    a, b, c, h = refs(at, "abch")
    matches.decide(b, a, Decision.NOT_DUPLICATE, "two events", "Li")
    matches.decide(b, c, Decision.DUPLICATE)
    matches.decide(c, h, Decision.DUPLICATE)  # nothing was found about this pair
    matches.decide(c, Ref(at, "gone"), Decision.DUPLICATE)
    assert edges(matches, "abcdeh") == ["bc", "cd", "ch"]
    assert edges(matches, "h") == ["ch"]
    matches.decide(a, b, None)
    matches.decide(h, c, None)
    assert edges(matches, "abcdeh") == ["ab", "bc", "cd"]


def test_a_decision_outlives_its_record(matches: MatchStore, at: str) -> None:
    a, b = refs(at, "ab")
    settle(matches, "ab", pair(at, "ab"))
    matches.decide(a, b, Decision.NOT_DUPLICATE)
    (record,) = matches.of([a])
    assert record.decision is Decision.NOT_DUPLICATE
    settle(matches, "ab", pair(at, "ba", similarity=0.5))
    (record,) = matches.of([a])
    assert record.decision is Decision.NOT_DUPLICATE
    assert matches.remove([a]) == 1
    matches.refresh()
    assert list(matches.of([a])) == []
    settle(matches, "ab", pair(at, "ab"))
    (record,) = matches.of([a])
    assert record.decision is Decision.NOT_DUPLICATE
    assert edges(matches, "ab") == []


def test_decisions_have_a_history(matches: MatchStore, at: str) -> None:
    a, b = refs(at, "ab")
    matches.decide(a, b, Decision.DUPLICATE, "同一篇", "Li")
    matches.decide(b, a, Decision.NOT_DUPLICATE, by="Wang")
    last = matches.decide(a, b, None, "a mistake")
    assert (last.first, last.second, last.decision, last.why) == (a, b, None, "a mistake")
    assert [(each["decision"], each.get("by"), each.get("why")) for each in last.history] == [
        ("duplicate", "Li", "同一篇"),
        ("not-duplicate", "Wang", None),
    ]
    assert matches.decisions_of([b, a]) == [last]
    with pytest.raises(InputRefused, match="nothing is decided"):
        matches.decide(a, b, None)
    with pytest.raises(InputRefused, match="nothing is decided"):
        matches.decide(a, Ref(at, "c"), None)
    with pytest.raises(InputRefused, match="one document"):
        matches.decide(a, a, Decision.DUPLICATE)


def test_queries(matches: MatchStore, at: str) -> None:
    settle(matches, "abcd", pair(at, "ab"), pair(at, "bc", Verdict.PARTIAL), pair(at, "cd"))
    a, b, c, _ = refs(at, "abcd")
    matches.decide(a, b, Decision.DUPLICATE)

    def asked(**more: Any) -> set[str]:
        wanted = MatchQuery(**more)
        found = names(matches.query(wanted).records)
        assert matches.count(wanted) == len(found)
        return found

    assert asked() == {"ab", "bc", "cd"}
    assert asked(of=(b,)) == {"ab", "bc"}
    assert asked(of=(b, c)) == {"ab", "bc", "cd"}
    assert asked(verdicts=(Verdict.PARTIAL,)) == {"bc"}
    assert asked(verdicts=(Verdict.PARTIAL, Verdict.NEAR), of=(a,)) == {"ab"}
    assert asked(decision=UNDECIDED) == {"bc", "cd"}
    assert asked(decision=Decision.DUPLICATE) == {"ab"}
    assert asked(since=NEVER) == {"ab", "bc", "cd"}
    assert asked(until=NEVER) == set()
    assert asked(run="test", of=(a,)) == {"ab"}
    assert asked(run="other") == set()


def test_pages(matches: MatchStore, at: str) -> None:
    """Records of several times, and several of one time."""
    every: list[str] = []
    for group in ("abcd", "aefg", "ah"):
        settle(matches, group[1:], *(pair(at, group[0] + name) for name in group[1:]))
        time.sleep(0.002)  # times are told apart by the millisecond
        ids = {pair_id(Ref(at, "a"), Ref(at, name)): name for name in group[1:]}
        every = [ids[name] for name in sorted(ids)] + every
    for wanted in (
        MatchQuery(),
        MatchQuery(of=tuple(refs(at, "a"))),
        MatchQuery(of=tuple(refs(at, "ab"))),
    ):
        for limit in (1, 2, 3, 7, 8):
            got: list[str] = []
            after, pages = None, 0
            while pages == 0 or after is not None:
                page = matches.query(wanted, limit, after)
                assert len(page.records) == limit or page.next is None
                got += [record.second.id for record in page.records]
                after, pages = page.next, pages + 1
            assert got == every
            assert pages == -(-len(every) // limit)


def test_nothing_is_made_to_read(session: Session, at: str) -> None:
    assert MatchStore.stored(session) is None
    written = MatchStore.open(session)
    settle(written, "ab", pair(at, "ab"))
    read = MatchStore.stored(session)
    assert read is not None
    assert names(read.of(refs(at, "a"))) == {"ab"}
    assert edges(read, "ab") == ["ab"]
