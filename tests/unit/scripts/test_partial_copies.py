"""Partial copies have the part that their row says; revisions leave what they should."""

from __future__ import annotations

from random import Random

import pytest

from scripts.mutations.generate import generate
from scripts.mutations.kinds import OWN_WORDS, REVISIONS
from scripts.mutations.mutation import Source
from scripts.mutations.partial_copies import (
    LENGTHS,
    ROWS,
    cut_to_news,
    partial_copies,
    stretches,
)
from tests.texts import chinese, english

ORIGINALS = [chinese(2_000, seed) for seed in range(len(ROWS))]
HOSTS = [chinese(1_500, seed) for seed in range(100, 104)]


def test_each_row_has_its_copy_and_its_part() -> None:
    made = list(partial_copies(ORIGINALS, HOSTS, "1"))
    assert [copy.row for copy in made] == list(ROWS)
    for copy in made:
        if copy.row.kind != "joined":
            assert copy.part == copy.row.share
        if copy.row.kind == "excerpt" and not copy.row.every:
            assert copy.copy in copy.original
            assert len(copy.copy) == round(len(copy.original) * copy.row.share)
        if copy.row.kind == "planted" and not copy.row.every:
            planted = len(copy.copy) - len(HOSTS[0])
            assert planted == pytest.approx(len(copy.original) * copy.row.share, abs=3)
    assert made == list(partial_copies(ORIGINALS, HOSTS, "1"))
    assert made != list(partial_copies(ORIGINALS, HOSTS, "2"))


def test_an_original_that_is_too_short_for_its_row_gets_another() -> None:
    rows = [row for row in ROWS if row.kind == "planted"]
    (made,) = partial_copies([chinese(400, 1)], HOSTS, "1", rows)
    assert made.row.share == 0.3


@pytest.mark.parametrize("pieces", [1, 2, 3])
def test_stretches_do_not_overlap(pieces: int) -> None:
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 500)))
    for seed in range(30):
        found = stretches(text, 150, pieces, Random(seed))
        assert len({*"".join(found)}) == 150
        assert all(piece in text for piece in found)


def test_texts_are_as_long_as_news() -> None:
    text = chinese(9_000, 3)
    lengths = [len(cut_to_news(text, Random(seed))) for seed in range(100)]
    assert LENGTHS[0] <= min(lengths) < 600
    assert 2_000 < max(lengths) <= LENGTHS[1]


def test_revisions_of_english_are_labelled_and_chinese_has_none() -> None:
    sources = [Source(f"{at}", english(400, at)) for at in range(3)]
    chosen = (*REVISIONS, OWN_WORDS)
    made = generate(sources, 1, chosen, 3)
    labels = {(link.kind, link.label) for link in made.links}
    assert labels == {*((kind, 2) for kind in REVISIONS), (OWN_WORDS, 0)}
    by_kind = {
        kind: [common(link.left.text, link.right.text) for link in made.links if link.kind == kind]
        for kind in chosen
    }
    assert max(by_kind[OWN_WORDS]) < 0.02
    assert min(by_kind["lightly_revised"]) > max(by_kind["heavily_revised"]) / 2 > 0.05
    assert min(by_kind["pasted"]) > 0.1
    none = generate([Source(f"{at}", chinese(400, at)) for at in range(3)], 1, chosen, 3)
    assert not none.links


def common(source: str, copy: str) -> float:
    """The share of runs of five words of the copy that the source has."""
    runs = [
        {tuple(words[at : at + 5]) for at in range(len(words) - 4)}
        for words in (source.split(), copy.split())
    ]
    return len(runs[0] & runs[1]) / len(runs[1])
