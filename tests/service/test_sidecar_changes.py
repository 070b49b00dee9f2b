"""A sidecar while other programs write to the index, and killed at any request."""

from __future__ import annotations

import random
import signal
import sys
import threading
import time
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from elasticsearch import Elasticsearch
from hypothesis import HealthCheck, given, strategies
from hypothesis import settings as examples

from dupdex import Index
from dupdex.attach import detaching
from dupdex.location import Location
from indexer.stores.elastic.client import ElasticSettings
from mappings.contract import OBJECT_FIELD
from mappings.plan import CHARACTERS
from mappings.sidecar_body import sidecar_name
from query.questions import EVERYTHING
from tests.command import run, start
from tests.service.foreign_data import BODY, MAPPINGS, made, place, put, sources, text_in, theirs
from tests.service.test_attach_disturbed import KILLING
from tests.service.test_sidecar import attach, described, same


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detaching, "GRACE_SECONDS", 0.0)


def not_current(raw: Elasticsearch, index: str) -> list[str]:
    """The rows of a sidecar that are not what a fresh one would have, without groups and times."""
    raw.indices.refresh(index=index)
    hits = raw.search(index=index, size=10_000, seq_no_primary_term=True)["hits"]["hits"]
    versions = {hit["_id"]: (hit["_seq_no"], hit["_primary_term"]) for hit in hits}
    rows = sources(raw, sidecar_name(index))
    wrong = sorted(versions.keys() ^ rows.keys())
    for name in versions.keys() & rows.keys():
        if tuple(rows[name]["source"].values()) != versions[name] or OBJECT_FIELD not in rows[name]:
            wrong.append(name)
    return wrong


EDITS: Final = strategies.lists(
    strategies.tuples(
        strategies.sampled_from(("index", "text", "field", "delete", "attach")),
        strategies.integers(0, 14),
        strategies.integers(0, 9),
    ),
    max_size=25,
)


@examples(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(edits=EDITS)
def test_any_edits_end_in_the_answers_of_an_attached_copy(
    es_url: str, raw: Elasticsearch, edits: list[tuple[str, int, int]]
) -> None:
    """In between, every match is judged by the text that the document has by then."""
    where = Location(es_url, f"t-{uuid.uuid4().hex}")
    other = replace(where, index=f"{where.index}-1")
    try:
        for each in (where, other):
            raw.indices.create(index=each.index, mappings=MAPPINGS)
            put(raw, each.index, [(f"d{at}", theirs(at % 5)) for at in range(12)])
        attach(where)
        for kind, at, text in edits:
            for index in (where.index, other.index):
                edit(raw, index, kind, f"d{at}", text)
            if kind == "attach":
                attach(where)
            else:
                raw.indices.refresh(index=where.index)
                matches_are_true(raw, where, text)
        attach(where)
        assert not_current(raw, where.index) == []
        Index.attach(other, BODY, plan=CHARACTERS)
        with Index.open(where) as beside, Index.open(other) as inside:
            for text in range(10):
                ours, others = (each.lookup(text_in(text), EVERYTHING) for each in (beside, inside))
                assert same(ours) == same(others)
    finally:
        for each in (where, other):
            raw.options(ignore_status=404).indices.delete(index=each.index)
            for kind in ("sidecar", "runs"):
                raw.options(ignore_status=404).indices.delete(index=f"{each.index}-dupdex-{kind}")


def edit(raw: Elasticsearch, index: str, kind: str, name: str, text: int) -> None:
    lenient = raw.options(ignore_status=404)
    if kind == "index":
        raw.index(index=index, id=name, document=theirs(text))
    elif kind == "text":
        lenient.update(index=index, id=name, doc={"content": theirs(text)["content"]})
    elif kind == "field":
        lenient.update(index=index, id=name, doc={"source": f"s{text}"})
    elif kind == "delete":
        lenient.delete(index=index, id=name)


def matches_are_true(raw: Elasticsearch, where: Location, text: int) -> None:
    stored = sources(raw, where.index)
    wanted = {name for name, each in stored.items() if each["content"] == theirs(text)["content"]}
    with Index.open(where) as index:
        for options in (EVERYTHING, replace(EVERYTHING, verify=0)):
            found = {match.id for match in index.lookup(text_in(text), options).matches}
            assert found <= wanted


def test_filled_while_others_write(settings: ElasticSettings, raw: Elasticsearch) -> None:
    made(raw, settings.index, 600)
    stop, draw = threading.Event(), random.Random(5)

    def write() -> None:
        at = 0
        while not stop.is_set():
            at += 1
            name = f"d{draw.randrange(600)}"
            edit(raw, settings.index, draw.choice(["index", "text", "field", "delete"]), name, at)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        Index.attach(place(settings), BODY, plan=CHARACTERS, sidecar=True, slices=3)
    finally:
        stop.set()
        writer.join()
    attach(place(settings))
    assert not_current(raw, settings.index) == []


@pytest.mark.parametrize("command", ["attach", "detach"])
def test_killed_anywhere_it_goes_on(
    settings: ElasticSettings, raw: Elasticsearch, tmp_path: Path, command: str
) -> None:
    made(raw, settings.index, 120)
    before: Any = described(raw, settings.index)
    where, draw = place(settings), random.Random(command)
    told = [settings.index, "--store", settings.url]
    if command == "attach":
        told += ["--sidecar", "--text-field", *BODY, "--plan", "characters"]
    else:
        attach(where)
    ended = 0
    for _ in range(8):
        at, when = draw.randrange(1, 45), draw.choice(["early", "late"])
        program = (sys.executable, "-c", KILLING, str(at), when)
        process = start(command, *told, folder=tmp_path, program=program)
        out, err = process.communicate(timeout=300)
        assert process.returncode in (0, -9, 4), (out, err)
        ended += process.returncode != -9
    assert ended < 8  # it was killed on the way, not only before and after
    last = run(command, *told, folder=tmp_path)
    assert described(raw, settings.index) == before
    if command == "attach":
        assert last.status == 0, last.err
        assert not_current(raw, settings.index) == []
        with Index.open(where) as index:
            assert index.describe()["attached"] == "done"
            assert [match.id for match in index.lookup(text_in(9)).matches] == ["d9"]
    else:
        assert last.status in (0, 4), last.err
        names = raw.indices.get(index=f"{settings.index}*", expand_wildcards="all")
        assert list(names) == [settings.index]


def test_it_follows_until_interrupted(
    settings: ElasticSettings, raw: Elasticsearch, tmp_path: Path
) -> None:
    made(raw, settings.index, 5)
    attach(place(settings))
    told = [settings.index, "--store", settings.url]
    process = start("attach", *told, "--follow", "1", folder=tmp_path)
    try:
        for name in ("one", "two"):
            put(raw, settings.index, [(name, theirs(name))])
            wait_for(raw, sidecar_name(settings.index), name)
    finally:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode not in (0, 1)
    assert "run the same command again" in err


def wait_for(raw: Elasticsearch, index: str, name: str) -> None:
    until = time.monotonic() + 90
    while not raw.options(ignore_status=404).get(index=index, id=name).body.get("found"):
        assert time.monotonic() < until
        time.sleep(0.2)
