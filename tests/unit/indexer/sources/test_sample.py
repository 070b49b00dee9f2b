"""The corpus that ships with the application, read as a user would."""

from __future__ import annotations

from importlib.resources import files

from indexer.sources import ReadOptions, read
from tests.unit.indexer.sources.conftest import documents


def test_the_sample_has_no_bad_line_and_names_what_each_copy_is_of() -> None:
    items = list(read(str(files("dupdex.data") / "sample.jsonl"), ReadOptions()))
    found = {item.id: item.body for item in documents(items)}
    assert len(found) == len(items) >= 60
    for body in found.values():
        assert list(body)[:6] == ["id", "title", "text", "lang", "source", "date"]
        for word in str(body.get("note", "")).replace(":", "").replace(",", "").split():
            assert not word.startswith(("zh-", "en-")) or word in found
