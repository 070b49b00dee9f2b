"""Are partial copies found among unrelated texts, and where are the others lost?

    python -m scripts.partial CORPUS.jsonl [--documents 20000] [--seed 1] [--queries 1000]

CORPUS.jsonl holds one object with `id` and `text` per line: articles, at least 1,000. Half of them
are cut to the length of news, and a part of each is planted in another article, joined with a part
of another, or stands alone, with and without an edit in every 50 characters. One half of these
pairs is asked for with the copy while the original is stored, the other half the other way round.
What else is stored are sentences of the other articles, put together at random: no copies of
anything, so a match of one of them is a false one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final

from dupdex.index import Index
from dupdex.location import Location
from indexer.model import Document, Status
from mappings.errors import DupdexError, InputRefused
from query.answers import Direction, Match, Ref
from query.pair import PairJudge
from query.questions import EVERYTHING, Options, Question
from scripts.mutate import read
from scripts.mutations.partial_copies import ROWS, PartialCopy, Row, cut_to_news, partial_copies
from scripts.unrelated_texts import Pool, Recombined

HEAD: Final = (
    "| partial copies | pairs | found | direction right | lost: no key | verdict "
    "| not among the candidates | not read | widespread |\n|---|---|---|---|---|---|---|---|---|"
)
LOST: Final = ("no key", "verdict", "not a candidate", "not read", "widespread")

_LEAST: Final = 1_000
_SHOWN: Final = 5
_NEARLY_ALL: Final = 0.9
_MOSTLY: Final = 0.75


@dataclass(frozen=True, slots=True)
class Case:
    """A pair with one side stored under `id`; `asked`: the other side."""

    id: str
    pair: PartialCopy
    copy_is_stored: bool

    @property
    def stored(self) -> str:
        return self.pair.copy if self.copy_is_stored else self.pair.original

    @property
    def asked(self) -> str:
        return self.pair.original if self.copy_is_stored else self.pair.copy


@dataclass(slots=True)
class Tally:
    """What became of the pairs of one row."""

    pairs: int = 0
    found: int = 0
    directed: int = 0
    lost: Counter[str] = field(default_factory=Counter)

    def cells(self) -> Iterator[str]:
        yield f"{self.pairs}"
        yield f"{self.found / self.pairs:.4f}"
        yield f"{self.directed / max(1, self.found):.4f}"
        yield from (f"{self.lost[where]}" for where in LOST)


def main(arguments: list[str] | None = None) -> int:
    """Make, index, look up, print."""
    options = _parser().parse_args(arguments)
    try:
        texts = [source.text for source in read(options.corpus)]
        if len(texts) < _LEAST:
            raise InputRefused(f"{options.corpus} holds fewer than {_LEAST} texts; add more")
        with tempfile.TemporaryDirectory(prefix="dupdex-partial-") as folder:
            lines = list(_measured(texts, options, Location.from_environment(store=folder)))
    except (DupdexError, OSError) as error:
        print(f"partial: {error}", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0


def _measured(texts: list[str], options: argparse.Namespace, location: Location) -> Iterator[str]:
    rng = Random(f"{options.seed}")
    rng.shuffle(texts)
    half, rest = len(texts) // 2, len(texts) * 3 // 4
    originals = [cut_to_news(text, rng) for text in texts[:half]]
    hosts = [cut_to_news(text, rng) for text in texts[half:rest]]
    pairs = partial_copies(originals, hosts, f"{options.seed}")
    cases = [Case(f"c{at:05}", pair, at // len(ROWS) % 2 == 1) for at, pair in enumerate(pairs)]
    pool = Pool.of(cut_to_news(text, rng) for text in texts[rest:])
    unrelated = list(Recombined([pool], options.documents, options.seed, free=False).texts())
    with Index.create(location) as index:
        store(index, [(case.id, case.stored) for case in cases])
        store(index, [(f"u{at:07}", text) for at, text in enumerate(unrelated)])
        index.learn_if_grown()
        tallies, strange = _look_up(index, cases)
        yield from _table(tallies)
        asked = rng.sample(range(len(unrelated)), min(options.queries, len(unrelated)))
        flagged = [_flagged(index, unrelated[at], f"u{at:07}") for at in asked]
        count = sum(map(len, flagged))
    yield ""
    yield (
        f"{len(cases):,} pairs among {len(unrelated):,} unrelated texts. {len(asked):,} unrelated "
        f"texts asked for: {count} false matches ({count / len(asked) * 1_000:.2f} in 1,000 "
        f"lookups); {len(strange)} false ones of the copies."
    )
    for name, match in [*strange, *(each for found in flagged for each in found)][:_SHOWN]:
        yield f"{name} {match.id} {match.verdict} {match.share} {match.stored_share}"


def store(index: Index, texts: Iterable[tuple[str, str]]) -> None:
    """Store texts under their names. Raises InputRefused for one that cannot be."""
    documents = (Document(name, text, {"text": text}) for name, text in texts)
    for outcome in index.add_iter(documents, workers=2):
        if outcome.status is Status.REJECTED:
            raise InputRefused(f"{outcome.document.id} was not stored: {outcome.reason}")
    index.refresh()


def _look_up(
    index: Index, cases: Sequence[Case]
) -> tuple[dict[Row, Tally], list[tuple[str, Match]]]:
    tallies: dict[Row, Tally] = defaultdict(Tally)
    strange: list[tuple[str, Match]] = []
    for case in cases:
        tally = tallies[case.pair.row]
        tally.pairs += 1
        matches = index.lookup(case.asked).matches
        strange += [(case.id, match) for match in matches if match.id.startswith("u")]
        match = next((match for match in matches if match.id == case.id), None)
        if match is None:
            tally.lost[_where_lost(index, case)] += 1
            continue
        tally.found += 1
        tally.directed += match.direction in _expected(case)
    return tallies, strange


def _expected(case: Case) -> tuple[Direction | None, ...]:
    """An excerpt stands in its original, and an original of which nearly all is in the copy stands
    there; others only share a part. Of one in between both may be said.
    """
    inside = (Direction.CONTAINED_IN, Direction.CONTAINS)
    if case.pair.row.kind == "excerpt":
        return (inside[case.copy_is_stored],)
    whole = inside[not case.copy_is_stored]
    if case.pair.part >= _NEARLY_ALL:
        return (whole,)
    shared = (Direction.OVERLAPS, None)
    return shared if case.pair.part < _MOSTLY else (whole, *shared)


def _where_lost(index: Index, case: Case) -> str:
    """The first step at which a pair that was not found is lost."""
    judge = PairJudge(index.plan)
    asked, stored = judge.read([case.asked, case.stored])
    if not asked.fingerprint.shared_with(stored.fingerprint):
        return "no key"
    if judge.judgements(asked, [stored]) == [None]:
        return "verdict"
    steps = {"not read": replace(Options(), size=None, verify=None), "not a candidate": EVERYTHING}
    for where, options in steps.items():
        answer = index.lookup(case.asked, options)
        if any(match.id == case.id for match in answer.matches):
            return where
    return "widespread"


def _flagged(index: Index, text: str, name: str) -> list[tuple[str, Match]]:
    question = Question(text, name, Ref("", name))
    (answer,) = index.lookup_all([question])
    return [(name, match) for match in answer.matches]


def _table(tallies: dict[Row, Tally]) -> Iterator[str]:
    yield HEAD
    for row in ROWS:
        if row in tallies:
            yield f"| {' | '.join((row.name, *tallies[row].cells()))} |"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="partial", description="Looks up partial copies.")
    parser.add_argument("corpus", type=Path, metavar="CORPUS.jsonl", help="articles")
    parser.add_argument("--documents", type=int, default=20_000, help="unrelated ones [20000]")
    parser.add_argument("--seed", type=int, default=1, help="the same makes the same [1]")
    parser.add_argument("--queries", type=int, default=1_000, help="unrelated ones asked [1000]")
    return parser


if __name__ == "__main__":
    sys.exit(main())
