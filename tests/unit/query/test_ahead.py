"""Requests in groups, the next of which is answered while the one before is judged."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from mappings.contract import Field
from mappings.errors import StoreUnavailable
from mappings.plan import STANDARD
from query.ahead import pages_ahead
from query.answers import CandidatePage, Request
from query.lookup import near_duplicates_all
from query.questions import EVERYTHING, Options, Question
from tests.texts import LIBRARY, METRO, TEA, chinese
from tests.unit.query.memory import MemoryReader
from tests.unit.query.metros import LONG, TEXTS

ASKED = [METRO, chinese(400, 9), LIBRARY, "😀", LONG, TEA, METRO]


class Ahead(MemoryReader):
    """A store that answers two requests at once, and notes the groups."""

    at_once = 2

    def __init__(self) -> None:
        super().__init__(TEXTS, STANDARD)
        self.groups: list[int] = []
        self.reached = threading.Semaphore(0)

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        self.groups.append(len(requests))
        self.reached.release()
        return super().candidates(requests)


@pytest.mark.parametrize("options", [None, Options(size=1), Options(verify=1), EVERYTHING])
def test_groups_change_no_answer(options: Options | None) -> None:
    questions = [Question(text) for text in ASKED]
    together = near_duplicates_all(questions, STANDARD, MemoryReader(TEXTS, STANDARD), options)
    assert near_duplicates_all(questions, STANDARD, Ahead(), options) == together


def requests(count: int, limit: int | None = 50) -> list[Request]:
    return [Request({Field.SENTENCES: (str(n),)}, limit) for n in range(count)]


@pytest.mark.parametrize(
    ("count", "limit", "groups"),
    [
        (0, 50, [0]),
        (1, 50, [1]),
        (2, 50, [2]),
        (3, 50, [1, 2]),
        (4, 50, [2, 2]),
        (5, 50, [1, 2, 2]),
        (5, None, [5]),
    ],
)
def test_the_size_of_groups(count: int, limit: int | None, groups: list[int]) -> None:
    reader = Ahead()
    pages = list(pages_ahead(reader, requests(count, limit)))
    assert reader.groups == [len(group) for group in pages] == groups
    assert reader.requests == requests(count, limit)


def test_the_next_group_is_asked_for_before_the_last_one_is_judged() -> None:
    reader = Ahead()
    pages = pages_ahead(reader, requests(6))
    next(pages)
    assert all(reader.reached.acquire(timeout=10) for _ in range(2))
    assert len(reader.groups) == 2  # and no further one: what is held is bounded


class Failing(Ahead):
    """A store that fails at the second group."""

    def candidates(self, requests: Sequence[Request]) -> list[CandidatePage]:
        pages = super().candidates(requests)
        if len(self.groups) == 2:
            raise StoreUnavailable("gone")
        return pages


def test_a_failure_of_any_group_is_one_of_the_whole_batch() -> None:
    with pytest.raises(StoreUnavailable, match="gone"):
        near_duplicates_all([Question(text) for text in ASKED], STANDARD, Failing())
