"""The item pipeline for Scrapy, in real spiders."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dupdex import Index, Location
from dupdex.pages.page_store import PageStore
from dupdex.session import Session
from tests.texts import chinese

_SPIDER = """
import json, sys
from dataclasses import dataclass
import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess

class Narrow(scrapy.Item):
    text, url = scrapy.Field(), scrapy.Field()

@dataclass
class Row:
    text: str
    url: str

class Given(scrapy.Spider):
    name = "given"
    start_urls = ["data:,x"]

    def parse(self, response):
        for item in json.load(open(sys.argv[1], encoding="utf-8")):
            kind = item.pop("kind", "")
            if "html" in item:
                item["body"] = item.pop("html").encode()
            yield Narrow(item) if kind == "item" else Row(**item) if kind == "row" else item

settings = {"ITEM_PIPELINES": {"dupdex.pages.scrapy_pipeline.DupdexPipeline": 300},
            "LOG_LEVEL": "WARNING", "CONCURRENT_ITEMS": int(sys.argv[3]), **json.loads(sys.argv[2])}
process = CrawlerProcess(settings)
crawler = process.create_crawler(Given)

def scraped(item):
    print(json.dumps(["scraped", {k: v for k, v in dict(item).items() if k != "body"}]))

def dropped(item, exception):
    print(json.dumps(["dropped", str(exception)]))

crawler.signals.connect(lambda item: scraped(item if not hasattr(item, "__dataclass_fields__")
                        else vars(item)), signals.item_scraped, weak=False)
crawler.signals.connect(dropped, signals.item_dropped, weak=False)
process.crawl(crawler)
process.start()
"""

TEXT = chinese(400, 1)
COPY = TEXT[:200] + "，" + TEXT[201:]
OTHER = chinese(400, 2)


def crawled(
    tmp_path: Path, items: list[dict[str, Any]], at_once: int = 1, **settings: str
) -> tuple[list[Any], str]:
    """What came of items, in order, and the log."""
    (tmp_path / "spider.py").write_text(_SPIDER, "utf-8")
    (tmp_path / "items.json").write_text(json.dumps(items), "utf-8")
    given = json.dumps({"DUPDEX_STORE": str(tmp_path / "store"), **settings})
    done = subprocess.run(
        [sys.executable, "spider.py", "items.json", given, str(at_once)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def stored(tmp_path: Path) -> dict[str, Any]:
    with Index.open(Location(tmp_path / "store")) as index:
        return {each.id: dict(each.body) for each in index.find()}


def test_items_become_documents(tmp_path: Path) -> None:
    items: list[dict[str, Any]] = [
        {"text": TEXT, "url": "http://Site/a?utm_source=x", "title": "甲", "when": "2026-01-01"},
        {"text": OTHER, "id": 7},
        {"text": TEXT + "乙", "url": "http://site/b", "kind": "item"},
        {"text": TEXT + "丙", "url": "http://site/c", "kind": "row"},
        {"url": "http://site/d"},
    ]
    said, _ = crawled(tmp_path, items, at_once=100)
    assert [each[0] for each in said].count("scraped") == 4
    assert any("neither a text nor the body" in each[1] for each in said if each[0] == "dropped")
    found = stored(tmp_path)
    assert set(found) == {"https://site/a", "7", "https://site/b", "https://site/c"}
    assert found["https://site/a"]["title"] == "甲"


@pytest.mark.parametrize("copies", ["mark", "drop"])
def test_copies_are_marked_or_dropped(tmp_path: Path, copies: str) -> None:
    items = [
        {"text": TEXT, "id": "a"},
        {"text": COPY, "id": "b"},
        {"text": OTHER, "id": "c"},
        {"text": TEXT, "id": "a"},  # itself, once more
    ]
    said, _ = crawled(tmp_path, items, DUPDEX_COPIES=copies)
    what = dict(enumerate(said))
    second = "scraped" if copies == "mark" else "dropped"
    assert [each[0] for each in said] == ["scraped", second, "scraped", "scraped"]
    if copies == "mark":
        (mark,) = what[1][1]["near_duplicates"]
        assert (mark["id"], mark["verdict"]) == ("a", "near")
        assert set(stored(tmp_path)) == {"a", "b", "c"}
    else:
        assert "near duplicate of 'a'" in what[1][1]
        assert set(stored(tmp_path)) == {"a", "c"}


def test_pages_go_into_the_page_store(tmp_path: Path) -> None:
    paragraphs = "".join(f"<p>{TEXT[at : at + 100]}</p>" for at in range(0, 400, 100))
    html = f"<html><title>甲</title><body><article>{paragraphs}</article></body></html>"
    items = [
        {"url": "http://site/a", "html": html},
        {"url": "http://site/b", "html": html.replace(TEXT[:5], "")},
        {"url": "", "html": html},
        {"url": "http://site/c", "html": ""},
    ]
    said, _ = crawled(tmp_path, items, DUPDEX_COPIES="drop")
    assert [each[0] for each in said] == ["scraped", "dropped", "dropped", "dropped"]
    assert "near duplicate" in said[1][1]
    assert "no url" in said[2][1]
    assert set(stored(tmp_path)) == {"https://site/a"}
    with Session(Location(tmp_path / "store")) as session:
        page = PageStore.stored(session).at("http://site/a")
        assert page is not None
        assert page.body == html.encode()


def test_an_item_without_room_for_the_mark_is_told_once(tmp_path: Path) -> None:
    texts = [TEXT, COPY, COPY]
    items = [{"text": text, "url": f"http://a/{n}", "kind": "item"} for n, text in enumerate(texts)]
    said, log = crawled(tmp_path, items, DUPDEX_COPIES="mark")
    assert [each[0] for each in said] == ["scraped"] * 3
    assert log.count("no field 'near_duplicates'") == 1


def test_a_wrong_setting_is_told(tmp_path: Path) -> None:
    said, log = crawled(tmp_path, [{"text": TEXT}], DUPDEX_COPIES="perhaps")
    assert not said
    assert "use one of store, mark, drop" in log
