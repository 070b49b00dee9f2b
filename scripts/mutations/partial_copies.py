"""Partial copies: a part of one text planted in another, joined with another, or alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Final

from scripts.mutations.layout import joined, sentences_of
from scripts.mutations.noise import edits

SHARES: Final = (0.15, 0.3, 0.5, 0.7)
"""How much of the original is copied; in joined texts, how much of the result it makes."""

KINDS: Final = ("joined", "planted", "excerpt")
EDITED: Final = (0, 50)
"""An edit in so many characters; 0 is none."""

LENGTHS: Final = (300, 3_000)
"""Characters of a text: those of news."""

LEAST: Final = 120
"""Characters copied at a share of .15, at least."""

_MOST_PIECES: Final = 3
_PIECE: Final = 60
"""Characters of a piece, at least."""


@dataclass(frozen=True, slots=True)
class Row:
    """One sort of partial copy."""

    kind: str
    share: float
    every: int

    @property
    def name(self) -> str:
        edited = f", an edit in {self.every}" if self.every else ""
        return f"{self.kind} {self.share:.0%}{edited}"


@dataclass(frozen=True, slots=True)
class PartialCopy:
    """A copy and the text that it has a part of. `part`: how much of the original it is."""

    row: Row
    original: str
    copy: str
    part: float


ROWS: Final = tuple(
    Row(kind, share, every) for every in EDITED for kind in KINDS for share in SHARES
)


def cut_to_news(text: str, rng: Random) -> str:
    """The beginning of a text, as long as some news item, up to the end of a sentence."""
    low, high = LENGTHS
    wanted = round(low * (high / low) ** rng.random())
    size, parts = 0, []
    for part in sentences_of(text):
        if size and size + len(part) > high:
            break
        parts.append(part)
        size += len(part)
        if size >= wanted:
            break
    return "".join(parts).strip()


def partial_copies(
    originals: Sequence[str], hosts: Sequence[str], seed: str, rows: Sequence[Row] = ROWS
) -> Iterator[PartialCopy]:
    """A copy of each original, the rows in turns; an original that is too short for its row gets
    the next row.
    """
    turns = count()
    for number, original in enumerate(originals):
        for _ in rows:
            row = rows[next(turns) % len(rows)]
            rng = Random(f"{seed}/{number}/{row.name}")
            copy = _copy(row, original, rng.choice(hosts), rng)
            if copy is not None:
                yield PartialCopy(row, original, *copy)
                break


def _copy(row: Row, original: str, host: str, rng: Random) -> tuple[str, float] | None:
    """The copy, and how much of the original it has."""
    least = LEAST if row.share < SHARES[1] else LENGTHS[0] * SHARES[1]
    part = row.share
    if row.kind == "joined":
        both = joined(original, host, rng, row.share)
        part = both[1] * len(both[0]) / len(original) if both else 0.0
        copy: str | None = both[0] if both else None
    else:
        size = round(len(original) * part)
        most = max(1, min(_MOST_PIECES, size // _PIECE)) if row.kind == "planted" else 1
        pieces = stretches(original, size, rng.randint(1, most), rng)
        copy = planted(pieces, host, rng) if row.kind == "planted" else "".join(pieces)
    if copy is None or len(original) * part < least:
        return None
    edited = edits(copy, rng, every=row.every) if row.every else copy
    return None if edited is None else (edited, part)


def stretches(text: str, size: int, pieces: int, rng: Random) -> list[str]:
    """`size` characters of a text in so many pieces, which do not overlap, in text order."""
    room = len(text) - size
    gaps = sorted(rng.randint(0, room) for _ in range(pieces))
    each = size // pieces
    return [text[gap + each * at : gap + each * (at + 1)] for at, gap in enumerate(gaps)]


def planted(pieces: Sequence[str], host: str, rng: Random) -> str:
    """The pieces between sentences of another text."""
    parts = sentences_of(host)
    for piece in pieces:
        parts.insert(rng.randint(0, len(parts)), piece)
    return "".join(parts)
