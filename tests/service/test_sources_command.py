"""`dupdex index` on novels, archives and feeds."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from scripts.made_archives import book, packed, page, record
from scripts.sample_site.site_lists import rss
from scripts.sample_site.site_pages import Page
from tests.command import run
from tests.texts import chinese

TEXTS = [chinese(150, seed) for seed in range(3)]
NAMES = ["第一章 甲", "第二章 乙", "第三章 丙"]
NOVEL = "\n".join(f"{name}\n{text}" for name, text in zip(NAMES, TEXTS, strict=True))
PAGES = [Page("news", f"/{at}", f"标题{at}", text) for at, text in enumerate(TEXTS)]
FILES = {
    "a.epub": book({f"c{n}.xhtml": page(NAMES[n], TEXTS[n]) for n in range(3)}),
    "a.wet.gz": packed([record(f"http://a/{n}", text.encode()) for n, text in enumerate(TEXTS)]),
    "a.rss": rss(PAGES, "http://a"),
    "a.txt": NOVEL.encode(),
}


@pytest.mark.parametrize("name", FILES)
def test_every_kind_is_indexed_and_found(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    more = ["--format", "novel"] if name == "a.txt" else []
    stored = run("index", name, *more, "--json", folder=tmp_path)
    assert orjson.loads(stored.out)["created"] == 3
    found = run("check", TEXTS[1], "--json", folder=tmp_path)
    answer = orjson.loads(found.out)
    assert answer["matches"][0]["verdict"] in ("exact", "near")


def test_a_broken_part_is_told_and_costs_itself(tmp_path: Path) -> None:
    data = FILES["a.wet.gz"]
    (tmp_path / "a.wet.gz").write_bytes(data[: len(data) - 20])
    stored = run("index", "a.wet.gz", "--json", folder=tmp_path)
    assert stored.status == 1
    assert orjson.loads(stored.out)["created"] == 2
    assert "cut off" in stored.err


def test_split(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n".join(TEXTS), "utf-8")
    stored = run("index", "a.txt", "--format", "novel", "--split", "200", "--json", folder=tmp_path)
    assert orjson.loads(stored.out)["created"] == 3
