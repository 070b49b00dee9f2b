"""The order in which documents arrive does not decide about their groups."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from indexer.model import Document
from scripts.group_orders import adjusted_rand, grouped, members
from tests.texts import chinese

ORDERS, FAMILIES = 8, 12  # `scripts/group_orders.py` tries more, on more


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


def test_any_order_gives_the_same_groups(tmp_path: Path) -> None:
    documents, chance = corpus(), random.Random(3)
    found = []
    for order in range(ORDERS):
        chance.shuffle(documents)
        each = grouped(tmp_path / str(order), documents, 16 << order % 3)
        assert each.swept == each.live
        found.append(each.live)
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
    documents = [Document(str(at), prologue + chinese(230, 10_000 + at)) for at in range(50)]
    groups = grouped(tmp_path, documents, 100).live
    assert all(name == group for name, group in groups.items())
