"""Are short texts found with one letter changed, and does a lookup find what `compare` finds?

    python -m scripts.short_texts CORPUS.jsonl... [--documents 20000] [--each 300] [--seed 1]

Each CORPUS.jsonl holds one object with `id` and `text` per line. Beginnings of their sentences are
stored, of so many words, or characters in scripts without spaces. Some of each length are asked for
with one letter replaced, left out or put in. Others that are not stored are asked for as they are:
what they match are other texts of few letters, shown as examples.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random
from typing import Final

from dupdex.index import Index
from dupdex.location import Location
from mappings.errors import DupdexError, InputRefused
from query.answers import Answer
from query.pair import PairJudge
from query.questions import Question
from scripts.mutate import read
from scripts.mutations.layout import sentences_of
from scripts.partial import store

HEAD: Final = (
    "| one letter changed | texts | found | near by compare | found of these |",
    "|---|---|---|---|---|",
)
WORDS: Final = (3, 4, 5, 8, 12)
CHARACTERS: Final = (8, 10, 14, 20)

_LEAST_LETTERS: Final = 8
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_CLAUSE: Final = re.compile(r"[\u4e00-\u9fff]{8,}")
_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Row:
    """Texts of one length."""

    size: int
    spaced: bool

    @property
    def name(self) -> str:
        return f"{self.size} {'words' if self.spaced else 'characters'}"


Pieces = dict[Row, list[str]]


def main(arguments: list[str] | None = None) -> int:
    """Cut, index, look up, print."""
    options = _parser().parse_args(arguments)
    try:
        texts = [source.text for path in options.corpus for source in read(path)]
        pieces = cut(texts, Random(f"{options.seed}"))
        with tempfile.TemporaryDirectory(prefix="dupdex-short-") as folder:
            location = Location.from_environment(store=folder)
            print("\n".join(_measured(pieces, options, location)))
    except (DupdexError, OSError) as error:
        print(f"short_texts: {error}", file=sys.stderr)
        return 2
    return 0


def cut(texts: Iterable[str], rng: Random) -> Pieces:
    """The beginning of each sentence, by its length, which is drawn; no text twice, shuffled."""
    found: dict[Row, dict[str, None]] = defaultdict(dict)
    for text in texts:
        for sentence in sentences_of(text):
            beginnings = list(_beginnings(sentence))
            if beginnings:
                row, piece = rng.choice(beginnings)
                found[row][piece] = None
    pieces = {
        row: list(found[row]) for row in sorted(found, key=lambda row: (row.spaced, row.size))
    }
    for each in pieces.values():
        rng.shuffle(each)
    return pieces


def _beginnings(sentence: str) -> Iterator[tuple[Row, str]]:
    clause = _CLAUSE.match(sentence.strip())
    if clause is not None:
        yield from ((Row(n, False), clause[0][:n]) for n in CHARACTERS if n <= len(clause[0]))
        return
    words = [(word.start(), word.end()) for word in _WORD.finditer(sentence)]
    for count in WORDS:
        if count <= len(words):
            piece = sentence[words[0][0] : words[count - 1][1]]
            if sum(map(str.isalnum, piece)) >= _LEAST_LETTERS and piece.isascii():
                yield Row(count, True), " ".join(piece.split())


def changed(text: str, rng: Random) -> str:
    """One letter replaced by another, left out, or followed by another."""
    pool = "abcdefghijklmnopqrstuvwxyz" if text.isascii() else f"{text}的一"
    at = rng.choice([place for place, letter in enumerate(text) if letter.isalnum()])
    new = rng.choice([letter for letter in pool if letter != text[at].lower()])
    return text[:at] + rng.choice((new, "", text[at] + new)) + text[at + 1 :]


def _measured(pieces: Pieces, options: argparse.Namespace, location: Location) -> Iterator[str]:
    if not pieces:
        raise InputRefused("no sentence is long enough; add texts")
    rng, each = Random(f"{options.seed} changes"), options.each
    most = max(each, options.documents // len(pieces))
    stored = {row: found[each : each + most] for row, found in pieces.items() if each < len(found)}
    if not stored:
        raise InputRefused(f"no length has more than --each {each} texts; add some, or ask fewer")
    unseen = [text for found in pieces.values() for text in found[:each]]
    with Index.create(location) as index:
        distinct = dict.fromkeys(chain.from_iterable(stored.values()))
        names = {text: f"{at:06}" for at, text in enumerate(distinct)}
        store(index, ((name, text) for text, name in names.items()))
        yield from HEAD
        for row, found in stored.items():
            asked = [(text, changed(text, rng)) for text in found[:each]]
            yield f"| {row.name} | {' | '.join(_cells(index, names, asked))} |"
        unseen = [text for text in unseen if text not in names]
        others = _matches(unseen, _answers(index, unseen), names)
        yield ""
        yield (
            f"{len(names):,} texts stored; {len(unseen):,} others asked for as they are: "
            f"{len(others):,} matches, such as"
        )
        rng.shuffle(others)
        yield from (f"- {asked} / {match}" for asked, match in others[:_SHOWN])


def _answers(index: Index, texts: Sequence[str]) -> list[Answer]:
    return list(index.lookup_all([Question(text) for text in texts]))


def _cells(index: Index, names: dict[str, str], asked: Sequence[tuple[str, str]]) -> Iterator[str]:
    judge = PairJudge(index.plan)
    found = near = both = 0
    answers = _answers(index, [other for _, other in asked])
    for (text, other), answer in zip(asked, answers, strict=True):
        is_found = any(match.id == names[text] for match in answer.matches)
        is_near = judge.judgement(*judge.read([other, text])).verdict is not None
        found, near, both = found + is_found, near + is_near, both + (is_found and is_near)
    yield f"{len(asked)}"
    yield f"{found / max(1, len(asked)):.4f}"
    yield f"{near / max(1, len(asked)):.4f}"
    yield f"{both / max(1, near):.4f}"


def _matches(
    asked: Sequence[str], answers: Sequence[Answer], names: dict[str, str]
) -> list[tuple[str, str]]:
    texts = {name: text for text, name in names.items()}
    pairs = zip(asked, answers, strict=True)
    return [(text, texts[match.id]) for text, answer in pairs for match in answer.matches]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="short_texts", description="Looks up short texts.")
    parser.add_argument("corpus", type=Path, nargs="+", metavar="CORPUS.jsonl", help="texts")
    parser.add_argument("--documents", type=int, default=20_000, help="stored, about [20000]")
    parser.add_argument("--each", type=int, default=300, help="asked for of each length [300]")
    parser.add_argument("--seed", type=int, default=1, help="the same makes the same [1]")
    return parser


if __name__ == "__main__":
    sys.exit(main())
