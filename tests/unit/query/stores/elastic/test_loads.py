"""What is held of documents is bounded by what earlier ones weighed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indexer.weight import HELD_BYTES
from query.stores.elastic.loads import Loads, held_in


def documents(count: int, size: int) -> list[Mapping[str, Any]]:
    return [{"text": "x" * size, "dupdex": {}} for _ in range(count)]


def test_nothing_is_known_at_first() -> None:
    loads = Loads()
    assert loads.page(100) == 5
    assert loads.page(2) == 2
    assert not loads.are_light
    loads.note([], held_in)
    assert loads.page(100) == 5


def test_documents_without_the_object_of_dupdex_stay_where_they_are() -> None:
    """A candidate that comes along has its stored values there, and nowhere else."""
    loads = Loads()
    loads.note([*documents(3, 1_000), {"text": "x"}], held_in)
    assert not loads.are_light
    loads.note(documents(20, 1_000), held_in)
    assert loads.are_light


def test_light_documents_come_along_and_fill_pages() -> None:
    loads = Loads()
    loads.note(documents(20, 1_000), held_in)
    assert loads.are_light
    assert loads.page(100) == 100


def test_heavy_documents_are_read_a_few_at_a_time() -> None:
    loads = Loads()
    loads.note(documents(20, 1_000), held_in)
    loads.note(documents(1, HELD_BYTES), held_in)
    assert not loads.are_light
    assert loads.page(100) == 1
    for _ in range(20):
        loads.note(documents(20, 1_000), held_in)
    assert loads.page(100) < 10  # what was heavy once is remembered for a while
    for _ in range(200):
        loads.note(documents(20, 1_000), held_in)
    assert loads.are_light
