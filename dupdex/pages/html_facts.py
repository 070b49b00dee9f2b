"""What the markup of a page says beside its text: addresses, language, the texts of its links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from dupdex.pages.addresses import identity, normalised, site_of
from dupdex.pages.numbered_pages import NEXT_WORDS, PREVIOUS_WORDS, predecessors

_LANGUAGE: Final = re.compile(r"([a-z]{2,3})(?:[-_]\w+)*", re.IGNORECASE)
_LONGEST_WORDS: Final = 40
_MOST_LINKS: Final = 5_000


@dataclass(frozen=True, slots=True)
class HtmlFacts:
    """`canonical`: as the page declares it; `next_url`, `previous_url`: normalised; `links`: the
    texts of links; `published`, `author`: as they
    are written."""

    canonical: str = ""
    next_url: str = ""
    previous_url: str = ""
    language: str = ""
    published: str = ""
    author: str = ""
    links: frozenset[str] = frozenset()


def html_facts(tree: Any, url: str) -> HtmlFacts:
    """The facts of a parsed page (an element of lxml) that was fetched at `url`."""
    base = _base(tree, url)
    anchors = [*_anchors(tree, base)]
    own = identity(url)
    before = _before(anchors, own)
    return HtmlFacts(
        canonical=_canonical(tree, base),
        next_url=_after(anchors, own),
        previous_url=before,
        language=_language(tree),
        published=_first(tree, _PUBLISHED),
        author=_author(tree),
        links=frozenset(words for words, _, _ in anchors if words),
    )


_PUBLISHED: Final = (
    "//meta[@property='article:published_time' or @itemprop='datePublished' or "
    "@name='publishdate' or @name='pubdate' or @name='PubDate' or @name='publish_time']/@content"
)


_AUTHOR: Final = "//meta[@name='author' or @property='article:author']/@content"
_BYLINE: Final = re.compile(r"\s*(?:作者|撰文|记者|記者)\s*[:：]\s*([^\s:：|，,。/]{2,20})")
_LONGEST_NAME: Final = 60


def _author(tree: Any) -> str:
    """Whom the page names; Chinese names are short."""
    said = _first(tree, _AUTHOR)
    if said and len(said) <= _LONGEST_NAME and "://" not in said:
        return said
    for line in tree.xpath("//*[self::span or self::p or self::div or self::em]/text()")[:400]:
        if found := _BYLINE.match(line):
            return found[1]
    return ""


def _base(tree: Any, url: str) -> str:
    named = _first(tree, "//base/@href")
    return normalised(named, url) or url


def _canonical(tree: Any, base: str) -> str:
    declared = _first(tree, "//link[contains(concat(' ', @rel, ' '), ' canonical ')]/@href")
    declared = declared or _first(tree, "//meta[@property='og:url']/@content")
    return normalised(declared, base) if declared else ""


def _anchors(tree: Any, base: str) -> Iterator[tuple[str, str, str]]:
    """Words, relation and address of each link."""
    for at, each in enumerate(tree.iter("a", "link")):
        if at >= _MOST_LINKS:
            return
        relation = (each.get("rel") or "").lower()
        if each.tag == "link":
            words = ""
            if relation not in ("next", "prev", "previous"):
                continue
        else:
            words = " ".join("".join(each.itertext()).split())
        is_way_on = len(words) <= _LONGEST_WORDS and _is_way(words)
        address = each.get("href") or ""
        wanted = is_way_on or relation in ("next", "prev", "previous") or words.isdecimal()
        yield words, relation, normalised(address, base) if address and wanted else ""


def _is_way(words: str) -> bool:
    return bool(NEXT_WORDS.fullmatch(words) or PREVIOUS_WORDS.fullmatch(words))


def _after(anchors: list[tuple[str, str, str]], own: str) -> str:
    """Where the text goes on: what the form of the address says, before what the words say."""
    by_words = ""
    for words, relation, address in anchors:
        if not address or identity(address) == own or site_of(address) != site_of(own):
            continue
        if own in predecessors(address):
            return address
        if NEXT_WORDS.fullmatch(words) and "prev" not in relation:
            by_words = by_words or address
    return by_words


def _before(anchors: list[tuple[str, str, str]], own: str) -> str:
    expected = predecessors(own)
    by_words = ""
    for words, relation, address in anchors:
        name = identity(address) if address else ""
        if not name or name == own or site_of(address) != site_of(own):
            continue
        if name in expected:
            return address
        if PREVIOUS_WORDS.fullmatch(words) and "next" not in relation:
            by_words = by_words or address
    return by_words


def _language(tree: Any) -> str:
    said = tree.get("lang") or _first(
        tree, "//html/@lang | //meta[@http-equiv='content-language']/@content"
    )
    match = _LANGUAGE.fullmatch(str(said).strip())
    return match[1].lower() if match else ""


def _first(tree: Any, path: str) -> str:
    found = tree.xpath(path)
    return str(found[0]).strip() if found else ""
