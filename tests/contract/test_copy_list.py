"""The list of copies says what the groups say, on both stores, and what the report counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from dupdex.groups.group_store import GroupRecord, GroupStore
from dupdex.index import Index
from dupdex.jobs.run_store import RunStore, State
from dupdex.kibana.index_facts import check_field
from dupdex.matches.match_record import pair_id
from dupdex.report.analysis import analyse
from dupdex.report.copy_list import CopyCounts, CopyFields, list_copies
from dupdex.report.findings import ReportOptions
from dupdex.session import Session
from indexer.model import Ref
from indexer.stores.collection_store import scan
from mappings.collections import LONGEST_KEYWORD
from mappings.errors import InputRefused, NotFound
from mappings.records import COPIES, GROUPS, key_of
from tests.contract.stores import Store, real
from tests.texts import METRO

NOW = "2026-01-31T00:00:00.000Z"
FIELDS = CopyFields("site.name", "at")

BODIES: dict[str, dict[str, Any]] = {
    "a": {"site": {"name": "甲报"}, "at": "2026-01-30"},
    "b": {"site": {"name": "乙报"}, "at": "2026-01-30T00:01:30Z"},
    "c": {"site": {"name": "甲报"}, "at": "2026-01-29"},
    "d": {"site": {"name": "丙" * LONGEST_KEYWORD}},
    "e": {"site": {"name": "丙网"}, "at": "2026-02-01"},
    "f": {"site": {"name": "甲报"}, "at": "soon"},
    "alone": {"site": {"name": "甲报"}, "at": "2026-01-30"},
}
GROUPED = {"a": "abcd", "e": "ef", "alone": "alone"}


@pytest.fixture
def session(store: Store) -> Session:
    store.write(*(replace_body(name, body) for name, body in BODIES.items()))
    store.close_writer()
    session = store.opened.enter_context(Session(store.opener.location))
    at = session.location.index
    with Index.create(session) as index:
        for name, members in GROUPED.items():
            listed = [members] if name == members else list(members)
            index._for_writing().set_groups({Ref(at, member): name for member in listed})
        index.refresh()
    put_groups(session, a=4, e=2)
    return session


def replace_body(name: str, body: dict[str, Any]) -> Any:
    record = real(name, METRO)
    return replace(record, document=replace(record.document, body={**record.document.body, **body}))


def put_groups(session: Session, **sizes: int) -> None:
    at = session.location.index
    records = [GroupRecord(g, Ref(at, g), size, NOW, NOW) for g, size in sizes.items()]
    store = GroupStore(session.collection(GROUPS))
    store.put(records)
    store.refresh()


def listed(session: Session) -> dict[str, dict[str, Any]]:
    """Items by the id of the copy, without the time of the listing."""
    items = list(scan(session.collection(COPIES)))
    at = session.location.index
    out = {}
    for item in items:
        values = dict(item.values)
        assert values.pop("listed") > NOW
        name = values.pop("document").removeprefix(f"{at}|")
        original = values["original"] = values["original"].removeprefix(f"{at}|")
        assert item.id == pair_id(Ref(at, name), Ref(at, original))
        out[name] = values
    return out


def test_a_field_that_no_document_has_is_refused(session: Session) -> None:
    """It would look as if no copy came from another source."""
    for path in ("site.name", "at", ""):
        check_field(session, path, "--source-field")
    with pytest.raises(InputRefused, match=r"'site\.nam'; name another one with --source"):
        check_field(session, "site.nam", "--source-field")


def test_every_copy_is_listed_with_its_original(session: Session) -> None:
    assert list_copies(session, FIELDS) == CopyCounts(4, 2, 2)
    found = listed(session)
    assert found == {
        "b": {
            "original": "a",
            "group": "a",
            "source": "乙报",
            "original_source": "甲报",
            "across": "yes",
            "time": "2026-01-30T00:01:30.000Z",
            "original_time": "2026-01-30T00:00:00.000Z",
            "delay": 90,
        },
        "c": {
            "original": "a",
            "group": "a",
            "source": "甲报",
            "original_source": "甲报",
            "across": "no",
            "time": "2026-01-29T00:00:00.000Z",
            "original_time": "2026-01-30T00:00:00.000Z",
            "delay": -86_400,
        },
        "d": {  # its source is longer than a keyword of a collection
            "original": "a",
            "group": "a",
            "original_source": "甲报",
            "across": "no",
            "original_time": "2026-01-30T00:00:00.000Z",
        },
        "f": {
            "original": "e",
            "group": "e",
            "source": "甲报",
            "original_source": "丙网",
            "across": "yes",
            "original_time": "2026-02-01T00:00:00.000Z",
        },
    }


def test_a_sub_field_is_read_in_its_field(session: Session) -> None:
    """As people name it who aggregate by site.name.keyword; documents hold the field alone."""
    by_field = list_copies(session, FIELDS), listed(session)
    sub_fields = CopyFields("site.name.keyword", "at.day")
    assert (list_copies(session, sub_fields), listed(session)) == by_field


def test_it_says_what_the_report_counts(session: Session) -> None:
    with Index.create(session) as index:
        index.delete(["d"])  # the report counts copies of unknown sources
        index.refresh()
    put_groups(session, a=3)
    list_copies(session, FIELDS)
    flows = Counter((each["source"], each["original_source"]) for each in listed(session).values())
    made = analyse(session, ReportOptions("at", "site.name", "", None, 50))
    assert {(flow.copier, flow.original): flow.copies for flow in made.flows} == flows
    assert made.total.copies == flows.total()


def test_without_fields_it_goes_by_the_time_of_writing(session: Session) -> None:
    assert list_copies(session, CopyFields()) == CopyCounts(4, 2, 0)
    for item in listed(session).values():
        assert item["across"] == "no"
        assert "source" not in item
        assert item["time"] > NOW
        assert abs(item["delay"]) < 3_600


def test_what_is_no_copy_any_more_goes(session: Session) -> None:
    list_copies(session, FIELDS)
    with Index.create(session) as index:
        index.delete(["b", "e"])  # a copy and an original
        index.refresh()
    assert set(listed(session)) == {"b", "c", "d", "f"}  # until the next run
    assert list_copies(session, FIELDS) == CopyCounts(2, 1, 0, gone=2)
    assert set(listed(session)) == {"c", "d"}
    done = RunStore.open(session).latest("copies")
    assert [run.state for run in done] == [State.DONE, State.DONE]
    assert done[0].counts == {"copies": 2, "originals": 1, "gone": 2}


def test_what_was_written_a_moment_ago_counts(session: Session) -> None:
    """A decision, say, takes a document out of its group."""
    at = session.location.index
    list_copies(session, FIELDS)  # makes its collections, which takes longer than a refresh does
    with Index.create(session) as index:
        index._for_writing().set_groups({Ref(at, "b"): "b"})
    assert list_copies(session, FIELDS) == CopyCounts(3, 2, 1, gone=1)


def test_an_index_without_groups_says_so(store: Store) -> None:
    store.write(real("a", METRO))
    store.close_writer()
    session = store.opened.enter_context(Session(store.opener.location))
    with pytest.raises(NotFound, match="keeps no groups yet; 'dupdex sweep' makes them"):
        list_copies(session, FIELDS)


@pytest.mark.parametrize("name", ["a", "b", "f"])
def test_a_forgotten_document_is_in_no_list(session: Session, name: str) -> None:
    list_copies(session, FIELDS)
    key = key_of(session.location.index, name)
    with Index.create(session) as index:
        assert any(line.startswith("copies: item") for line in index.left_of(name))
        receipt = index.forget_document(name)
        assert receipt.left == ()
        assert index.left_of(name) == []
    for item in scan(session.collection(COPIES)):
        assert key not in (item.values["document"], item.values["original"])
    kept = {"a": {"f"}, "b": {"c", "d", "f"}, "f": {"b", "c", "d"}}
    assert set(listed(session)) == kept[name]
