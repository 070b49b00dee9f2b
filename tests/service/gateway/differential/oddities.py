"""Odd ways to write a request that servers understand."""

from __future__ import annotations

import gzip
import zlib
from typing import Final

from tests.service.gateway.differential.case import JSON, Case

_NONE: Final = "/_cat/indices/@no-*?format=json"
_COUNT: Final = "/_search?filter_path=timed_out"
_HOST: Final = b"Host: a\r\n"
_JSON: Final = b"Content-Type: application/json\r\n"
_GZIP, _DEFLATE = "Content-Encoding: gzip", "Content-Encoding: deflate"
_ZIPPED: Final = gzip.compress(b'{"size":0}')


def _raw(first: str, *lines: bytes, body: bytes = b"") -> Case:
    """A request as it is written; the method is what the answer is read by."""
    head = b"".join([first.encode("latin-1"), b"\r\n", *lines, b"\r\n"])
    return Case(first, raw=head + body)


def _post(*lines: bytes, body: bytes) -> Case:
    return _raw(f"POST {_COUNT} HTTP/1.1", _HOST, _JSON, *lines, body=body)


_CHUNKED: Final = b"Transfer-Encoding: chunked\r\n"

CASES: Final = [
    _raw(f"GET {_NONE} HTTP/1.0"),
    _raw(f"GET {_NONE} HTTP/1.0", b"Connection: keep-alive\r\n"),
    _raw(f"POST {_COUNT} HTTP/1.0", _JSON, b"Content-Length: 2\r\n", body=b"{}"),
    _raw(f"GET {_NONE} HTTP/1.1"),
    _raw(f"GET {_NONE} HTTP/1.1", b"Host:\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", b"HOST: a\r\n", b"X-OPAQUE-ID: \t a b \t\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"Connection: close\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"Connection: X-Opaque-Id\r\n"),
    _raw(f"\r\n\r\nGET {_NONE} HTTP/1.1".lstrip(), _HOST),
    Case("GET " + _NONE, raw=b"\r\n\r\nGET " + _NONE.encode() + b" HTTP/1.1\r\nHost: a\r\n\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"Origin: http://elsewhere\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"X-Opaque-Id: one\r\n", b"X-Opaque-Id: two\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, "X-Opaque-Id: 中é\r\n".encode()),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"X-Opaque-Id: " + b"o" * 9_000 + b"\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"X-Big: " + b"b" * 20_000 + b"\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, *(b"X-%d: a\r\n" % n for n in range(200))),
    _raw(
        f"GET {_NONE} HTTP/1.1",
        _HOST,
        b"traceparent: 00-" + b"1" * 32 + b"-" + b"2" * 16 + b"-01\r\n",
    ),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"traceparent: nonsense\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"Authorization: Basic YTpi\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"Accept: */*\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"Accept: text/html, application/json;q=0.5\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"Accept: \r\n"),
    _raw("GET /_cat/indices/@no-*?v HTTP/1.1", _HOST, b"Accept: application/yaml\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"Accept-Encoding: gzip, deflate, br, zstd\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"Accept-Encoding: identity\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"If-None-Match: *\r\n", b"Range: bytes=0-1\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"Cookie: a=b\r\n", b"X-Forwarded-For: 10.0.0.1\r\n"),
    _raw(f"GET {_NONE} HTTP/1.1", _HOST, b"Connection: Upgrade\r\n", b"Upgrade: websocket\r\n"),
    _raw(
        f"GET {_NONE} HTTP/1.1",
        _HOST,
        b"Connection: Upgrade, HTTP2-Settings\r\n",
        b"Upgrade: h2c\r\n",
        b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n",
    ),
    _post(b"Content-Length: 2\r\n", b"Connection: Upgrade\r\n", b"Upgrade: h2c\r\n", body=b"{}"),
    _post(_CHUNKED, body=b"2\r\n{}\r\n0\r\n\r\n"),
    _post(_CHUNKED, body=b"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"),
    _post(_CHUNKED, body=b"2;name=value\r\n{}\r\n0\r\n\r\n"),
    _post(_CHUNKED, body=b"002\r\n{}\r\n0\r\nX-Trailer: a\r\n\r\n"),
    _post(_CHUNKED, body=b"0\r\n\r\n"),
    _post(_CHUNKED, b"Connection: Upgrade\r\n", b"Upgrade: h2c\r\n", body=b"2\r\n{}\r\n0\r\n\r\n"),
    _post(b"TE: trailers\r\n", b"Content-Length: 2\r\n", body=b"{}"),
    _post(b"Expect: 100-continue\r\n", b"Content-Length: 2\r\n", body=b"{}"),
    _post(b"Content-Length: 0\r\n", body=b""),
    _raw("POST /_analyze HTTP/1.1", _JSON, b"Content-Length: 209715200\r\n", body=b"{}"),
    _raw(f"GET {_COUNT} HTTP/1.1", _HOST, _JSON, b"Content-Length: 10\r\n", body=b'{"size":0}'),
    _raw(f"GET {_COUNT} HTTP/1.1", _HOST, b"Content-Length: 0\r\n"),
    _raw(f"GET {_COUNT} HTTP/1.1", _HOST, _JSON, _CHUNKED, body=b"2\r\n{}\r\n0\r\n\r\n"),
    _raw(f"HEAD {_NONE} HTTP/1.1", _HOST),
    _raw("HEAD /_search?size=0 HTTP/1.1", _HOST),
    _raw("DELETE /@none HTTP/1.1", _HOST, _JSON, b"Content-Length: 2\r\n", body=b"{}"),
    _raw("OPTIONS /_search HTTP/1.1", _HOST),
    _raw("OPTIONS * HTTP/1.1", _HOST),
    _raw("PATCH /_search HTTP/1.1", _HOST),
    _raw("TRACE /_search HTTP/1.1", _HOST),
    _raw("PROPFIND /_search HTTP/1.1", _HOST),
    _raw("SEARCH /_search HTTP/1.1", _HOST),
    Case("POST " + _COUNT, _ZIPPED, (JSON, _GZIP)),
    Case("POST " + _COUNT, _ZIPPED, (JSON, _GZIP, "Accept-Encoding: gzip")),
    Case("POST " + _COUNT, gzip.compress(b"{") + gzip.compress(b"}"), (JSON, _GZIP)),
    Case("POST " + _COUNT, zlib.compress(b"{}"), (JSON, _DEFLATE)),
    Case("POST " + _COUNT, zlib.compress(b"{}", wbits=-zlib.MAX_WBITS), (JSON, _DEFLATE)),
    Case("POST " + _COUNT, b"", (JSON, _GZIP)),
    Case("POST " + _COUNT, _ZIPPED, (JSON,)),
    Case("POST " + _COUNT, b"{}", (JSON, "Content-Encoding: identity")),
    Case("POST " + _COUNT, b"{}"),
    Case("POST " + _COUNT, b"{}", ("X-None: 1", "Content-Type:")),
    Case("POST " + _COUNT, b"{}", (JSON, "Content-Type: application/yaml")),
    Case("POST " + _COUNT, b" " * 300_000 + b"{}"),
    Case("POST " + _COUNT, b" " * 3_000_000 + b"{}"),
    Case("POST " + _COUNT, b"[" * 5_000),
    Case("POST " + _COUNT, b'{"query":' * 3_000 + b"{}" + b"}" * 3_000),
    Case("POST " + _COUNT, b'\xef\xbb\xbf{"size":0}'),
    Case("POST " + _COUNT, '{"size":0}'.encode("utf-16")),
    Case("POST " + _COUNT, b"\x00" * 10),
    Case("GET /_search?q=" + "q" * 4_060),
    Case("GET /_search?q=" + "q" * 5_000),
    Case("GET /" + "a" * 256 + "/_search"),
    Case("GET /" + "a," * 900 + "a/_search?ignore_unavailable=true&filter_path=timed_out"),
    Case("GET //_cluster/health"),
    Case("GET /_cluster//health"),
    Case("GET /_cluster/health/?filter_path=timed_out"),
    Case("GET /_cluster/health//?filter_path=timed_out"),
    Case("GET /%5Fcluster/health"),
    Case("GET /_cluster/%68ealth?filter_path=timed_out"),
    Case("GET /@none/../_cluster/health"),
    Case("GET /./_cluster/./health"),
    Case("GET /%2e%2e/_cluster/health"),
    Case("GET /@none%00/_search"),
    Case("GET /%zz/_search"),
    Case("GET /%/_search"),
    Case("GET /@none/_search?q=%zz"),
    Case("GET /@none/_search?&&=&a"),
    Case("GET /@none/_search?"),
    Case("GET /_cat/indices/@no-*?"),
    Case("GET /_cat/indices/@no-*?format=json#fragment"),
    Case("GET /_cat/indices/@no-*?format=json;h=index"),
    Case("GET /<@no-{now/d}>/_search", mask=("resource.id", "index", "reason")),
    Case('GET /@none/_search?q=a|b"^[]\\`'),
    Case("GET /_bulk"),
    Case("GET /%5Fbulk/_search"),
    Case("GET /@none/%5Fsearch"),
    Case("GET /@none/_doc/%5Fsearch"),
    Case("GET /@none/_doc/.."),
    Case("GET /@none/_doc/a/b"),
    Case("GET /?pretty"),
    Case("GET /favicon.ico"),
    Case("GET /robots.txt"),
    Case("POST /"),
]

REFUSED: Final = {
    "two lengths": b"POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
    "one length twice": b"POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    "length and chunks": b"POST /_search HTTP/1.1\r\nContent-Length: 3\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "negative length": b"POST /_search HTTP/1.1\r\nContent-Length: -1\r\n\r\n{}",
    "signed length": b"POST /_search HTTP/1.1\r\nContent-Length: +2\r\n\r\n{}",
    "huge length": b"POST /_search HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n{}",
    "bare line feeds": b"GET /_search HTTP/1.1\nHost: a\n\n",
    "NUL in a header": b"GET /_search HTTP/1.1\r\nX-A: b\x00c\r\n\r\n",
    "space before the colon": b"GET /_search HTTP/1.1\r\nX-A : b\r\n\r\n",
    "space in the path": b"GET /a b/_search HTTP/1.1\r\nHost: a\r\n\r\n",
    "HTTP/2 preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/3.7": b"GET /_search HTTP/3.7\r\nHost: a\r\n\r\n",
    "a TLS greeting": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "no target": b"GET\r\n\r\n",
    "a line above 64 KiB": b"GET /_search?q=" + b"q" * 70_000 + b" HTTP/1.1\r\n\r\n",
    "headers above 64 KiB": b"GET /_search HTTP/1.1\r\n" + b"X-A: " + b"a" * 70_000 + b"\r\n\r\n",
}
"""What both refuse with 400, the gateway in words of its own, since it passes none of it on."""

STRICTER: Final = {
    "a folded header; RFC 9112 5.2 allows to refuse it": (
        b"GET /_cat/indices/@no-* HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n",
        400,
    ),
    "a coding below the chunks, which the server passes over and cannot read": (
        b"POST /_search HTTP/1.1\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        400,
    ),
    "a length in a trailer, where RFC 9110 6.5.1 forbids it": (
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n",
        400,
    ),
    "bytes outside of ASCII in the path, which the server reads as Latin-1": (
        "GET /中文/_search HTTP/1.1\r\nHost: a\r\n\r\n".encode(),
        400,
    ),
    "a method that HTTP does not know; the server says 405": (
        b"FOO /_search HTTP/1.1\r\nHost: a\r\n\r\n",
        400,
    ),
    "CONNECT: a gateway opens no tunnels": (b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 405),
}
"""What the gateway refuses and the server may not."""

KINDER: Final = {
    "a whole URL as target, which RFC 9112 3.2.2 asks every server to take": (
        b"GET http://elsewhere:80/_cat/indices/@no-*?format=json HTTP/1.1\r\nHost: a\r\n\r\n",
        200,
    ),
    "an expectation that is not known": (
        b"POST /_search?size=0 HTTP/1.1\r\nContent-Type: application/json\r\nExpect: x\r\n"
        b"Content-Length: 2\r\n\r\n{}",
        200,
    ),
}
"""What the gateway understands and the server does not."""
