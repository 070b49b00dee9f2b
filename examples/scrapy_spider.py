"""A spider of one's own that fills an index, and drops what is copied.

    python examples/scrapy_spider.py http://site/ FOLDER [store|mark|drop]

It follows the links of one site and yields every page; the pipeline of dupdex extracts its text,
keeps the page beside the index, and looks for near duplicates. FOLDER holds the index.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse


class SiteSpider(Spider):
    """All pages of one site that links lead to."""

    name = "site"

    def __init__(self, start: str, **more: Any) -> None:
        super().__init__(**more)
        self.start_urls = [start]

    def parse(self, response: Response, **_: Any) -> Iterator[dict[str, Any] | Request]:
        """The page itself, and the links of it that stay on the site."""
        yield {"response": response}
        if not isinstance(response, TextResponse):
            return
        for request in response.follow_all(css="a"):
            if urlsplit(request.url).netloc == urlsplit(response.url).netloc:
                yield request


def main(start: str, folder: str, copies: str = "drop") -> None:
    """Crawl, and print what the pipeline counted."""
    process = CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": True,
            "LOG_LEVEL": "ERROR",
            "ITEM_PIPELINES": {"dupdex.pages.scrapy_pipeline.DupdexPipeline": 300},
            "DUPDEX_STORE": folder,
            "DUPDEX_COPIES": copies,
        }
    )
    crawler = process.create_crawler(SiteSpider)
    process.crawl(crawler, start=start)
    process.start()
    counts = crawler.stats.get_stats() if crawler.stats else {}
    for name in sorted(counts):
        if name.startswith("dupdex/"):
            print(f"{name.removeprefix('dupdex/')}: {counts[name]}")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        usage = "usage: python examples/scrapy_spider.py http://site/ FOLDER [store|mark|drop]"
        print(usage, file=sys.stderr)
        sys.exit(2)
    main(*sys.argv[1:])
