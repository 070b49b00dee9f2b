"""Full text with one hit a group. A cursor holds the groups that were shown, as digests: whatever
is written between two pages, no group comes twice, and each that stays comes once.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from mappings.errors import InputRefused
from query.answers import GroupHit, GroupHits, Hit

_DIGEST: Final = 8
"""Bytes: of ten thousand groups two have the same digest once in a hundred billion searches."""

Found = tuple[int, float, str]
"""The number of a document, its rank (the less the better) and its group."""


def collapsed(
    found: Iterable[Found],
    size: int,
    after: Mapping[str, Any] | None,
    hit_of: Callable[[int, float], Hit],
) -> GroupHits:
    """A page of groups from the documents of all, best first; `hit_of` reads one."""
    seen = _unpacked(after["seen"]) if after else set()
    best: dict[str, tuple[int, float]] = {}
    copies: dict[str, int] = {}
    total = 0
    for num, rank, group in found:
        total += 1
        best.setdefault(group, (num, rank))
        copies[group] = copies.get(group, 0) + 1
    ordered = sorted(best, key=lambda group: (best[group][1], group))
    left = [group for group in ordered if _digest(group) not in seen] if seen else ordered
    hits = tuple(GroupHit(hit_of(*best[group]), group, copies[group]) for group in left[:size])
    shown = seen | {_digest(hit.group) for hit in hits}
    more = hits and len(left) > len(hits)
    return GroupHits(hits, total, len(best), {"seen": _packed(shown)} if more else None)


def _digest(group: str) -> bytes:
    return hashlib.blake2b(group.encode(), digest_size=_DIGEST).digest()


def _packed(digests: set[bytes]) -> str:
    return base64.b85encode(zlib.compress(b"".join(sorted(digests)))).decode("ascii")


def _unpacked(text: str) -> set[bytes]:
    try:
        packed = zlib.decompress(base64.b85decode(text))
    except (ValueError, zlib.error) as error:
        raise InputRefused("this is no cursor; give one as the page before printed it") from error
    return {packed[at : at + _DIGEST] for at in range(0, len(packed), _DIGEST)}
