"""Short texts: whatever `compare` calls a duplicate, a sweep of an index finds."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

from dupdex import Document, Index, Location
from mappings.plan import STANDARD
from query.answers import Verdict
from query.pair import PairJudge
from tests.texts import CHARACTERS, ORCHARD

WORDS = [word.strip(",.") for word in ORCHARD.split()]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def edited(text: str, rng: Random) -> str:
    """One letter replaced, left out or put in."""
    at = rng.choice([place for place, letter in enumerate(text) if letter.isalnum()])
    new = rng.choice(LETTERS if text.isascii() else CHARACTERS)
    return text[:at] + rng.choice(("", new, new, text[at] + new)) + text[at + 1 :]


def phrases(rng: Random) -> list[str]:
    """English of three to eight words, Chinese of eight to fourteen characters, and copies."""
    out = []
    for _ in range(28):
        english = " ".join(rng.choices(WORDS, k=rng.randint(3, 8)))
        chinese = "".join(rng.choices(CHARACTERS, k=rng.randint(8, 14)))
        for text in (english, chinese):
            out += [text, edited(text, rng), edited(edited(text, rng), rng)]
    return out


def test_pairs_finds_what_compare_finds(tmp_path: Path) -> None:
    texts = {f"{at:03}": text for at, text in enumerate(phrases(Random(1)))}
    judge = PairJudge(STANDARD)
    read = dict(zip(texts, judge.read(list(texts.values())), strict=True))
    alike = {
        (one, other)
        for one, other in combinations(texts, 2)
        if judge.judgement(read[one], read[other]).verdict is not None
    }
    assert len(alike) >= 112
    with Index.create(Location(str(tmp_path))) as index:
        index.add(Document(name, text, {"text": text}) for name, text in texts.items())
        index.refresh()
        found = {tuple(sorted((pair.first.id, pair.second.id))) for pair in index.sweep()}
        assert found == alike
        answer = index.lookup("the prize is too high")
        assert (
            "of texts of 7 to 14 letters, Chinese or of one alphabet, with one changed all share"
            in answer.completeness.guarantee
        )


def test_the_price_is_too_high(tmp_path: Path) -> None:
    with Index.create(Location(str(tmp_path))) as index:
        index.add([Document("price", "the price is too high", {"text": "the price is too high"})])
        index.refresh()
        (match,) = index.lookup("the prize is too high").matches
        assert (match.id, match.verdict) == ("price", Verdict.NEAR)
