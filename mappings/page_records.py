"""The collections of pages that were fetched: what a page held, and every address that was met."""

from __future__ import annotations

from typing import Final

from mappings.collections import Attribute, Collection, Kind, keyword

PAGES: Final = Collection(
    "pages",
    2,
    (
        keyword("url", required=True),
        keyword("site", required=True),
        keyword("state", required=True),
        Attribute("fetched", Kind.DATE, indexed=True, required=True),
        Attribute("changed", Kind.DATE, indexed=True, required=True),
        Attribute("status", Kind.LONG, indexed=True, required=True),
        Attribute("extraction", Kind.LONG, indexed=True, required=True),
        Attribute("quality", Kind.DOUBLE, indexed=True),
        Attribute("published", Kind.DATE, indexed=True),
        keyword("language"),
        keyword("raw_hash"),
        keyword("document"),
        keyword("previous_page"),
        keyword("next_page"),
        keyword("content_type", indexed=False),
        Attribute("title", Kind.TEXT),
        Attribute("author", Kind.TEXT),
        Attribute("text", Kind.TEXT),
        Attribute("body", Kind.TEXT),
        Attribute("why", Kind.TEXT),
        Attribute("address", Kind.TEXT),
    ),
)
"""One page an item, by `dupdex.pages.page_model.page_id` of its canonical address. `url`: where it
was fetched, or of an address that no keyword holds the beginning with a digest, and `address` (from
version 2 on) the whole; `changed`: when its text last became another one; `extraction`: the version
of the way from `body` (compressed, base64) to `text`; `quality`: 0 to 1; `document`: the id of the
document of the index that holds its text; `next_page`, `previous_page`: ids of the pages that the
text goes on in and comes from; `why`: what its state rests on."""

CRAWL_URLS: Final = Collection(
    "crawl_urls",
    1,
    (
        keyword("site", required=True),
        keyword("state", required=True),
        Attribute("seen", Kind.DATE, indexed=True, required=True),
        Attribute("due", Kind.DATE, indexed=True, required=True),
        keyword("page"),
        Attribute("depth", Kind.LONG, indexed=True),
        Attribute("fetched", Kind.DATE, indexed=True),
        Attribute("status", Kind.LONG, indexed=True),
        Attribute("changed", Kind.DATE),
        Attribute("modified", Kind.DATE),
        Attribute("hops", Kind.LONG),
        Attribute("url", Kind.TEXT),
        Attribute("etag", Kind.TEXT),
        Attribute("last_modified", Kind.TEXT),
        Attribute("why", Kind.TEXT),
    ),
)
"""One address an item: what a crawl still has to fetch, and what it needs to ask only for what is
new. `seen`: when it was first met; `due`: when it is to be asked again; `page`: the page that was
found there; `depth`: links from a start address; `hops`: redirects that led there one after
another; `changed`: when its answer last was another one; `modified`: what a sitemap or feed last
said of it; `etag`, `last_modified`: as the site sent them."""

SITE_LINES: Final = Collection(
    "site_lines",
    1,
    (
        Attribute("learned", Kind.DATE, indexed=True, required=True),
        Attribute("version", Kind.LONG, indexed=True, required=True),
        Attribute("pages", Kind.LONG, required=True),
        Attribute("lines", Kind.JSON),
        Attribute("labels", Kind.JSON),
    ),
)
"""One site an item: lines that its pages have beside their articles, and what is cut before a text
is indexed. `version`: of the way they are learned and cut; `pages`: how many they are learned from;
`labels`: what such lines begin with, up to a colon, where the rest differs."""
