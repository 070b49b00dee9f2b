"""Large bodies together take no more than they may, whoever waits longest is next, and nothing that
was taken is ever lost."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupdex.gateway.guard.body_budget import FREE, STREAM, BodyBudget
from dupdex.gateway.guard.guarded_bodies import Guarded
from dupdex.gateway.guard.limits import MEGABYTE, Limits

TOTAL = 100


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 150), st.sampled_from(["end", "cancel", "late"])), max_size=12
    )
)
def test_the_sum_is_bounded(bodies: list[tuple[int, str]]) -> None:
    async def trial() -> None:
        budget = BodyBudget(Limits(buffered=TOTAL, turn_seconds=0.02))
        held = 0

        async def one(amount: int, end: str) -> None:
            nonlocal held
            taken = await budget.take(amount)
            held += taken
            assert held <= TOTAL
            assert taken in (0, min(amount, TOTAL))
            try:
                await asyncio.sleep(0.05 if end == "late" else 0.001)
            finally:
                held -= taken
                budget.give_back(taken)

        tasks = [asyncio.ensure_future(one(*body)) for body in bodies]
        await asyncio.sleep(0.002)
        for task, (_, end) in zip(tasks, bodies, strict=True):
            if end == "cancel":
                task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            assert ended is None or isinstance(ended, asyncio.CancelledError)
        assert budget.left == TOTAL

    asyncio.run(trial())


@pytest.mark.parametrize(
    ("path", "headers", "expected"),
    [
        (b"/a/_doc/1", [(b"content-length", b"5000000")], 5_000_000),
        (b"/a/_doc/1", [(b"content-length", b"5"), (b"content-encoding", b"gzip")], 40),
        (b"/a/_doc/1", [], 100 * MEGABYTE),
        (b"/a/_bulk", [], STREAM),
        (b"/a/_bulk", [(b"content-length", b"5000000")], 5_000_000),
        (b"/_bulk", [(b"content-length", b"5000000000")], STREAM),
    ],
)
def test_what_a_body_takes(path: bytes, headers: list[tuple[bytes, bytes]], expected: int) -> None:
    async def one() -> int:
        budget = BodyBudget(Limits())
        share = budget.share(path, headers, 100 * MEGABYTE)
        assert await share.take()
        taken = share.taken
        share.give_back()
        assert budget.left == Limits().buffered
        return taken

    assert asyncio.run(one()) == expected


@pytest.mark.parametrize("size", [FREE, FREE + 1])
def test_a_small_body_never_waits(size: int) -> None:
    async def one() -> int | None:
        budget = BodyBudget(Limits(buffered=1, turn_seconds=0.02))
        await budget.take(1)

        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": bytes(size), "more_body": False}

        share = budget.share(b"/a/_doc/1", [], 2 * FREE)
        guarded = Guarded(receive, 2 * FREE, share)
        await guarded()
        return guarded.refusal.status if guarded.refusal else None

    assert asyncio.run(one()) == (None if size == FREE else 429)
