"""Banks over HTTP: made, filled, asked, looked back with, and seen by every gateway in time."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.command import run, write_lines
from tests.servers import remove_all
from tests.service.gateway.rest_client import ROOT, Rest, send
from tests.service.gateway.running import Running, gateway_before
from tests.texts import LIBRARY, METRO, METRO_HOMOPHONES, METRO_TRADITIONAL, ORCHARD, TEA

WITHIN = 5.0


class Asking:
    """Requests with JSON bodies, whose answers must be of the documented form."""

    def __init__(self, running: Running) -> None:
        self._rest = Rest(running.url, "news")

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        content = None if body is None else orjson.dumps(body)
        headers = {} if body is None else {"Content-Type": "application/json"}
        told = send(self._rest.url, method, ROOT + path, content, headers)
        self._rest.check(method, path.partition("?")[0], told)
        return told.status, told.value

    def done(self, method: str, path: str, body: object = None) -> Any:
        status, value = self.ask(method, path, body)
        assert status < 300, value
        return value


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place: Path = tmp_path_factory.mktemp("banks")
    write_lines(place / "news.jsonl", [{"id": "m", "text": METRO_TRADITIONAL}])
    assert run("index", "news.jsonl", "--index", "news", folder=place).status == 0
    return place


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Asking]:
    with gateway_before(str(folder / "dupdex-store"), DUPDEX_INDEX="news") as running:
        yield Asking(running)


@pytest.fixture
def bank(service: Asking) -> Iterator[str]:
    """A bank with two entries, gone afterwards."""
    body = {"name": "spam", "kind": "deny", "indices": ["n*"], "about": "advertisements"}
    (line,) = service.done("POST", "/banks", body)["banks"]
    assert (line["name"], line["entries"]) == ("spam", 0)
    entries = [
        {"id": "a/b", "text": METRO, "labels": ["x"], "reason": "r", "expires": "30d"},
        {"id": "t", "text": TEA},
    ]
    added = service.done("POST", "/banks/spam/entries", {"entries": entries})
    assert [each["status"] for each in added["entries"]] == ["created", "created"]
    yield "spam"
    service.ask("DELETE", "/banks/spam")


def test_a_bank_is_listed_with_its_entries(service: Asking, bank: str) -> None:
    (line,) = service.done("GET", "/banks")["banks"]
    assert (line["name"], line["kind"], line["entries"]) == (bank, "deny", 2)
    assert service.done("GET", f"/banks/{bank}")["banks"] == [line]
    page = service.done("GET", f"/banks/{bank}/entries?size=1")
    rest = service.done("GET", f"/banks/{bank}/entries?after={page['next']}")
    assert {each["id"] for each in (*page["entries"], *rest["entries"])} == {"a/b", "t"}
    (entry,) = service.done("GET", f"/banks/{bank}/entries/a%2Fb")["entries"]
    assert (entry["text"], entry["labels"], entry["reason"]) == (METRO, ["x"], "r")
    assert service.done("DELETE", f"/banks/{bank}/entries/a%2Fb") == {"removed": 1}
    assert service.ask("GET", f"/banks/{bank}/entries/a%2Fb")[0] == 404


def test_texts_are_checked(service: Asking, bank: str) -> None:
    answer = service.done("POST", "/check/banks", {"text": METRO_HOMOPHONES})
    assert answer["ruling"] == "denied"
    (hit,) = answer["hits"]
    assert (hit["bank"], hit["entry"], hit["labels"], hit["verdict"]) == (
        bank,
        "a/b",
        ["x"],
        "near",
    )
    assert hit["passages"]
    several = service.done("POST", f"/banks/{bank}/check", {"texts": [TEA, LIBRARY]})
    assert [each["ruling"] for each in several["answers"]] == ["denied", "none"]
    elsewhere = service.done("POST", "/check/banks?target=other", {"text": TEA})
    assert (elsewhere["ruling"], elsewhere["banks"]) == ("none", [])
    beside = service.done(
        "POST", "/check", {"texts": [{"text": TEA}, {"text": " "}], "banks": True}
    )
    assert beside["answers"][0]["duplicate"] is False
    assert beside["answers"][0]["banks"]["ruling"] == "denied"
    assert beside["answers"][1]["code"] == "text_refused"


def test_what_is_denied_is_not_stored(service: Asking, bank: str) -> None:
    body = {"text": METRO_HOMOPHONES, "id": "new", "banks": True}
    denied = service.done("POST", "/check?index=true&copies=true", body)
    assert (denied["banks"]["ruling"], denied["outcome"]) == ("denied", None)
    assert denied["banks"]["hits"][0]["bank"] == bank
    assert service.ask("GET", "/documents/new")[0] == 404
    stored = service.done("POST", "/check?index=true", {**body, "text": LIBRARY, "id": "lib"})
    assert (stored["banks"]["ruling"], stored["outcome"]["status"]) == ("none", "created")
    assert service.done("DELETE", "/documents/lib")
    flood = {"times": 2, "seconds": 60}
    texts = {"one": ORCHARD, "two": ORCHARD.replace("a third", "a half")}
    outcomes = [
        service.done(
            "POST", "/check?index=true&copies=true", {"id": name, "text": text, "flood": flood}
        )["outcome"]
        for name, text in texts.items()
    ]
    assert [each and each["id"] for each in outcomes] == ["one", None]
    assert service.done("DELETE", "/documents/one")


def test_floods_are_counted(service: Asking) -> None:
    flood = {"times": 3, "seconds": 600}
    for number in (1, 2, 3):
        text = f"{LIBRARY} {'!' * number}"
        answer = service.done("POST", "/check/banks", {"text": text, "flood": flood})
        assert (answer["flood"]["count"], answer["flood"]["is_flood"]) == (number, number == 3)
    again = service.done("POST", "/check", {"text": LIBRARY, "flood": flood})
    assert again["banks"]["flood"]["count"] == 4


def test_looking_back_is_a_job(service: Asking, bank: str) -> None:
    begun = service.done("POST", f"/banks/{bank}/retro")
    path = f"/banks/{bank}/retro/{begun['id']}"
    end = time.monotonic() + 60
    while (run_ := service.done("GET", path))["state"] == "running":
        assert time.monotonic() < end
        time.sleep(0.05)
    assert (run_["state"], run_["counts"]["hits"]) == ("done", 1)
    found = service.done("GET", f"{path}/hits")
    (hit,) = found["hits"]
    assert (hit["entry"], hit["index"], hit["document"], found["total"]) == ("a/b", "news", "m", 1)
    listed = service.done("GET", f"/banks/{bank}/retro")["jobs"]
    assert begun["id"] in [each["id"] for each in listed]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/banks/none", None, 404),
        ("DELETE", "/banks/none", None, 404),
        ("POST", "/banks/none/check", {"text": "x"}, 404),
        ("POST", "/banks/none/entries", {"entries": [{"text": "x"}]}, 404),
        ("POST", "/banks/none/retro", {}, 404),
        ("POST", "/banks", {"name": "A b", "kind": "deny"}, 400),
        ("POST", "/banks", {"name": "a", "kind": "maybe"}, 422),
        ("POST", "/check/banks", {"text": "a", "banks": ["none"]}, 404),
        ("POST", "/check/banks", {}, 422),
        ("POST", "/check/banks", {"text": "x", "flood": {"times": 1, "seconds": 5}}, 422),
    ],
)
def test_what_is_wrong_is_said(
    service: Asking, method: str, path: str, body: object, status: int
) -> None:
    found, problem = service.ask(method, path, body)
    assert (found, problem["status"]) == (status, status)


def test_a_wrong_entry_is_named(service: Asking, bank: str) -> None:
    body = {"entries": [{"text": "x"}, {"text": "y", "expires": "soon"}]}
    status, problem = service.ask("POST", f"/banks/{bank}/entries", body)
    assert (status, problem["pointer"]) == (422, "/entries/1")


def test_an_entry_acts_on_every_gateway_within_five_seconds(es_url: str) -> None:
    name = f"banks-{uuid.uuid4().hex[:12]}"
    try:
        with (
            gateway_before(es_url, DUPDEX_BANKS=name) as one,
            gateway_before(es_url, DUPDEX_BANKS=name) as other,
        ):
            first, second = Asking(one), Asking(other)

            def until(ruling: str) -> None:
                begun = time.monotonic()
                while second.done("POST", "/check/banks", {"text": TEA})["ruling"] != ruling:
                    assert time.monotonic() - begun < WITHIN

            until("none")
            first.done("POST", "/banks", {"name": "spam", "kind": "deny"})
            first.done("POST", "/banks/spam/entries", {"entries": [{"id": "t", "text": TEA}]})
            until("denied")
            first.done("DELETE", "/banks/spam/entries/t")
            until("none")
    finally:
        remove_all(es_url, name)
