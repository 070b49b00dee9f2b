"""One of three nodes is killed while documents are grouped, and during a sweep: the others go on
with their copies, and nothing that was acknowledged is lost or doubled.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from elasticsearch import Elasticsearch

from dupdex.groups.group_store import GroupStore
from dupdex.index import Index
from dupdex.jobs.sweep_job import Sweep, sweep
from dupdex.location import Location
from dupdex.session import Session
from indexer.grouping import Grouping
from indexer.model import Document, Status
from mappings.errors import StoreUnavailable
from mappings.records import GROUPS
from scripts.devnode.nodes import Cluster
from tests.service.test_killed_sweep import PROGRAM, fill, state
from tests.source_tree import ROOT
from tests.texts import chinese

FAMILIES, COPIES, AT_ONCE = 20, 5, 10
TRIES: Final = 20
HEALTHY: Final = 120


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Three nodes that all run when a test begins."""
    with Cluster(nodes=3, heap="256m", short_lived=True) as cluster:
        yield cluster


@pytest.fixture
def raw(cluster: Cluster) -> Iterator[Elasticsearch]:
    with Elasticsearch(cluster.urls, request_timeout=HEALTHY + 10) as client:
        whole(client)
        yield client


def whole(client: Elasticsearch) -> None:
    """Wait until three nodes have a copy of each shard on two of them."""
    health = client.cluster.health(
        wait_for_status="green", wait_for_nodes="3", timeout=f"{HEALTHY}s"
    )
    assert not health["timed_out"], health


def place(cluster: Cluster, index: str) -> Location:
    return Location(",".join(cluster.urls), index)


def node_with(cluster: Cluster, raw: Elasticsearch, index: str) -> int:
    """The number of the node that writes to an index go to first."""
    (shard,) = raw.search_shards(index=index, preference="_local").body["shards"][:1]
    names = raw.nodes.info(metric="http").body["nodes"]
    primary = next(copy["node"] for copy in shard if copy["primary"])
    address = names[primary]["http"]["publish_address"]
    return next(at for at, url in enumerate(cluster.urls) if url.endswith(address.split(":")[-1]))


def posted(index: Index, documents: list[Document]) -> list[str]:
    """Documents until they are acknowledged, as a program posts them that means to go on."""
    for _ in range(TRIES):
        try:
            outcomes = index.add(documents)
        except StoreUnavailable:
            time.sleep(1)
            continue
        assert all(outcome.status is not Status.REJECTED for outcome in outcomes)
        return [outcome.document.id for outcome in outcomes]
    raise AssertionError("the two other nodes did not go on")


def test_documents_are_grouped_without_it(cluster: Cluster, raw: Elasticsearch) -> None:
    documents = [
        Document(f"{family}-{copy}", chinese(200, family) + chinese(6, 1_000 + copy))
        for family in range(FAMILIES)
        for copy in range(COPIES)
    ]
    random.Random(7).shuffle(documents)
    where, acknowledged = place(cluster, "grouped"), list[str]()
    with Session(where) as session:
        with Index.create(session, grouping=Grouping(live=True)) as index:
            lost = -1
            for start in range(0, len(documents), AT_ONCE):
                if start == len(documents) // 2:
                    whole(raw)
                    lost = node_with(cluster, raw, where.index)
                    cluster.kill(lost)
                acknowledged += posted(index, documents[start : start + AT_ONCE])
            index.groups.grouper().assign([])  # what the node took along is settled
            index.refresh()
        standings = dict(session.reader().all_standings())
        records = GroupStore(session.collection(GROUPS)).everything()
    cluster.restart(lost)
    assert sorted(ref.id for ref in standings) == sorted(acknowledged)
    assert len(set(acknowledged)) == len(acknowledged) == FAMILIES * COPIES
    families = Counter(
        (ref.id.partition("-")[0], standing.group) for ref, standing in standings.items()
    )
    assert sorted(families.values()) == [COPIES] * FAMILIES
    assert {name: record.size for name, record in records.items() if record.canonical} == {
        group: COPIES for _, group in families
    }


def test_a_sweep_goes_on_without_it(cluster: Cluster, raw: Elasticsearch, tmp_path: Path) -> None:
    calm = Location(str(tmp_path), "calm")
    fill(calm)
    with Session(calm) as session:
        sweep(session)
    where = place(cluster, "swept")
    fill(where)
    with Session(where) as session:  # makes all that a sweep writes to, and finds no pair
        sweep(session, Sweep(since=int(time.time() * 1000) + 3_600_000))
    assert not state(where)[0]
    whole(raw)  # an index without its copies yet is gone until the node is back
    lost = node_with(cluster, raw, where.index)
    command = [sys.executable, "-c", PROGRAM, where.place, where.index]
    for run in range(TRIES):
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        if run == 0:
            assert process.stdout is not None
            assert process.stdout.readline() == b"begun\n"
            time.sleep(0.5)  # of two seconds
            cluster.kill(lost)
        _, error = process.communicate(timeout=180)
        if process.returncode == 0:
            break
        assert b"StoreUnavailable" in error or b"LeaseLost" in error, error.decode()
        time.sleep(1)
    assert process.returncode == 0
    found = state(where)
    cluster.restart(lost)
    assert found == state(calm)
