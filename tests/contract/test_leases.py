"""Leases on both stores: one owner at a time, and one after a killed owner."""

from __future__ import annotations

import threading
import time

import pytest

from dupdex.session import Session
from indexer.stores.collection_store import CollectionStore
from indexer.stores.lease import LeaseLost, leased
from mappings.errors import StoreUnavailable
from mappings.records import LEASES
from tests.contract.stores import Store, real


@pytest.fixture
def leases(store: Store) -> CollectionStore:
    store.write(real("a", "今天天气很好"))
    store.close_writer()
    session = store.opened.enter_context(Session(store.opener.location))
    return session.collection(LEASES)


def test_one_at_a_time(leases: CollectionStore) -> None:
    inside, most, done = 0, 0, 0
    turn = threading.Lock()

    def work() -> None:
        nonlocal inside, most, done
        for _ in range(5):
            with leased(leases, "grouping"):
                with turn:
                    inside += 1
                    most = max(most, inside)
                time.sleep(0.005)
                with turn:
                    inside -= 1
                    done += 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most, done) == (1, 20)
    assert leases.get("grouping") is None


def test_who_waits_too_long_is_told_who_has_it(leases: CollectionStore) -> None:
    with (
        leased(leases, "sweep"),
        pytest.raises(StoreUnavailable, match="under way elsewhere"),
        leased(leases, "sweep", wait=0.05),
    ):
        pytest.fail("it has an owner")


def test_an_owner_that_was_killed(leases: CollectionStore) -> None:
    """What it has begun is told to the next one; the first finds out at its next step."""
    with leased(leases, "grouping", seconds=0.2) as killed:
        killed.renew(["a", "b"])
        time.sleep(0.3)
        with leased(leases, "grouping") as next_one:
            assert next_one.unsettled == ["a", "b"]
            with pytest.raises(LeaseLost, match="another program took over"):
                killed.check()
            next_one.renew(None)
    assert leases.get("grouping") is None


def test_what_is_unsettled_is_kept(leases: CollectionStore) -> None:
    with pytest.raises(RuntimeError), leased(leases, "grouping") as lease:
        lease.renew({"documents": ["a"]})
        raise RuntimeError
    with leased(leases, "grouping", wait=1) as lease:
        assert lease.unsettled == {"documents": ["a"]}
        lease.renew(None)


def test_a_lease_is_renewed_in_good_time(leases: CollectionStore) -> None:
    with leased(leases, "grouping", seconds=2.0) as lease:  # a busy server takes its time
        for _ in range(4):
            time.sleep(0.75)
            lease.check()
        with pytest.raises(StoreUnavailable), leased(leases, "grouping", wait=0.01):
            pytest.fail("it has an owner")
