"""Compressed bodies, a piece at a time."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.gateway.content_codings import window_of
from dupdex.gateway.enrich.inflating import PIECE, can_be_read, encoding_of, inflated, pieces
from mappings.errors import InputRefused
from tests.texts import LAW


def read(body: bytes, encoding: bytes, size: int = 1_000) -> list[bytes]:
    async def sent() -> AsyncIterator[bytes]:
        for at in range(0, len(body), size):
            yield body[at : at + size]

    async def all_of_it() -> list[bytes]:
        return [piece async for piece in inflated(pieces(sent()), encoding)]

    return asyncio.run(all_of_it())


@LAW
@given(st.binary(max_size=300), st.binary(max_size=300), st.integers(1, 40))
def test_it_is_what_it_was(first: bytes, second: bytes, size: int) -> None:
    assert b"".join(read(first, b"", size)) == first
    assert b"".join(read(zlib.compress(first), b"deflate", size)) == first
    bare = zlib.compress(first, wbits=-15)
    if window_of(b"deflate", bare) < 0:
        assert b"".join(read(bare, b"deflate", size)) == first
    else:  # one in some thousands begins like a header, for Elasticsearch as well
        with pytest.raises(InputRefused, match="deflate"):
            read(bare, b"deflate", size)
    packed = gzip.compress(first) + gzip.compress(second)
    assert b"".join(read(packed, b"gzip", size)) == first + second


def test_bare_deflate_that_begins_like_a_header_is_refused_as_elasticsearch_does() -> None:
    with pytest.raises(InputRefused, match="deflate"):
        read(zlib.compress(b"\xf8\x00", wbits=-15), b"deflate")


def test_a_bomb_comes_in_small_pieces() -> None:
    packed = gzip.compress(bytes(50 * PIECE))
    made = read(packed, b"gzip", len(packed))
    assert max(map(len, made)) <= PIECE
    assert sum(map(len, made)) == 50 * PIECE


@pytest.mark.parametrize(
    "body",
    [b"", b"p", b"plain", gzip.compress(b"a" * 99)[:-9], gzip.compress(b"a") + b"\x1f"],
    ids=["nothing", "a letter", "plain", "cut short", "begun again"],  # a head tells the time
)
def test_what_is_not_compressed_like_that(body: bytes) -> None:
    with pytest.raises(InputRefused, match="gzip"):
        read(body, b"gzip")


def test_encodings() -> None:
    assert encoding_of([(b"content-encoding", b" GZIP ")]) == b"gzip"
    assert encoding_of([(b"content-encoding", b"identity")]) == b""
    known = [b"gzip", b"deflate", b"identity", b"br"]
    assert [can_be_read([(b"content-encoding", each)]) for each in known] == [True] * 3 + [False]


def test_others_have_their_turns_while_a_bomb_is_unpacked() -> None:
    packed, turns = gzip.compress(bytes(20 * PIECE)), 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def both() -> None:
        task = asyncio.create_task(others())
        assert sum([len(piece) async for piece in inflated(pieces(packed), b"gzip")])
        task.cancel()

    asyncio.run(both())
    assert turns >= 20
