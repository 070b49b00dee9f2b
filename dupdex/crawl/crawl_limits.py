"""What a crawl may do: how far, how much, how fast, and on which sites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from dupdex.crawl.address import host_and_port, id_of, site_of
from dupdex.pages.addresses import is_address
from mappings.errors import InputRefused

AGENT: Final = "dupdex"
LONGEST_URL: Final = 2_000
REPEATED: Final = 3
"""A part of a path that stands more often in it is the mark of a link that goes in circles."""

_ENDINGS: Final = (
    "7z aac apk avi avif bin bmp bz2 css deb dmg doc docx eot eps exe flac flv gif gz ico iso jar "
    "jpeg jpg js json m4a m4v mid mkv mov mp3 mp4 mpeg mpg msi odp ods odt ogg otf pdf png ppt "
    "pptx ps psd rar rpm rtf svg swf tar tgz tif tiff ttf wav webm webp wma wmv woff woff2 xls "
    "xlsx xz zip zst"
)
_OTHER_KINDS: Final = frozenset(_ENDINGS.split())
_LISTED: Final = (".xml.gz", "feed.json", ".rss.gz")


@dataclass(frozen=True, slots=True)
class Limits:
    """`pages`, `megabytes`: of one run, None for no limit; `depth`: links from a start address;
    `page_bytes`: of one answer, also when it is decompressed; `delay`: seconds from request to
    request of one host; `timeout`: seconds for one answer; `patience`: the most seconds that a
    host which asks for a pause is waited for; `tries` of one address in one run; `failures` one
    after another until a host is given up; `fruitless`: addresses of one shape that lead to nothing
    new; `hosts`: of each name such as `*.example.com`."""

    pages: int | None = None
    megabytes: int | None = None
    depth: int = 20
    page_bytes: int = 10 << 20
    delay: float = 0.1
    timeout: float = 30.0
    patience: float = 120.0
    tries: int = 3
    failures: int = 10
    fruitless: int = 40
    hops: int = 10
    hosts: int = 100


@dataclass(frozen=True)
class Scope:
    """Which addresses a crawl follows: on these sites, by these patterns."""

    sites: frozenset[str]
    allow: tuple[re.Pattern[str], ...] = ()
    deny: tuple[re.Pattern[str], ...] = ()
    _suffixes: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        suffixes = tuple(site[1:] for site in self.sites if site.startswith("*."))
        object.__setattr__(self, "_suffixes", suffixes)

    @classmethod
    def of(
        cls,
        starts: Sequence[str],
        more: Iterable[str] = (),
        allow: Iterable[str] = (),
        deny: Iterable[str] = (),
    ) -> Scope:
        """The sites of the start addresses and more of them. Raises InputRefused for a pattern or
        a site that is none."""
        sites = {site_of(start) for start in starts} | set(map(_site_named, more))
        return cls(frozenset(sites), _patterns("--allow", allow), _patterns("--deny", deny))

    def has_site(self, site: str) -> bool:
        """Whether a site is one of these, with or without its `www.`."""
        twin = site.removeprefix("www.") if site.startswith("www.") else f"www.{site}"
        return site in self.sites or twin in self.sites or site.endswith(self._suffixes or ("\0",))

    @property
    def has_wildcards(self) -> bool:
        """Whether there are names like `*.example.com`."""
        return bool(self._suffixes)

    def wildcard_of(self, site: str) -> str:
        """The name like `*.example.com` that lets a site in, the longest; "" for one that is named
        by itself, or is none of these."""
        bare = site.removeprefix("www.")
        if not self._suffixes or {bare, f"www.{bare}"} & self.sites:
            return ""
        found = [suffix for suffix in self._suffixes if site.endswith(suffix)]
        return f"*{max(found, key=len)}" if found else ""

    def has(self, url: str) -> bool:
        """Whether an address is to be followed."""
        try:
            parts = urlsplit(url)
            host_and_port(url)
        except ValueError:
            return False
        if parts.scheme not in ("http", "https") or len(url) > LONGEST_URL:
            return False
        if not self.has_site(site_of(url)) or not id_of(url):
            return False
        return not _is_other_kind(parts.path) and not goes_in_circles(url) and self.passes(url)

    def passes(self, url: str) -> bool:
        """Whether the patterns let an address through."""
        if any(pattern.search(url) for pattern in self.deny):
            return False
        return not self.allow or any(pattern.search(url) for pattern in self.allow)


def goes_in_circles(url: str) -> bool:
    """Whether a part of its path stands there again and again, as of /a/b/a/b/a/b/a/b."""
    parts = [part for part in urlsplit(url).path.split("/") if part]
    return len(parts) > REPEATED and any(parts.count(part) > REPEATED for part in set(parts))


def start_url(given: str) -> str:
    """A start address as it was given, with its scheme. Raises InputRefused."""
    text = given.strip()
    url = text if "://" in text else f"https://{text}"
    try:
        host, _ = host_and_port(url)
        if urlsplit(url).scheme.lower() not in ("http", "https") or not is_address(url):
            raise ValueError(url)
        if "@" in urlsplit(url).netloc and "://" not in text:  # an address of mail
            raise ValueError(url)
        if "." not in host and ":" not in host and host != "localhost" and "://" not in text:
            raise ValueError(url)
    except ValueError as error:
        raise InputRefused(
            f"{given!r} is no address of a site, a sitemap or a feed; write one like "
            "https://news.example.com/"
        ) from error
    return url if urlsplit(url).path else f"{url}/"


def _site_named(given: str) -> str:
    """A site as it was given by its host, by an address on it, or as all sites below a name."""
    text = given.strip()
    star = "*." if text.startswith("*.") else ""
    url = text if "://" in text else f"https://{text[len(star) :]}"
    try:
        if "*" in url or not is_address(url):
            raise ValueError(url)
        return star + site_of(url)
    except ValueError as error:
        raise InputRefused(
            f"--site {given!r} is no host; write one like news.example.org or '*.example.org'"
        ) from error


def _is_other_kind(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    if name.endswith(_LISTED):
        return False
    return "." in name and name.rpartition(".")[2] in _OTHER_KINDS


def _patterns(option: str, given: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    out = []
    for text in given:
        try:
            out.append(re.compile(text))
        except re.error as error:
            raise InputRefused(f"{option} {text!r} is no regular expression: {error}") from error
    return tuple(out)
