"""Texts that disguises are tried on, cut from corpora: posts, articles, English texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import orjson

from mappings.errors import InputRefused, NotFound
from scripts.mutations.disguise_kinds import CHINESE, ENGLISH
from scripts.mutations.layout import sentences_of
from scripts.mutations.mutation import letters_of

POST: Final = (20, 120)
ARTICLE: Final = 600
TEXT: Final = (150, 600)
_LEAST_HAN: Final = 0.6
_COPIES: Final = ("mutant", "hardneg", "short")


@dataclass(frozen=True, slots=True)
class Cut:
    """A text cut from a corpus. `group`: posts, articles or English."""

    id: str
    text: str
    group: str

    @property
    def language(self) -> str:
        return ENGLISH if self.group == "English" else CHINESE


@dataclass(frozen=True, slots=True)
class Originals:
    """What is disguised, and what only fills the index."""

    cuts: tuple[Cut, ...]
    unrelated: tuple[Cut, ...]


def originals_of(
    chinese: Sequence[Path], english: Sequence[Path], seed: int, each: int, unrelated: int
) -> Originals:
    """`each` posts, articles and English texts, and `unrelated` others. Of one source text come
    several cuts, which do not overlap. Raises InputRefused when there are too few.
    """
    posts: list[Cut] = []
    articles: list[Cut] = []
    texts: list[Cut] = []
    for text, rng in _shuffled(chinese, seed):
        if len(articles) < each and len(text) > 4 * ARTICLE:
            articles.append(Cut(f"article-{len(articles)}", text[:ARTICLE], "articles"))
            text = text[ARTICLE:]
        for post in _cuts(text, rng, POST, 8):
            if _is_chinese(post):
                posts.append(Cut(f"post-{len(posts)}", post, "posts"))
    for text, rng in _shuffled(english, seed):
        texts += [
            Cut(f"text-{len(texts) + n}", cut, "English")
            for n, cut in enumerate(_cuts(text, rng, TEXT, 4))
        ]
    rng = Random(f"{seed}/originals")
    rng.shuffle(posts)
    rng.shuffle(texts)
    cuts = (*posts[:each], *articles, *texts[:each])
    rest = [*posts[each:], *texts[each:]]
    if len(rest) < unrelated or not cuts:
        raise InputRefused(
            f"the corpora give {len(rest)} unrelated texts, {unrelated} are asked for; add texts "
            "or lower --unrelated"
        )
    return Originals(cuts, tuple(rng.sample(rest, unrelated)))


def _shuffled(paths: Sequence[Path], seed: int) -> Iterator[tuple[str, Random]]:
    """The texts of the files in a random order, each with random numbers of its own."""
    texts = sorted({text for path in paths for text in _texts(path)})
    Random(f"{seed}/order").shuffle(texts)
    for number, text in enumerate(texts):
        yield text, Random(f"{seed}/{number}")


def _texts(path: Path) -> Iterator[str]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise InputRefused(f"{path}:{number}: not valid JSON: {error}") from error
        if not isinstance(value, dict) or not isinstance(value.get("text"), str):
            raise InputRefused(f"{path}:{number}: write an object with a text")
        if value.get("role") not in _COPIES:
            yield value["text"]


def _cuts(text: str, rng: Random, sizes: tuple[int, int], most: int) -> Iterator[str]:
    """Up to `most` stretches of whole sentences with a number of letters in `sizes`."""
    made, part, wanted = 0, "", rng.randint(*sizes)
    for sentence in sentences_of(text):
        part += sentence
        if len(part) < wanted:
            continue
        if sizes[0] <= len(letters_of(part)) <= sizes[1]:
            yield part.strip()
            made += 1
            if made == most:
                return
        part, wanted = "", rng.randint(*sizes)


def _is_chinese(text: str) -> bool:
    letters = letters_of(text)
    return sum("\u4e00" <= each <= "\u9fff" for each in letters) >= _LEAST_HAN * len(letters)
