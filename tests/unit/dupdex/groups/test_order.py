"""The order in which documents arrive does not decide about their groups."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from math import comb
from pathlib import Path

from dupdex.index import Index
from dupdex.location import Location
from indexer.grouping import Grouping
from indexer.model import Document
from tests.texts import chinese

ORDERS, FAMILIES = 20, 12


def corpus() -> list[Document]:
    """Families of one to six copies with other endings, and texts that are much alike in a row."""
    out = []
    for family in range(FAMILIES):
        body = chinese(160, family)
        for copy in range(1 + family % 6):
            text = body + chinese(8 * copy, 1_000 + family)
            out.append(Document(f"{family:02}-{copy}", text))
    sentences = [chinese(24, 5_000 + at) + "。" for at in range(16)]
    out += [Document(f"w{at}", "".join(sentences[at : at + 8])) for at in range(8)]
    return out


def grouped(folder: Path, documents: Sequence[Document], at_once: int) -> dict[str, str]:
    location = Location(str(folder))
    with Index.create(location, grouping=Grouping(live=True)) as index:
        for start in range(0, len(documents), at_once):
            index.add(documents[start : start + at_once])
        standings = index._reader.all_standings()
        live = {ref.id: standing.group for ref, standing in standings}
        index.groups.grouper().regroup()
        again = {ref.id: standing.group for ref, standing in index._reader.all_standings()}
        assert again == live
    return live


def adjusted_rand(one: Mapping[str, str], other: Mapping[str, str]) -> float:
    """How far two partitions agree: 1 when they are the same, 0 as by chance (Hubert, Arabie)."""
    both = sum(comb(n, 2) for n in Counter((one[name], other[name]) for name in one).values())
    left = sum(comb(n, 2) for n in Counter(one.values()).values())
    right = sum(comb(n, 2) for n in Counter(other.values()).values())
    expected = left * right / comb(len(one), 2)
    return (both - expected) / ((left + right) / 2 - expected)


def members(groups: Mapping[str, str]) -> set[frozenset[str]]:
    out: dict[str, set[str]] = {}
    for name, group in groups.items():
        out.setdefault(group, set()).add(name)
    return {frozenset(names) for names in out.values()}


def test_any_order_gives_the_same_groups(tmp_path: Path) -> None:
    documents, chance = corpus(), random.Random(3)
    found = []
    for order in range(ORDERS):
        chance.shuffle(documents)
        found.append(grouped(tmp_path / str(order), documents, 16 << order % 3))
    assert {frozenset(members(each)) for each in found} == {frozenset(members(found[0]))}
    assert min(adjusted_rand(found[0], each) for each in found) >= 0.99
    sizes = Counter(len(each) for each in members(found[0]))
    assert sizes[6] >= FAMILIES // 6


def test_the_measure_tells_partitions_apart() -> None:
    one = {"a": "x", "b": "x", "c": "y", "d": "y"}
    assert adjusted_rand(one, one) == 1
    assert adjusted_rand(one, {"a": "x", "b": "y", "c": "x", "d": "y"}) < 0


def test_a_shared_prologue_makes_no_group(tmp_path: Path) -> None:
    prologue = chinese(70, 77)
    documents = [Document(str(at), prologue + chinese(230, 10_000 + at)) for at in range(500)]
    groups = grouped(tmp_path, documents, 100)
    assert all(name == group for name, group in groups.items())
