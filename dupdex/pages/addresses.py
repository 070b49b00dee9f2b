"""Addresses of pages: their normal form, and which of them are one page.

Only what never tells two pages apart is taken away: the spelling, what follows a visitor from link
to link, and a session. Whatever else differs, differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit

LONGEST: Final = 2_000
"""Characters of an address; a longer one names no page that anybody links to."""

_REMEMBERED: Final = 1 << 12
"""Addresses whose names are not made again: those of some batches of pages, 2 MB a process."""

_SCHEMES: Final = {"http": 80, "https": 443}
_UNSEEN: Final = re.compile(r"[\x00-\x20\x7f]+")
_ESCAPE: Final = re.compile(r"%([0-9A-Fa-f]{2})?")
_UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_KEPT: Final = "%/:@!$&'()*+,;=~-._?"
_HOST: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]")

_FOLLOWING: Final = re.compile(
    r"utm_\w+|hm(sr|pl|cu|kw|ci)|spm|scm|_gl|_ga|_openstat|bd_vid|qz_gdt|isappinstalled|nsukey"
    r"|(g|dc|fb|tw|y|tt)clid|(gbra|wbra|msclk)id|igshi?d?|mc_(cid|eid)|mkt_tok|vero_id|wickedid"
    r"|wxshare_count|share_?(token|source|medium|plat|tag|from|session_id|uid|id|times)"
    r"|sharer_share\w+|phpsessid|jsessionid|aspsessionid\w*|cftoken|cfid|oscsid|zenid",
    re.IGNORECASE,
)
"""Parameters that say who came from where, or are a session."""

_SESSION: Final = re.compile(r"(php)?s(ess(ion)?)?_?id", re.IGNORECASE)
_TOKEN: Final = re.compile(r"(?=[^-]*\d)(?=.*[a-z])[0-9a-z-]{16,}", re.IGNORECASE)
_FROM: Final = re.compile(
    "app|feed|groupmessage|home|hot|index|message|mobile|moments|pc|qq|qzone|recommend|related|rss|"
    "search|share|singlemessage|timeline|top|wap|wechat|weibo|weixin",
    re.IGNORECASE,
)
"""Values of `from` that name a way here; it may as well name a city, or a number to begin at."""

_PATH_SESSION: Final = re.compile(r";(jsessionid|phpsessid|sid)=[^/;]*", re.IGNORECASE)
_INDEX_FILE: Final = re.compile(r"/(index|default)\.(html?|shtml|php|aspx?|jsp)$", re.IGNORECASE)
_VARIANT: Final = re.compile(r"(/(amp|print|mobile|m|wap|full))+/?$", re.IGNORECASE)


@lru_cache(maxsize=_REMEMBERED)
def normalised(url: str, base: str = "") -> str:
    """The address in one spelling, still to be fetched as it is; "" for what is no address of a
    page. Gone are the fragment, names and passwords, parameters of tracking and of sessions."""
    try:
        parts = urlsplit(urljoin(base, url.strip()) if base else _UNSEEN.sub("", url.strip()))
        host = _host(parts)
        port = parts.port
    except ValueError:
        return ""
    scheme = parts.scheme.lower()
    if scheme not in _SCHEMES or not host:
        return ""
    at = host if port in (None, _SCHEMES[scheme]) else f"{host}:{port}"
    path = _without_dots(_spelled(_PATH_SESSION.sub("", parts.path))) or "/"
    made = urlunsplit((scheme, at, path, _query(parts.query), ""))
    return made if len(made) <= LONGEST else ""


@lru_cache(maxsize=_REMEMBERED)
def is_address(url: str) -> bool:
    """Whether this is one address of a page, not several words."""
    return len(url.split()) == 1 and bool(identity(url))


def identity(url: str) -> str:
    """One name for a page, however it is reached: https for http, without www. and index.html.
    It may differ from an address that answers. "" for what is no address of a page."""
    parts = urlsplit(normalised(url))
    if not parts.scheme:
        return ""
    host, scheme = parts.netloc, "https" if parts.port is None else parts.scheme
    if host.startswith("www.") and "." in host[4:]:
        host = host[4:]
    return urlunsplit((scheme, host, _INDEX_FILE.sub("/", parts.path), parts.query, ""))


def canonical_of(url: str, declared: str = "", earlier: Iterable[str] = ()) -> str:
    """The identity of a page that was fetched at `url`: the one it declares where that can be true,
    else that of `url`. `earlier`: addresses that this page goes on from. They are other pages, even
    if it declares one.

    A page of another site is another page, and so is one that the address lies below: sites declare
    their home page, or a section, for everything in it.
    """
    own = identity(url)
    named = identity(normalised(declared, url)) if declared else ""
    if not named or named == own or named in {identity(each) for each in earlier}:
        return own
    if registered(named) != registered(own):
        return own
    path, below = urlsplit(named).path.rstrip("/") + "/", urlsplit(own).path
    if below.startswith(path) and not _VARIANT.fullmatch(below[len(path) - 1 :]):
        return own
    return named


def site_of(url: str) -> str:
    """The site of an address: its host, without www., with a port that is not the usual one."""
    return urlsplit(identity(url)).netloc


@lru_cache(maxsize=1 << 12)
def registered(url: str) -> str:
    """The name that was registered: example.com.cn for news.example.com.cn. Of a number, the number
    and port; people's names below a host of blogs are different ones."""
    netloc = urlsplit(url).netloc
    found = _suffixes()(netloc.partition(":")[0])
    return f"{found.domain}.{found.suffix}" if found.domain and found.suffix else netloc


@lru_cache(maxsize=1)
def _suffixes():  # type: ignore[no-untyped-def]  # a type of an optional package
    from tldextract import TLDExtract

    # Its own copy of the public suffix list: nothing is fetched, nothing is written.
    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if ":" in host:
        return f"[{host}]"
    if not host.isascii():
        host = host.encode("idna").decode()  # UnicodeError is a ValueError
    return host if _HOST.fullmatch(host) else ""


def _spelled(text: str) -> str:
    """Percent-encoded where it has to be, and nowhere else."""
    return quote(_ESCAPE.sub(_escape, text), safe=_KEPT)


def _escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "%25"
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _without_dots(path: str) -> str:
    out: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            if len(out) > 1:
                out.pop()
        elif segment != ".":
            out.append(segment)
    if path.endswith(("/.", "/..")):
        out.append("")
    return "/".join(out)


def _query(query: str) -> str:
    """The parameters by name; those of one name stay in order."""
    kept = [part for part in query.split("&") if part and not _is_dropped(*_pair(part))]
    return "&".join(_spelled(part) for part in sorted(kept, key=lambda part: _pair(part)[0]))


def _pair(part: str) -> tuple[str, str]:
    name, _, value = part.partition("=")
    return unquote(name), value


def _is_dropped(name: str, value: str) -> bool:
    if _FOLLOWING.fullmatch(name):
        return True
    if _SESSION.fullmatch(name):
        return _TOKEN.fullmatch(value) is not None
    return name == "from" and _FROM.fullmatch(value) is not None
