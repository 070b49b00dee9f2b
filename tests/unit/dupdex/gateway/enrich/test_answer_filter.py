"""`filter_path`, as the server reads it."""

from __future__ import annotations

from typing import Any

import pytest

from dupdex.gateway.enrich.answer_filter import AnswerFilter

ANSWER = {
    "errors": True,
    "took": 3,
    "items": [
        {"index": {"_id": "1", "status": 201, "_shards": {"total": 2, "failed": 0}}},
        {"delete": {"_id": "2", "status": 404, "error": {"type": "t", "reason": "r"}}},
    ],
}


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("", ANSWER),
        ("took", {"took": 3}),
        ("err*,took", {"errors": True, "took": 3}),
        ("items.*.status", {"items": [{"index": {"status": 201}}, {"delete": {"status": 404}}]}),
        ("items.*.error.type", {"items": [{"delete": {"error": {"type": "t"}}}]}),
        ("**.reason", {"items": [{"delete": {"error": {"reason": "r"}}}]}),
        ("**.total", {"items": [{"index": {"_shards": {"total": 2}}}]}),
        ("none", {}),
        ("-items", {"errors": True, "took": 3}),
        ("items.*._*,-**._shards", {"items": [{"index": {"_id": "1"}}, {"delete": {"_id": "2"}}]}),
    ],
)
def test_what_is_left(parameter: str, expected: dict[str, Any]) -> None:
    wanted = AnswerFilter(parameter)
    assert wanted.answer(ANSWER) == expected
    assert bool(wanted) is bool(parameter)
    items = [left for item in ANSWER["items"] if (left := wanted.item(item)) is not None]  # type: ignore[attr-defined]
    assert items == expected.get("items", [])
