"""A record says the same of a pair from either side, and comes back as it was stored."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from dupdex.matches.match_record import Decision, MatchRecord, key, pair_id
from indexer.meant.meant import Disguise
from indexer.model import Ref
from mappings.contract import Field
from mappings.records import MATCHES, parts_of_key
from query.answers import Direction, Evidence, FactDifference, FactKind, Located, Match, Verdict
from query.sweep import VerifiedPair
from tests.texts import LAW

NOW = "2026-01-31T00:00:00.000Z"
SHARES = st.floats(0, 1)
NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)
REFS = st.builds(Ref, st.sampled_from(["news", "news-2"]), NAMES)
FACTS = st.builds(FactDifference, st.sampled_from(FactKind), NAMES, NAMES)
SPANS = st.tuples(st.integers(0, 99), st.integers(0, 99))
EVIDENCE = st.builds(
    Evidence,
    keys=st.dictionaries(
        st.sampled_from([Field.TEXT_HASH, Field.PASSAGE_KEYS, Field.MINHASH_KEYS]),
        st.just(("x",)),
    ),
    hamming=st.none() | st.integers(0, 64),
    jaccard=st.none() | SHARES,
    syllable_jaccard=st.none() | SHARES,
    verified=st.sampled_from(["text", "stored"]),
)
MATCHES_OF = st.builds(
    Match,
    id=st.just(""),
    index=st.just(""),
    verdict=st.sampled_from(Verdict),
    similarity=SHARES,
    share=st.none() | SHARES,
    stored_share=st.none() | SHARES,
    direction=st.none() | st.sampled_from(Direction),
    evidence=EVIDENCE,
    document=st.just({}),
    facts_differ=st.lists(FACTS, max_size=3).map(tuple),
    facts_total=st.integers(0, 9),
    located=st.none() | st.builds(Located, SPANS, SPANS),
    disguise=st.lists(st.sampled_from(Disguise), max_size=3).map(tuple),
    template=st.booleans(),
    decided=st.none(),
)


@st.composite
def pairs(draw: st.DrawFn) -> VerifiedPair:
    first, second = draw(REFS), draw(REFS)
    match = draw(MATCHES_OF)
    if draw(st.booleans()):
        match = structs.replace(match, facts_differ=None, facts_total=None)
    return VerifiedPair(first, second, structs.replace(match, id=second.id, index=second.index))


def turned(pair: VerifiedPair) -> VerifiedPair:
    """As the other document would have found it."""
    ways = {
        Direction.CONTAINS: Direction.CONTAINED_IN,
        Direction.CONTAINED_IN: Direction.CONTAINS,
        Direction.OVERLAPS: Direction.OVERLAPS,
        None: None,
    }
    match = pair.match
    facts = match.facts_differ
    return VerifiedPair(
        pair.second,
        pair.first,
        structs.replace(
            match,
            id=pair.first.id,
            index=pair.first.index,
            share=match.stored_share,
            stored_share=match.share,
            direction=ways[match.direction],
            facts_differ=None
            if facts is None
            else tuple(FactDifference(each.kind, each.stored, each.asked) for each in facts),
            located=match.located and Located(match.located.stored, match.located.asked),
        ),
    )


@LAW
@given(pairs(), st.none() | st.sampled_from(Decision))
def test_a_record_comes_back_as_it_was_stored(
    pair: VerifiedPair, decision: Decision | None
) -> None:
    record = replace(MatchRecord.of(pair, "plan", "run", NOW), decision=decision)
    stored = MATCHES.item(record.values())
    assert MatchRecord.from_values(stored) == record


@LAW
@given(pairs())
def test_both_sides_make_one_record(pair: VerifiedPair) -> None:
    if pair.first == pair.second:
        return
    one, other = (MatchRecord.of(each, "plan", "run", NOW) for each in (pair, turned(pair)))
    assert one == other
    assert key(one.first) < key(one.second)
    assert {one.first, one.second} == {pair.first, pair.second}


@LAW
@given(st.lists(REFS, min_size=4, max_size=4, unique=True))
def test_a_pair_has_one_id_and_no_other_pair_has_it(refs: list[Ref]) -> None:
    a, b, c, d = refs
    assert pair_id(a, b) == pair_id(b, a)
    assert len({pair_id(*each) for each in ((a, b), (a, c), (a, d), (b, c), (b, d), (c, d))}) == 6
    assert len(pair_id(a, b)) == 32


@LAW
@given(REFS)
def test_a_key_names_one_document(ref: Ref) -> None:
    assert Ref(*parts_of_key(key(ref))) == ref
