"""Attaching and detaching while others write, and killed at any request."""

from __future__ import annotations

import random
import sys
import threading
from pathlib import Path
from typing import Any, Final

import pytest
from elasticsearch import Elasticsearch

from dupdex import Index
from dupdex.attach import detaching
from indexer.stores.elastic.client import ElasticSettings
from mappings.plan import CHARACTERS
from tests.command import run, start
from tests.service.foreign_data import (
    BODY,
    made,
    not_current,
    place,
    sources,
    text_in,
    theirs,
    without_ours,
)
from tests.service.test_attach import attach


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detaching, "GRACE_SECONDS", 0.0)


def test_edits_in_between_are_never_overwritten(
    settings: ElasticSettings, raw: Elasticsearch
) -> None:
    """Another program indexes, updates and deletes all the while."""
    expected = made(raw, settings.index, 1_000)
    stop, draw = threading.Event(), random.Random(5)

    def update(name: str, changed: dict[str, Any]) -> None:
        """The server reads, then writes: what is attached in between is a conflict."""
        raw.update(index=settings.index, id=name, doc=changed, retry_on_conflict=5)

    def edit() -> None:
        at = 0
        while not stop.is_set():
            at += 1
            name = f"d{draw.randrange(1_000)}"
            kind = draw.randrange(4)
            if kind == 0:
                expected[name] = theirs(f"indexed {at}")
                raw.index(index=settings.index, id=name, document=expected[name])
            elif kind == 1 and name in expected:
                expected[name] = {**expected[name], "source": f"updated {at}"}
                update(name, {"source": f"updated {at}"})
            elif kind == 2 and name in expected:
                expected[name] = {**expected[name], "content": theirs(f"text {at}")["content"]}
                update(name, {"content": expected[name]["content"]})
            elif name in expected:
                del expected[name]
                raw.delete(index=settings.index, id=name)

    editor = threading.Thread(target=edit)
    editor.start()
    try:
        Index.attach(place(settings), BODY, plan=CHARACTERS, slices=3)
    finally:
        stop.set()
        editor.join()
    assert without_ours(sources(raw, settings.index)) == expected
    attach(place(settings))
    stored = sources(raw, settings.index)
    assert without_ours(stored) == expected
    assert not_current(stored) == []


KILLING: Final = """
import os, signal, sys, threading
import dupdex.attach.passes as passes
from dupdex.attach import detaching
from elastic_transport import Transport
passes.LARGEST_PAGE = 8
detaching.GRACE_SECONDS = 0.0
at, late = int(sys.argv.pop(1)), sys.argv.pop(1) == "late"
asked, turn, done = Transport.perform_request, threading.Lock(), 0
def ask(self, *arguments, **options):
    global done
    with turn:
        done += 1
        mine = done == at
    if mine and not late:
        os.kill(os.getpid(), signal.SIGKILL)
    answer = asked(self, *arguments, **options)
    if mine:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer
Transport.perform_request = ask
from dupdex.cli import main
main()
"""
"""The command line that kills itself before or after a given request."""


@pytest.mark.parametrize("command", ["attach", "detach"])
def test_killed_anywhere_it_goes_on(
    settings: ElasticSettings, raw: Elasticsearch, tmp_path: Path, command: str
) -> None:
    expected = made(raw, settings.index, 120)
    where, draw = place(settings), random.Random(command)
    options = ("--text-field", *BODY, "--plan", "characters")
    told = [settings.index, "--store", settings.url]
    if command == "attach":
        told += options
    else:
        attach(where)
    ended = 0
    for _ in range(10):
        at, when = draw.randrange(1, 40), draw.choice(["early", "late"])
        program = (sys.executable, "-c", KILLING, str(at), when)
        process = start(command, *told, folder=tmp_path, program=program)
        out, err = process.communicate(timeout=300)
        assert process.returncode in (0, -9, 4), (out, err)
        ended += process.returncode != -9
        assert without_ours(sources(raw, settings.index)) == expected
    last = run(command, *told, folder=tmp_path)
    assert ended < 10  # it was killed on the way, not only before and after
    stored = sources(raw, settings.index)
    if command == "attach":
        assert last.status == 0, last.err
        assert not_current(stored) == []
        with Index.open(where) as index:
            assert index.describe()["attached"] == "done"
            assert [match.id for match in index.lookup(text_in(9)).matches] == ["d9"]
    else:
        assert last.status in (0, 4), last.err
        assert stored == expected
        assert "not attached" in run(command, *told, folder=tmp_path).error()
