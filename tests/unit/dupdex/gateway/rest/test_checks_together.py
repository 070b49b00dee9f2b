"""Checks that wait at the same time are looked up together, and nobody notices."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dupdex.gateway.callers import ANYBODY
from dupdex.gateway.rest.checks_together import CHARACTERS, SLOTS, TOGETHER, Gathering
from dupdex.gateway.rest.operations import Asked, Reply
from dupdex.gateway.services import Services
from dupdex.gateway.settings import ServeSettings
from mappings.errors import DupdexError, NotFound, StoreUnavailable


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    made = Services(ServeSettings(store=str(tmp_path)))
    yield made
    asyncio.run(made.close())


class Answering:
    """Answers with what was asked, and notes how many were asked together."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.under_way = self.most = 0
        self._turn = threading.Lock()

    def __call__(self, asked: Sequence[Asked]) -> list[Reply | DupdexError]:
        with self._turn:
            self.sizes.append(len(asked))
            self.under_way += 1
            self.most = max(self.most, self.under_way)
        threading.Event().wait(0.01)
        with self._turn:
            self.under_way -= 1
        if any(each.target == "away" for each in asked):
            raise StoreUnavailable("away")
        return [
            NotFound(each.target) if each.body == "none" else Reply(each.body) for each in asked
        ]


def asked_by(services: Services, body: str, target: str = "news") -> Asked:
    return Asked(services, ANYBODY, target, {}, None, body)


def test_everybody_gets_their_own_answer(services: Services) -> None:
    answering = Answering()

    async def ask() -> list[Reply | BaseException]:
        gathering = Gathering(answering)
        waiting = [
            gathering.answer(asked_by(services, body), "kind", 10)
            for body in [*map(str, range(40)), "none"]
        ]
        return await asyncio.gather(*waiting, return_exceptions=True)

    *replies, refused = asyncio.run(ask())
    assert [each.value for each in replies if isinstance(each, Reply)] == [*map(str, range(40))]
    assert isinstance(refused, NotFound)
    assert sum(answering.sizes) == 41
    assert max(answering.sizes) == TOGETHER
    assert answering.most <= SLOTS


def test_one_alone_does_not_wait(services: Services) -> None:
    answering = Answering()
    reply = asyncio.run(_alone(answering, services))
    assert (reply.value, answering.sizes) == ("x", [1])


async def _alone(answering: Answering, services: Services) -> Reply:
    return await Gathering(answering).answer(asked_by(services, "x"), "kind", 10)


def test_kinds_and_long_texts_stay_apart(services: Services) -> None:
    answering = Answering()

    async def ask() -> None:
        gathering = Gathering(answering)
        kinds = [gathering.answer(asked_by(services, "x"), kind, 1) for kind in "abcd"]
        long = [gathering.answer(asked_by(services, "y"), "long", CHARACTERS + 1) for _ in "abc"]
        await asyncio.gather(*kinds, *long)

    asyncio.run(ask())
    assert answering.sizes == [1] * 7


def test_an_error_of_the_store_reaches_all_that_wait_and_ends_nothing(services: Services) -> None:
    answering = Answering()

    async def ask() -> tuple[list[Reply | BaseException], Reply]:
        gathering = Gathering(answering)
        failing = [gathering.answer(asked_by(services, "x", "away"), "away", 1) for _ in range(5)]
        told = await asyncio.gather(*failing, return_exceptions=True)
        return told, await gathering.answer(asked_by(services, "y"), "kind", 1)

    told, after = asyncio.run(ask())
    assert [type(each) for each in told] == [StoreUnavailable] * 5
    assert after.value == "y"
