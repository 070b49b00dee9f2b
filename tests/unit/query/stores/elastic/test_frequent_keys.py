"""Keys that answers showed to be frequent."""

from __future__ import annotations

import time

import pytest

from mappings.contract import Field
from query.stores.elastic.frequent_keys import FrequentKeys

P, S = Field.PASSAGE_KEYS, Field.SENTENCES


def test_what_a_document_below_the_cut_shares_is_frequent() -> None:
    known = FrequentKeys()
    asked = {P: ("a", "b"), S: ("a",), Field.SIMHASH_KEYS: ("~x",), Field.TEXT_HASH: ("h",)}
    assert known.among(asked, 300) == frozenset()
    met = {P: ("b", "c"), Field.SIMHASH_KEYS: ("~x",), Field.TEXT_HASH: ("h",)}
    known.learn(asked, [met], 300)
    assert known.among(asked, 300) == {(P, "b")}  # c was not asked for
    assert known.among({P: ("c",)}, 300) == frozenset()
    assert known.among(asked, 301) == frozenset()  # another limit, another question


def test_a_key_is_forgotten_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    known = FrequentKeys()
    known.learn({P: ("a",)}, [{P: ("a",)}], 300)
    assert known.among({P: ("a",)}, 300)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 61)
    assert not known.among({P: ("a",)}, 300)


def test_the_table_is_bounded() -> None:
    known = FrequentKeys()
    for start in range(0, 30_000, 100):
        terms = tuple(str(n) for n in range(start, start + 100))
        known.learn({P: terms}, [{P: terms}], 300)
    last = tuple(str(n) for n in range(30_000))
    assert len(known.among({P: last}, 300)) == 20_000
    assert (P, "29999") in known.among({P: last}, 300)


def test_behind_an_alias_nothing_is_remembered() -> None:
    """What is frequent in one index may be rare in another."""
    known = FrequentKeys()
    known.learn({P: ("a",)}, [{P: ("a",)}], 300, ["one", "one"])
    assert known.among({P: ("a",)}, 300)
    known.learn({P: ("b",)}, [{P: ("b",)}], 300, ["two"])
    known.learn({P: ("b",)}, [{P: ("b",)}], 300, ["one"])
    assert not known.among({P: ("a", "b")}, 300)
