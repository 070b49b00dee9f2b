"""What is held of documents is bounded by what earlier ones weighed."""

from __future__ import annotations

from indexer.weight import HELD_BYTES
from query.stores.elastic.loads import Loads


def hits(count: int, size: int) -> list[dict[str, object]]:
    return [{"_source": {"text": "x" * size, "dupdex": {}}} for _ in range(count)]


def test_nothing_is_known_at_first() -> None:
    loads = Loads()
    assert loads.page(100) == 5
    assert loads.page(2) == 2
    assert not loads.are_light
    loads.note([])
    assert loads.page(100) == 5


def test_documents_without_the_object_of_dupdex_stay_where_they_are() -> None:
    """A candidate that comes along has its stored values there, and nowhere else."""
    loads = Loads()
    loads.note([*hits(3, 1_000), {"_source": {"text": "x"}}])
    assert not loads.are_light
    loads.note(hits(20, 1_000))
    assert loads.are_light


def test_light_documents_come_along_and_fill_pages() -> None:
    loads = Loads()
    loads.note(hits(20, 1_000))
    assert loads.are_light
    assert loads.page(100) == 100


def test_heavy_documents_are_read_a_few_at_a_time() -> None:
    loads = Loads()
    loads.note(hits(20, 1_000))
    loads.note(hits(1, HELD_BYTES))
    assert not loads.are_light
    assert loads.page(100) == 1
    for _ in range(20):
        loads.note(hits(20, 1_000))
    assert loads.page(100) < 10  # what was heavy once is remembered for a while
    for _ in range(200):
        loads.note(hits(20, 1_000))
    assert loads.are_light
