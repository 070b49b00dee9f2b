"""Every operation of the OpenAPI document, on both stores, with answers of the documented form."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from dupdex.gateway.rest import bank_checks, bank_routes
from dupdex.matches.match_record import key, pair_id
from indexer.model import Ref
from tests.service.gateway.rest_client import ROOT, Rest, Told, document_at, send

BRIDGE = "云溪市北岸的白鹭大桥今天正式通车，市民代表参加了通车仪式，大桥全长三公里，双向六车道。"
COPY = BRIDGE.replace("六", "八")
OTHER = "An entirely different story, in English, about a bakery that opens at five each morning."


def filled(rest: Rest) -> Rest:
    """An index with a pair of copies, whose ids need escapes, and another document."""
    rest.put("a/1", BRIDGE, source="one", day="2026-01-01")
    rest.put("b?2", COPY, source="two", day="2026-01-02")
    rest.put("c", OTHER, source="one", day="2026-01-03")
    rest.refresh()
    return rest


def test_every_operation_answers_as_documented(rest: Rest) -> None:
    filled(rest)
    pair = {"first": {"id": "a/1"}, "second": {"id": "b?2"}}
    kept = pair_id(Ref(rest.target, "a/1"), Ref(rest.target, "b?2"))
    asked: dict[str, tuple[str, Any, int]] = {
        "info": ("/info", None, 200),
        "create_index": ("/index", None, 200),
        "search": ("/search", {"text": "大桥", "collapse": True}, 200),
        "check": ("/check", {"text": COPY, "all": True}, 200),
        "compare": ("/compare", pair, 200),
        "explain": ("/explain", pair, 200),
        "fingerprint": ("/fingerprint", {"text": BRIDGE}, 200),
        "get_document": ("/documents/a%2F1", None, 200),
        "put_document": ("/documents/new", {"text": "a text of its own, of a few words"}, 201),
        "list_groups": ("/groups", None, 200),
        "show_group": ("/groups/b%3F2", None, 200),
        "merge_groups": ("/groups/merge", {"first": "a/1", "second": "c", "why": "so"}, 200),
        "choose_canonical": ("/groups/canonical", {"id": "b?2"}, 200),
        "split_group": ("/groups/a%2F1/split", {"ids": ["c"]}, 200),
        "undo_correction": ("/groups/a%2F1/undo", None, 200),
        "release_group": ("/groups/a%2F1/release", None, 200),
        "list_matches": ("/matches", None, 200),
        "show_match": (f"/matches/{kept}", None, 200),
        "decide": ("/decisions", {"first": "a/1", "second": "c", "decision": "duplicate"}, 200),
        "next_reviews": ("/review/next", {"seat": "w", "size": 2}, 200),
        "skip_review": ("/review/skip", {"first": "a/1", "second": "b?2", "seat": "w"}, 200),
        "release_reviews": ("/review/release", {"seat": "w"}, 200),
        "review_figures": ("/review/figures", None, 200),
        "report": ("/reports", None, 200),
        "index_health": ("/health", None, 200),
        "report_groups": ("/reports/groups", None, 200),
        "report_table": ("/reports/pairs", None, 200),
        "sweep": ("/sweep", {"since": "last"}, 202),
        "list_jobs": ("/jobs", None, 200),
        "delete_document": ("/documents/c", None, 200),
    }
    with_jobs = {"attach", "detach", "show_job", "cancel_job", "run_job"}  # test_rest_jobs
    streams = {"add_documents"}  # test_rest_documents
    # banks: test_bank_routes
    of_no_index = {"show_session", "sign_in", "sign_out", "list_indices"}
    banks = {each.name for each in (*bank_routes.OPERATIONS, *bank_checks.OPERATIONS)}
    named = {
        operation["operationId"]: method.upper()
        for item in document_at(rest.url)["paths"].values()
        for method, operation in item.items()
    }
    assert (
        named.keys() == asked.keys() | with_jobs | streams | of_no_index | banks
    )  # test_bank_routes
    for name, (path, body, status) in asked.items():
        told = rest.ask(named[name], path, body)
        assert told.status == status, (name, told.content[:500])


def test_a_pair_is_found_by_its_id_and_its_documents_by_their_keys(rest: Rest) -> None:
    filled(rest)
    first, second = Ref(rest.target, "a/1"), Ref(rest.target, "b?2")
    told = rest.ask("GET", f"/matches/{pair_id(second, first)}").value
    assert (told["first"]["id"], told["second"]["id"]) == ("a/1", "b?2")
    assert rest.ask("GET", f"/matches/{pair_id(first, first)}").status == 404
    keys = {"first": {"id": key(first)}, "second": {"id": key(second)}}
    assert rest.ask("POST", "/compare", keys).status == 200
    elsewhere = {**keys, "second": {"id": "elsewhere|b?2"}}
    assert rest.ask("POST", "/compare", elsewhere).status == 404


def test_what_is_about_no_index_answers_as_documented(rest: Rest) -> None:
    json = {"Content-Type": "application/json"}
    for method, path, body, status in (
        ("GET", "/session", None, 200),
        ("POST", "/session", b'{"key": "a:b"}', 422),  # no keys here: test_sessions
        ("DELETE", "/session", None, 204),
        ("GET", "/indices", None, 200),
    ):
        told = send(rest.url, method, ROOT + path, body, json if body else {})
        assert told.status == status, (path, told.content[:500])
        if status != 204:
            rest.check(method, path, told)


def test_the_index_is_listed(rest: Rest) -> None:
    listed = send(rest.url, "GET", f"{ROOT}/indices", None, {}).value
    assert rest.target in listed["indices"]
    assert listed["indices"] == sorted(listed["indices"])
    assert listed["standard"] in listed["indices"]


def test_a_check_finds_copies_and_what_differs(rest: Rest) -> None:
    filled(rest)
    (match,) = rest.ask("POST", "/check", {"id": "b?2", "bodies": False}).value["matches"]
    assert (match["id"], match["verdict"], match["document"]) == ("a/1", "near", {})
    assert match["facts_differ"] == [{"kind": "number", "asked": "八", "stored": "六"}]


def test_many_are_answered_in_order_and_one_costs_only_itself(rest: Rest) -> None:
    filled(rest)
    texts = [{"text": BRIDGE, "id": "x"}, {"text": "  "}, {"text": OTHER}]
    answers = rest.ask("POST", "/check", {"texts": texts}).value["answers"]
    assert [each.get("duplicate") for each in answers] == [True, None, True]
    assert (answers[0]["id"], answers[1]["code"]) == ("x", "text_refused")
    answers = rest.ask("POST", "/check", {"ids": ["none", "c"]}).value["answers"]
    assert [each.get("code") for each in answers] == ["not_found", None]


def test_self_leaves_the_stored_document_out(rest: Rest) -> None:
    filled(rest)
    body = {"texts": [{"text": OTHER, "id": "c"}], "self": True}
    (answer,) = rest.ask("POST", "/check", body).value["answers"]
    assert (answer["duplicate"], answer["left_out"]) == (False, "c")


def test_filters_narrow_a_check(rest: Rest) -> None:
    filled(rest)
    body = {"text": BRIDGE, "filters": [{"term": {"source": "two"}}]}
    matches = rest.ask("POST", "/check", body).value["matches"]
    assert [each["id"] for each in matches] == ["b?2"]


def test_a_decision_holds_in_checks_and_groups_until_it_is_undone(rest: Rest) -> None:
    filled(rest)
    said = {"first": "a/1", "second": "b?2", "decision": "not-duplicate", "by": "me", "why": "no"}
    decided = rest.ask("POST", "/decisions", said).value
    assert (decided["decision"], decided["by"]) == ("not-duplicate", "me")
    assert not rest.ask("POST", "/check", {"id": "a/1"}).value["duplicate"]
    assert rest.ask("GET", "/groups").value["total"] == 0
    (match,) = rest.ask("GET", "/matches", decision="not-duplicate").value["matches"]
    assert match["decision"] == "not-duplicate"
    undone = rest.ask("POST", "/decisions", {**said, "decision": "undo"}).value
    assert (undone["decision"], undone["history"][0]["why"]) == (None, "no")
    assert rest.ask("POST", "/check", {"id": "a/1"}).value["duplicate"]


def test_a_release_is_undone_and_then_the_merge(rest: Rest) -> None:
    filled(rest)
    rest.ask("POST", "/groups/merge", {"first": "a/1", "second": "c"})
    assert rest.ask("POST", "/groups/a%2F1/release").value == {"released": 3}
    shown = rest.ask("GET", "/groups/a%2F1").value
    assert (shown["size"], shown["undoable"]["kind"]) == (2, "release")
    undone = rest.ask("POST", "/groups/c/undo").value
    assert (undone["size"], undone["undoable"]["kind"]) == (3, "merge")
    assert all(member["pinned"] for member in undone["members"])
    undone = rest.ask("POST", "/groups/a%2F1/undo").value
    assert (undone["size"], undone["undoable"]) == (2, None)


def test_two_reviewers_and_a_second_opinion(rest: Rest) -> None:
    filled(rest)
    ann = {"seat": "one", "by": "ann"}
    ben = {"seat": "two", "by": "ben", "second_opinions": 1.0}
    answer = rest.ask("POST", "/review/next", ann).value
    (turn,) = answer["pairs"]
    assert (answer["left"], turn["cause"], turn["second_opinion"]) == (1, "facts", False)
    assert rest.ask("POST", "/review/next", ben).value == {"pairs": [], "left": 1}
    pair = {name: turn["record"][name]["id"] for name in ("first", "second")}
    assert rest.ask("POST", "/review/skip", {**pair, **ann}).status == 200
    assert rest.ask("POST", "/review/next", ann).value["pairs"] == []
    assert len(rest.ask("POST", "/review/next", ben).value["pairs"]) == 1
    rest.ask("POST", "/decisions", {**pair, "decision": "duplicate", "by": "ann"})
    (again,) = rest.ask("POST", "/review/next", ben).value["pairs"]
    assert (again["second_opinion"], again["record"]["decision"]) == (True, None)
    rest.ask("POST", "/decisions", {**pair, "decision": "duplicate", "by": "ben"})
    figures = rest.ask("GET", "/review/figures").value
    assert (figures["twice"], figures["agreement"], figures["left"]) == (1, 1.0, 0)
    assert rest.ask("POST", "/review/release", {"seat": "two"}).value == {"released": 1}
    late = rest.ask("GET", "/review/figures", since="2999-01-01T00:00:00Z").value
    assert late["since"] == 0
    for wrong in ({}, {"seat": ""}, {"seat": "w", "size": 21}, {"seat": "w", "verdict": ["none"]}):
        assert rest.ask("POST", "/review/next", wrong).status == 422


def test_decisions_at_the_same_time_are_all_kept(rest: Rest) -> None:
    filled(rest)
    pairs = [("a/1", "b?2"), ("a/1", "c"), ("b?2", "c")]
    bodies = [{"first": one, "second": two, "decision": "duplicate"} for one, two in pairs * 3]
    with ThreadPoolExecutor(len(bodies)) as pool:
        told = list(pool.map(lambda body: rest.ask("POST", "/decisions", body), bodies))
    assert [each.status for each in told] == [200] * len(bodies)
    assert rest.ask("GET", "/review/figures").value["decided"] == 3


def test_a_document_comes_and_goes(rest: Rest) -> None:
    path = "/documents/%E4%B8%AD%2F%3F"
    assert rest.ask("PUT", path, {"text": BRIDGE}).status == 201
    assert rest.ask("PUT", path, {"text": BRIDGE, "n": 1}, refresh="true").status == 200
    stored = {"id": "中/?", "document": {"text": BRIDGE, "n": 1}}
    assert rest.ask("GET", path).value == stored
    receipt = rest.ask("DELETE", path, forget="true").value
    assert (receipt["id"], receipt["left"]) == ("中/?", [])
    assert rest.ask("GET", path).status == 404
    assert rest.ask("DELETE", path).status == 404


def test_pages_of_groups_and_matches_follow_each_other(rest: Rest) -> None:
    for number in range(4):
        text = f"{OTHER} Number {number} of the series, with words of its own {'xyzw'[number] * 9}."
        for copy in "ab":
            rest.put(f"{number}{copy}", f"{text * 2} {number}")
    rest.refresh()
    for path, name in (("/groups", "groups"), ("/matches", "matches")):
        seen: list[Any] = []
        after: dict[str, str] = {}
        while True:
            page = rest.ask("GET", path, size="1", **after).value
            seen += page[name]
            if page["next"] is None:
                break
            after = {"after": page["next"]}
        whole = rest.ask("GET", path, size="1000").value[name]
        assert seen == whole
        assert whole


def test_pages_for_people(rest: Rest) -> None:
    filled(rest)
    html = {"Accept": "text/html"}
    pair = {"first": {"id": "a/1"}, "second": {"text": COPY}}
    for told in (rest.ask("POST", "/explain", pair, html), rest.ask("GET", "/reports", None, html)):
        assert told.content.startswith(b"<!DOCTYPE html>")
    kept = rest.ask("GET", "/reports", None, {"Accept": "text/html"}, form="json")
    assert (kept.value["groups"], kept.headers["content-disposition"][-13:]) == (1, '"report.json"')
    assert rest.ask("GET", "/reports", form="html").content.startswith(b"<!DOCTYPE html>")
    told = rest.ask("GET", "/reports/groups", part="source", value="two", source_field="source")
    assert (told.value["total"], told.value["documents"]) == (1, 1)
    table = rest.ask("GET", "/reports/most_copied.csv", source_field="source")
    assert table.headers["content-disposition"] == 'attachment; filename="most_copied.csv"'
    assert b"a/1" in table.content


def test_only_the_first_of_copies_is_admitted(rest: Rest) -> None:
    def admit(name: str, text: str, **query: str) -> Told:
        return rest.ask("POST", "/check", {"id": name, "text": text}, index="true", **query)

    first, second = admit("1", BRIDGE), admit("2", COPY)
    assert (first.status, first.value["is_first"]) == (201, True)
    assert (second.status, second.value["is_first"], second.value["outcome"]) == (200, False, None)
    assert [each["id"] for each in second.value["answer"]["matches"]] == ["1"]
    third = admit("2", COPY, copies="true")
    assert (third.status, third.value["outcome"]["status"]) == (201, "created")
    document = {"document": {"text": OTHER, "by": "me"}}
    made = rest.ask("POST", "/check", document, index="true").value["outcome"]["id"]
    assert rest.ask("GET", f"/documents/{made}").value["document"]["by"] == "me"


def test_a_sweep_is_a_job_that_is_told_of(rest: Rest) -> None:
    filled(rest)
    begun = rest.ask("POST", "/sweep")
    assert begun.headers["location"].startswith(f"{ROOT}/jobs/{begun.value['id']}?target=")
    done = ended(rest, begun.value["id"])
    assert (done["state"], done["counts"]["kept"]) == ("done", 1)
    again = rest.ask("POST", f"/jobs/{begun.value['id']}/run").value
    assert again["id"] != begun.value["id"]
    assert ended(rest, again["id"])["state"] == "done"
    assert len(rest.ask("GET", "/jobs", job="sweep").value["jobs"]) == 2
    refused = rest.ask("POST", f"/jobs/{begun.value['id']}/cancel")
    assert (refused.status, refused.value["code"]) == (409, "store_refused")


def ended(rest: Rest, job: str) -> Any:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        told = rest.ask("GET", f"/jobs/{job}").value
        if told["state"] != "running":
            return told
        time.sleep(0.05)
    raise AssertionError(f"{job} did not end")
