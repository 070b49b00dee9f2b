"""Works and chapters of documents, as files hold them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from dupdex.pages.addresses import is_address
from dupdex.retention import time_of
from dupdex.works.work_model import Chapter, Work, site_of
from indexer.model import Document, kind_of
from mappings.collections import moment
from mappings.errors import InputRefused

WORK_FIELDS: Final = ("work", "outlet", "holder", "number", "chapter", "title", "url", "published")
"""What is read of a document beside its id and text; whatever else it has is not kept."""


@dataclass(frozen=True, slots=True)
class WorkDefaults:
    """What is said of works whose documents do not. `work`: its name; `sites`, `indices`: as in
    `Work`, None for what is stored of it already."""

    work: str = ""
    holder: str = ""
    outlet: str = ""
    sites: tuple[str, ...] | None = None
    indices: tuple[str, ...] | None = None


def chapter_of(document: Document, defaults: WorkDefaults) -> tuple[Chapter, Work]:
    """The chapter that a document is, and what it says of its work; an article that names no work
    is one of its outlet's.

    Raises InputRefused naming the field.
    """
    given = document.body
    outlet = _string(given, "outlet") or defaults.outlet
    name = _string(given, "work") or defaults.work or outlet
    if not name:
        raise InputRefused("it names no work; add a field 'work' or 'outlet', or give --work")
    published = given.get("published")
    time = time_of(published) if published else None
    if published and time is None:
        raise InputRefused(f"'published' holds {str(published)[:40]!r}; write it like 2026-01-31")
    chapter = Chapter(
        name,
        document.id,
        document.text,
        _string(given, "title") or _string(given, "chapter"),
        _number(given.get("number")),
        _string(given, "url"),
        None if time is None else moment(time),
    )
    sites = defaults.sites or ()
    holder = _string(given, "holder") or defaults.holder
    return chapter, Work(name, holder, outlet, sites, defaults.indices or ("*",))


def host_given(value: str) -> str:
    """The host that somebody named, as example.org or by an address. Raises InputRefused."""
    text = value.strip().lower()
    url = text if "://" in text else f"http://{text}"
    host = site_of(url)
    if "*" in host:
        raise InputRefused(
            f"{value[:80]!r} is no site; leave out the '*': example.org stands for all below it"
        )
    if not (host and is_address(url)):
        raise InputRefused(f"{value[:80]!r} is no site; write it like example.org")
    return host


def _string(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise InputRefused(f"{name!r} holds {kind_of(value)}, not a string")
    return value.strip()


def _number(value: object) -> int | None:
    if value is None:
        return None
    try:
        return int(str(value))
    except ValueError as error:
        raise InputRefused(f"'number' holds {str(value)[:40]!r}; give a whole number") from error
