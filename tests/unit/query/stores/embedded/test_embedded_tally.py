"""Counting in files of older layouts, which have no place for groups and times."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from indexer.stores.embedded.schema import LAYOUT
from query.stores.embedded.embedded_reader import EmbeddedReader
from query.tally import ByGroup, ByPeriod, ByValue, Every, InGroups, Tally, TallyRow, These
from tests.golden.layouts import DELETED, DOCUMENTS, restore

STORED = sorted(set(DOCUMENTS) - {DELETED})


@pytest.mark.parametrize("layout", range(1, LAYOUT))
def test_an_older_layout_is_counted(tmp_path: Path, layout: int) -> None:
    restore(layout, tmp_path)
    with closing(EmbeddedReader.open(tmp_path, "dupdex", None)) as reader:
        refs = tuple(found[0] for found in reader.refs_of(STORED).values())
        for among in (None, InGroups(tuple(STORED)), These(refs)):
            rows = reader.tally(Tally((ByGroup(),), among, earliest=""))
            assert sorted(rows, key=str) == [TallyRow((name,), 1) for name in STORED]
        (row,) = reader.tally(Tally((ByPeriod("", Every.DAY),)))
        assert row == TallyRow((None,), len(STORED))
        assert {row.keys[0] for row in reader.tally(Tally((ByValue("n"),)))} == {
            str(len(DOCUMENTS[name])) for name in STORED
        }
