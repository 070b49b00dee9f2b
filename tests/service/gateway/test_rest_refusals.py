"""What cannot be used is refused with a problem that says what, and where."""

from __future__ import annotations

import gzip
from typing import Any

import orjson

from tests.service.gateway.rest_client import NDJSON, ROOT, Rest, send
from tests.service.gateway.running import Running

CASES: list[tuple[str, str, Any, int, str, dict[str, str]]] = [
    ("POST", "/check", {"text": "x", "sise": 3}, 422, "invalid_request", {"pointer": "/sise"}),
    ("POST", "/check", {"text": 3}, 422, "invalid_request", {"pointer": "/text"}),
    ("POST", "/check", {"texts": [{}]}, 422, "invalid_request", {"pointer": "/texts/0/text"}),
    ("POST", "/check", {}, 422, "invalid_request", {"pointer": ""}),
    ("POST", "/check", {"text": "x", "id": "y"}, 422, "invalid_request", {"pointer": ""}),
    ("POST", "/check", {"text": " "}, 400, "text_refused", {}),
    ("POST", "/check", {"id": "none"}, 404, "not_found", {}),
    ("POST", "/check", {"text": "x" * 1_000_001}, 413, "too_large", {"pointer": "/text"}),
    ("POST", "/check", {"texts": [{"text": "x"}] * 1_001}, 422, "invalid_request", {}),
    ("POST", "/check", b'{"text": "x', 400, "malformed_json", {}),
    ("POST", "/check", b'{"text": "\xff"}', 400, "malformed_json", {}),
    ("POST", "/check", b'{"text": "\\ud800"}', 400, "malformed_json", {}),
    ("POST", "/check", b'{"filters": [{"a": ' + b"[" * 100_000, 400, "malformed_json", {}),
    ("POST", "/check", b"", 400, "malformed_json", {}),
    ("POST", "/check", b" " * (16 << 20) + b"{}", 413, "too_large", {}),
    (
        "POST",
        "/check",
        {"text": "x", "filters": [{"script": {"script": "1"}}]},
        422,
        "invalid_request",
        {"pointer": "/filters/0"},
    ),
    (
        "POST",
        "/search",
        {"text": "x", "filters": [{"terms": {"id": {"index": "secret"}}}]},
        422,
        "invalid_request",
        {"pointer": "/filters/0/terms"},
    ),
    ("POST", "/search", {"text": "x", "after": "y"}, 422, "invalid_request", {"pointer": "/after"}),
    ("POST", "/compare", {"first": {}, "second": {"text": "x"}}, 422, "invalid_request", {}),
    ("PUT", "/documents/1", {"text": "x", "id": "2"}, 422, "invalid_request", {"pointer": "/id"}),
    ("PUT", "/documents/1", {"no": "text"}, 400, "text_refused", {}),
    (
        "PUT",
        "/documents/1",
        b'{"text": "x", "n": 1180591620717411303424}',
        400,
        "input_refused",
        {},
    ),
    ("PUT", "/documents/1", b'{"text": "x", "text": "y"}', 400, "input_refused", {}),
    ("PUT", "/documents/%FF", {"text": "x"}, 400, "invalid_request", {}),
    ("GET", "/groups/none", None, 404, "not_found", {}),
    ("POST", "/groups/merge", {"first": "a", "second": "b"}, 404, "not_found", {}),
    ("GET", "/jobs/none", None, 404, "not_found", {}),
    ("GET", "/reports/none", None, 404, "not_found", {}),
    ("PUT", "/index", {"plan": "none"}, 422, "invalid_request", {"pointer": "/plan"}),
    ("POST", "/sweep", {"since": "soon"}, 422, "invalid_request", {"pointer": "/since"}),
    ("POST", "/check/more", {}, 404, "no_such_path", {}),
    ("PATCH", "/check", {}, 405, "method_not_allowed", {}),
]


PARAMETERS = [
    ("/groups", {"size": "0"}, "size"),
    ("/groups", {"size": "many"}, "size"),
    ("/groups", {"sort": "age"}, "sort"),
    ("/groups", {"sise": "1"}, "sise"),
    ("/matches", {"decision": "null"}, "decision"),
    ("/matches", {"since": "yesterday"}, "since"),
    ("/matches", {"since": "0001-01-01T00:00:00+23:59"}, "since"),
    ("/reports", {"top": "1001"}, "top"),
]
WORDS = ("zzz", "WzFd", "WyJhIiwiYiIsImMiXQ", "W251bGwsbnVsbF0", "%00", "啊")


def test_a_problem_says_what_is_wrong(rest: Rest) -> None:
    new = Rest(rest.url, f"{rest.target}-other")
    for method, path, body, status, code, more in CASES:
        told = (new if path == "/index" else rest).ask(method, path, body)
        case = (method, path, str(body)[:80], told.content[:300])
        assert told.headers["content-type"] == "application/problem+json", case
        problem = told.value
        assert (told.status, problem["status"], problem["code"]) == (status, status, code), case
        assert problem["type"] == f"{ROOT}/docs#{code}"
        assert more.items() <= problem.items(), case
        assert problem["detail"], case


def test_a_problem_names_the_parameter(rest: Rest) -> None:
    for path, query, parameter in PARAMETERS:
        told = rest.ask("GET", path, **query)
        assert (told.status, told.value["parameter"]) == (400, parameter), (path, query)


def test_no_made_up_cursor_is_an_error_of_ours(rest: Rest) -> None:
    rest.put("1", "a text of some words, which stands here twice or more often than that")
    rest.put("2", "a text of some words, which stands here twice or more often than this")
    rest.refresh()
    for word in WORDS:
        assert rest.ask("GET", "/groups", after=word).status == 400
        assert rest.ask("GET", "/matches", after=word).status == 400
        search = {"text": "words", "collapse": True, "after": word}
        assert rest.ask("POST", "/search", search).status == 400


def test_bodies_are_read_as_they_are_sent(rest: Rest) -> None:
    body = orjson.dumps({"text": "some words that are packed"})
    zipped = {"Content-Encoding": "gzip"}
    assert rest.ask("POST", "/check", gzip.compress(body), zipped).status == 200
    assert rest.ask("POST", "/check", body, zipped).value["code"] == "malformed_json"
    assert rest.ask("POST", "/check", gzip.compress(body)[:-9], zipped).status == 400
    bomb = gzip.compress(b" " * (64 << 20))
    assert rest.ask("POST", "/check", bomb, zipped).status == 413
    told = rest.ask("POST", "/check", body, {"Content-Encoding": "br"})
    assert (told.status, told.headers["accept-encoding"]) == (415, "gzip")
    told = rest.ask("POST", "/check", body, {"Content-Type": "text/plain"})
    assert (told.status, told.headers["accept-post"]) == (415, "application/json")
    assert rest.ask("POST", "/documents", b"{}", {"Content-Type": "text/plain"}).status == 415
    assert rest.ask("PATCH", "/check").headers["allow"] == "POST"


def test_an_index_that_is_not_there_is_named(rest: Rest) -> None:
    other = Rest(rest.url, "no-such-index")
    for method, path, body in (
        ("POST", "/check", {"text": "x"}),
        ("PUT", "/documents/1", {"text": "x"}),
        ("GET", "/info", None),
        ("GET", "/groups", None),
        ("POST", "/sweep", None),
    ):
        told = other.ask(method, path, body)
        assert (told.status, told.value["code"]) == (404, "not_found")
        assert "no-such-index" in told.value["detail"]
    assert other.ask("POST", "/documents", b"{}\n", NDJSON).status == 404


def test_the_page_needs_no_other_host(folder_gateway: Running) -> None:
    told = send(folder_gateway.url, "GET", f"{ROOT}/docs", None, {})
    assert told.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha")
    for word in (b"http://", b"https://", b"<script", b"url("):
        assert word not in told.content
    assert b'id="text_refused"' in told.content
