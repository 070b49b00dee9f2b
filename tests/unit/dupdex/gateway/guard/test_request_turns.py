"""No more requests at once than there are turns, and no turn is ever lost."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from dupdex.gateway.guard.limits import Limits
from dupdex.gateway.guard.request_turns import Turns


@settings(max_examples=50, deadline=None)
@given(
    st.integers(1, 3),
    st.integers(0, 4),
    st.lists(st.sampled_from(["end", "cancel"]), max_size=15),
)
def test_turns_are_kept_and_given_back(requests: int, waiting: int, ends: list[str]) -> None:
    async def trial() -> None:
        turns = Turns(Limits(requests=requests, waiting=waiting, turn_seconds=0.02))
        now = most = 0

        async def one() -> bool:
            nonlocal now, most
            if not await turns.take():
                return False
            now += 1
            most = max(most, now)
            try:
                await asyncio.sleep(0.005)
            finally:
                now -= 1
                turns.give_back()
            return True

        tasks = [asyncio.ensure_future(one()) for _ in ends]
        await asyncio.sleep(0.002)
        for task, end in zip(tasks, ends, strict=True):
            if end == "cancel":
                task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert most <= requests
        refused = [each for each in done if each is False]
        assert len(refused) <= max(0, len(ends) - requests)
        assert turns.waiting == 0
        assert [await turns.take() for _ in range(requests)] == [True] * requests
        assert await turns.take() is False  # each of them is there, and not one more

    asyncio.run(trial())


def test_who_waits_too_long_is_told() -> None:
    async def trial() -> list[bool]:
        turns = Turns(Limits(requests=1, waiting=1, turn_seconds=0.01))
        return [await turns.take(), await turns.take()]

    assert asyncio.run(trial()) == [True, False]
