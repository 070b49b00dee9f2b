"""Books and archives of the Web, made in memory: what the readers of such files are tried on."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

_CONTAINER: Final = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="OEBPS/book.opf" '
    'media-type="application/oebps-package+xml"/></rootfiles></container>'
)


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def page(title: str, text: str, anchor: str = "") -> str:
    """A file of a book."""
    lines = "".join(f"<p>{escape(line)}</p>" for line in text.split("\n"))
    name = f' id="{anchor}"' if anchor else ""
    return (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head>'
        f"<title>{escape(title)}</title><style>p{{}}</style></head><body>"
        f"<h2{name}>{escape(title)}</h2>{lines}</body></html>"
    )


def book(
    files: Mapping[str, str | bytes],
    points: Sequence[tuple[str, str]] = (),
    *,
    title: str = "夜渡",
    nav: bool = True,
    extra: Mapping[str, str | bytes] | None = None,
    spine: Sequence[str] | None = None,
) -> bytes:
    """An EPUB whose spine are the `files`; `points`: (address, title) of its table of contents, in
    the form of EPUB 3, else that of EPUB 2."""
    order = list(spine if spine is not None else files)
    items = "".join(
        f'<item id="i{at}" href="{name}" media-type="application/xhtml+xml"/>'
        for at, name in enumerate(order)
    )
    references = "".join(f'<itemref idref="i{at}"/>' for at in range(len(order)))
    members: dict[str, str | bytes] = {"mimetype": "application/epub+zip"}
    members["META-INF/container.xml"] = _CONTAINER
    if points and nav:
        items += (
            '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
        )
        links = "".join(f'<li><a href="{where}">{what}</a></li>' for where, what in points)
        members["OEBPS/nav.xhtml"] = (
            '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
            f'<body><nav epub:type="toc"><ol>{links}</ol></nav></body></html>'
        )
    elif points:
        items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        entries = "".join(
            f'<navPoint><navLabel><text>{what}</text></navLabel><content src="{where}"/></navPoint>'
            for where, what in points
        )
        members["OEBPS/toc.ncx"] = (
            '<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" '
            '"http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">'
            f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{entries}</navMap></ncx>'
        )
    members["OEBPS/book.opf"] = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title>'
        f"<dc:creator>某人</dc:creator></metadata><manifest>{items}</manifest>"
        f'<spine toc="ncx">{references}</spine></package>'
    )
    members |= {f"OEBPS/{name}": data for name, data in files.items()}
    return zipped(members | dict(extra or {}))


def record(
    url: str, body: bytes, kind: str = "conversion", content_type: str = "text/plain"
) -> bytes:
    """A record of a WARC file, not compressed."""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n"
        f"WARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: {content_type}\r\n"
        f"WARC-Record-ID: <urn:uuid:12345678-1234-1234-1234-123456789012>\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"


def response(url: str, html: bytes, content_type: str = "text/html; charset=utf-8") -> bytes:
    """A record of a page as a site sent it."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(html)}\r\n\r\n"
    return record(url, head.encode() + html, "response", "application/http; msgtype=response")


def packed(records: Sequence[bytes]) -> bytes:
    """Records as crawlers compress them: one gzip member each."""
    return b"".join(gzip.compress(each, mtime=0) for each in records)
