"""Texts that go on over several pages: the pages of one text, in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from dupdex.pages.numbered_pages import title_of_all
from dupdex.pages.page_record import PageRecord

LONGEST: Final = 300
"""Pages of one text, and how many are looked through for them."""


def chains_of(pages: Mapping[str, PageRecord]) -> list[list[str]]:
    """The ids of pages by text, those of a text in order; a page alone is a list of one.

    Two pages follow each other when one names the other, the site is one, their titles differ by
    the number of a page alone, and no other page is nearer to either.
    """
    after = {name: _next(page, pages) for name, page in pages.items()}
    before = {name: _previous(page, pages) for name, page in pages.items()}
    for name in sorted(pages):  # a link in one direction is enough
        if (follower := after[name]) and not before[follower]:
            before[follower] = name
        if (leader := before[name]) and not after[leader]:
            after[leader] = name
    joined = {name: end for name, end in after.items() if end and before[end] == name}
    return [_chain(head, joined) for head in _heads(pages, joined)]


def _heads(pages: Iterable[str], joined: Mapping[str, str]) -> list[str]:
    """Where texts begin; of pages that go round in a circle, the first by id."""
    followers = set(joined.values())
    heads = sorted(name for name in pages if name not in followers)
    seen = {name for head in heads for name in _chain(head, joined)}
    for name in sorted(pages):
        if name not in seen:
            heads.append(name)
            seen.update(_chain(name, joined))
    return heads


def _chain(head: str, joined: Mapping[str, str]) -> list[str]:
    out = [head]
    while (name := joined.get(out[-1])) and name != head and len(out) < LONGEST:
        out.append(name)
    return out


def _next(page: PageRecord, pages: Mapping[str, PageRecord]) -> str:
    return _agreed(page, pages.get(page.next_page))


def _previous(page: PageRecord, pages: Mapping[str, PageRecord]) -> str:
    return _agreed(page, pages.get(page.previous_page))


def _agreed(page: PageRecord, other: PageRecord | None) -> str:
    if other is None or other.id == page.id or other.site != page.site:
        return ""
    if not page.text or not other.text:
        return ""
    titles = {title_of_all(page.title), title_of_all(other.title)} - {""}
    return other.id if len(titles) <= 1 else ""
