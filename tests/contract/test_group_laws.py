"""Random streams of writes, deletions, decisions and corrections, against a model that groups all
documents anew after each.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dupdex.groups.equal_texts import groups_of
from dupdex.groups.group_store import GroupStore
from dupdex.index import Index
from dupdex.matches.match_record import Decision
from dupdex.session import Session
from indexer.grouping import Grouping
from indexer.model import Document
from mappings.errors import InputRefused
from mappings.plan import STANDARD
from mappings.records import GROUPS
from query.answers import Verdict
from query.sweep import all_pairs
from tests.contract.stores import Elastic, Store
from tests.laws import EXAMPLES
from tests.texts import chinese
from tests.unit.query.memory import MemoryReader

NAMES: Final = "abcdefgh"
SENTENCES: Final = [chinese(24, seed) + "。" for seed in range(15)]
TEXTS: Final = ["".join(SENTENCES[at : at + 8]) for at in range(6)]
"""Each is much like the next one, and the first not at all like the last."""

Step = tuple[str, str, str, int]

STEPS: Final = st.lists(
    st.tuples(
        st.sampled_from(
            [
                *["write"] * 5,
                *["write two"] * 2,
                *["decide"] * 2,
                *["delete", "merge", "split", "release", "undo"],
            ]
        ),
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.integers(0, len(TEXTS) - 1),
    ),
    min_size=4,
    max_size=14,
)


def verdicts() -> dict[tuple[int, int], Verdict]:
    reader = MemoryReader({str(at): text for at, text in enumerate(TEXTS)}, STANDARD)
    out = {(at, at): Verdict.EXACT for at in range(len(TEXTS))}
    for pair in all_pairs(reader.stored.values(), STANDARD, reader):
        one, other = int(pair.first.id), int(pair.second.id)
        out[one, other] = out[other, one] = pair.match.verdict
    return out


VERDICTS: Final = verdicts()


def test_the_texts_are_a_chain() -> None:
    near = {pair for pair, verdict in VERDICTS.items() if verdict is Verdict.NEAR}
    assert {(0, 1), (1, 2), (3, 4)} <= near
    assert (0, 5) not in near


@dataclass(slots=True)
class Model:
    """All that decides about groups."""

    texts: dict[str, int] = field(default_factory=dict)
    decided: dict[frozenset[str], Decision] = field(default_factory=dict)
    pins: dict[str, str] = field(default_factory=dict)

    def groups(self) -> set[frozenset[str]]:
        edges, equal = [], []
        names = sorted(self.texts)
        for at, one in enumerate(names):
            for other in names[at + 1 :]:
                verdict = VERDICTS.get((self.texts[one], self.texts[other]))
                counts = verdict in (Verdict.EXACT, Verdict.NEAR)
                decision = self.decided.get(frozenset((one, other)))
                if decision is Decision.DUPLICATE or (counts and decision is None):
                    edges.append((one, other))
                    if verdict is Verdict.EXACT:
                        equal.append((one, other))
        said = self.decided.items()
        apart = [tuple(sorted(pair)) for pair, word in said if word is Decision.NOT_DUPLICATE]
        apart = [pair for pair in apart if self.texts.keys() >= set(pair)]
        stars = groups_of(edges, equal, self.pins, [(one, other) for one, other in apart])
        found = {frozenset(star.members) for star in stars}
        alone = self.texts.keys() - {name for group in found for name in group}
        return found | {frozenset((name,)) for name in alone}

    def group_of(self, name: str) -> frozenset[str]:
        return next(group for group in self.groups() if name in group)


@dataclass(slots=True)
class Stream:
    """The same steps taken by an index and by the model."""

    index: Index
    model: Model
    session: Session
    name: str

    def take(self, step: Step) -> None:
        kind, one, other, text = step
        before = self.found()
        if kind == "write":
            self.index.add([Document(one, TEXTS[text])])
            self.model.texts[one] = text
        elif kind == "write two":
            self.index.add([Document(one, TEXTS[text]), Document(other, TEXTS[text - 1])])
            self.model.texts[one] = text
            self.model.texts[other] = (text - 1) % len(TEXTS)
        elif kind == "delete":
            self.index.delete([one])
            self.model.texts.pop(one, None)
            self.model.pins.pop(one, None)
        elif one in self.model.texts and other in self.model.texts:
            getattr(self, kind)(one, other, text)
        self.check(before)

    def decide(self, one: str, other: str, text: int) -> None:
        if one == other:
            return
        decision = (Decision.DUPLICATE, Decision.NOT_DUPLICATE)[text % 2]
        grouper = self.index.groups.grouper()
        refs = [grouper._reader.refs_of([name])[name][0] for name in (one, other)]
        grouper.matches.decide(refs[0], refs[1], decision)
        grouper.assign(refs)
        self.model.decided[frozenset((one, other))] = decision

    def merge(self, one: str, other: str, _: int) -> None:
        both = self.model.group_of(one) | self.model.group_of(other)
        if both == self.model.group_of(one):
            return
        groups = self.found()  # an id may be that of a document and of others' group
        self.index.groups.corrections().merge(groups[one], groups[other])
        self.model.pins |= dict.fromkeys(both, uuid.uuid4().hex)

    def split(self, one: str, other: str, _: int) -> None:
        group, name = self.model.group_of(one), self.found()[one]
        leaving = group & {one, other}
        if leaving == group:
            with pytest.raises(InputRefused):
                self.index.groups.corrections().split(name, sorted(leaving))
            return
        self.index.groups.corrections().split(name, sorted(leaving))
        self.model.pins |= dict.fromkeys(leaving, uuid.uuid4().hex)
        self.model.pins |= dict.fromkeys(group - leaving, uuid.uuid4().hex)

    def undo(self, one: str, other: str, _: int) -> None:
        """A correction that is undone at once leaves everything as it was, ids as well."""
        corrections, groups = self.index.groups.corrections(), self.found()
        same, group = groups[one] == groups[other], self.model.group_of(one)
        if not same:
            name = corrections.merge(groups[one], groups[other])
        elif group == {one, other}:
            name = corrections.canonical(one) if len(group) > 1 else ""
        else:
            name = corrections.split(groups[one], sorted({one, other}))
        if name:
            corrections.undo(name)
        assert by_members(self.found()) == by_members(groups)
        if corrections.release(groups[one]):
            corrections.undo(groups[one])
        assert by_members(self.found()) == by_members(groups)

    def release(self, one: str, _: str, __: int) -> None:
        group = self.model.group_of(one)
        self.index.groups.corrections().release(self.found()[one])
        for name in group:
            self.model.pins.pop(name, None)

    def found(self) -> dict[str, str]:
        """The group of each document."""
        self.index.refresh()
        reader = self.session.reader(self.name)
        return {ref.id: standing.group for ref, standing in reader.all_standings()}

    def check(self, before: Mapping[str, str]) -> None:
        after = self.found()
        assert by_members(after).keys() == self.model.groups()
        assert len(by_members(after)) == len(set(after.values()))
        for members, group in by_members(before).items():
            if len(members) > 1:
                assert by_members(after).get(members, group) == group
        self.check_records(by_members(after))
        for record in self.index.groups.grouper().matches.everything():
            assert {record.first.id, record.second.id} <= after.keys()

    def check_records(self, groups: Mapping[frozenset[str], str]) -> None:
        large = {name: members for members, name in groups.items() if len(members) > 1}
        records = GroupStore(self.session.collection(GROUPS, self.name)).everything()
        kept = {name: record for name, record in records.items() if record.size}
        assert kept.keys() == large.keys()
        for name, record in kept.items():
            assert record.size == len(large[name])
            assert record.canonical is not None
            assert record.canonical.id in large[name]
        for name, record in records.items():
            if not record.size:  # it merged: its id still leads to a group that there is
                assert self.index.groups.views().resolved(name) in groups.values()


def by_members(groups: Mapping[str, str]) -> dict[frozenset[str], str]:
    out: dict[str, set[str]] = {}
    for name, group in groups.items():
        out.setdefault(group, set()).add(name)
    return {frozenset(members): group for group, members in out.items()}


@contextmanager
def stream(store: Store) -> Iterator[Stream]:
    """A stream over a new index of the store."""
    name = f"{store.opener.location.index}-{uuid.uuid4().hex[:8]}"
    location = replace(store.opener.location, index=name)
    with Session(location) as session:
        try:
            with Index.create(session, index=name, grouping=Grouping(live=True)) as index:
                yield Stream(index, Model(), session, name)
        finally:
            if isinstance(store.opener, Elastic):
                Elastic(replace(store.opener.settings, index=name)).remove()


def examples(store: Store) -> Any:
    """A server takes its time for each index."""
    return 4 if isinstance(store.opener, Elastic) else EXAMPLES // 2


def test_streams(store: Store) -> None:
    @settings(
        max_examples=examples(store),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(STEPS)
    def law(steps: list[Step]) -> None:
        with stream(store) as taken:
            for step in steps:
                taken.take(step)
            before = taken.found()
            taken.index.groups.grouper().regroup()
            taken.check(before)
            assert taken.found() == before  # ids as well

    law()
