"""Every panel, asked as Lens asks, says what the stored documents, pairs, groups and runs say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from statistics import median
from typing import Any

import pytest

from dupdex import Session
from dupdex.kibana.data_views import object_id
from dupdex.kibana.index_facts import IndexFacts
from dupdex.kibana.kibana_objects import kibana_objects
from dupdex.report.analysis import analyse
from dupdex.report.findings import ReportOptions
from mappings.collections import ID, collection_index
from mappings.records import RUNS
from tests.service.kibana.conftest import Sampled, stored_items
from tests.service.kibana.lens_requests import Json, Panel, Range, panels_of

Rows = list[Json]


def panels(sampled: Sampled, board: str, date_field: str = "date") -> dict[str, Panel]:
    objects = sampled.objects(date_field)
    found = panels_of(objects[object_id(sampled.index, board)], objects)
    return {panel.id: panel for panel in found}


def rows(sampled: Sampled, panel: Panel, time: Range | None = None) -> Rows:
    """What the panel shows of the sample."""
    body = panel.request(time or Range())
    answer = sampled.client.search(index=panel.index, body=body, allow_partial_search_results=False)
    return panel.rows(answer.body)


def of_documents(sampled: Sampled) -> list[tuple[str, str, str]]:
    """Source, group and day of every document."""
    return [(d["source"], d["dupdex"]["group"], d["date"]) for d in sampled.documents]


def group_sizes(sampled: Sampled) -> Counter[str]:
    return Counter(group for _, group, _ in of_documents(sampled))


def milliseconds(day: str) -> float:
    return datetime.fromisoformat(f"{day[:10]}T00:00:00+00:00").timestamp() * 1_000


# --- Duplicates


def figures(sampled: Sampled) -> dict[str, float]:
    sizes = group_sizes(sampled)
    large = [size for size in sizes.values() if size > 1]
    to_decide = [
        each
        for each in sampled.matches
        if each["verdict"] == "near" and each["decision"] == "undecided" and "template" not in each
    ]
    documents = len(sampled.documents)
    return {
        "documents": documents,
        "groups": len(large),
        "copies": sum(large) - len(large),
        "share": 1 - len(sizes) / documents,
        "to_decide": len(to_decide),
    }


def test_figures(sampled: Sampled) -> None:
    found = panels(sampled, "duplicates")
    wanted = figures(sampled)
    assert wanted["documents"] == 67
    assert wanted["copies"] > 20
    assert 0 < wanted["to_decide"] < len(sampled.matches)
    for name, value in wanted.items():
        (row,) = rows(sampled, found[name])
        assert next(iter(reversed(row.values()))) == pytest.approx(value), name


def test_share_over_time(sampled: Sampled) -> None:
    by_month = defaultdict(list)
    for _, group, day in of_documents(sampled):
        by_month[day[:7]].append(group)
    assert len(by_month) > 2
    wanted = {
        milliseconds(f"{month}-01"): 1 - len(set(groups)) / len(groups)
        for month, groups in by_month.items()
    }
    shown = rows(sampled, panels(sampled, "duplicates")["share_over_time"])
    assert {row["time"]: row["share"] for row in shown} == pytest.approx(wanted)
    assert max(wanted.values()) > 0


def test_pairs_over_time_by_verdict(sampled: Sampled) -> None:
    shown = rows(sampled, panels(sampled, "duplicates")["pairs_over_time"])
    wanted = Counter(each["verdict"] for each in sampled.matches)
    assert {row["verdict"]: row["n"] for row in shown} == wanted
    assert len(wanted) == 3


def test_pairs_by_similarity(sampled: Sampled) -> None:
    shown = rows(sampled, panels(sampled, "duplicates")["similarity"])
    found: Counter[tuple[float, str]] = Counter()
    for row in shown:
        found[float(row["similarity"].partition("-")[0]), row["verdict"]] += row["n"]
    bounds = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    wanted = Counter(
        (max(low for low in bounds if low <= each["similarity"]), each["verdict"])
        for each in sampled.matches
    )
    assert found == wanted
    assert wanted[0.9, "exact"]  # the last range holds what is 1


def test_pairs_by_decision_and_by_facts(sampled: Sampled) -> None:
    found = panels(sampled, "duplicates")
    shown = rows(sampled, found["decisions"])
    wanted = Counter(each["decision"] for each in sampled.matches)
    assert {row["decision"]: row["n"] for row in shown} == wanted
    assert wanted["not-duplicate"] == 1
    shown = rows(sampled, found["facts"])
    near = (each for each in sampled.matches if each["verdict"] == "near" and "facts" in each)
    assert {row["facts"]: row["n"] for row in shown} == Counter(each["facts"] for each in near)
    assert len(shown) == 2


def test_largest_groups(sampled: Sampled) -> None:
    shown = rows(sampled, panels(sampled, "duplicates")["largest"])
    sizes = [row["size"] for row in shown]
    assert sizes == sorted(sizes, reverse=True)
    wanted = {
        each["_id"]: (each["canonical"], each["size"])
        for each in sampled.groups
        if each["size"] > 1
    }
    assert {row["group"]: (row["canonical"], row["size"]) for row in shown} == wanted
    assert all(row["changed"] for row in shown)


def test_runs(sampled: Sampled) -> None:
    shown = rows(sampled, panels(sampled, "duplicates")["runs"])
    runs = stored_items(sampled.client, collection_index(sampled.index, RUNS))
    counts = Counter((run["job"], run["state"]) for run in runs)
    assert {(row["job"], row["state"]): row["n"] for row in shown} == counts
    assert {job for job, _ in counts} == {"sweep", "copies"}
    for row in shown:
        began = max(run["started"] for run in runs if run["job"] == row["job"])
        last = datetime.fromisoformat(began).timestamp() * 1_000
        assert row["last"] == pytest.approx(last)


# --- Copying between sources


def test_figures_about_sources(sampled: Sampled) -> None:
    found = panels(sampled, "copying")
    sources = {source for source, _, _ in of_documents(sampled)}
    wanted = {
        "sources": len(sources),
        "documents": 67,
        "texts": len(group_sizes(sampled)),
        "share": figures(sampled)["share"],
    }
    for name, value in wanted.items():
        (row,) = rows(sampled, found[name])
        assert next(iter(reversed(row.values()))) == pytest.approx(value), name


def test_documents_by_source_and_over_time(sampled: Sampled) -> None:
    found = panels(sampled, "copying")
    counts = Counter(source for source, _, _ in of_documents(sampled))
    shown = rows(sampled, found["by_source"])
    assert all(row["n"] == counts[row["source"]] for row in shown)
    assert [row["n"] for row in shown] == sorted(counts.values(), reverse=True)[:20]
    shown = rows(sampled, found["over_time"])
    by_month = Counter(
        (milliseconds(f"{day[:7]}-01"), source) for source, _, day in of_documents(sampled)
    )
    assert all(row["n"] == by_month[row["time"], row["source"]] for row in shown)
    most: dict[float, list[int]] = defaultdict(list)
    for (month, _), number in by_month.items():
        most[month].append(number)
    wanted = {month: sorted(numbers, reverse=True)[:8] for month, numbers in most.items()}
    found_in: dict[float, list[int]] = defaultdict(list)
    for row in shown:
        found_in[row["time"]].append(row["n"])
    assert found_in == wanted


def test_texts_in_most_sources(sampled: Sampled) -> None:
    shown = rows(sampled, panels(sampled, "copying")["spread"])
    members = defaultdict(list)
    for source, group, day in of_documents(sampled):
        members[group].append((source, milliseconds(day)))
    for row in shown:
        inside = members[row["group"]]
        days = [day for _, day in inside]
        wanted = (len({source for source, _ in inside}), len(inside), min(days), max(days))
        assert (row["sources"], row["n"], row["first"], row["last"]) == wanted
    most = max(len({source for source, _ in inside}) for inside in members.values())
    assert shown[0]["sources"] == most > 1


def test_sources_that_post_a_text_again(sampled: Sampled) -> None:
    shown = rows(sampled, panels(sampled, "copying")["repeating"])
    groups = defaultdict(list)
    for source, group, _ in of_documents(sampled):
        groups[source].append(group)
    wanted = {
        source: (len(all_), len(set(all_)), 1 - len(set(all_)) / len(all_))
        for source, all_ in groups.items()
    }
    found = {row["source"]: (row["n"], row["texts"], row["share"]) for row in shown}
    assert found == wanted
    assert found["甲号"] == (2, 1, 0.5)


def test_who_had_a_text_first(sampled: Sampled) -> None:
    shown = rows(sampled, panels(sampled, "copying")["who_first"])
    earliest: dict[str, dict[str, float]] = defaultdict(dict)
    for source, group, day in of_documents(sampled):
        at = milliseconds(day)
        earliest[group][source] = min(at, earliest[group].get(source, at))
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for row in shown:
        found[row["group"]][row["source"]] = row["first"]
    for group, sources in found.items():
        assert sources == earliest[group]
        assert list(sources.values()) == sorted(sources.values())
    several = [len(sources) for sources in found.values()]
    assert several == sorted(several, reverse=True)
    assert several[0] > 1


def test_who_copies_whom(sampled: Sampled) -> None:
    """The same as the report counts."""
    found = panels(sampled, "copying")
    shown = rows(sampled, found["flows"])
    with Session(sampled.location) as session:
        report = analyse(session, ReportOptions("date", "source", top=1_000))
    assert report.total.copies == len(sampled.copies)
    flows = {(each.original, each.copier): each for each in report.flows}
    assert len(shown) > 20
    for row in shown:
        flow = flows[row["original"], row["copier"]]
        assert row["original"] != row["copier"]
        assert (row["n"], row["originals"]) == (flow.copies, flow.groups)
    most = max(flow.copies for names, flow in flows.items() if len(set(names)) == 2)
    assert max(row["n"] for row in shown) == most
    delays = [
        each["delay"]
        for each in sampled.copies
        if (each["original_source"], each["source"]) == (shown[0]["original"], shown[0]["copier"])
    ]
    assert min(delays) <= shown[0]["delay"] <= max(delays)


def test_how_soon_sources_copy(sampled: Sampled) -> None:
    found = panels(sampled, "copying")
    delays = defaultdict(list)
    originals = defaultdict(set)
    for each in sampled.copies:
        if each["across"] == "yes" and each["delay"] >= 0:
            delays[each["source"]].append(each["delay"])
            originals[each["source"]].add(each["original"])
    assert len(delays) < len({each["source"] for each in sampled.copies})
    for row in rows(sampled, found["fastest"]):
        assert row["originals"] == len(originals[row["copier"]])
        assert row["least"] == min(delays[row["copier"]])
        assert row["median"] == pytest.approx(median(delays.pop(row["copier"])))
    assert delays == {}


def test_most_copied_originals(sampled: Sampled) -> None:
    shown = rows(sampled, panels(sampled, "copying")["originals"])
    sources = defaultdict(list)
    for each in sampled.copies:
        sources[each["original"]].append(each["source"])
    wanted = {name: (len(all_), len(set(all_))) for name, all_ in sources.items()}
    assert {row["original"]: (row["n"], row["sources"]) for row in shown} == wanted
    numbers = [row["n"] for row in shown]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[0] > 1


# --- all of them


def every(sampled: Sampled, date_field: str) -> Iterator[Panel]:
    for board in ("duplicates", "copying"):
        yield from panels(sampled, board, date_field).values()


def test_every_panel_is_tested() -> None:
    """A new panel needs figures here."""
    names = {
        "documents", "groups", "copies", "share", "to_decide", "share_over_time",
        "pairs_over_time", "similarity", "decisions", "facts", "largest", "runs", "sources",
        "texts", "by_source", "over_time", "spread", "repeating", "who_first", "flows", "fastest",
        "originals",
    }  # fmt: skip
    facts = IndexFacts("i", source_field="s", kinds={"s": "keyword"})
    objects = {each.id: each.to_json() for each in kibana_objects(facts)}
    boards = [each for each in objects.values() if each["type"] == "dashboard"]
    assert {panel.id for board in boards for panel in panels_of(board, objects)} == names


def test_panels_keep_to_the_time(sampled: Sampled) -> None:
    """Of a time before anything there is nothing, by any data view."""
    before = Range("1990-01-01T00:00:00.000Z", "1990-02-01T00:00:00.000Z")
    seen: set[str] = set()
    for panel in every(sampled, "date"):
        seen.add(panel.view["attributes"]["name"])
        for row in rows(sampled, panel, before):
            shown: Callable[[Any], bool] = bool
            values = [row[name] for name in panel.columns if name in row]
            figures = [value for value in values if isinstance(value, int | float)]
            assert not any(map(shown, figures)), panel.id
    assert len(seen) == 5


def test_the_time_of_writing_is_a_time(sampled: Sampled) -> None:
    """Without a date field the panels go by when documents were written."""
    found = panels(sampled, "duplicates", "")
    assert found["documents"].view["attributes"]["timeFieldName"] == "dupdex.indexed"
    assert rows(sampled, found["documents"]) == [{"n": 67}]
    shown = rows(sampled, found["share_over_time"])
    assert shown[0]["share"] == pytest.approx(figures(sampled)["share"])
    for panel in every(sampled, ""):
        assert rows(sampled, panel), panel.id


def test_links_lead_to_what_is_stored(sampled: Sampled) -> None:
    """The values behind a link are ids of groups, keys of documents and ids of pairs."""
    assert {each["_id"] for each in sampled.groups} == {each[ID] for each in sampled.groups}
    assert {each["_id"] for each in sampled.matches} == {each[ID] for each in sampled.matches}
    documents = {f"{sampled.index}|{each['_id']}" for each in sampled.documents}
    assert {each["canonical"] for each in sampled.groups if each["size"]} <= documents
    assert {each[side] for each in sampled.matches for side in ("first", "second")} <= documents
