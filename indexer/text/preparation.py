"""Texts, prepared: one form for what reads the same, with a way back to the original.

Steps (named in the plan): NFKC, case folding, traditional to simplified Chinese, invisible
characters out, white space to one space or line feed, punctuation marks to one form. All are one
look-up in a committed code-point table, except composition of marks with letters, which is rare.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from indexer.text.ragged import Positions, Ragged, bounds_of
from indexer.text.table import DIGIT, DROP, JOINS, LIMIT, OTHER, Codes, Table, load
from mappings.plan import Plan

CodeRows = Ragged[np.uint32]

_SPACE, _LINE, _MINUS = 0x20, 0x0A, 0x2D


@dataclass(frozen=True)
class Prepared:
    """One or more prepared texts.

    `rows` are their code points; `sources[i]` is the place of `rows.values[i]` in `original`,
    the code points of the texts as they came.
    """

    rows: CodeRows
    sources: Positions
    original: CodeRows
    table: Table

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def codes(self) -> Codes:
        """All code points, end to end."""
        return self.rows.values

    def text(self, row: int = 0) -> str:
        """One prepared text as a string."""
        return self.rows[row].tobytes().decode("utf-32-le")

    @cached_property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """The Kind of every code point."""
        return self.table.kind[self.codes]

    @cached_property
    def places(self) -> Positions:
        """Where the letters and digits are in `codes`."""
        return np.flatnonzero(self.kinds)

    @cached_property
    def folded(self) -> CodeRows:
        """Letters and digits only, row by row."""
        bounds = np.searchsorted(self.places, self.rows.bounds)
        return Ragged(self.codes[self.places], bounds)

    def select(self, rows: Positions) -> Prepared:
        """Some of the texts; without the way back to their originals."""
        if len(rows) == len(self):
            return self
        return Prepared(self.rows.select(rows), np.zeros(0, np.int64), self.original, self.table)

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """The part of the original that `codes[start:stop]` came from, as [start, stop)."""
        if start >= stop:
            return (0, 0)
        end = int(self.sources[stop - 1]) + 1
        first, (codes, bounds) = self.table.first, (self.original.values, self.original.bounds)
        limit = int(bounds[np.searchsorted(bounds, end - 1, "right")])
        while end < limit and first[codes[end]] == JOINS:
            end += 1  # a letter owns the marks joined to it
        return int(self.sources[start]), end

    def folded_span(self, start: int, stop: int) -> tuple[int, int]:
        """The same for a stretch of the folded text."""
        if start >= stop:
            return (0, 0)
        return self.span(int(self.places[start]), int(self.places[stop - 1]) + 1)


def prepare(text: str, plan: Plan) -> Prepared:
    """Prepare one text under a plan. Pure; never fails on any string."""
    return prepare_all([text], plan)


def prepare_all(texts: Sequence[str], plan: Plan) -> Prepared:
    """Prepare texts together: the result of each is what it would be alone."""
    table = load(plan.table, plan.steps)
    whole = "".join(texts)
    original = np.frombuffer(whole.encode("utf-32-le", "surrogatepass"), np.uint32)
    bounds = whole_bounds = bounds_of([len(text) for text in texts])
    sources: Positions = np.arange(len(original))
    codes = table.first[original]
    if len(codes) and codes.max() >= LIMIT:
        joins = codes == JOINS
        if joins.any():
            joins[bounds[:-1][bounds[:-1] < len(joins)]] = False  # never joined to another text
            joined, sources = _composed(whole, joins, sources, table.assigned[original])
            codes = table.target[joined]
        codes, sources = _mapped(codes, sources, table)
        bounds = np.searchsorted(sources, bounds)
    if "space" in plan.steps:
        codes, sources, bounds = _single_spaces(codes, sources, bounds)
    return Prepared(Ragged(codes, bounds), sources, Ragged(original, whole_bounds), table)


def _mapped(codes: Codes, sources: Positions, table: Table) -> tuple[Codes, Positions]:
    """Put expansions in place and leave dropped code points out."""
    long = np.flatnonzero((codes >= LIMIT) & (codes != DROP))
    if len(long):
        codes, sources = _expanded(codes, sources, long, table)
    kept = codes != DROP
    return codes[kept], sources[kept]


def _expanded(
    codes: Codes, sources: Positions, long: Positions, table: Table
) -> tuple[Codes, Positions]:
    rows = [table.expansions[int(codes[place]) - LIMIT] for place in long]
    repeats = np.ones(len(codes), np.int64)
    repeats[long] = [len(row) for row in rows]
    out = np.repeat(codes, repeats)
    starts = np.cumsum(repeats) - repeats
    for place, row in zip(starts[long].tolist(), rows, strict=True):
        out[place : place + len(row)] = row
    return out, np.repeat(sources, repeats)


def _single_spaces(
    codes: Codes, sources: Positions, bounds: Positions
) -> tuple[Codes, Positions, Positions]:
    """A run of white space becomes one space, or one line feed when it holds one."""
    space = (codes == _SPACE) | (codes == _LINE)
    places = space.nonzero()[0]
    if not len(places):
        return codes, sources, bounds
    goes_on = np.zeros(len(codes), np.bool_)
    goes_on[1:] = space[:-1]
    goes_on[bounds[:-1][bounds[:-1] < len(codes)]] = False
    starts = places[~goes_on[places]]
    codes = codes.copy()
    line = codes[places] == _LINE
    if line.any():
        run = np.searchsorted(starts, places[line], "right") - 1
        codes[starts[run]] = _LINE
    if len(starts) == len(places):
        return codes, sources, bounds
    space[starts] = False
    kept = np.flatnonzero(~space)
    return codes[kept], sources[kept], np.searchsorted(kept, bounds)


def _composed(
    text: str,
    joins: npt.NDArray[np.bool_],
    sources: Positions,
    assigned: npt.NDArray[np.bool_],
) -> tuple[Codes, Positions]:
    """Join marks to the letters before them, run by run.

    unicodedata may be asked here: the normal form of assigned characters never changes between
    versions of Unicode, and it gets only characters assigned when the table was made: `joins`
    names no others, and a letter that is younger than the table is left alone.
    """
    starts = np.flatnonzero(joins & ~np.concatenate(([False], joins[:-1])))
    stops = np.flatnonzero(joins & ~np.concatenate((joins[1:], [False]))) + 1
    pieces: list[str] = []
    places: list[Positions] = []
    done = 0
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        first = max(start - 1, done)
        if not assigned[first]:
            first = start
        joined = unicodedata.normalize("NFKC", text[first:stop])
        pieces += (text[done:first], joined)
        run = np.minimum(np.arange(first, first + len(joined)), stop - 1)
        places += (sources[done:first], run)
        done = stop
    pieces.append(text[done:])
    places.append(sources[done:])
    whole = "".join(pieces)
    return (
        np.frombuffer(whole.encode("utf-32-le", "surrogatepass"), np.uint32),
        np.concatenate(places),
    )


def exact_form(prepared: Prepared) -> CodeRows:
    """What `exact` compares: letters and digits, and the marks that change a number.

    White space and punctuation are dropped, except a mark between two digits (1.5 is not 15) and
    a minus right before a digit (-4 is not 4).
    """
    codes, kinds = prepared.codes, prepared.kinds
    others = np.flatnonzero(kinds == OTHER)
    others = others[others < len(codes) - 1]
    others = others[(kinds[others + 1] == DIGIT) & (codes[others] > _SPACE)]
    if not len(others):
        return prepared.folded
    last = np.zeros(len(codes), np.bool_)
    last[prepared.rows.bounds[1:] - 1] = True  # what follows belongs to another text
    between = (others > 0) & (kinds[others - 1] == DIGIT) & ~last[others - 1]
    kept = kinds != OTHER
    kept[others[(between | (codes[others] == _MINUS)) & ~last[others]]] = True
    return prepared.rows.kept(kept)
