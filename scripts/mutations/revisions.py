"""What writers of English do to a source: paste parts of it, revise it lightly or heavily, or write
on the same matter in words of their own.
"""

from __future__ import annotations

import re
from random import Random
from typing import Final

from scripts.mutations.layout import sentences_of
from scripts.mutations.word_edits import synonyms

LEAST: Final = 100
"""Words of a text that is revised, at least."""

ANSWER: Final = (200, 300)
"""Words of what is written."""

_SMALL: Final = ("also", "often", "however", "mostly", "then", "in fact", "usually", "indeed")
_ENDINGS: Final = (("ies", "y"), ("ing", "ed"), ("ed", "ing"), ("s", ""), ("ly", ""))
_WORD: Final = re.compile(r"[A-Za-z]{4,}")


def pasted(text: str, rng: Random, share: float) -> str | None:
    """Sentences of the text in their order, one word in thirty changed, between others of the
    writer's own; `share`: how much of the result is pasted.
    """
    return _written(text, rng, share, rate=0.03)


def lightly_revised(text: str, rng: Random, rate: float) -> str | None:
    """Nearly all sentences of the text, with words changed, added and left out at this rate."""
    return _written(text, rng, 0.9, rate)


def heavily_revised(text: str, rng: Random, rate: float) -> str | None:
    """Two thirds of the sentences, in another order, revised at this rate."""
    return _written(text, rng, 0.67, rate, moved=True)


def own_words(text: str, rng: Random) -> str | None:
    """The same matter in other sentences: the words are those of the text, their order is not."""
    return _written(text, rng, 0.0, 0.0)


def _written(text: str, rng: Random, share: float, rate: float, moved: bool = False) -> str | None:
    sentences = [part.split() for part in sentences_of(text)]
    if sum(map(len, sentences)) < LEAST or not _WORD.search(text):
        return None
    wanted, size = rng.randint(*ANSWER), 0
    taken: list[list[str]] = []
    start = rng.randrange(len(sentences))
    for words in sentences[start:] + sentences[:start]:
        if size >= wanted:
            break
        size += len(words)
        taken.append(words)
    copied = {*_some(taken, share * size, rng)}
    out = [
        _revised(words, rng, rate) if at in copied else rng.sample(words, len(words))
        for at, words in enumerate(taken)
    ]
    if moved:
        rng.shuffle(out)
    return " ".join(" ".join(words) for words in out)


def _some(sentences: list[list[str]], wanted: float, rng: Random) -> list[int]:
    """Places of sentences that have about so many words together."""
    out, size = [], 0
    for at in rng.sample(range(len(sentences)), len(sentences)):
        if size + len(sentences[at]) / 2 > wanted:
            continue
        out.append(at)
        size += len(sentences[at])
    return out


def _revised(words: list[str], rng: Random, rate: float) -> list[str]:
    """Words changed, left out, added or swapped at this rate; clauses change places as often."""
    clauses = re.split(r"(?<=,) ", " ".join(words))
    if len(clauses) > 1 and rng.random() < 2 * rate:
        clauses = [*clauses[1:], clauses[0]]
    out: list[str] = []
    for word in " ".join(clauses).split():
        out.append(word)
        if rng.random() >= rate:
            continue
        how = rng.choice("cccdis")
        if how == "c":
            out[-1] = _other(word, rng)
        elif how == "d":
            out.pop()
        elif how == "i":
            out.append(rng.choice(_SMALL))
        elif len(out) > 1:
            out[-2:] = out[:-3:-1]
    return out


def _other(word: str, rng: Random) -> str:
    """A synonym, or another form of the word; a made one where neither is known."""
    synonym = synonyms(word, rng, 1.0)
    if synonym is not None:
        return synonym
    for ending, other in _ENDINGS:
        if len(word) > len(ending) + 3 and word.endswith(ending) and rng.random() < 0.5:
            return word[: -len(ending)] + other
    return word[::-1] if rng.random() < 0.7 else word + "s"
