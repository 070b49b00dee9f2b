"""Kept pages as plain data and as lines of text, for whoever shows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

from dupdex.pages.page_model import PageState
from dupdex.pages.page_record import PageRecord
from mappings.collections import moment

_TITLE: Final = 40
"""Characters that are shown of a title."""


@dataclass(frozen=True, slots=True)
class PageLine:
    """A page without its text. Times are UTC; `document`: the id of the document of its text."""

    id: str
    url: str
    site: str
    state: PageState
    status: int
    quality: float
    fetched: str
    changed: str
    title: str = ""
    author: str = ""
    published: str | None = None
    language: str = ""
    document: str = ""
    next_page: str = ""
    previous_page: str = ""
    extraction: int = 0
    raw_hash: str = ""
    content_type: str = ""
    body: bool = False
    why: str = ""

    @classmethod
    def of(cls, page: PageRecord) -> Self:
        """The line of a page."""
        return cls(
            page.id,
            page.url,
            page.site,
            page.state,
            page.status,
            page.quality,
            moment(page.fetched),
            moment(page.changed),
            page.title,
            page.author,
            None if page.published is None else moment(page.published),
            page.language,
            page.document,
            page.next_page,
            page.previous_page,
            page.extraction,
            page.raw_hash,
            page.content_type,
            page.body is not None,
            page.why,
        )


@dataclass(frozen=True, slots=True)
class PageDetail:
    """A page with its text, and the text without the learned lines of its site."""

    page: PageLine
    text: str
    indexed_text: str


@dataclass(frozen=True, slots=True)
class SiteLine:
    """How many pages of each state a site has, and how many lines were learned of it."""

    site: str
    pages: int
    indexed: int = 0
    part: int = 0
    unfit: int = 0
    gone: int = 0
    failed: int = 0


def page_columns(page: PageLine) -> tuple[str, ...]:
    """State, quality, when it was fetched, address, title."""
    at = page.fetched[:16].replace("T", " ")
    title = page.title if len(page.title) <= _TITLE else page.title[: _TITLE - 1] + "…"
    said = page.why if page.state in (PageState.FAILED, PageState.GONE) else title
    return (page.state.value, f"{page.quality:.2f}", at, page.url, said)


def site_columns(site: SiteLine) -> tuple[str, ...]:
    """Site, pages, and how many of them are in each state."""
    counts = {state.value: getattr(site, state.value) for state in PageState}
    said = ", ".join(f"{number:,} {state}" for state, number in counts.items() if number)
    return (site.site, f"{site.pages:,} pages", said)


def page_lines(detail: PageDetail) -> Iterator[str]:
    """All that is known of a page; lines of its text that are not indexed begin with a minus."""
    page = detail.page
    yield page.url
    for name, value in (
        ("page", page.id),
        ("state", f"{page.state.value}  {page.why}".strip()),
        ("document", page.document),
        ("title", page.title),
        ("author", page.author),
        ("site", page.site),
        ("published", page.published or ""),
        ("fetched", page.fetched),
        ("changed", page.changed),
        ("status", str(page.status)),
        ("quality", f"{page.quality:.3f}"),
        ("language", page.language),
        ("next", page.next_page),
        ("previous", page.previous_page),
        ("body", "kept" if page.body else "not kept"),
    ):
        if value:
            yield f"{name:<10} {value}"
    kept = set(detail.indexed_text.split("\n"))
    for line in detail.text.splitlines():
        yield f"  {line}" if line in kept else f"- {line}"
