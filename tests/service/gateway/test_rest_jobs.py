"""attach and detach as jobs, and jobs that are told to stop."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator

import orjson
import pytest

from dupdex.index import Index
from dupdex.location import Location
from tests.contract.stores import Elastic
from tests.service.gateway.rest_client import Rest, send
from tests.service.gateway.running import Running, gateway_before
from tests.service.gateway.test_rest_operations import ended


@pytest.fixture
def foreign(gateway: Running, es_url: str) -> Iterator[Rest]:
    """An index that dupdex did not make, with 300 documents."""
    made = Rest(gateway.url, f"rest-{uuid.uuid4().hex[:12]}")
    lines = []
    for number in range(300):
        text = f"Report {number} on the bridge over the river, which was opened to traffic today."
        lines += [{"index": {"_id": str(number)}}, {"body": text}]
    content = b"".join(orjson.dumps(line) + b"\n" for line in lines)
    sent = {"Content-Type": "application/x-ndjson"}
    told = send(gateway.url, "POST", f"/{made.target}/_bulk?refresh=true", content, sent)
    assert told.status == 200
    yield made
    Elastic(Location(es_url, made.target).elastic).remove()


def test_an_index_answers_while_it_is_attached(foreign: Rest) -> None:
    assert foreign.ask("POST", "/check", {"text": "x"}).status == 404
    begun = foreign.ask("POST", "/attach", {"text_fields": ["body"]})
    assert begun.status == 202, begun.content
    done = ended(foreign, begun.value["id"])
    assert (done["state"], done["counts"]["written"]) == ("done", 300)
    assert done["job"] == "attach"
    assert foreign.ask("POST", "/check", {"id": "7"}).value["duplicate"]
    again = foreign.ask("POST", f"/jobs/{begun.value['id']}/run").value["id"]
    assert ended(foreign, again)["counts"]["written"] == 0
    begun = foreign.ask("POST", "/detach")
    assert begun.status == 202, begun.content
    done = ended(foreign, begun.value["id"])
    assert (done["state"], done["counts"]["cleaned"]) == ("done", 300)
    assert foreign.ask("POST", "/check", {"id": "7"}).status == 404


def test_a_job_that_is_told_to_stop_does_so_and_goes_on_later(foreign: Rest, es_url: str) -> None:
    begun = foreign.ask("POST", "/attach", {"text_fields": ["body"], "throttle": 20.0})
    assert begun.status == 202, begun.content
    job = begun.value["id"]
    with gateway_before(es_url) as other:  # every gateway may stop it
        stopping = Rest(other.url, foreign.target).ask("POST", f"/jobs/{job}/cancel")
        assert (stopping.status, stopping.value["state"]) == (202, "running")
    done = ended(foreign, job)
    assert (done["state"], done["error"]) == ("failed", "cancelled")
    again = foreign.ask("POST", "/attach").value["id"]
    assert ended(foreign, again)["state"] == "done"
    assert foreign.ask("GET", "/info").value["covered"] == 300


def test_a_detachment_is_seen_and_stopped_by_every_gateway(foreign: Rest, es_url: str) -> None:
    attached = foreign.ask("POST", "/attach", {"text_fields": ["body"]}).value["id"]
    assert ended(foreign, attached)["state"] == "done"
    job = foreign.ask("POST", "/detach", {"throttle": 20.0}).value["id"]
    with gateway_before(es_url) as running:
        other = Rest(running.url, foreign.target)
        runs = other.ask("GET", "/jobs", job="detach").value["jobs"]
        assert [(run["id"], run["state"]) for run in runs] == [(job, "running")]
        assert other.ask("POST", f"/jobs/{job}/cancel").status == 202
        assert ended(other, job)["error"] == "cancelled"
    again = foreign.ask("POST", "/detach").value["id"]
    assert ended(foreign, again)["state"] == "done"
    left = send(es_url, "GET", f"/_resolve/index/{foreign.target}-*?expand_wildcards=all", None, {})
    assert not left.value["indices"]


def test_what_is_wrong_is_said_before_a_job_begins(gateway: Running, es_url: str) -> None:
    del es_url
    for path in ("/attach", "/detach"):
        told = Rest(gateway.url, f"none-{uuid.uuid4().hex[:8]}").ask("POST", path)
        assert (told.status, told.value["code"]) == (404, "not_found")


def test_a_folder_has_nothing_to_attach(folder_gateway: Running) -> None:
    told = Rest(folder_gateway.url, "any").ask("POST", "/attach")
    assert (told.status, told.value["code"]) == (400, "input_refused")


def test_jobs_of_an_alias_are_those_of_its_index(foreign: Rest, es_url: str) -> None:
    assert ended(foreign, foreign.ask("POST", "/attach", {"text_fields": ["body"]}).value["id"])
    name = f"{foreign.target}-alias"
    path = f"/{foreign.target}/_alias/{name}"
    assert send(es_url, "PUT", path, None, {}).status == 200
    alias = Rest(foreign.url, name)
    begun = alias.ask("POST", "/sweep", {"since": "2100-01-01T00:00:00Z", "groups": False})
    assert begun.status == 202, begun.content
    assert ended(alias, begun.value["id"])["state"] == "done"
    for each in (foreign, alias):
        runs = each.ask("GET", "/jobs").value["jobs"]
        assert {run["job"] for run in runs} == {"attach", "sweep"}
    beside = send(es_url, "GET", f"/_resolve/index/{name}-*", None, {}).value
    assert not beside["indices"]


def test_a_write_just_after_an_attachment_has_its_fingerprint(foreign: Rest, es_url: str) -> None:
    """The gateway takes the index for a foreign one, and remembers that, when it is attached by
    another program."""
    path = f"/{foreign.target}/_doc/{{}}?refresh=true"
    kind = {"Content-Type": "application/json"}
    text = orjson.dumps({"body": "A text that nobody has written before, about another bridge."})
    stop, written = threading.Event(), 0

    def write() -> None:
        nonlocal written
        while not stop.is_set():
            told = send(foreign.url, "PUT", path.format(f"new{written}"), text, kind)
            assert told.status == 201
            written += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        Index.attach(Location(es_url, foreign.target), ["body"])
    finally:
        stop.set()
        writer.join()
    assert written
    info = foreign.ask("GET", "/info").value
    assert info["covered"] == 300 + written
