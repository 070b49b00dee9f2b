"""Judges real pairs together, as lookups do, and each alone: do any two answers differ?

    python -m scripts.judging CORPUS.jsonl... [--pairs 20000]

Pairs are documents that share a key; the exit status is 1 when an answer differs. Then the time of
either way for each pair.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import orjson

from indexer.fingerprints import fingerprints_of
from indexer.model import Fingerprint
from mappings.contract import Field
from mappings.plan import STANDARD
from query.answers import Match, Ref
from query.pair import PairJudge, Text

CANDIDATES: Final = 20
_HIDDEN: Final = 300  # documents of one key that are looked at: what lookups call frequent
_AT_ONCE: Final = 50

Group = tuple[int, list[int]]
"""A document, and those that share a key with it."""


def fingerprints(texts: Sequence[str]) -> list[Fingerprint]:
    return [
        one
        for start in range(0, len(texts), _AT_ONCE)
        for one in fingerprints_of(texts[start : start + _AT_ONCE], STANDARD)
    ]


def groups(prints: Sequence[Fingerprint]) -> Iterator[Group]:
    """Each document with at most so many candidates as a lookup reads."""
    holders: dict[tuple[Field, str], list[int]] = defaultdict(list)
    for number, one in enumerate(prints):
        for name, terms in one.keys.items():
            for term in terms:
                holders[name, term].append(number)
    for number, one in enumerate(prints):
        met = (holders[name, term] for name, terms in one.keys.items() for term in terms)
        others = dict.fromkeys(n for held in met if len(held) <= _HIDDEN for n in held)
        others.pop(number, None)
        if others:
            yield number, list(islice(others, CANDIDATES))


def together(judge: PairJudge, asked: Text, stored: Sequence[Text]) -> list[Match | None]:
    """As a lookup judges its candidates."""
    return judge.matches(asked, [(text, Ref("", str(n)), {}) for n, text in enumerate(stored)])


def alone(judge: PairJudge, asked: Text, stored: Text) -> tuple[object, ...] | None:
    """What the verdict says of two texts, with nothing screened and nothing counted before."""
    judged = judge.judgement(asked, stored)
    if judged.verdict is None:
        return None
    return judged.verdict, judged.similarity, judged.share, judged.stored_share, judged.direction


def compared(texts: Sequence[str], most: int) -> tuple[int, int, float, float]:
    """Pairs, answers that differ, and the seconds of judging together and alone."""
    judge, prints = PairJudge(STANDARD), fingerprints(texts)
    pairs = differing = 0
    fast = slow = 0.0
    for number, others in groups(prints):
        rows = [number, *others]
        given = [texts[row] for row in rows], [prints[row] for row in rows]
        asked, unread = judge.read(given[0][:1], given[1][:1])[0], (given[0][1:], given[1][1:])
        began = time.perf_counter()
        matches = together(judge, asked, judge.read(*unread))
        middle = time.perf_counter()
        (asked,) = judge.read(given[0][:1], given[1][:1])
        judged = [
            alone(judge, asked, *judge.read([text], [one]))
            for text, one in zip(*unread, strict=True)
        ]
        fast, slow = fast + middle - began, slow + time.perf_counter() - middle
        pairs += len(others)
        differing += sum(
            (m and (m.verdict, m.similarity, m.share, m.stored_share, m.direction)) != one
            for m, one in zip(matches, judged, strict=True)
        )
        if pairs >= most:
            break
    return pairs, differing, fast, slow


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="judging", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS.jsonl")
    parser.add_argument("--pairs", type=int, default=20_000, help="of each corpus, at most")
    options = parser.parse_args(arguments)
    wrong = 0
    for path in options.corpora:
        texts = [orjson.loads(line)["text"] for line in path.read_bytes().splitlines()]
        pairs, differing, fast, slow = compared(texts, options.pairs)
        wrong += differing
        each = f"{fast / max(1, pairs) * 1e6:.0f} us a pair, alone {slow / max(1, pairs) * 1e6:.0f}"
        print(f"{path}: {pairs:,} pairs, {differing} differ; {each}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
