"""From the bytes of a page to its text and what is known of it; pure, for worker processes."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, Final

from dupdex.pages.addresses import canonical_of, site_of
from dupdex.pages.html_facts import HtmlFacts, html_facts
from dupdex.pages.numbered_pages import earlier_pages
from dupdex.pages.page_encoding import decoded
from dupdex.pages.page_model import Extracted, Fetched
from dupdex.pages.page_quality import TEXTURE_LIMIT, Quality, quality_of
from dupdex.retention import time_of
from mappings.errors import InputRefused

VERSION: Final = 1
"""Of the way from bytes to text; pages of another one are extracted anew by `pages re-extract`."""

LARGEST: Final = 5_000_000
"""Bytes of a page that are taken apart; what is larger is data."""

MISSING: Final = "pages need more packages; run: pip install 'dupdex[crawl]'"

_HTML: Final = ("text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml")
_PLAIN: Final = ("text/plain", "text/markdown")
_LOOKS_LIKE_HTML: Final = re.compile(
    rb"<(!doctype\s+html|html|head|body|title|meta|div|p|table)\b", re.IGNORECASE
)
_LONGEST_TITLE: Final = 500
_WORDS: Final = re.compile(r"\S+")
_KANA: Final = re.compile(r"[\u3040-\u30ff]")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_HANGUL: Final = re.compile(r"[\uac00-\ud7a3]")


def extract(fetched: Fetched) -> Extracted:
    """The text of a page. A page that has none comes back with `why`, and without a text; only a
    missing package raises (InputRefused)."""
    try:
        return _extract(fetched)
    except ModuleNotFoundError as error:
        raise InputRefused(MISSING) from error
    except Exception as error:  # the libraries raise whatever they meet in hostile markup
        return _nothing(fetched, f"it could not be taken apart: {type(error).__name__}")


def _extract(fetched: Fetched) -> Extracted:
    if fetched.status >= 400:
        return _nothing(fetched, f"the site answered {fetched.status}")
    if len(fetched.body) > LARGEST:
        return _nothing(fetched, f"it has more than {LARGEST:,} bytes")
    kind = fetched.content_type.partition(";")[0].strip().lower()
    beginning = fetched.body[:1_024]
    if kind in _PLAIN and not _LOOKS_LIKE_HTML.match(beginning.lstrip()):
        return _plain(fetched)
    if kind in _HTML or (not kind and _LOOKS_LIKE_HTML.search(beginning)) or kind in _PLAIN:
        return _html(fetched)
    return _nothing(fetched, f"{kind or 'what came without a type'} is no page of text")


def _plain(fetched: Fetched) -> Extracted:
    text = _cleaned(decoded(fetched.body, fetched.content_type))
    return Extracted(
        canonical=canonical_of(fetched.url),
        text=text,
        title=text.partition("\n")[0][:_LONGEST_TITLE],
        site=site_of(fetched.url),
        language=_language_of(text),
        quality=quality_of(text).value,
        why="" if text else "it holds no text",
    )


def _html(fetched: Fetched) -> Extracted:
    from trafilatura import bare_extraction, load_html

    tree = load_html(_without_nulls(decoded(fetched.body, fetched.content_type)))
    if tree is None:
        return _nothing(fetched, "it holds no markup")
    facts = html_facts(tree, fetched.url)
    found = bare_extraction(
        tree,
        url=fetched.url,
        with_metadata=True,
        include_comments=False,
        # A date anywhere in the text is no date of publication, and takes long to look for.
        date_extraction_params={"original_date": True, "extensive_search": False},
    )
    text = _cleaned(getattr(found, "text", None) or "")
    quality = quality_of(text, facts.links)
    title = getattr(found, "title", None) or _title(tree)
    return _read(fetched, facts, text, quality, title, found)


def _read(
    fetched: Fetched, facts: HtmlFacts, text: str, quality: Quality, title: str, found: Any
) -> Extracted:
    goes_on = quality.texture >= TEXTURE_LIMIT  # lists of links go on over pages as well
    before = facts.previous_url if goes_on else ""
    return Extracted(
        canonical=canonical_of(fetched.url, facts.canonical, _parts(fetched.url, facts)),
        text=text,
        title=" ".join(title.split())[:_LONGEST_TITLE],
        author=" ".join((facts.author or getattr(found, "author", None) or "").split()),
        published=_time(facts.published) or _time(getattr(found, "date", None)),
        site=site_of(fetched.url),
        language=facts.language or _language_of(text),
        quality=quality.value,
        next_url=facts.next_url if goes_on else "",
        previous_url=before,
        why="" if text else "no text was found in it",
    )


def _parts(url: str, facts: HtmlFacts) -> frozenset[str]:
    """Other parts of the same text, which a page may declare as its canonical address."""
    if not facts.previous_url and not facts.next_url:
        return frozenset()
    return earlier_pages(url) | {facts.previous_url, facts.next_url} - {""}


def _nothing(fetched: Fetched, why: str) -> Extracted:
    return Extracted(canonical_of(fetched.url), "", site=site_of(fetched.url), why=why)


def _title(tree: Any) -> str:
    found = tree.xpath("//title")
    return "".join(found[0].itertext()) if found else ""


def _time(said: str | None) -> datetime | None:
    """A time that a page can have been published at."""
    time = time_of(said) if said else None
    if time is None or not 1990 <= time.year <= datetime.now(UTC).year + 1:
        return None
    return time.replace(microsecond=0)


def _cleaned(text: str) -> str:
    lines = (" ".join(_WORDS.findall(line)) for line in _without_nulls(text).splitlines())
    return "\n".join(line for line in lines if line)


def _without_nulls(text: str) -> str:
    return text.replace("\0", "").encode("utf-8", "ignore").decode()


def _language_of(text: str) -> str:
    """The language that the script alone tells; "" for Latin and other scripts of many."""
    part = text[:5_000]
    if len(_HANGUL.findall(part)) * 5 > len(part):
        return "ko"
    if len(_KANA.findall(part)) * 10 > len(part):
        return "ja"
    return "zh" if len(_HAN.findall(part)) * 4 > len(part) else ""
