"""A node that is killed while documents come in: what it acknowledged is on its disk."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from indexer.model import Record, Status
from mappings.errors import StoreUnavailable
from scripts.devnode.nodes import Cluster
from tests.command import goes_on, halted, halting, run, start, write_lines
from tests.service.elastic_data import chinese, reader_on, records, settings_for, writer_on

TOTAL: Final = 3_000


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A node that runs when a test begins, and again when it ends."""
    with Cluster(short_lived=True) as cluster:
        yield cluster


def test_a_write_goes_on_when_the_node_is_back(cluster: Cluster) -> None:
    acknowledged: list[str] = []
    settings = settings_for(cluster.urls[0], request_timeout=20.0)
    restart = threading.Thread(target=cluster.restart, args=(0,))

    def killed_on_the_way() -> Iterator[Record]:
        for at, record in enumerate(records(TOTAL)):
            if at == TOTAL // 3:
                cluster.kill(0)
                restart.start()
            yield record

    with writer_on(settings, chunk_documents=100) as writer:
        for outcome in writer.write(killed_on_the_way()):
            assert outcome.status is not Status.REJECTED, outcome.reason
            acknowledged.append(outcome.document.id)
        assert len(acknowledged) == TOTAL
        writer.refresh()
    restart.join()
    with reader_on(settings) as reader:
        assert {stored.id for stored in reader.scan()} == set(acknowledged)


def test_a_write_that_gives_up_has_stored_what_was_acknowledged(cluster: Cluster) -> None:
    settings = settings_for(cluster.urls[0], request_timeout=20.0, retry_seconds=2.0)
    acknowledged: list[str] = []
    with (
        writer_on(settings, chunk_documents=100) as writer,
        pytest.raises(StoreUnavailable, match="what was acknowledged is stored"),
    ):
        for outcome in writer.write(records(TOTAL)):
            acknowledged.append(outcome.document.id)
            if len(acknowledged) == TOTAL // 3:
                cluster.kill(0)
    cluster.restart(0)
    with reader_on(settings) as reader:
        assert set(reader.by_ids(acknowledged)) == set(acknowledged)
        assert len(acknowledged) <= reader.count() < TOTAL


def test_a_run_is_taken_up_when_the_node_is_back(cluster: Cluster, tmp_path: Path) -> None:
    write_lines(
        tmp_path / "in.jsonl", ({"id": f"d{n}", "text": chinese(n, 40)} for n in range(TOTAL))
    )
    command = ("index", "in.jsonl", "--plan", "characters", "--store", cluster.urls[0])
    impatient = {"DUPDEX_RETRY_SECONDS": "1"}
    process = halted(start(*command, folder=tmp_path, program=halting(1_200), **impatient))
    cluster.kill(0)
    goes_on(process)
    _, err = process.communicate()
    assert process.returncode == 6
    assert "documents were stored before" in err
    assert len(err.splitlines()) == 1
    cluster.restart(0)
    done = run(*command, folder=tmp_path)
    assert done.status == 0
    assert "going on after line" in done.err
    facts = run("info", "--json", "--store", cluster.urls[0], folder=tmp_path).json()
    assert facts["documents"] == TOTAL
