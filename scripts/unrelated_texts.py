"""Unrelated documents: sentences of given texts, put together at random."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
import orjson

from mappings.errors import InputRefused, NotFound
from scripts.mutations.layout import sentences_of
from scripts.mutations.mutation import letters_of

LEAST: Final = 8
"""Letters and digits of a sentence; shorter ones are exclamations."""

COMMON: Final = 0.1
"""The most that two documents have in common, of the letters of either."""

_ORIGINALS: Final = (None, "base", "distractor")
"""Roles of the rows of a corpus that are not made of other rows."""

_ROUNDS: Final = 20
"""How often the texts of a corpus are gone through for one document, at most."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its letters and digits, and the documents that have it so far."""

    text: str
    letters: int
    holders: array[int] = field(default_factory=lambda: array("i"))


@dataclass(frozen=True, slots=True)
class Pool:
    """The sentences of one corpus, by the text they are from, and the letters of its texts."""

    sources: Sequence[Sequence[Sentence]]
    lengths: Sequence[int]

    @classmethod
    def read(cls, folder: Path) -> Pool:
        """The originals of `folder`, each sentence once. Raises NotFound, or InputRefused."""
        pool = cls.of(_originals(folder / "corpus.jsonl"))
        if not pool.sources:
            raise InputRefused(f"{folder} holds no text with sentences; name another corpus")
        return pool

    @classmethod
    def of(cls, texts: Iterable[str]) -> Pool:
        """The sentences of texts, each once."""
        seen: set[str] = set()
        sources, lengths = [], []
        for text in texts:
            found = []
            for part in sentences_of(text):
                letters = letters_of(part)
                if len(letters) >= LEAST and letters not in seen:
                    seen.add(letters)
                    found.append(Sentence(_ended(part), len(letters)))
            if found:
                sources.append(found)
                lengths.append(sum(sentence.letters for sentence in found))
        return cls(sources, lengths)


def _originals(path: Path) -> Iterator[str]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {error.strerror}; name a folder with it") from error
    for number, line in enumerate(lines, 1):
        try:
            row = orjson.loads(line)
            text = row["text"] if row.get("role") in _ORIGINALS else ""
        except (orjson.JSONDecodeError, KeyError, AttributeError):
            text = None
        if not isinstance(text, str):
            raise InputRefused(f"{path}:{number}: write an object with a text")
        yield text


class Recombined:
    """Documents of sentences, each from another text of one corpus; the corpora take turns.

    A document is as long as some text of its corpus. Sentences are used again and again, but two
    documents have no more than COMMON of the letters of either in common; `free` draws without
    looking at that, so some have a good part of each other.
    """

    def __init__(self, pools: Sequence[Pool], documents: int, seed: int, free: bool) -> None:
        self._pools, self._rng, self._free = pools, Random(f"{seed}"), free
        drawn = (self._rng.choice(pools[at % len(pools)].lengths) for at in range(documents))
        self._lengths = np.fromiter(drawn, np.int64, documents)

    def texts(self) -> Iterator[str]:
        """Every document in order. Raises InputRefused when the sentences do not suffice."""
        for number in range(len(self._lengths)):
            yield self._text(number, self._pools[number % len(self._pools)])

    def sharing(self) -> tuple[float, float]:
        """Documents that have a sentence, and those that share one with a document: means."""
        sentences = [s for pool in self._pools for source in pool.sources for s in source]
        used = [len(sentence.holders) for sentence in sentences if sentence.holders]
        met = sum(count * (count - 1) for count in used)
        return sum(used) / len(used), met / len(self._lengths)

    def _text(self, number: int, pool: Pool) -> str:
        wanted = int(self._lengths[number])
        room = np.minimum(self._lengths, wanted) * COMMON
        shared = np.zeros(len(self._lengths), np.int64)
        parts: list[str] = []
        size = 0
        for sentence in self._draws(pool):
            if sentence.holders and sentence.holders[-1] == number:
                continue
            others = np.array(sentence.holders, np.int64)
            together = shared[others] + sentence.letters
            fits = sentence.letters <= wanted * COMMON and bool((together <= room[others]).all())
            if not (fits or self._free):
                continue
            shared[others] = together
            sentence.holders.append(number)
            parts.append(sentence.text)
            size += sentence.letters
            if size >= wanted:
                return "".join(parts).strip()
        raise InputRefused("too few sentences for so many documents; lower --documents")

    def _draws(self, pool: Pool) -> Iterator[Sentence]:
        """A sentence of each text in a random order, again and again."""
        for _ in range(_ROUNDS):
            for source in self._rng.sample(pool.sources, len(pool.sources)):
                yield self._rng.choice(source)


def _ended(part: str) -> str:
    """A sentence that stays one wherever it is put, by the line break or the space after it."""
    text = part.strip()
    if part[-1] == "\n":
        return text + "\n"
    return text + (" " if text[-1].isascii() else "")
