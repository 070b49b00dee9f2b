"""The requests of docs/kibana.md, run as they stand there, answer their questions."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from mappings.collections import collection_index
from mappings.records import COPIES, GROUPS, MATCHES, RUNS
from tests.service.kibana.conftest import Sampled

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "kibana.md"
REQUEST = re.compile(
    r"^### (\d+)\. .*?^```\nGET (\S+)/_search\n(.*?)^```", re.DOTALL | re.MULTILINE
)
REQUESTS = {
    int(number): (index, body)
    for number, index, body in REQUEST.findall(DOCUMENT.read_text("utf-8"))
}


def asked(sampled: Sampled, number: int, **other: str) -> dict[str, Any]:
    """The answer to a question, with the names of the sample in the place of those of the doc."""
    index, body = REQUESTS[number]
    names = {'"site"': '"source"', '"published"': '"date"', **other}
    for name, here in names.items():
        body = body.replace(name, here)
    index = index.replace("articles", sampled.index, 1)
    answer: dict[str, Any] = sampled.client.search(
        index=index, body=json.loads(body), allow_partial_search_results=False
    ).body
    return answer


def hits(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"_id": hit["_id"], **hit["_source"]} for hit in answer["hits"]["hits"]]


def groups_of(sampled: Sampled) -> dict[str, list[dict[str, Any]]]:
    out = defaultdict(list)
    for each in sampled.documents:
        out[each["dupdex"]["group"]].append(each)
    return out


def test_there_are_ten() -> None:
    assert sorted(REQUESTS) == list(range(1, 11))
    collections = {collection_index("articles", each) for each in (MATCHES, GROUPS, RUNS, COPIES)}
    assert {index for index, _ in REQUESTS.values()} == {"articles", *collections}


def test_how_much_is_copied_and_when(sampled: Sampled) -> None:
    answer = asked(sampled, 1)
    assert answer["hits"]["total"]["value"] == len(sampled.documents)
    assert answer["aggregations"]["texts"]["value"] == len(groups_of(sampled))
    months = answer["aggregations"]["months"]["buckets"]
    march = [each for each in sampled.documents if each["date"].startswith("2025-03")]
    first = months[0]
    assert first["key_as_string"][:7] == "2025-03"
    assert first["doc_count"] == len(march)
    assert first["texts"]["value"] == len({each["dupdex"]["group"] for each in march}) < len(march)


def test_what_was_copied_most(sampled: Sampled) -> None:
    answer = asked(sampled, 2, **{'"now-7d/d"': '"2025-03-01"'})
    texts = answer["aggregations"]["texts"]["buckets"]
    groups = groups_of(sampled)
    assert texts[0]["doc_count"] == max(map(len, groups.values()))
    for text in texts:
        inside = groups[text["key"]]
        earliest = min(each["date"] for each in inside)
        (one,) = text["one"]["hits"]["hits"]
        assert text["doc_count"] == len(inside) > 1
        assert text["sources"]["value"] == len({each["source"] for each in inside})
        assert one["_id"] in {each["_id"] for each in inside if each["date"] == earliest}
    assert asked(sampled, 2)["aggregations"]["texts"]["buckets"] == []  # none of this week


def test_which_accounts_post_a_text_again(sampled: Sampled) -> None:
    accounts = asked(sampled, 3)["aggregations"]["accounts"]["buckets"]
    again = {each["key"] for each in accounts if each["doc_count"] > each["texts"]["value"]}
    counts = Counter((each["source"], each["dupdex"]["group"]) for each in sampled.documents)
    assert again == {source for (source, _), number in counts.items() if number > 1}
    assert "甲号" in again


def test_who_copies_whom(sampled: Sampled) -> None:
    originals = asked(sampled, 4)["aggregations"]["from"]["buckets"]
    flows = {(o["key"], flow["key"]): flow for o in originals for flow in o["by"]["buckets"]}
    across = [each for each in sampled.copies if each["across"] == "yes"]
    wanted = Counter((each["original_source"], each["source"]) for each in across)
    assert {names: flow["doc_count"] for names, flow in flows.items()} == wanted
    for names, flow in flows.items():
        inside = [e for e in across if (e["original_source"], e["source"]) == names]
        assert flow["originals"]["value"] == len({each["original"] for each in inside})
        middle = median(each["delay"] for each in inside)
        assert flow["seconds"]["values"]["50.0"] == pytest.approx(middle)


def test_who_had_a_text_first(sampled: Sampled) -> None:
    sources = asked(sampled, 5)["aggregations"]["sources"]["buckets"]
    inside = sorted(groups_of(sampled)["zh-01"], key=lambda each: str(each["date"]))
    assert len(sources) == len({each["source"] for each in inside}) > 1
    assert sources[0]["key"] == inside[0]["source"]
    assert [each["first"]["value_as_string"][:10] for each in sources] == [
        each["date"] for each in inside
    ]


def test_excerpts(sampled: Sampled) -> None:
    found = hits(asked(sampled, 6))
    wanted = {
        each["_id"]
        for each in sampled.matches
        if each["verdict"] == "partial" and each["direction"] != "overlaps"
    }
    assert {each["_id"] for each in found} == wanted != set()
    for each in found:
        whole = "second_share" if each["direction"] == "contains" else "first_share"
        assert each[whole] > 0.5


@pytest.mark.parametrize("number", [7, 8])
def test_pairs_to_look_at(sampled: Sampled, number: int) -> None:
    found = hits(asked(sampled, number))
    near = [each for each in sampled.matches if each["verdict"] == "near"]
    if number == 7:
        wanted = [e for e in near if e["decision"] == "undecided" and "template" not in e]
        order = [each["similarity"] for each in found]
        assert order == sorted(order)
        assert len(wanted) < len(near)
    else:
        wanted = [each for each in near if each["facts"] == "differ"]
        listed = [str(fact) for each in found for fact in each["differences"]["listed"]]
        assert any("十七" in fact and "十九" in fact for fact in listed), listed
    assert {each["_id"] for each in found} == {each["_id"] for each in wanted} != set()


def test_groups_that_grew(sampled: Sampled) -> None:
    found = hits(asked(sampled, 9))
    wanted = [each for each in sampled.groups if each["size"] > 1]
    assert {each["_id"] for each in found} == {each["_id"] for each in wanted}
    assert [each["size"] for each in found] == sorted((e["size"] for e in wanted), reverse=True)


def test_runs(sampled: Sampled) -> None:
    (run,) = hits(asked(sampled, 10))
    assert run["state"] == "done"
    assert run["counts"]["documents"] == len(sampled.documents)
    assert run["counts"]["kept"] == len(sampled.matches)
