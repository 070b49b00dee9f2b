"""The command line names stored documents by the addresses of their pages."""

from __future__ import annotations

from pathlib import Path

import orjson

from tests.command import run
from tests.texts import METRO

PAGE = "https://example.org/a"


def test_a_document_is_checked_by_its_address(tmp_path: Path) -> None:
    lines = [{"id": PAGE, "text": METRO}, {"id": "b", "url": f"{PAGE}/b", "text": METRO}]
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(map(orjson.dumps, lines)))
    assert run("index", "a.jsonl", "--store", "st", folder=tmp_path).status == 0
    for address, found in ((f"{PAGE}#top", "b"), (f"{PAGE}/b", PAGE)):
        told = run("check", "--url", address, "--json", "--store", "st", folder=tmp_path).json()
        assert [each["id"] for each in told["matches"]] == [found]
    refused = run("check", "--url", f"{PAGE}/c", "--store", "st", folder=tmp_path)
    assert (refused.status, "nothing is fetched" in refused.error()) == (3, True)
    both = run("check", "--url", PAGE, "--id", "b", "--store", "st", folder=tmp_path)
    assert "--url URL" in both.error()
