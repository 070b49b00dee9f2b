"""Where a page leads to, and what it asks of crawlers: links, `meta robots`, `nofollow`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from dupdex.pages.page_model import Fetched

MOST_LINKS: Final = 60_000
"""As many as a sitemap may have; archives list all pages of a site."""

_NO_INDEX: Final = ("noindex", "none")
_NO_FOLLOW: Final = ("nofollow", "none")
_VALUED: Final = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")
"""Directives with a value, which is none of the words that count."""
_REFRESH: Final = re.compile(r"^\s*[\d.]+\s*[;,]\s*url\s*=\s*['\"]?([^'\"]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageLinks:
    """`links`: absolute addresses, each once, in the order of the page; `forward`: where the page
    sends a reader at once (a refresh)."""

    links: tuple[str, ...] = ()
    no_index: bool = False
    no_follow: bool = False
    forward: str = ""


def links_of(fetched: Fetched, robots_header: str, agent: str) -> PageLinks:
    """Of an HTML page. `robots_header`: X-Robots-Tag as it came. Raises nothing for a bad page."""
    tree = _tree(fetched)
    told = _robots_words(robots_header, agent)
    if tree is None:
        return PageLinks((), _any(told, _NO_INDEX), _any(told, _NO_FOLLOW))
    for name, content in _metas(tree):
        if name in ("robots", agent.lower()):
            told |= _directives(content)
    no_follow = _any(told, _NO_FOLLOW)
    base = _base(tree, fetched.url)
    links = dict.fromkeys(() if no_follow else _hrefs(tree, base))
    return PageLinks(
        tuple(links)[:MOST_LINKS], _any(told, _NO_INDEX), no_follow, _forward(tree, base)
    )


def absolute(base: str, href: str) -> str:
    """An address that a page names, without its fragment; empty for one that is none."""
    from w3lib.url import safe_url_string

    text = href.strip().replace("\n", "").replace("\r", "").replace("\t", "")
    if not text or text.startswith(("#", "javascript:", "mailto:", "tel:", "data:")):
        return ""
    try:
        url = urljoin(base, text).partition("#")[0]
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return ""
        return str(safe_url_string(url))
    except ValueError:
        return ""


def _tree(fetched: Fetched) -> Any:
    from lxml import etree, html

    from dupdex.pages.page_encoding import decoded

    try:
        text = decoded(fetched.body, fetched.content_type)
        parser = html.HTMLParser(encoding="utf-8", huge_tree=False)
        return html.document_fromstring(text.replace("\0", "").encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError, AssertionError):
        return None


def _metas(tree: Any) -> Iterator[tuple[str, str]]:
    for meta in tree.iter("meta"):
        yield (meta.get("name") or "").strip().lower(), meta.get("content") or ""


def _forward(tree: Any, base: str) -> str:
    for meta in tree.iter("meta"):
        if (meta.get("http-equiv") or "").strip().lower() == "refresh":
            found = _REFRESH.match(meta.get("content") or "")
            if found:
                return absolute(base, found[1])
    return ""


def _base(tree: Any, url: str) -> str:
    for base in tree.iter("base"):
        if href := base.get("href"):
            return absolute(url, href) or url
    return url


def _hrefs(tree: Any, base: str) -> Iterator[str]:
    for element in tree.iter("a", "area", "link", "iframe", "frame"):
        rel = set((element.get("rel") or "").lower().split())
        if element.tag == "link" and not rel & {"next", "prev", "alternate", "canonical"}:
            continue
        if "nofollow" in rel:
            continue
        name = "src" if element.tag in ("iframe", "frame") else "href"
        if url := absolute(base, element.get(name) or ""):
            yield url


def _robots_words(header: str, agent: str) -> set[str]:
    """The words of X-Robots-Tag that are for everybody or for us."""
    out: set[str] = set()
    for line in header.split("\n"):
        name, colon, rest = line.partition(":")
        name = name.strip().lower()
        if colon and "," not in name and name not in _VALUED:
            if name not in (agent.lower(), ""):
                continue
            line = rest
        out |= _directives(line)
    return out


def _directives(text: str) -> set[str]:
    """The words of a list of directives; of those with a value the names alone."""
    parts = (part.partition(":")[0] for part in text.lower().replace(";", ",").split(","))
    return {word for part in parts for word in part.split()}


def _any(told: set[str], words: tuple[str, ...]) -> bool:
    return any(word in told for word in words)
