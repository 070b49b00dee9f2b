"""Random streams of what is done to pairs, against a model that keeps them in a dict."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from msgspec import structs

from dupdex.matches.match_record import UNDECIDED, Decision
from dupdex.matches.match_store import MatchQuery, MatchStore
from dupdex.session import Session
from mappings.errors import InputRefused
from query.answers import Evidence, Match, Ref, Verdict
from query.sweep import VerifiedPair
from tests.contract.stores import Store, real

NAMES = "abcdefghij"
GONE = "xyz"
"""Names of documents that there are not, though something is said about them."""

Pair = tuple[str, str]


@dataclass(slots=True)
class Model:
    """What should be kept: verdicts, templates and decisions by pair."""

    pairs: dict[Pair, tuple[Verdict, bool]] = field(default_factory=dict)
    decided: dict[Pair, Decision] = field(default_factory=dict)

    def edges(self, names: str) -> set[Pair]:
        counted = {
            pair
            for pair, (verdict, template) in self.pairs.items()
            if verdict is not Verdict.PARTIAL and not template
        }
        for pair, said in self.decided.items():
            counted.discard(pair)
            there = pair in self.pairs or not set(pair) & set(GONE)
            if said is Decision.DUPLICATE and there:
                counted.add(pair)
        return {pair for pair in counted if set(pair) & set(names)}


class Stream:
    """One store of pairs and the model beside it."""

    def __init__(self, matches: MatchStore, at: str, draw: random.Random) -> None:
        self.matches, self.at, self.draw, self.model = matches, at, draw, Model()

    def step(self) -> None:
        draw = self.draw.choice((self.settle, self.settle, self.decide, self.decide, self.remove))
        draw()

    def settle(self) -> None:
        names = self.draw.sample(NAMES + GONE, self.draw.randint(1, 4))
        found = []
        self.model.pairs = {
            pair: said for pair, said in self.model.pairs.items() if not set(pair) & set(names)
        }
        for _ in range(self.draw.randint(0, 6)):
            one, other = self.draw.choice(names), self.draw.choice(NAMES + GONE)
            pair = ordered(one, other)
            if one == other or pair in self.model.pairs:
                continue
            said = self.draw.choice(list(Verdict)), self.draw.random() < 0.2
            self.model.pairs[pair] = said
            match = Match(other, self.at, said[0], 0.5, 0.5, 0.5, None, Evidence())
            found.append(VerifiedPair(self.ref(one), self.ref(other), templated(match, said[1])))
        self.matches.settle([self.ref(name) for name in names], found, "plan")

    def decide(self) -> None:
        one, other = self.draw.sample(NAMES + GONE, 2)
        said = self.draw.choice((*Decision, None))
        pair = ordered(one, other)
        if said is None and pair not in self.model.decided:
            with pytest.raises(InputRefused):
                self.matches.decide(self.ref(one), self.ref(other), None)
            return
        self.matches.decide(self.ref(one), self.ref(other), said)
        if said is None:
            del self.model.decided[pair]
        else:
            self.model.decided[pair] = said

    def remove(self) -> None:
        names = self.draw.sample(NAMES + GONE, 2)
        kept = {p: said for p, said in self.model.pairs.items() if not set(p) & set(names)}
        removed = self.matches.remove([self.ref(name) for name in names])
        assert removed == len(self.model.pairs) - len(kept)
        self.model.pairs = kept

    def check(self) -> None:
        self.matches.refresh()
        some = "".join(self.draw.sample(NAMES + GONE, 4))
        refs = [self.ref(name) for name in some]
        wanted = {pair for pair in self.model.pairs if set(pair) & set(some)}
        records = list(self.matches.of(refs))
        assert len(records) == len(wanted)
        for record in records:
            pair = (record.first.id, record.second.id)
            assert (record.verdict, record.template) == self.model.pairs[pair]
            assert record.decision == self.model.decided.get(pair)
        edges = self.matches.edges(refs)
        assert edges == sorted(edges)
        assert {(one.id, other.id) for one, other in edges} == self.model.edges(some)
        undecided = MatchQuery(of=tuple(refs), decision=UNDECIDED)
        assert self.matches.count(undecided) == len(wanted - self.model.decided.keys())
        decided = {
            (each.first.id, each.second.id): each for each in self.matches.decisions_of(refs)
        }
        live = {pair: each.decision for pair, each in decided.items() if each.decision}
        assert live == {p: said for p, said in self.model.decided.items() if set(p) & set(some)}

    def ref(self, name: str) -> Ref:
        return Ref(self.at, name)


def ordered(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


def templated(match: Match, template: bool) -> Match:
    return structs.replace(match, template=template)


def test_streams(store: Store) -> None:
    store.write(*(real(name, f"文字 {name}") for name in NAMES))
    store.close_writer()
    session = store.opened.enter_context(Session(store.opener.location))
    stream = Stream(MatchStore.open(session), store.opener.location.index, random.Random(7))
    for _ in range(80):
        stream.step()
        stream.check()
    assert stream.model.pairs
    assert stream.model.decided
