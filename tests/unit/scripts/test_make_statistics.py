"""The shipped statistics are what the script makes of jieba's dictionary."""

from __future__ import annotations

from importlib.resources import files

import pytest

from indexer.text.corpus_statistics import file_name, to_bytes
from scripts.make_statistics import counts, document_frequencies, initials


def test_the_shipped_table_can_be_made_again() -> None:
    words = counts()
    made = to_bytes(*document_frequencies(words), initials(words))
    shipped = files("indexer.text") / "data" / file_name("1")
    assert shipped.read_bytes() == made
    assert len(made) < 1_500_000


def test_documents_are_expected_by_a_poisson_model() -> None:
    documents, expected = document_frequencies({"a": 500_000, "b": 1_000, "c": 199_000})
    assert documents == 1_000
    assert expected["a"] == 1_000
    assert expected["b"] == pytest.approx(632, abs=1)  # once a document on average: 1 - 1/e
