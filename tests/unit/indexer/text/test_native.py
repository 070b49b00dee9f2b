"""The compiled loops: there, and careful with what does not fit together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from indexer.text import hashing
from indexer.text.kernels import compiled
from indexer.text.ragged import Positions
from indexer.text.skeleton_table import load_skeleton
from indexer.text.table import LETTER, Codes, load
from mappings.plan import STANDARD

VALUES = np.arange(6, dtype=np.uint64)
BOUNDS = np.array([0, 2, 6])
ROWS = np.array([1])
RANGES = np.array([1, 1, 9])
OUT = np.empty(1, np.int64)
LETTERS, KINDS = np.full(6, ord("a"), np.uint32), np.full(6, LETTER, np.uint8)


def test_they_are_compiled() -> None:
    """Where tests run there is a C compiler; without one dupdex works, more slowly."""
    assert compiled is not None


@pytest.mark.parametrize("bounds", ([0, 7], [-1, 6], [0, 4, 2]))
def test_rows_lie_within_their_values(bounds: list[int]) -> None:
    edges, found = np.array(bounds), compiled.GramSet(VALUES)
    new_bounds = np.empty_like(edges)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.shingles(VALUES, edges, 2, 0, VALUES.copy(), new_bounds)
    with pytest.raises(ValueError, match="do not fit together"):
        found.common(VALUES, edges, np.array([0]), np.empty(2, np.int64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.distinct_counts(VALUES, edges, np.array([0]), OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_bags(VALUES, VALUES, edges, np.array([0]), 10, OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_halves(VALUES, VALUES, edges, np.array([0]), 10, OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.minima(VALUES, edges, 1, np.empty(len(bounds) - 1, np.uint32))
    with pytest.raises(ValueError, match="do not fit together"):
        hashes = np.empty(len(bounds) - 1, np.uint64)
        compiled.outweighing_bits(VALUES, VALUES.view(np.int64), edges, hashes)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.piece_hashes(b"abcdef", edges, 0, np.empty(len(bounds) - 1, np.uint64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.passages(VALUES, edges, (1, 1, 0, 1, 1), np.empty(12, np.uint64), new_bounds)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.loose(VALUES, edges, RANGES, (1, 1, 1), 0, 0, np.empty(12, np.uint64), new_bounds)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.spaced(KINDS, edges, np.empty(len(bounds) - 1, np.bool_))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.exact_codes(LETTERS, KINDS, edges, LETTERS.copy(), new_bounds)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.sentences(LETTERS, KINDS, edges, 1)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.sentence_edges(LETTERS, KINDS, edges, np.empty(20, np.int64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.tally(edges, VALUES.copy(), np.empty(6, np.int64), new_bounds)


@pytest.mark.parametrize("rows", ([2], [-1], [0, 1]))
def test_chosen_rows_are_there_and_have_a_place(rows: list[int]) -> None:
    chosen = np.array(rows)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.GramSet(VALUES).common(VALUES, BOUNDS, chosen, np.empty(2, np.int64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.distinct_counts(VALUES, BOUNDS, chosen, OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_bags(VALUES, VALUES, BOUNDS, chosen, 10, OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_halves(VALUES, VALUES, BOUNDS, chosen, 10, OUT)


def refused() -> pytest.RaisesExc[ValueError]:
    return pytest.raises(ValueError, match="do not fit together")


def test_there_is_room_for_what_comes_out() -> None:
    short = np.empty(5, np.uint64)
    with refused():
        compiled.shingles(VALUES, BOUNDS, 2, 0, short, BOUNDS.copy())
    with refused():
        compiled.shingles(VALUES, BOUNDS, 0, 0, VALUES.copy(), BOUNDS.copy())
    with refused():
        compiled.GramSet(VALUES).places(VALUES, np.empty(5, np.int64))
    for sizes in ((5, 6), (6, 5)):
        outs = [np.empty(size, np.int64) for size in sizes]
        with refused():
            compiled.GramSet(VALUES).places_in_both(VALUES, VALUES, *outs)
    with refused():
        compiled.minima(VALUES, BOUNDS, 3, np.empty(5, np.uint32))
    with refused():
        compiled.bands(np.empty(6, np.uint32), VALUES[:2], VALUES[:3], np.empty(4, np.uint64))
    with refused():
        compiled.bands(np.empty(6, np.uint32), VALUES[:2], VALUES[:2], np.empty(3, np.uint64))
    for shifts, widths, choices in (
        (VALUES[:4], VALUES[:4], 0),
        (VALUES[:3], VALUES[:4], 2),
        (VALUES[:3], VALUES[:3], 2),
        (VALUES[:4], VALUES[:4], 1),
        (VALUES[:4] + np.uint64(61), VALUES[:4], 2),
        (VALUES[:4], VALUES[:4] + np.uint64(61), 2),
    ):
        with refused():
            compiled.block_bits(VALUES[:1], shifts, widths, choices, np.empty(2, np.uint64))


def test_there_is_room_for_what_comes_out_of_texts() -> None:
    with refused():
        compiled.spaced(KINDS, BOUNDS, np.empty(1, np.bool_))
    with refused():
        compiled.exact_codes(LETTERS, KINDS, BOUNDS, LETTERS[1:].copy(), BOUNDS.copy())
    with refused():
        compiled.exact_codes(LETTERS, KINDS[1:], BOUNDS, LETTERS.copy(), BOUNDS.copy())
    for edges, minimum in ((BOUNDS + 1, 1), (BOUNDS, 0)):
        with refused():
            compiled.sentences(LETTERS, KINDS, edges, minimum)
    for edges, room in ((BOUNDS + 1, 9), (BOUNDS, 8)):
        with refused():
            compiled.sentence_edges(LETTERS, KINDS, edges, np.empty(room, np.int64))
    with refused():
        compiled.outweighing_bits(VALUES, OUT, BOUNDS, np.empty(2, np.uint64))
    with refused():
        compiled.piece_hashes(b"abcdef", BOUNDS, 0, np.empty(1, np.uint64))
    with refused():
        compiled.byte_hashes(b"abcde", BOUNDS, 0, np.empty(2, np.uint64))
    with refused():
        compiled.tally(BOUNDS, VALUES.copy(), np.empty(5, np.int64), BOUNDS.copy())
    with refused():
        compiled.token_edges(["a", "b"], np.empty(2, np.int64))
    with refused():
        compiled.spelled(VALUES, 12)
    for drift, least in ((0, 1), (1, 0), (1 << 40, 1)):
        with refused():
            compiled.in_stretches(VALUES, VALUES, 1, drift, 1, least)
    with refused():
        compiled.minima(VALUES, np.array([0, 1, 2, 3, 6]), 1 << 62, np.empty(0, np.uint32))
    with refused():
        compiled.piece_hashes("中中".encode(), np.array([0, 5]), 0, np.empty(1, np.uint64))


TABLE, SKELETONS = load(STANDARD.table, STANDARD.steps), load_skeleton(STANDARD.table)
TABLES = (TABLE.kind, *SKELETONS.arrays)
CODES = np.array([0x5973, 0x5B50], np.uint32)
EDGES = np.array([0, 2])


def prepared_codes(
    codes: Codes = CODES, edges: Positions = EDGES, table: Codes = TABLE.first, room: int = 2
) -> int:
    longer, out = TABLE.expansions, np.empty(room, np.uint32)
    places, bounds = np.empty(room, np.int64), np.empty_like(EDGES)
    return compiled.prepared_codes(
        codes, edges, table, longer.values, longer.bounds, True, out, places, bounds
    )


def skeleton_codes(
    edges: Positions = EDGES,
    tables: tuple[npt.NDArray[Any], ...] = TABLES,
    room: int = 2,
    sources: Positions = EDGES,
) -> int | None:
    out, places = np.empty(room, np.uint32), np.empty(2, np.int64)
    marks = np.zeros(2, np.uint8)
    return compiled.skeleton_codes(
        CODES, sources, edges, out, places, np.empty_like(EDGES), marks, *tables
    )


def test_texts_have_tables_and_room() -> None:
    assert (prepared_codes(), skeleton_codes()) == (2, 1)
    wrong: list[Callable[[], object]] = [
        lambda: prepared_codes(edges=np.array([0, 3])),
        lambda: prepared_codes(table=TABLE.first[1:]),
        lambda: prepared_codes(CODES, np.array([0, 1, 2])),
        lambda: skeleton_codes(edges=np.array([1, 3])),
        lambda: skeleton_codes(edges=np.array([0, 1, 2])),
        lambda: skeleton_codes(room=1),
        lambda: skeleton_codes(sources=EDGES[1:]),
        *(lambda at=at: skeleton_codes(tables=shortened(at)) for at in range(len(TABLES))),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match="do not fit together"):
            call()
    with pytest.raises(TypeError):
        skeleton_codes(tables=TABLES[1:])


@pytest.mark.parametrize("at", range(17))
def test_what_is_no_array_is_refused_wherever_it_stands(at: int) -> None:
    """CPython lets go of those before it; it has no more room to note them than it counted."""
    outputs = (np.empty(2, np.uint32), np.empty(2, np.int64), EDGES.copy(), np.zeros(2, np.uint8))
    arguments: list[Any] = [CODES, EDGES, EDGES, *outputs, *TABLES]
    assert (compiled.skeleton_codes(*arguments), outputs[3].tolist()) == (1, [1 << 6, 0])
    for wrong in (5, None):
        arguments[at] = wrong
        with pytest.raises(TypeError):
            compiled.skeleton_codes(*arguments)
    if 3 <= at < 3 + len(outputs):
        arguments[at] = outputs[at - 3].tobytes()  # which cannot be written to
        with pytest.raises(TypeError):
            compiled.skeleton_codes(*arguments)


def shortened(at: int) -> tuple[npt.NDArray[Any], ...]:
    """The tables, one of which has an entry less."""
    return (*TABLES[:at], TABLES[at][:-1], *TABLES[at + 1 :])


def test_texts_without_room_and_with_joining_marks_are_left_to_numpy() -> None:
    assert prepared_codes(room=1) == -1
    joining = np.array([ord("e"), 0x301], np.uint32)
    assert prepared_codes(joining) == -1
    beyond = np.array([0xFFFFFFFF, 0x110000], np.uint32)  # no code points
    assert prepared_codes(beyond) == prepared_codes(np.array([0x10FFFF] * 2, np.uint32))


@pytest.mark.parametrize(
    "how", [(0, 1, 0, 1, 1), (1, 0, 0, 1, 1), (1, 1, 1, 0, 1), (1, 1, 1, 1, 0)]
)
def test_samples_have_sizes(how: tuple[int, int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.passages(VALUES, BOUNDS, how, np.empty(12, np.uint64), BOUNDS.copy())


def test_runs_have_a_width() -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.equal_blocks(CODES, CODES, 0)


def test_samples_have_room() -> None:
    room, how = np.empty(4, np.uint64), (2, 1, 1)
    assert compiled.loose(VALUES, BOUNDS, RANGES, how, 0, 0, room, BOUNDS.copy()) == 2
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.passages(VALUES, BOUNDS, (1, 1, 0, 1, 1), np.empty(11, np.uint64), BOUNDS.copy())
    for ranges, sizes, out in (
        (RANGES, how, room[:3]),
        (RANGES[:2], how, room),
        (np.array([0, 1, 9]), how, room),
        (RANGES, (0, 1, 1), room),
        (RANGES, (1 << 16, 1, 1), np.empty(1 << 17, np.uint64)),
        (RANGES, (2, -1, 1), room),
        (RANGES, (2, 1, -1), room),
        (RANGES, (2, 1, 1 << 31), room),
    ):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.loose(VALUES, BOUNDS, ranges, sizes, 0, 0, out, BOUNDS.copy())


@pytest.mark.parametrize("bits", (-1, 14))
def test_bags_have_a_size(bits: int) -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_bags(VALUES, VALUES, BOUNDS, np.array([0]), bits, OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_halves(VALUES, VALUES, BOUNDS, np.array([0]), bits, OUT)


@pytest.mark.parametrize("limits", ((0x110001, 0xF0000), (0x100, 0x101)))
def test_characters_are_those_of_unicode(limits: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.as_string(VALUES, *limits)


def test_what_is_written_is_not_read() -> None:
    both = np.array([0, 1, 2, 0])
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.outweighing_bits(VALUES[:2], both[:2], both[:3], both[2:].view(np.uint64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.GramSet(VALUES).places(VALUES, VALUES.view(np.int64))
    one, same = np.empty(6, np.int64), VALUES.view(np.int64)
    for outs in ((one, same), (same, one), (one, one)):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.GramSet(VALUES).places_in_both(VALUES, VALUES, *outs)


def test_an_extension_of_other_sources_has_another_number() -> None:
    """The number that `kernels` goes by is set by hand: whoever changes what a function takes or
    gives changes it, in native.c and kernels.py, and this digest with it."""
    folder = Path(hashing.__file__).parent
    sources = b"".join(path.read_bytes() for path in sorted(folder.glob("native*.[ch]")))
    assert (compiled.interface, hashlib.sha256(sources).hexdigest()[:16]) == (9, "1eef1e02dd9de847")
    with pytest.raises(ValueError, match="not C-contiguous"):
        compiled.GramSet(VALUES[::2])


@pytest.mark.parametrize("tokens", (["a", None], ("a",)))
def test_tokens_are_strings_in_a_list(tokens: Any) -> None:
    with pytest.raises(TypeError):
        compiled.connected(tokens)
    with pytest.raises(TypeError):
        compiled.token_edges(tokens, np.empty(len(tokens) + 1, np.int64))
