"""What a client does not read does not grow without end."""

from __future__ import annotations

import asyncio

import pytest

from dupdex.gateway.rest import document_stream
from dupdex.gateway.rest.document_stream import _Waiting


def test_outcomes_wait_for_their_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_stream, "_MOST_UNREAD", 1_000)

    async def run() -> tuple[int, int]:
        waiting, put = _Waiting(), 0

        async def store() -> None:
            nonlocal put
            for _ in range(50):
                waiting.put(b"a" * 100)
                put += 100
                await waiting.room()
            waiting.end()

        storing = asyncio.create_task(store())
        await asyncio.sleep(0.05)
        unread = put
        read = sum([len(part) async for part in waiting.parts()])
        await storing
        waiting.close()
        return unread, read

    assert asyncio.run(run()) == (1_100, 5_000)
