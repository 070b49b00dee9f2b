"""An index that dupdex writes nothing to answers through a sidecar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import pytest
from elasticsearch import Elasticsearch

from dupdex import Decision, Index, Session
from dupdex.attach import attaching, detaching
from dupdex.jobs.sweep_job import Sweep, sweep
from dupdex.location import Location
from dupdex.matches.match_store import MatchStore
from dupdex.report.analysis import analyse
from dupdex.report.findings import ReportOptions
from indexer.model import Ref
from indexer.stores.elastic.client import ElasticSettings
from mappings.errors import InputRefused, StoreRefused
from mappings.plan import CHARACTERS
from mappings.sidecar_body import sidecar_name
from query.answers import GroupHits
from query.questions import EVERYTHING, Options
from query.stores import StoreReader
from query.tally import ByGroup, ByPlan, ByValue, InGroups, Tally, TallyRow, These
from tests.service.elastic_data import chinese
from tests.service.foreign_data import BODY, MAPPINGS, made, place, put, sources, text_in, theirs


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detaching, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(attaching, "MOVING_SECONDS", 0.0)


def attach(where: Location, **options: Any) -> int:
    report = Index.attach(where, BODY, plan=CHARACTERS, sidecar=True, **options)
    assert not report.edited
    assert not report.refused
    return report.written


def described(raw: Elasticsearch, index: str) -> Any:
    """All that can be seen of an index, with every document and its version."""
    raw.indices.refresh(index=index)
    about = raw.indices.get(index=index)[index]
    hits = raw.search(index=index, size=10_000, seq_no_primary_term=True, version=True)
    documents = {
        hit["_id"]: [hit["_source"], hit["_seq_no"], hit["_primary_term"], hit["_version"]]
        for hit in hits["hits"]["hits"]
    }
    return about, documents


def found(index: Index, text: str, options: Options | None = None) -> list[str]:
    return [match.id for match in index.lookup(text, options).matches]


def test_it_answers_and_the_index_is_untouched(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    made(raw, settings.index, 300)
    put(raw, settings.index, [("copy", theirs(7, source="copy"))])
    before = described(raw, settings.index)
    where = place(settings)
    assert attach(where) == 301
    with Index.open(where) as index:
        answer = index.lookup(text_in(7))
        assert sorted(match.id for match in answer.matches) == ["copy", "d7"]
        assert {match.index for match in answer.matches} == {settings.index}
        assert {match.verdict for match in answer.matches} == {"exact"}
        assert answer.matches[0].document["source"] in ("wire", "copy")
        facts = index.describe()
        assert facts["attached"] == "done"
        assert facts["covered"] == facts["documents"] == 301
        assert facts["sidecar"] == sidecar_name(settings.index)
        pairs = [sorted((pair.first.id, pair.second.id)) for pair in index.sweep()]
        assert pairs == [["copy", "d7"]]
        assert len(list(index.scan())) == index.count() == 301
    assert described(raw, settings.index) == before
    report = Index.detach(where)
    assert sidecar_name(settings.index) in report.collections
    assert list(raw.indices.get(index=f"{settings.index}*", expand_wildcards="all")) == [
        settings.index
    ]
    assert described(raw, settings.index) == before
    with pytest.raises(StoreRefused, match="not made by dupdex"):
        Index.open(where)


def test_again_and_again(settings: ElasticSettings, raw: Elasticsearch) -> None:
    """What other programs write, change and delete is taken by the next run."""
    made(raw, settings.index, 20)
    where = place(settings)
    assert attach(where) == 20
    assert attach(where) == 0
    put(raw, settings.index, [("new", theirs("new")), ("d3", theirs("edited"))])
    raw.update(index=settings.index, id="d5", doc={"source": "elsewhere"}, refresh=True)
    raw.delete(index=settings.index, id="d6", refresh=True)
    with Index.open(where) as index:
        assert found(index, text_in("new")) == []
        assert found(index, text_in(3)) == []  # judged by its present text
        assert found(index, text_in(5)) == ["d5"]
        answer = index.lookup(text_in(6))
        assert (answer.matches, answer.completeness.candidates) == ((), 0)
    assert attach(where) == 2
    held = sources(raw, sidecar_name(settings.index))
    assert set(held) == set(sources(raw, settings.index))
    with Index.open(where) as index:
        assert found(index, text_in("new")) == ["new"]
        assert found(index, text_in("edited")) == ["d3"]
        assert index.describe()["covered"] == 20
        assert "next_step" not in index.describe()
    assert attach(where) == 0


def both(
    raw: Elasticsearch,
    settings: ElasticSettings,
    other: Location,
    documents: Mapping[str, dict[str, Any]],
) -> Location:
    """The same documents in an index with a sidecar and in `other`, which is attached."""
    for name in (settings.index, other.index):
        raw.indices.create(index=name, mappings=MAPPINGS)
        put(raw, name, documents.items())
    attach(place(settings))
    Index.attach(other, BODY, plan=CHARACTERS)
    return place(settings)


SAME: Final = (Options(), EVERYTHING, Options(verify=0), Options(candidates=3, size=3))


def test_the_same_answers_as_attached(settings: ElasticSettings, raw: Elasticsearch) -> None:
    """Also with filters, with limits, and judged from stored values alone."""
    documents = {f"d{at}": theirs(at % 40, source=f"s{at % 3}") for at in range(120)}
    for at in range(60):
        first, second = theirs(at)["content"]["body"]
        documents[f"e{at}"] = {"content": {"body": [first[:-9], second]}, "source": "s1"}
    other = Location(settings.url, f"{settings.index}-1")
    where = both(raw, settings, other, documents)
    narrow, wide = {"term": {"source": "s2"}}, {"exists": {"field": "source"}}
    with Index.open(where) as beside, Index.open(other) as inside:
        for at in (0, 3, 39, 41, 59):
            for options in (*SAME, Options(filters=(narrow,)), Options(filters=(wide,))):
                ours, others = (each.lookup(text_in(at), options) for each in (beside, inside))
                assert same(ours) == same(others)
                ours, others = (each.lookup_id(f"e{at}", options) for each in (beside, inside))
                assert same(ours) == same(others)
                assert ours.left_out == others.left_out
        assert pairs(beside) == pairs(inside)
        for text in (text_in(3)[:8], chinese("nobody")):
            one, two = (each.search(text, filters=(narrow,)) for each in (beside, inside))
            assert ([(h.id, h.body) for h in one.hits], one.total) == (
                [(h.id, h.body) for h in two.hits],
                two.total,
            )


def test_more_is_asked_for_where_filters_accept_little(
    settings: ElasticSettings, raw: Elasticsearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Filters that accept too many documents to name them are applied to what the sidecar finds."""
    monkeypatch.setattr("query.stores.elastic.sidecar_search._FEW", 9)
    made(raw, settings.index, 3)
    copies = [(f"c{at}", theirs(1, source="few" if at % 25 == 0 else "many")) for at in range(260)]
    put(raw, settings.index, copies)
    attach(place(settings))
    few = Options(candidates=5, size=5, filters=({"term": {"source": "few"}},))
    many = Options(candidates=5, size=5, filters=({"term": {"source": "many"}},))
    with Index.open(place(settings)) as index:
        answer = index.lookup(text_in(1), few)
        assert [match.document["source"] for match in answer.matches] == ["few"] * 5
        assert answer.completeness.truncated
        assert len(found(index, text_in(1), replace(few, size=None, candidates=None))) == 11
        answer = index.lookup(text_in(1), many)
        assert [match.document["source"] for match in answer.matches] == ["many"] * 5
        ours: dict[str, Any] = {"term": {"dupdex.group": "c1"}}
        with pytest.raises(InputRefused, match="lie in its sidecar; filter by fields of the doc"):
            index.lookup(text_in(1), replace(few, filters=({"bool": {"filter": [ours]}},)))
        none = replace(few, filters=({"term": {"source": "none"}},))
        assert found(index, text_in(1), none) == []


def test_groups_pairs_and_counts_are_the_same(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    documents = {f"d{at}": theirs(at % 17, source=f"s{at % 3}") for at in range(60)}
    for document in documents.values():
        document["content"]["body"].append("共同")
    other = Location(settings.url, f"{settings.index}-1")
    where = both(raw, settings, other, documents)
    before = described(raw, settings.index)
    with Session(where) as one, Session(other) as two:
        counts = []
        for session in (one, two):
            run = sweep(session, Sweep(groups=True))
            counts.append({k: v for k, v in run.counts.items() if "second" not in k})
            with Index.create(session) as index:
                index.decide("d0", "d17", Decision.NOT_DUPLICATE, "by hand", "somebody")
                index.refresh()
        assert counts[0] == counts[1]
        readers = one.reader(), two.reader()
        standings = [{r.id: s.group for r, s in each.all_standings()} for each in readers]
        assert standings[0] == standings[1]
        assert len(set(standings[0].values())) < 60
        groups = sorted(set(standings[0].values()))
        assert ids_in(readers[0].members(groups)) == ids_in(readers[1].members(groups))
        for tally in TALLIES:
            ours, others = (Counter(map(by_key, each.tally(tally))) for each in readers)
            assert ours == others, tally
        assert page_by_page(readers[0], "共同") == groups
        words = text_in(3)[:6]
        pages = [each.search_groups(words, 3) for each in readers]
        assert pages[0].groups == pages[1].groups > 0
        assert shown(pages[0]) == shown(pages[1])
        kept = [
            sorted(sorted((r.first.id, r.second.id)) for r in MatchStore.open(each).everything())
            for each in (one, two)
        ]
        assert kept[0] == kept[1] != []
        totals = [analyse(each, ReportOptions(source_field="source")).total for each in (one, two)]
        assert totals[0] == totals[1]
        with Index.open(one) as beside, Index.open(two) as inside:
            answers = [each.lookup_id("d0", EVERYTHING) for each in (beside, inside)]
            assert same(answers[0]) == same(answers[1])
            assert "d17" not in [match.id for match in answers[0].matches]
            assert sorted(each.id for each in beside.find(text=words)) == sorted(
                each.id for each in inside.find(text=words)
            )
    assert described(raw, settings.index) == before


TALLIES: Final = (
    Tally(()),
    Tally((ByGroup(),)),
    Tally((ByPlan(),)),
    Tally((ByValue("source"),)),
    Tally((ByValue("source"), ByGroup())),
    Tally((ByValue("source"), ByPlan()), InGroups(("d1", "d2"))),
    Tally((ByGroup(),), InGroups(("d1", "d2"))),
    Tally((ByValue("source"),), InGroups(("d1", "d2"))),
    Tally((), InGroups(("d1",))),
    Tally((ByValue("source"), ByGroup()), These((Ref("", "d1"), Ref("", "d2")))),
    Tally((ByGroup(),), These((Ref("", "d1"), Ref("", "d2")))),
)


def by_key(row: TallyRow) -> tuple[Any, int]:
    return row.keys, row.documents


def ids_in(members: Mapping[str, Sequence[Ref]]) -> dict[str, list[str]]:
    return {group: [ref.id for ref in refs] for group, refs in members.items()}


def page_by_page(reader: StoreReader, text: str) -> list[str]:
    """The ids of all groups that a search finds."""
    out: list[str] = []
    after: Any = None
    while True:
        page = reader.search_groups(text, 4, after)
        out += [each.group for each in page.hits]
        after = page.next
        if after is None:
            assert len(out) == page.groups
            return sorted(out)


def shown(page: GroupHits) -> Any:
    hits = [(each.group, each.copies, sorted(each.hit.body)) for each in page.hits]
    return sorted(hits), page.documents, page.next is None


def same(answer: Any) -> Any:
    """An answer without the names of indices."""
    matches = [
        (m.id, m.verdict, m.similarity, m.share, m.direction, m.evidence, m.document)
        for m in answer.matches
    ]
    return sorted(matches, key=repr), answer.completeness


def pairs(index: Index) -> list[list[str]]:
    return sorted(sorted((pair.first.id, pair.second.id)) for pair in index.sweep())
