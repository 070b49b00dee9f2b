"""Prepared texts: one form for texts that read the same, with a map back to the original.

Steps (named in the plan): NFKC, case folding, traditional to simplified Chinese, invisible
characters out, white space to one space or line feed, punctuation marks to one form. All are one
look-up in a committed code-point table, except composition of marks with letters, which is rare.
The last step, the skeleton, undoes disguises (`indexer/text/skeleton.py`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from indexer.cached import cached_property
from indexer.text.flags import FIRST_LETTER, LETTERS, are_flags
from indexer.text.kernels import compiled
from indexer.text.ragged import Positions, Ragged, bounds_of
from indexer.text.skeleton import Marks, Undone, skeleton_of, undone_of
from indexer.text.skeleton_table import load_skeleton
from indexer.text.table import DIGIT, DROP, JOINS, LIMIT, OTHER, Codes, Table, load
from mappings.plan import Plan

CodeRows = Ragged[np.uint32]
Made = tuple[Codes, Positions, Positions]
"""The codes of texts, where in the original each comes from, and the bounds of rows."""

_SPACE, _LINE, _MINUS = 0x20, 0x0A, 0x2D
_MANY_MARKS = 32  # from here on marks are sorted first
_ROOM = 256  # codes more than characters, in texts prepared by the compiled loops
_WRITTEN = 10  # signs that are letters; fewer are an ornament


@dataclass(frozen=True)
class Prepared:
    """One or more prepared texts.

    `rows` are their code points; `at[i]` is the position of `rows.values[i]` in `original`, the
    code points of the texts as given. A skeleton has `before`, the texts before that step, in which
    `at` is then, and `marks`, what was undone at each place there.
    """

    rows: CodeRows
    at: Positions
    original: CodeRows
    table: Table
    before: Prepared | None = None
    marks: Marks = field(default_factory=lambda: np.zeros(0, np.uint8))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def literal(self) -> Prepared:
        """The texts without the skeleton step."""
        return self if self.before is None else self.before

    @cached_property
    def sources(self) -> Positions:
        """The position of every code point in `original`."""
        return self.at if self.before is None else self.before.sources.take(self.at)

    @property
    def codes(self) -> Codes:
        """All code points, concatenated."""
        return self.rows.values

    def text(self, row: int = 0) -> str:
        """One prepared text as a string."""
        return self.rows[row].tobytes().decode("utf-32-le")

    @cached_property
    def undone(self) -> Mapping[Undone, Positions]:
        """The places in the texts before the skeleton where something was undone."""
        return undone_of(self.marks)

    @cached_property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """The Kind of every code point."""
        return self.table.kind.take(self.codes, mode="clip")

    @cached_property
    def places(self) -> Positions:
        """The positions of letters and digits in `codes`."""
        places: Positions = (self.kinds != OTHER).nonzero()[0]
        return places

    @cached_property
    def folded(self) -> CodeRows:
        """Letters and digits only, row by row."""
        bounds = self.places.searchsorted(self.rows.bounds)
        return Ragged(self.codes.take(self.places), bounds)

    @cached_property
    def read_in_signs(self) -> npt.NDArray[np.bool_]:
        """For each text whether it is written in signs, which the skeleton reads as letters: more
        than it has letters, and more than ornaments are, as flags are. Of selected texts nothing is
        known.
        """
        if self.before is None or len(self.at) != len(self.codes):
            return np.zeros(len(self), np.bool_)
        places = self.at.take(self.places)
        signs = self.before.kinds.take(places) == OTHER
        if np.count_nonzero(signs):
            signs &= ~self._in_flags.take(places)
        counts = np.diff(signs.nonzero()[0].searchsorted(self.folded.bounds))
        written: npt.NDArray[np.bool_] = counts >= _WRITTEN
        written &= 2 * counts > self.folded.lengths
        return written

    @property
    def _in_flags(self) -> npt.NDArray[np.bool_]:
        """Where the text before the skeleton has the letters of flags; none of a text that spells
        words with them."""
        before = self.literal
        flags: npt.NDArray[np.bool_] = before.codes - np.uint32(FIRST_LETTER) < LETTERS
        places = flags.nonzero()[0]
        for row in set((before.rows.bounds.searchsorted(places, "right") - 1).tolist()):
            if not are_flags(before.text(row)):
                flags[slice(*before.rows.bounds[row : row + 2])] = False
        return flags

    def select(self, rows: Positions) -> Prepared:
        """A selection of the texts, without the map back to their originals."""
        if self.rows.are_all(rows):
            return self
        before = None if self.before is None else self.before.select(rows)
        none = np.zeros(0, np.int64)
        return Prepared(self.rows.select(rows), none, self.original, self.table, before)

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """The part of the original that `codes[start:stop]` came from, as [start, stop)."""
        if start >= stop:
            return (0, 0)
        if self.before is not None:
            return self.before.span(*self._span_before(start, stop))
        end = self.sources.item(stop - 1) + 1
        first, (codes, bounds) = self.table.first, (self.original.values, self.original.bounds)
        if end < len(codes) and first[codes[end]] == JOINS:
            limit = int(bounds[bounds.searchsorted(end - 1, "right")])
            while end < limit and first[codes[end]] == JOINS:
                end += 1  # marks joined to a letter belong to it
        return self.sources.item(start), end

    def _span_before(self, start: int, stop: int) -> tuple[int, int]:
        """The same in the text before the skeleton, up to the last letter that belongs to it."""
        before, bounds = self.literal, self.rows.bounds
        row = int(bounds.searchsorted(stop - 1, "right")) - 1
        ends = int(before.rows.bounds[row + 1])
        after = self.at.item(stop) if stop < bounds[row + 1] else ends
        first, last = self.at.item(start), self.at.item(stop - 1)
        letters = before.kinds[last + 1 : after].nonzero()[0]
        return first, last + 2 + int(letters[-1]) if len(letters) else last + 1

    def folded_span(self, start: int, stop: int) -> tuple[int, int]:
        """The same for a stretch of the folded text."""
        if start >= stop:
            return (0, 0)
        return self.span(self.places.item(start), self.places.item(stop - 1) + 1)


def prepare(text: str, plan: Plan) -> Prepared:
    """Prepare one text under a plan. Pure; never fails on any string."""
    return prepare_all([text], plan)


def prepare_all(texts: Sequence[str], plan: Plan) -> Prepared:
    """Prepare texts together; each is prepared exactly as it would be alone."""
    table = load(plan.table, plan.steps)
    concatenated = "".join(texts)
    original = np.frombuffer(concatenated.encode("utf-32-le", "surrogatepass"), np.uint32)
    bounds = original_bounds = bounds_of([len(text) for text in texts])
    single_spaces = "space" in plan.steps
    made = None if compiled is None else _compiled_codes(original, bounds, table, single_spaces)
    if made is None:
        made = _codes_of(concatenated, original, bounds, table, single_spaces)
    codes, sources, bounds = made
    prepared = Prepared(Ragged(codes, bounds), sources, Ragged(original, original_bounds), table)
    return _skeleton(prepared, plan) if "skeleton" in plan.steps else prepared


def _codes_of(
    concatenated: str, original: Codes, bounds: Positions, table: Table, single_spaces: bool
) -> Made:
    """The prepared codes of texts, before their skeletons."""
    sources: Positions = np.arange(len(original))
    codes = table.first.take(original, mode="clip")  # no index is out of bounds; "raise" is slow
    if len(codes) and codes.max() >= LIMIT:
        joins = codes == JOINS
        if joins.any():
            joins[bounds[:-1][bounds[:-1] < len(joins)]] = False  # never joined to the text before
            joined, sources = _composed(concatenated, joins, sources, table.assigned[original])
            codes = table.target[joined]
        codes, sources = _mapped(codes, sources, table)
        bounds = sources.searchsorted(bounds)
    return _single_spaces(codes, sources, bounds) if single_spaces else (codes, sources, bounds)


def _compiled_codes(
    original: Codes, bounds: Positions, table: Table, single_spaces: bool
) -> Made | None:
    """The same; None for texts with marks that join letters, which are rare."""
    room = len(original) + _ROOM
    codes, sources = np.empty(room, np.uint32), np.empty(room, np.int64)
    out = np.empty(len(bounds), np.int64)
    count = compiled.prepared_codes(
        original,
        bounds,
        table.first,
        table.expansions.values,
        table.expansions.bounds,
        single_spaces,
        codes,
        sources,
        out,
    )
    return None if count < 0 else (codes[:count], sources[:count], out)


def _skeleton(prepared: Prepared, plan: Plan) -> Prepared:
    """The skeleton of prepared texts; the texts themselves where there is nothing to undo."""
    skeleton = load_skeleton(plan.table)
    made = skeleton_of(prepared, skeleton)
    if made is None:
        return prepared
    return Prepared(
        Ragged(made.codes, made.bounds),
        made.at,
        prepared.original,
        prepared.table,
        prepared,
        made.marks,
    )


def _mapped(codes: Codes, sources: Positions, table: Table) -> tuple[Codes, Positions]:
    """Insert expansions and remove dropped code points."""
    other = (codes >= LIMIT).nonzero()[0]
    long = other[codes[other] != DROP]
    if len(long):
        codes, sources = _expanded(codes, sources, long, table)
        other = (codes == DROP).nonzero()[0]
    if not len(other):
        return codes, sources
    present = np.ones(len(codes), np.bool_)
    present[other] = False
    remaining = present.nonzero()[0]
    return codes.take(remaining), sources.take(remaining)


def _expanded(
    codes: Codes, sources: Positions, long: Positions, table: Table
) -> tuple[Codes, Positions]:
    rows = [table.expansions[code - LIMIT] for code in codes[long].tolist()]
    repeats = np.ones(len(codes), np.int64)
    repeats[long] = [len(row) for row in rows]
    out = np.repeat(codes, repeats)
    inside = np.zeros(len(codes), np.bool_)
    inside[long] = True
    out[np.repeat(inside, repeats)] = np.concatenate(rows)
    return out, np.repeat(sources, repeats)


def _single_spaces(
    codes: Codes, sources: Positions, bounds: Positions
) -> tuple[Codes, Positions, Positions]:
    """A run of white space becomes one space, or one line feed when it holds one."""
    space = (codes == _SPACE) | (codes == _LINE)
    places = space.nonzero()[0]
    goes_on = np.zeros(len(places) + 1, np.bool_)
    np.equal(places[1:] - places[:-1], 1, out=goes_on[1 : len(places)])
    goes_on[places.searchsorted(bounds[:-1])] = False
    if not np.count_nonzero(goes_on):
        return codes, sources, bounds
    starts = places[~goes_on[:-1]]
    codes = codes.copy()
    line = codes[places] == _LINE
    if line.any():
        run = np.searchsorted(starts, places[line], "right") - 1
        codes[starts[run]] = _LINE
    space[starts] = False
    remaining = (~space).nonzero()[0]
    return codes.take(remaining), sources.take(remaining), remaining.searchsorted(bounds)


def _with_marks_in_order(run: str) -> str:
    """A run with the same normal form. `unicodedata` sorts marks in a time that grows with the
    square of their number, unless they are sorted."""
    if len(run) < _MANY_MARKS:
        return run
    out: list[str] = []
    marks: list[str] = []
    for character in "".join(unicodedata.normalize("NFKD", character) for character in run):
        if unicodedata.combining(character):
            marks.append(character)
        else:
            out += (*sorted(marks, key=unicodedata.combining), character)
            marks = []
    return "".join((*out, *sorted(marks, key=unicodedata.combining)))


def _composed(
    text: str,
    joins: npt.NDArray[np.bool_],
    sources: Positions,
    assigned: npt.NDArray[np.bool_],
) -> tuple[Codes, Positions]:
    """Join marks to the letters before them, run by run.

    unicodedata is safe to use here: the normal form of an assigned character never changes between
    versions of Unicode, and it sees only characters that were assigned when the table was made:
    `joins` marks no others, and a letter newer than the table is left out.
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
        joined = unicodedata.normalize("NFKC", _with_marks_in_order(text[first:stop]))
        pieces += (text[done:first], joined)
        run = np.minimum(np.arange(first, first + len(joined)), stop - 1)
        places += (sources[done:first], run)
        done = stop
    pieces.append(text[done:])
    places.append(sources[done:])
    composed = "".join(pieces)
    return (
        np.frombuffer(composed.encode("utf-32-le", "surrogatepass"), np.uint32),
        np.concatenate(places),
    )


def exact_form(prepared: Prepared) -> CodeRows:
    """The form that `exact` compares: letters, digits, and the marks that change a number.

    White space and punctuation are dropped, except a mark between two digits (1.5 is not 15) and
    a minus right before a digit (-4 is not 4).
    """
    codes, kinds, bounds = prepared.codes, prepared.kinds, prepared.rows.bounds
    if compiled is not None:
        out, out_bounds = np.empty_like(codes), np.empty_like(bounds)
        size = compiled.exact_codes(codes, kinds, bounds, out, out_bounds)
        return Ragged(out[:size], out_bounds)
    marks = (kinds == OTHER).nonzero()[0]
    marks = marks[marks < len(codes) - 1]
    marks = marks[(kinds[marks + 1] == DIGIT) & (codes[marks] > _SPACE)]
    if not len(marks):
        return prepared.folded
    last = np.zeros(len(codes), np.bool_)
    last[bounds[1:] - 1] = True  # the next code point is another text's
    between = (marks > 0) & (kinds[marks - 1] == DIGIT) & ~last[marks - 1]
    compared = kinds != OTHER
    compared[marks[(between | (codes[marks] == _MINUS)) & ~last[marks]]] = True
    return prepared.rows.kept(compared)
