"""Keys joined on disk: the same pairs, and the same groups, as in memory."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.corpus import disk_join
from dupdex.corpus.candidate_join import MemoryJoin
from dupdex.corpus.corpus_groups import CorpusGroups, Work, fields_of, group_corpus
from dupdex.corpus.disk_join import DiskJoin
from dupdex.corpus.gathering import Wanted
from dupdex.corpus.key_files import KeyFiles
from dupdex.scratch import scratch_folder
from indexer.grouping import Grouping
from indexer.model import Document
from indexer.text.hashing import Hashes
from mappings.contract import Field
from mappings.errors import InputRefused
from mappings.plan import STANDARD
from query.key_join import Candidates, Mask, Numbers, candidate_blocks, packed
from tests.texts import LAW, METRO, METRO_HOMOPHONES, TEA, chinese

FIELDS = (Field.SIMHASH_KEYS, Field.SENTENCES, Field.LOOSE_KEYS)
NODES = 40
HOT = 12

Rows = list[tuple[int, int, int]]
"""Field, key and node of each entry."""


def entries_of(rows: Rows) -> dict[Field, Hashes]:
    out: dict[Field, Hashes] = {}
    for at, field in enumerate(FIELDS):
        keys = [key for each, key, _ in rows if each == at]
        nodes = [node for each, _, node in rows if each == at]
        if keys:
            out[field] = packed(np.array(keys, np.uint64), np.array(nodes, np.int64))
    return out


def on_disk(entries: dict[Field, Hashes], number: Numbers, folder: Path) -> DiskJoin:
    """The entries under other numbers at first, as a corpus has them."""
    files = KeyFiles(folder)
    before = np.argsort(number)
    for field, each in entries.items():
        nodes = (each & np.uint64((1 << 28) - 1)).astype(np.int64)
        files.append(field, packed(each >> np.uint64(28), before[nodes]))
    return DiskJoin(files, number, HOT, folder, 1, 1)


def near(first: Numbers, second: Numbers) -> Mask:
    out: Mask = (first + second) % 3 == 0
    return out


def pairs(blocks: Iterable[Candidates]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for block in blocks:
        columns = (block.first, block.second, block.shared, block.loose)
        found += list(zip(*(column.tolist() for column in columns), strict=True))
    return found


rows_of_few_keys = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, NODES - 1)), max_size=150
)


@LAW
@given(rows_of_few_keys, st.randoms(), st.integers(1, 4))
def test_the_pairs_are_those_of_memory(rows: Rows, rng: random.Random, blocks: int) -> None:
    number = np.array(rng.sample(range(NODES), NODES))
    entries = entries_of(rows)
    memory = MemoryJoin({name: each.copy() for name, each in entries.items()}, NODES, HOT)
    with (
        scratch_folder() as folder,
        pytest.MonkeyPatch.context() as patch,
        closing(on_disk(entries, number, folder)) as disk,
    ):
        patch.setattr(disk_join, "_BYTES_OF_A_PAIR", disk._memory * blocks / 200)
        assert disk.frequent == memory.frequent
        assert disk.keys_of().tolist() == memory.keys_of().tolist()
        assert pairs(disk.pairs()) == pairs(memory.pairs())
        assert pairs(disk._blocks(near)) == pairs(candidate_blocks(memory._columns, NODES, near))
        check_spread(disk, memory)


def check_spread(disk: DiskJoin, memory: MemoryJoin) -> None:
    found, expected = disk.spread(FIELDS, 5), memory.spread(FIELDS, 5)
    assert found.keys() == expected.keys()
    for name, spread in found.items():
        column = expected[name]
        assert spread.with_key_in(5, NODES).tolist() == column.with_key_in(5, NODES).tolist()
        keys = np.arange(4, dtype=np.uint64)
        shared = keys[column.frequencies(keys) > 1]
        assert spread.frequencies(shared).tolist() == column.frequencies(shared).tolist()
        with pytest.raises(ValueError, match="counted for 5"):
            spread.with_key_in(6, NODES)


def grouped(texts: Sequence[str], shared: int | None, memory: int | None) -> CorpusGroups:
    documents = [Document(f"d{at:03}", text, {"text": text}) for at, text in enumerate(texts)]
    wanted = Wanted(STANDARD, fields_of(STANDARD), Grouping(), shared, memory=memory)
    with scratch_folder() as folder:
        found = group_corpus(documents, wanted, Work(folder), lambda _: None)
        assert (folder / "keys.duckdb").exists() is (memory is not None)
        return found


@pytest.mark.parametrize("shared", [None, 1, 4])
def test_the_groups_are_those_of_memory(shared: int | None) -> None:
    forms = [f"{chinese(60, 9)}今天的最高气温是{at}度，风力{at % 7}级。" for at in range(20)]
    texts = [METRO, METRO_HOMOPHONES, TEA, *forms, METRO[:150]]
    texts += [chinese(200, at % 30) + chinese(5 * (at // 30), 500 + at) for at in range(120)]
    first, second = grouped(texts, shared, None), grouped(texts, shared, 1)
    assert first.groups == second.groups
    assert first.kept.tolist() == second.kept.tolist()
    assert first.report == second.report
    assert first.report.groups > 20


def test_what_fits_stays_in_memory() -> None:
    documents = [Document("a", METRO), Document("b", METRO)]
    wanted = Wanted(STANDARD, fields_of(STANDARD), Grouping(), memory=1 << 20)
    with scratch_folder() as folder:
        assert group_corpus(documents, wanted, Work(folder), lambda _: None).report.groups == 1
        assert not (folder / "keys.duckdb").exists()


def test_without_the_database_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_join, "find_spec", lambda _: None)
    unread = iter([Document("a", METRO)])
    wanted = replace(Wanted(STANDARD, fields_of(STANDARD), Grouping()), memory=1)
    with scratch_folder() as folder, pytest.raises(InputRefused, match=r"dupdex\[corpus\]"):
        group_corpus(unread, wanted, Work(folder), lambda _: None)
    assert next(unread).id == "a"
