"""Indexes the documents of a file with groups, in random orders: are the groups the same?

    python -m scripts.group_orders CORPUS.jsonl --documents 2000 --orders 5

Prints the least adjusted Rand index of any two orders, whether the groups are equal after all are
grouped anew, and the time beside that of indexing without groups. Folders are used, and removed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, islice
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from dupdex.index import Index
from dupdex.location import Location
from indexer.grouping import Grouping
from indexer.model import Document


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


def grouped(
    folder: Path, documents: Sequence[Document], at_once: int
) -> tuple[dict[str, str], dict[str, str]]:
    """The group of each document, as they came and after all were grouped anew."""
    with Index.create(Location(str(folder)), grouping=Grouping(live=True)) as index:
        for start in range(0, len(documents), at_once):
            index.add(documents[start : start + at_once])
        reader = index.groups.views().session.reader()
        live = {ref.id: standing.group for ref, standing in reader.all_standings()}
        index.groups.grouper().regroup()
        return live, {ref.id: standing.group for ref, standing in reader.all_standings()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the orders, and print the figures; 1 when groups differ after all were grouped anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--orders", type=int, default=5)
    given = parser.parse_args(arguments)
    with given.corpus.open("rb") as lines:
        bodies = map(orjson.loads, islice(lines, given.documents))
        documents = [Document(str(body["id"]), body["text"]) for body in bodies]
    chance, found, anew, seconds = random.Random(1), [], [], []
    with TemporaryDirectory() as folder:
        begun = time.perf_counter()
        with Index.create(Location(f"{folder}/plain")) as index:
            index.add(documents)
        plain = time.perf_counter() - begun
        for order in range(given.orders):
            chance.shuffle(documents)
            begun = time.perf_counter()
            live, after = grouped(Path(folder, str(order)), documents, 200)
            seconds.append(time.perf_counter() - begun)
            found.append(live)
            anew.append(members(after))
    least = min((adjusted_rand(*pair) for pair in combinations(found, 2)), default=1.0)
    sizes = Counter(len(each) for each in anew[0])
    large = sum(count for size, count in sizes.items() if size > 1)
    same = all(each == anew[0] for each in anew)
    print(
        f"{len(documents):,} documents, {given.orders} orders: {large:,} groups of two and more, "
        f"the largest of {max(sizes)}; adjusted Rand index at least {least:.4f}; after all were "
        f"grouped anew {'equal' if same else 'NOT equal'}; {min(seconds):.1f} s, "
        f"{min(seconds) / plain:.1f} times as long as without groups"
    )
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
