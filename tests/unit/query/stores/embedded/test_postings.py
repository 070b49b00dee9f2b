"""Postings lie in two tables: those of one key in both are one list."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupdex import Document, Index, Location
from indexer.stores.embedded import embedded_writer
from query.questions import EVERYTHING
from tests.texts import chinese


@pytest.mark.parametrize("merged", [0, 1, 2, 3])
def test_documents_of_a_key_in_both_tables_are_found(
    tmp_path: Path, merged: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever part of the copies was written before the tables were merged."""
    text, where = chinese(200, 1), Location(str(tmp_path))
    monkeypatch.setattr(embedded_writer, "MERGE_PER_DOCUMENT", 0)
    with Index.create(where) as index:
        for number in range(3):
            is_merged = number + 1 == merged
            monkeypatch.setattr(embedded_writer, "MERGE_AT", 0 if is_merged else 250_000)
            list(index.add([Document(f"{number}", text, {"text": text})]))
        for options in (None, EVERYTHING):
            found = index.lookup(f"{text}再来一次", *([options] if options else []))
            assert {match.id for match in found.matches} == {"0", "1", "2"}
            assert found.completeness.candidates == 3
