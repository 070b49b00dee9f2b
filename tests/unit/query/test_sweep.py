"""All pairs of a store: each once, and what could not be covered is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from msgspec import structs

from dupdex import Document, Index, Location
from indexer.boilerplate import NOTHING
from indexer.fingerprints import fingerprint_of
from mappings.plan import STANDARD
from query.answers import CandidatePage, Request
from query.questions import Options
from query.stores.embedded import postings
from query.sweep import BATCH, SweepReport, all_pairs
from tests.texts import METRO, TEA, chinese
from tests.unit.query.memory import MemoryReader


class Cut(MemoryReader):
    """A store that gives the first `most` candidates, as one does where very many share terms."""

    most = 1

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        return [
            CandidatePage(page.candidates[: self.most], len(page.candidates) > self.most)
            for page in super().candidates(requests)
        ]


def names(reader: MemoryReader, report: SweepReport | None = None) -> list[tuple[str, str]]:
    pairs = all_pairs(reader.stored.values(), STANDARD, reader, report=report)
    return [(pair.first.id, pair.second.id) for pair in pairs]


@pytest.mark.parametrize("copies", [2, 7, BATCH + 3])
def test_every_pair_comes_once(copies: int) -> None:
    texts = {f"{n:03}": METRO for n in range(copies)} | {"tea": TEA}
    report = SweepReport()
    found = names(MemoryReader(texts, STANDARD), report)
    assert sorted(map(sorted, found)) == [list(p) for p in combinations(sorted(texts)[:-1], 2)]
    assert (report.documents, report.pairs, report.complete) == (copies + 1, len(found), True)


def test_pairs_that_only_the_second_lookup_finds() -> None:
    """The first candidate of either is the other one of three: b names a only in a's own turn."""
    texts = {"a": METRO, "b": METRO + chinese(30, 1), "c": METRO + chinese(60, 2)}
    reader = Cut(texts, STANDARD)
    found = names(reader)
    asked = {
        frozenset((name, page.candidates[0].id))
        for name in texts
        for page in reader.candidates([reader.requests[list(texts).index(name)]])
    }
    assert {frozenset(pair) for pair in found} == asked
    assert len(found) == len(asked)


def test_what_is_cut_is_reported() -> None:
    texts = {f"{n:02}": METRO for n in range(40)}
    report = SweepReport()
    found = names(Cut(texts, STANDARD), report)
    assert len(found) < 40 * 39 / 2
    assert (report.incomplete, report.complete) == (40, False)
    assert report.examples == [f"{n:02}" for n in range(20)]


def test_a_sweep_finds_more_matches_than_a_lookup_shows() -> None:
    reader = MemoryReader({f"{n:02}": METRO for n in range(15)}, STANDARD)
    report = SweepReport()
    options = Options(size=10, candidates=None, verify=None)
    pairs = list(
        all_pairs(reader.stored.values(), STANDARD, reader, options=options, report=report)
    )
    assert (len(pairs), report.complete) == (15 * 14 / 2, True)


class Rare(MemoryReader):
    """A store that leaves out what shares frequent terms only."""

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        return [CandidatePage((), rare_only=True) for _ in requests]


def test_what_shares_frequent_terms_only_is_not_passed_over_in_silence() -> None:
    reader, report = Rare({"a": METRO, "b": METRO}, STANDARD), SweepReport()
    options = Options(candidates=50)
    assert not list(all_pairs(reader.stored.values(), STANDARD, reader, NOTHING, options, report))
    assert (report.incomplete, report.complete) == (2, False)


def test_documents_without_a_text_are_counted() -> None:
    reader = MemoryReader({"a": METRO, "b": METRO}, STANDARD, fingerprints=False)
    stored = reader.stored["a"]
    documents = [structs.replace(stored, id="empty", text=""), *reader.stored.values()]
    report = SweepReport()
    pairs = list(all_pairs(documents, STANDARD, reader, report=report))
    assert [(pair.first.id, pair.second.id) for pair in pairs] == [("a", "b")]
    assert (report.documents, report.refused) == (2, 1)


def test_keys_of_another_plan_are_not_asked_for() -> None:
    reader = MemoryReader({"a": METRO, "b": METRO}, STANDARD)
    old = structs.replace(
        reader.stored["a"], plan_id="old-1-00000000", fingerprint=reader.fingerprint("b")
    )
    list(all_pairs([structs.replace(old, text=TEA)], STANDARD, reader))
    assert reader.requests[-1].keys == fingerprint_of(TEA, STANDARD).keys


def copy(number: int) -> Document:
    text = f"{METRO}转载第{number}次。"
    return Document(f"{number}", text, {"text": text})


def test_very_many_copies_are_reported_as_incomplete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "FREQUENT_ONLY", 20)
    plan = replace(STANDARD, thresholds=replace(STANDARD.thresholds, hot=10))
    with Index.create(Location(str(tmp_path)), plan=plan) as index:
        list(index.add(copy(n) for n in range(80)))
        report = SweepReport()
        pairs = {frozenset((p.first.id, p.second.id)) for p in index.sweep(report=report)}
    assert 80 <= len(pairs) < 80 * 79 / 2
    assert (report.documents, report.pairs, report.incomplete) == (80, len(pairs), 80)
