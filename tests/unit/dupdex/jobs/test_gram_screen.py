"""The screen of a sweep passes over no pair that is a duplicate."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.jobs.gram_screen import GramScreen, screened
from dupdex.jobs.joined_pairs import Joined, pairs_between
from dupdex.jobs.snapshot import Snapshot, taken
from indexer.boilerplate import NOTHING
from indexer.fingerprints import fingerprint_of
from indexer.model import Fingerprint
from mappings.plan import STANDARD
from query.answers import Stored
from query.key_join import Candidates
from query.near_screen import NearScreen
from tests.texts import LAW, LIBRARY, METRO, ORCHARD, TEA, chinese, english

WHOLE = [LIBRARY, METRO, ORCHARD, TEA, chinese(900, 1), chinese(1400, 2), chinese(350, 3)]
WHOLE += [english(300, 4), english(200, 5)]


@cache
def fingerprint(text: str) -> Fingerprint:
    """The examples are made of the same few texts."""
    return fingerprint_of(text, STANDARD)


def snapshot_of(texts: list[str], folder: Path) -> Snapshot:
    documents = [
        Stored(f"{at:03}", "i", {}, text, STANDARD.id, fingerprint(text))
        for at, text in enumerate(texts)
    ]
    return taken(documents, STANDARD, folder)


def pairs(texts: list[str], folder: Path, with_screen: bool) -> tuple[set[tuple[str, str]], int]:
    snapshot = snapshot_of(texts, folder)
    screen = None
    if with_screen:
        parts = [
            screened((low, min(low + 3, len(snapshot))), (snapshot, NOTHING))
            for low in range(0, len(snapshot), 3)
        ]
        screen = GramScreen.of(parts, snapshot, folder / "grams")
    found = pairs_between((0, len(snapshot)), Joined(snapshot, NOTHING, screen))
    return {(pair.first.id, pair.second.id) for pair in found.pairs}, found.read


@st.composite
def corpora(draw: st.DrawFn) -> list[str]:
    """Texts that quote parts of each other, with edits."""
    out = draw(st.sampled_from((WHOLE, WHOLE[::2], WHOLE[1::2])))[:]
    for _ in range(draw(st.integers(1, 6))):
        one, other = (draw(st.sampled_from(out)) for _ in range(2))
        start = draw(st.integers(0, max(0, len(one) - 1)))
        size = draw(st.sampled_from([30, 80, 120, 200, 400]))
        place = draw(st.integers(0, len(other)))
        text = other[:place] + one[start : start + size] + other[place:]
        if every := draw(st.sampled_from([0, 0, 7, 20])):
            text = "".join("某" if at % every == every - 1 else c for at, c in enumerate(text))
        out.append(text)
    return out


@LAW
@given(corpora())
def test_no_duplicate_is_passed_over(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("screen")
    assert pairs(texts, folder, True)[0] == pairs(texts, folder, False)[0]


@pytest.mark.parametrize("order", [1, -1])
def test_a_share_of_what_a_text_has_once_counts(tmp_path: Path, order: int) -> None:
    """A passage is a fifth of the different grams of a text that says the rest twice."""
    novel = chinese(1_400, 2)
    texts = [novel, novel[:80] + METRO[: len(METRO) // 2] + METRO][::order]
    found = pairs(texts, tmp_path, False)[0]
    assert found
    assert pairs(texts, tmp_path, True)[0] == found


def unlike(count: int) -> list[str]:
    """Letters that no two of these texts have in common, 380 each."""
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 380 * count)))
    return [letters[at * 380 : at * 380 + 380] for at in range(count)]


@pytest.mark.parametrize("order", [1, -1])
def test_sentences_follow_each_other_over_an_edit(tmp_path: Path, order: int) -> None:
    one, two, three, four, both = unlike(5)
    first, second = both[:52], both[52:104]
    texts = [f"{one}。{first}。{second}。{two}", f"{three}。{first}嗯。{second}。{four}"][::order]
    assert len(pairs(texts, tmp_path, False)[0]) == 1
    assert len(pairs(texts, tmp_path, True)[0]) == 1


@pytest.mark.parametrize("order", [1, -1])
def test_runs_of_one_text_overlap_in_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: int
) -> None:
    """Pieces of a passage cover more of a text than the passage does of the other."""
    one, two, three, four, both = unlike(5)
    pieces = "".join(f"{both[at : at + 20]}{both[-at // 9 - 9 :][:2]}" for at in range(0, 90, 9))
    texts = [one + pieces + two, three + both[:101] + four][::order]
    monkeypatch.setattr(NearScreen, "could_be_near", lambda _, pairs: np.zeros(len(pairs), bool))
    assert len(pairs(texts, tmp_path, False)[0]) == 1
    assert len(pairs(texts, tmp_path, True)[0]) == 1


def test_where_runs_are_shorter_than_long_grams_nothing_is_passed_over(tmp_path: Path) -> None:
    snapshot = snapshot_of(unlike(2), tmp_path)
    screen = GramScreen.of([screened((0, 2), (snapshot, NOTHING))], snapshot, tmp_path / "grams")
    pair = Candidates(*map(np.array, ([0], [1], [1], [0])))
    assert not screen.worth_reading(pair).any()
    limits = replace(screen.limits, run=screen.limits.passage - 1)
    assert replace(screen, limits=limits).worth_reading(pair).all()


def test_texts_of_one_sentence_in_common_are_not_read(tmp_path: Path) -> None:
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 20_000)))  # no text has those of another
    own = [letters[at * 800 : at * 800 + 800] for at in range(24)]
    sentence = f"{letters[19_500:19_550]}。"
    texts = [f"{text[:400]}。{sentence}{text[400:]}。" for text in own]
    found, read = pairs(texts, tmp_path, True)
    assert not found
    assert 4 * read < pairs(texts, tmp_path, False)[1]


def test_a_text_in_a_disguise_passes_with_what_it_means(tmp_path: Path) -> None:
    """Whole copies and parts, whether one of a pair is in a disguise, or both, in another one."""
    whole, page = chinese(900, 1), f"{chinese(700, 7)}{METRO}{chinese(700, 8)}"
    columns = "\n".join(METRO[row:144:12] for row in range(12))
    texts = [whole, "丨".join(whole), f"\u202e{whole[::-1]}", page, "丶".join(METRO), columns]
    found, read = pairs(texts, tmp_path, True)
    assert (found, read) == (pairs(texts, tmp_path, False)[0], read)
    assert found >= {("000", "001"), ("000", "002"), ("001", "002"), ("003", "004")}
    assert found >= {("003", "005"), ("004", "005")}


def test_a_snapshot_numbers_documents_by_their_keys(tmp_path: Path) -> None:
    names = ["b", "a", "c0", "c"]
    documents = [
        Stored(name, "i", {}, METRO, STANDARD.id, fingerprint_of(METRO, STANDARD)) for name in names
    ]
    empty = Stored("x", "i", {}, "", "", None)
    snapshot = taken([*documents, empty], STANDARD, tmp_path)
    assert [ref.id for ref in snapshot.refs] == sorted(names)
    assert snapshot.refused == 1
    assert snapshot.first_after(snapshot.key(1)) == 2
    assert snapshot.first_after("") == 0
    assert snapshot.stored(2).fingerprint == documents[0].fingerprint
    assert snapshot.has(documents[0])
    assert not snapshot.has(empty)
