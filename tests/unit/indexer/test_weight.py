"""The weight of a body bounds what is held at once, and is itself counted within bounds."""

from __future__ import annotations

from typing import Any

from indexer.weight import HELD_BYTES, weight


def test_a_body_weighs_at_least_its_strings() -> None:
    assert weight({"a": "x" * 1000, "b": ["y" * 500, {"c": "雲" * 100}]}) >= 1000 + 500 + 300


def test_many_short_strings_weigh_what_they_do_one_by_one() -> None:
    keys = ["abcdef", "ghijkl", "雲溪"]
    apart = weight({"keys": [[key] for key in keys]})
    assert weight({"keys": keys}) <= apart <= 2 * weight({"keys": keys})
    assert weight({"keys": ["x" * 1_000_000] * 1_000_000}) >= HELD_BYTES  # never put together


def test_counting_a_body_that_holds_itself_ends() -> None:
    """`Index.add` never came back: the weight was counted before the depth was checked."""
    body: dict[str, Any] = {"text": "some text"}
    body["self"] = [body, body]
    assert weight(body) >= HELD_BYTES
