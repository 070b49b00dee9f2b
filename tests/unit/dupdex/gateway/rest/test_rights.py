"""What a caller may do, and which documents there are for one with filters."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from dupdex.gateway.callers import Caller, Right, set_caller
from dupdex.gateway.rest.operations import ROOT
from dupdex.gateway.rest.rest_app import application, operations
from dupdex.gateway.services import Services
from dupdex.gateway.settings import ServeSettings
from dupdex.index import Index
from indexer.grouping import Grouping
from indexer.model import Document

TEXT = "the same words in both documents, as long as a copy has to be for that"
SITE = "https://example.org"
READER = Caller("reader", frozenset({Right.READ}), ("news*",))
FILTERED = Caller(
    "mine",
    frozenset({Right.READ, Right.REVIEW}),
    filters={"*": [{"term": {"owner": "me"}}]},
)


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """A folder with three documents, of which one has another owner."""
    made = Services(ServeSettings(store=str(tmp_path / "store"), index="news"))
    with Index.create(made.session, index="news", grouping=Grouping(live=True)) as index:
        owners = {"a": "me", "b": "me", "c": "you"}
        index.add(
            Document(name, body={"text": TEXT, "owner": owner, "url": f"{SITE}/{name}"})
            for name, owner in owners.items()
        )
        index.refresh()
    yield made
    asyncio.run(made.close())


def ask(
    services: Services, caller: Caller, method: str, path: str, body: Any = None, query: str = ""
) -> tuple[int, Any]:
    content = orjson.dumps(body) if body is not None else b""
    scope: dict[str, Any] = {
        "type": "http",
        "method": method,
        "path": ROOT + path,
        "raw_path": (ROOT + path).encode(),
        "query_string": query.encode(),
        "headers": [(b"content-type", b"application/json")],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("localhost", 80),
    }
    set_caller(scope, caller)
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": content}

    async def send(message: Any) -> None:
        sent.append(message)

    async def answer() -> None:
        await application(services)(scope, receive, send)

    asyncio.run(answer())
    told = b"".join(each.get("body", b"") for each in sent[1:])
    return sent[0]["status"], orjson.loads(told) if told else None


def test_a_reader_reads(services: Services) -> None:
    assert ask(services, READER, "POST", "/check", {"text": TEXT})[0] == 200
    assert ask(services, READER, "GET", "/groups")[0] == 200


@pytest.mark.parametrize(
    ("method", "path", "body", "query"),
    [
        ("PUT", "/documents/d", {"text": TEXT}, ""),
        ("DELETE", "/documents/a", None, ""),
        ("POST", "/check", {"text": TEXT}, "index=true"),
        ("POST", "/decisions", {"first": "a", "second": "b", "decision": "duplicate"}, ""),
        ("POST", "/review/next", {"seat": "window"}, ""),
        ("GET", "/review/figures", None, ""),
        ("POST", "/sweep", None, ""),
        ("PUT", "/index", None, "target=news-2"),
        ("POST", "/check", {"text": TEXT}, "target=mail"),
        ("GET", "/info", None, "target=mail"),
    ],
)
def test_a_reader_of_some_indices_does_nothing_else(
    services: Services, method: str, path: str, body: Any, query: str
) -> None:
    status, problem = ask(services, READER, method, path, body, query)
    assert (status, problem["code"]) == (403, "not_allowed")


def test_every_operation_asks_for_its_right(services: Services) -> None:
    nobody = Caller("nobody", frozenset())
    of_nobody = {each.name for each in operations() if each.right is None}
    assert of_nobody == {"show_session", "sign_in", "sign_out"}  # about who asks, and nothing else
    for each in operations():
        if each.name in of_nobody:
            continue
        path = each.path.replace("{id}", "a").replace("{table}", "pairs")
        assert ask(services, nobody, each.method, path, {})[0] == 403, each.name


def test_what_does_not_meet_the_filters_is_not_there(services: Services) -> None:
    status, answer = ask(services, FILTERED, "POST", "/check", {"text": TEXT})
    assert (status, sorted(each["id"] for each in answer["matches"])) == (200, ["a", "b"])
    assert ask(services, FILTERED, "GET", "/documents/a")[0] == 200
    assert ask(services, FILTERED, "GET", "/documents/c")[0] == 404
    assert ask(services, FILTERED, "POST", "/check", {"id": "c"})[0] == 404
    assert ask(services, FILTERED, "POST", "/check", {"url": f"{SITE}/a"})[1]["id"] == "a"
    assert ask(services, FILTERED, "POST", "/check", {"url": f"{SITE}/c"})[0] == 404
    assert ask(services, FILTERED, "POST", "/fingerprint", {"url": f"{SITE}/c"})[0] == 404
    pair = {"first": {"id": "a"}, "second": {"id": "c"}}
    for path in ("/compare", "/explain"):
        assert ask(services, FILTERED, "POST", path, pair)[0] == 404
    assert ask(services, FILTERED, "POST", "/fingerprint", {"id": "c"})[0] == 404
    said = {"first": "a", "second": "c", "decision": "duplicate"}
    assert ask(services, FILTERED, "POST", "/decisions", said)[0] == 404
    _, page = ask(services, FILTERED, "POST", "/search", {"text": "words"})
    assert page["total"] == 2


@pytest.mark.parametrize(
    "path",
    [
        "/groups",
        "/groups/a",
        "/matches",
        "/matches/x",
        "/reports",
        "/reports/groups",
        "/review/figures",
        "/health",
        "/info",
        "/jobs",
        "/jobs/x",
    ],
)
def test_what_tells_of_all_documents_is_not_for_filters(services: Services, path: str) -> None:
    status, problem = ask(services, FILTERED, "GET", path)
    assert (status, problem["code"]) == (403, "not_allowed")


def test_who_decides_is_the_caller(services: Services) -> None:
    reviewer = Caller("desk", frozenset({Right.REVIEW}))
    said = {"first": "a", "second": "b", "decision": "not-duplicate"}
    assert ask(services, reviewer, "POST", "/decisions", said)[1]["by"] == "desk"


def test_seats_of_two_callers_are_two_seats(services: Services) -> None:
    """What one of them holds, the other neither gets nor gives back."""
    with Index.create(services.session, index="news") as index:
        index.groups.bring_up_to_date(lambda _: None)
    ann, ben = (Caller(name, frozenset({Right.REVIEW})) for name in ("ann", "ben"))
    body = {"seat": "window", "size": 20, "verdict": ["exact", "near"]}
    _, first = ask(services, ann, "POST", "/review/next", body)
    assert len(first["pairs"]) == first["left"] > 0
    assert ask(services, ben, "POST", "/review/next", body)[1]["pairs"] == []
    seat = {"seat": "window"}
    assert ask(services, ben, "POST", "/review/release", seat) == (200, {"released": 0})
    assert ask(services, ann, "POST", "/review/release", seat)[1]["released"] == first["left"]
    assert len(ask(services, ben, "POST", "/review/next", body)[1]["pairs"]) == first["left"]


def test_one_source_at_a_time(services: Services) -> None:
    both = {"id": "a", "url": f"{SITE}/a"}
    for path in ("/check", "/fingerprint"):
        status, problem = ask(services, READER, "POST", path, both)
        assert (status, "one of text" in problem["detail"]) == (422, True)
    writer = Caller("writer", frozenset({Right.READ, Right.WRITE}))
    wanted = {"text": TEXT, "url": f"{SITE}/a"}
    assert ask(services, writer, "POST", "/check", wanted, "index=true")[0] == 422
    status, problem = ask(services, READER, "POST", "/check", {"url": "file:///etc/passwd"})
    assert (status, "is no address" in problem["detail"]) == (400, True)
