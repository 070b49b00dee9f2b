"""How much one request, and all of them together, may take."""

from __future__ import annotations

from dataclasses import dataclass

from mappings.errors import InputRefused

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one process. `body`: bytes of a request, `stream`: of one whose body streams through
    (`_bulk`, `documents`), `buffered`: of all large bodies together. `requests`: at once,
    `waiting`: how many more wait for their turn, up to `turn_seconds`. `seconds`: until the answer
    begins, for all but what streams or goes through a whole index.

    Raises InputRefused for what is no limit.
    """

    body: int = 100 * MEGABYTE
    stream: int = 4_096 * MEGABYTE
    buffered: int = 512 * MEGABYTE
    requests: int = 256
    waiting: int = 512
    turn_seconds: float = 10.0
    seconds: float = 300.0

    def __post_init__(self) -> None:
        if min(self.body, self.stream, self.buffered) < 1 or self.requests < 1 or self.waiting < 0:
            raise InputRefused("limits of a gateway must be at least 1")
        if min(self.turn_seconds, self.seconds) <= 0:
            raise InputRefused("times of a gateway must be more than 0 seconds")


STREAMED = frozenset({b"_bulk", b"documents"})
"""Last segments of paths whose bodies stream."""

_LONG = STREAMED | frozenset(
    {
        b"_reindex", b"_update_by_query", b"_delete_by_query", b"_forcemerge", b"_snapshot",
        b"_restore", b"_search_shards", b"_async_search", b"jobs",
    }
)  # fmt: skip


def last_segment(raw_path: bytes) -> bytes:
    """What a path ends with."""
    return raw_path.rstrip(b"/").rpartition(b"/")[2]


def takes_long(raw_path: bytes) -> bool:
    """Whether a request may go on for longer than the limit, as it has very much to do."""
    return last_segment(raw_path) in _LONG
