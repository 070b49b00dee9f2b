"""Indexes documents of files with groups, in random orders: are the groups the same?

    python -m scripts.group_orders CORPUS.jsonl... --documents 2000 --orders 5

So many documents are chosen at random from all files. Prints the least adjusted Rand index of any
two orders, whether the groups are equal after a sweep that groups all of them anew, and the
processor time of grouping beside that of indexing without groups. Folders are used, and removed;
`--processes` orders run at a time, and each that is done is told on standard error.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations, repeat
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import orjson

from dupdex.index import Index
from dupdex.jobs.sweep_job import Sweep, sweep
from dupdex.location import Location
from dupdex.session import Session
from indexer.grouping import Grouping
from indexer.model import Document

_AT_ONCE: Final = 200


def adjusted_rand(one: Mapping[str, str], other: Mapping[str, str]) -> float:
    """How far two partitions agree: 1 when they are the same, 0 as by chance (Hubert, Arabie)."""
    both = sum(comb(n, 2) for n in Counter((one[name], other[name]) for name in one).values())
    left = sum(comb(n, 2) for n in Counter(one.values()).values())
    right = sum(comb(n, 2) for n in Counter(other.values()).values())
    expected = left * right / comb(len(one), 2)
    largest = (left + right) / 2
    return 1.0 if largest == expected else (both - expected) / (largest - expected)


def members(groups: Mapping[str, str]) -> set[frozenset[str]]:
    """The partition, whatever the ids of its groups."""
    out: dict[str, set[str]] = {}
    for name, group in groups.items():
        out.setdefault(group, set()).add(name)
    return {frozenset(names) for names in out.values()}


def read(corpora: Sequence[Path], count: int) -> list[Document]:
    """So many documents of some files, the same ones each time; ids begin with the file's place."""
    found: list[Document] = []
    for at, corpus in enumerate(corpora):
        with corpus.open("rb") as lines:
            bodies = map(orjson.loads, lines)
            found += (Document(f"{at}-{body['id']}", body["text"]) for body in bodies)
    return random.Random(0).sample(found, min(count, len(found)))


class Grouped(NamedTuple):
    """The group of each document, as they came and after a sweep that groups all of them anew, and
    the seconds of a processor until that sweep."""

    live: dict[str, str]
    swept: dict[str, str]
    seconds: float


def plain(folder: Path, documents: Sequence[Document]) -> float:
    """Seconds of a processor to index without groups."""
    begun = time.process_time()
    with Index.create(Location(str(folder))) as index:
        index.add(documents)
    return time.process_time() - begun


def grouped(folder: Path, documents: Sequence[Document], at_once: int) -> Grouped:
    """Index documents with groups, some at a time, then sweep the index."""
    begun, at = time.process_time(), Location(str(folder))
    with Index.create(at, grouping=Grouping(live=True)) as index:
        for start in range(0, len(documents), at_once):
            index.add(documents[start : start + at_once])
    seconds = time.process_time() - begun
    with Session(at) as session:
        live = _groups(session)
        sweep(session, Sweep(regroup=True))
        return Grouped(live, _groups(session), seconds)


def _groups(session: Session) -> dict[str, str]:
    return {ref.id: standing.group for ref, standing in session.reader().all_standings()}


def in_order(folder: Path, documents: Sequence[Document], order: int) -> Grouped:
    """The same of documents in the random order of this number."""
    return grouped(folder, random.Random(order).sample(documents, len(documents)), _AT_ONCE)


def least(found: Sequence[Grouped]) -> float:
    """How far any two orders agree, at the least, before they are swept."""
    return min((adjusted_rand(a.live, b.live) for a, b in combinations(found, 2)), default=1.0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the orders, and print the figures; 1 when groups differ after a sweep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, nargs="+")
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--orders", type=int, default=5)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args(arguments)
    documents = read(given.corpus, given.documents)
    orders = range(given.orders)
    with TemporaryDirectory() as folder, ProcessPoolExecutor(given.processes) as processes:
        without = plain(Path(folder, "plain"), documents)
        folders = [Path(folder, str(order)) for order in orders]
        found = []
        for each in processes.map(in_order, folders, repeat(documents), orders):
            found.append(each)
            print(f"order {len(found)}: {each.seconds:.1f} s, {least(found):.4f}", file=sys.stderr)
    partitions = [members(each.swept) for each in found]
    sizes = Counter(len(each) for each in partitions[0])
    large = sum(count for size, count in sizes.items() if size > 1)
    same = all(each == partitions[0] for each in partitions)
    seconds = [each.seconds for each in found]
    print(
        f"{len(documents):,} documents, {given.orders} orders: {large:,} groups of two and more, "
        f"the largest of {max(sizes)}; adjusted Rand index at least {least(found):.4f}; "
        f"after a sweep {'equal' if same else 'NOT equal'}; {min(seconds):.1f} processor seconds, "
        f"{min(seconds) / without:.1f} times those without groups"
    )
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
