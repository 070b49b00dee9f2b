"""The compiled loops: there, the same as those in NumPy, and careful with what does not fit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.fingerprints import loose, minhash, passages, sentences, simhash
from indexer.text import hashing, murmur, repeats, segment, word_edges, words
from indexer.text.hashing import HashRows
from indexer.text.kernels import compiled
from indexer.text.ragged import Positions, bounds_of, ragged
from indexer.text.skeleton_table import load_skeleton
from indexer.text.table import Codes, load
from mappings.plan import STANDARD, LoosePlan, PassagePlan
from tests.texts import LAW

Given = ParamSpec("Given")
Made = TypeVar("Made")

VALUES = np.arange(6, dtype=np.uint64)
BOUNDS = np.array([0, 2, 6])
ROWS = np.array([1])
RANGES = np.array([1, 1, 9])
OUT = np.empty(1, np.int64)


def test_they_are_compiled() -> None:
    """Where tests run there is a C compiler; without one dupdex works, more slowly."""
    assert compiled is not None


def twin(
    module: ModuleType, function: Callable[Given, Made], *args: Given.args, **named: Given.kwargs
) -> Made:
    """What a function of a module gives without the compiled loops."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "compiled", None)
        return function(*args, **named)


values_64 = st.integers(0, (1 << 64) - 1)
rows_64 = st.lists(st.lists(values_64, max_size=30), min_size=1, max_size=5)
weights = st.integers(0, 1 << 40)


def rows_of(values: list[list[int]]) -> HashRows:
    return ragged([np.array(row, np.uint64) for row in values])


@given(st.lists(values_64, max_size=8), st.integers(1, 11))
@LAW
def test_values_are_spelled_the_same(values: list[int], characters: int) -> None:
    made = np.array(values, np.uint64)
    assert hashing.spell(made, characters) == twin(hashing, hashing.spell, made, characters)


@given(rows_64, st.integers(1, 70))
@LAW
def test_signatures_are_the_same(values: list[list[int]], size: int) -> None:
    rows = rows_of(values)
    found = minhash.signatures(rows, size)
    assert found.tolist() == twin(minhash, minhash.signatures, rows, size).tolist()


@given(st.lists(st.lists(st.tuples(values_64, weights), max_size=20), min_size=1, max_size=5))
@LAW
def test_simhashes_are_the_same(weighed: list[list[tuple[int, int]]]) -> None:
    rows = rows_of([[value for value, _ in row] for row in weighed])
    each = np.array([weight for row in weighed for _, weight in row], np.int64)
    for given_weights in (each, None):
        found = simhash.simhashes(rows, given_weights)
        assert found.tolist() == twin(simhash, simhash.simhashes, rows, given_weights).tolist()


@given(st.lists(st.text(max_size=40), max_size=6), st.integers(0, (1 << 32) - 1))
@LAW
def test_pieces_are_hashed_the_same(pieces: list[str], seed: int) -> None:
    text, edges = "".join(pieces), bounds_of([len(piece) for piece in pieces])
    found = murmur.piece_hashes(text, edges, seed)
    assert found.tolist() == twin(murmur, murmur.piece_hashes, text, edges, seed).tolist()


@given(
    st.lists(st.lists(st.one_of(values_64, st.integers(0, 9)), max_size=60), max_size=4),
    st.builds(
        PassagePlan,
        keep=st.integers(1, 5),
        chunk=st.integers(1, 40),
        winnow=st.sampled_from((0, 1, 16, 30)),
        winnow_parts=st.integers(1, 4),
    ),
)
@example([list(range(33)), list(range(9, -1, -1)), []], PassagePlan(keep=3, chunk=6, winnow=20))
@example([list(range(59, -1, -1)), [3] * 50], PassagePlan(keep=2, chunk=60, winnow=16))
@LAW
def test_passages_are_the_same(values: list[list[int]], plan: PassagePlan) -> None:
    rows = rows_of([*values, [1]])
    found = passages.key_values(rows, plan)
    expected = twin(passages, passages.key_values, rows, plan)
    assert found.values.tolist() == expected.values.tolist()
    assert found.bounds.tolist() == expected.bounds.tolist()


@given(
    st.lists(st.text(st.sampled_from("abcde12天气很好"), max_size=50), min_size=1, max_size=4),
    st.booleans(),
    st.builds(LoosePlan, most=st.integers(2, 12), least=st.integers(1, 2), full=st.integers(1, 60)),
)
@example(["abcabcabcab天", "天", ""], False, LoosePlan())
@LAW
def test_loose_windows_are_the_same(texts: list[str], spaced: bool, plan: LoosePlan) -> None:
    rows = rows_of([[*map(ord, text)] for text in texts])
    found = loose.key_values(rows, spaced, plan)
    expected = twin(loose, loose.key_values, rows, spaced, plan)
    assert found.values.tolist() == expected.values.tolist()
    assert found.bounds.tolist() == expected.bounds.tolist()


@given(st.lists(st.text(st.sampled_from("az09AZ+#&._%-@[`{/: 天é\0"), min_size=1, max_size=5)))
@LAW
def test_connected_tokens_are_the_same(tokens: list[str]) -> None:
    codes = np.frombuffer("".join(tokens).encode("utf-32-le"), np.uint32)
    edges = word_edges.edges_of(tokens)
    assert edges.tolist() == twin(word_edges, word_edges.edges_of, tokens).tolist()
    assert compiled.connected(codes, edges) == word_edges._connected(codes, edges)


def test_tokens_with_several_parts_are_connected() -> None:
    tokens = ["3.5%", "v2.0", "3.", ".5", "3.5.1", "node.js", "%", "a%b", "a%", "%%", "天.a", "天"]
    codes = np.frombuffer("".join(tokens).encode("utf-32-le"), np.uint32)
    found = compiled.connected(codes, word_edges.edges_of(tokens))
    assert [tokens[at] for at in found] == ["3.", ".5", "3.5.1", "node.js", "a%b", "%%"]


@given(
    st.text(
        st.sampled_from(
            "a天\u33ff\u3400\u4dbf\u4dc0\u4e00\u9fd5\u9fd6\u9fff\ua000\uf8ff豈"
            "\ufaff\ufb00\uffff\U00010000\U0001ffff\U00020000\U0003ffff\U00040000"
        )
    )
)
@LAW
def test_rare_characters_are_the_same(text: str) -> None:
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    rare = [at for at, character in enumerate(text) if segment._RARE.match(character)]
    assert compiled.rare(codes) == word_edges._rare(codes) == rare


@given(st.lists(st.lists(st.integers(0, 9), max_size=30).map(sorted), min_size=1, max_size=5))
@LAW
def test_distinct_words_are_the_same(values: list[list[int]]) -> None:
    (rows, counts), (others, of_these) = (
        words._tallied(rows_of(values)),
        twin(words, words._tallied, rows_of(values)),
    )
    assert rows.bounds.tolist() == others.bounds.tolist()
    assert (rows.values.tolist(), counts.tolist()) == (others.values.tolist(), of_these.tolist())


@given(st.lists(st.text(max_size=20), max_size=6))
@LAW
def test_sentences_are_hashed_the_same(texts: list[str]) -> None:
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32)
    edges, part = bounds_of([len(text) for text in texts]), STANDARD.sentences
    found = sentences.hashes_between(codes, edges, part)
    long = np.diff(edges) >= part.minimum
    expected = twin(sentences, sentences.hashes_between, codes, edges, part)
    assert found[long].tolist() == expected[long].tolist()


@given(st.text(st.sampled_from("一二三四五六七八九a。"), max_size=60))
@example("䷿䷿䷿䷿䷿")  # right before the Han characters
@example("一一一一一")  # the first
@example("\u9fd5\u9fd5\u9fd5\u9fd5\u9fd5")  # the last
@example("\u9fd6\u9fd6\u9fd6\u9fd6\u9fd6")
@example("一二三四五六七一二三四五六七")  # seven places off
@example("一二三四五六七八一二三四五六七八")
@LAW
def test_repeats_are_the_same(text: str) -> None:
    found = repeats.repeated_places(text)
    assert found == twin(repeats, repeats.repeated_places, text)


def test_repeats_of_han_characters_within_seven_places() -> None:
    seven, eight = "一二三四五六七", "一二三四五六七八"
    assert (repeats.repeated_places(2 * seven), repeats.repeated_places(2 * eight)) == ([0], [])
    assert repeats.repeated_places("\u9fd5" * 5) == [0]
    assert repeats.repeated_places("\u9fd6" * 5) == repeats.repeated_places("\u4dff" * 5) == []


@pytest.mark.parametrize("bounds", ([0, 7], [-1, 6], [0, 4, 2]))
def test_rows_lie_within_their_values(bounds: list[int]) -> None:
    edges, found = np.array(bounds), compiled.GramSet(VALUES)
    new_bounds = np.empty_like(edges)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.shingles(VALUES, edges, 2, 0, VALUES.copy(), new_bounds)
    with pytest.raises(ValueError, match="do not fit together"):
        found.common(VALUES, edges, np.array([0]), OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.distinct_counts(VALUES, edges, np.array([0]), OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_bags(VALUES, VALUES, edges, np.array([0]), 10, OUT)
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
        keep = np.ones(len(bounds) - 1, np.int64)
        compiled.loose(VALUES, edges, RANGES, keep, 0, 0, np.empty(12, np.uint64), new_bounds)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.connected(VALUES[:3].view(np.uint32), edges)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.tally(edges, VALUES.copy(), np.empty(6, np.int64), new_bounds)


@pytest.mark.parametrize("rows", ([2], [-1], [0, 1]))
def test_chosen_rows_are_there_and_have_a_place(rows: list[int]) -> None:
    chosen = np.array(rows)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.GramSet(VALUES).common(VALUES, BOUNDS, chosen, OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.distinct_counts(VALUES, BOUNDS, chosen, OUT)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_bags(VALUES, VALUES, BOUNDS, chosen, 10, OUT)


def test_there_is_room_for_what_comes_out() -> None:
    short = np.empty(5, np.uint64)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.shingles(VALUES, BOUNDS, 2, 0, short, BOUNDS.copy())
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.shingles(VALUES, BOUNDS, 0, 0, VALUES.copy(), BOUNDS.copy())
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.GramSet(VALUES).places(VALUES, np.empty(5, np.int64))
    for sizes in ((5, 6), (6, 5)):
        outs = [np.empty(size, np.int64) for size in sizes]
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.GramSet(VALUES).places_in_both(VALUES, VALUES, *outs)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.minima(VALUES, BOUNDS, 3, np.empty(5, np.uint32))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.outweighing_bits(VALUES, OUT, BOUNDS, np.empty(2, np.uint64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.piece_hashes(b"abcdef", BOUNDS, 0, np.empty(1, np.uint64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.byte_hashes(b"abcde", BOUNDS, 0, np.empty(2, np.uint64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.tally(BOUNDS, VALUES.copy(), np.empty(5, np.int64), BOUNDS.copy())
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.token_edges(["a", "b"], np.empty(2, np.int64))
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.spelled(VALUES, 12)
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.minima(VALUES, np.array([0, 1, 2, 3, 6]), 1 << 62, np.empty(0, np.uint32))
    with pytest.raises(ValueError, match="do not fit together"):
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
) -> tuple[int, int] | None:
    out, places = np.empty(room, np.uint32), np.empty(2, np.int64)
    marks = np.zeros(2, np.uint8)
    return compiled.skeleton_codes(
        CODES, sources, edges, out, places, np.empty_like(EDGES), marks, *tables
    )


def test_texts_have_tables_and_room() -> None:
    assert (prepared_codes(), skeleton_codes()) == (2, (1, 1 << 6))
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
    assert compiled.skeleton_codes(*arguments) == (1, 1 << 6)
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
    keep, room = np.array([2, 1]), np.empty(3, np.uint64)
    assert compiled.loose(VALUES, BOUNDS, RANGES, keep, 0, 0, room, BOUNDS.copy()) == 3
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.passages(VALUES, BOUNDS, (1, 1, 0, 1, 1), np.empty(11, np.uint64), BOUNDS.copy())
    for ranges, kept, out in (
        (RANGES, keep, room[:2]),
        (RANGES, keep[:1], room),
        (RANGES[:2], keep, room),
        (np.array([0, 1, 9]), keep, room),
        (RANGES, np.array([-1, 1]), room),
    ):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.loose(VALUES, BOUNDS, ranges, kept, 0, 0, out, BOUNDS.copy())


@pytest.mark.parametrize("bits", (-1, 14))
def test_bags_have_a_size(bits: int) -> None:
    with pytest.raises(ValueError, match="do not fit together"):
        compiled.common_in_bags(VALUES, VALUES, BOUNDS, np.array([0]), bits, OUT)


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
    assert (compiled.interface, hashlib.sha256(sources).hexdigest()[:16]) == (5, "7ecd9ee060d2f088")
    with pytest.raises(ValueError, match="not C-contiguous"):
        compiled.GramSet(VALUES[::2])
