"""The search for garbage pauses, and goes on, whoever else wants it to."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator

import pytest

from indexer import garbage
from indexer.garbage import no_collections


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if was_enabled else gc.disable)()


def test_it_goes_on_after_the_last_pause() -> None:
    with no_collections():
        with no_collections():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_an_error() -> None:
    with pytest.raises(KeyError), no_collections():
        raise KeyError
    assert gc.isenabled()


def test_who_never_looks_is_left_alone() -> None:
    gc.disable()
    with no_collections(all_is_old=True):
        pass
    assert not gc.isenabled()


def test_threads_that_take_turns_do_not_pause_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """One begins before the other has ended, on and on."""
    monkeypatch.setattr(garbage, "_LONGEST", 0.05)
    monkeypatch.setattr(garbage, "_pause", garbage._Pause())
    seen = threading.Event()
    done = threading.Event()

    def work() -> None:
        for _ in range(2_000):
            with no_collections():
                if done.wait(0.005):
                    return
                if gc.isenabled():
                    seen.set()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        assert seen.wait(9)
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert gc.isenabled()


@pytest.mark.parametrize("frozen", (False, True))
def test_what_was_made_is_old(frozen: bool) -> None:
    """Unless somebody has frozen objects, which would be let go of."""
    before = gc.get_freeze_count()
    if frozen:
        gc.freeze()
    try:
        with no_collections(all_is_old=True):
            made: list[object] = [[number] for number in range(3_000)]
        young = {id(each) for each in gc.get_objects(generation=0)}
        assert (id(made[0]) in young) is (frozen or before > 0)
    finally:
        if frozen and not before:
            gc.unfreeze()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # there are threads, on purpose
def test_a_forked_process_looks_for_garbage() -> None:
    """Also where another thread did not want it to at that moment."""
    begun, done = threading.Event(), threading.Event()

    def work() -> None:
        with no_collections():
            begun.set()
            done.wait(9)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert begun.wait(9)
        child = os.fork()
        if not child:
            looks = gc.isenabled()
            with no_collections():
                looks = looks and not gc.isenabled()
            os._exit(0 if looks and gc.isenabled() else 1)
        assert os.waitpid(child, 0)[1] == 0
    finally:
        done.set()
        thread.join()
