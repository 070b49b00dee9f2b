"""Requests that are wrong on the wire, from a seed: framing, heads, targets, bodies, and bytes
that were requests."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator
from typing import Final

PLANTED: Final = "elsewhere.invalid"
"""A host that no request may reach."""

# Not all indices: others come and go while these tests run, and a search then has failures.
_PATHS: Final = (
    "/fuzzed/_search",
    "/fuzzed/_search/",
    "/fuzzed/_doc/1",
    "/fuzzed/_bulk",
    "/_bulk",
    "/fuzzed/_msearch",
    "/fuzzed/_count",
    "/_cat/indices/fuzzed",
    "/fuzzed/_update/1",
    "/_cluster/health",
    "/_dupdex/v1/check",
)
_METHODS: Final = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "get", "", "G\x00T")
_HOP: Final = (
    "Keep-Alive: 1",
    "Proxy-Authorization: Basic YTpi",
    "Proxy-Connection: keep-alive",
    "TE: trailers, deflate",
    "Trailer: Content-Length",
    "Upgrade: h2c",
    "Connection: close, Content-Length",
    "Connection: Transfer-Encoding, Host, Authorization",
    "Connection: ,,, ,",
)

Generated = Callable[[random.Random], bytes]


def _head(draw: random.Random, *lines: str, method: str = "POST", path: str = "") -> bytes:
    first = f"{method} {path or draw.choice(_PATHS)} HTTP/1.1"
    return "\r\n".join([first, "Host: a", *lines]).encode("utf-8", "surrogateescape") + b"\r\n\r\n"


def _json(draw: random.Random, *lines: str) -> bytes:
    return _head(draw, "Content-Type: application/json", *lines)


def lengths(draw: random.Random) -> bytes:
    values = ("-1", "+2", "0x2", "2 2", "2,2", "", "9" * draw.randint(1, 40), "1e3", "２", "2\x0b")
    return _json(draw, f"Content-Length: {draw.choice(values)}") + b"{}"


def two_framings(draw: random.Random) -> bytes:
    lines = [
        f"Content-Length: {draw.randint(0, 40)}",
        draw.choice(
            (
                "Transfer-Encoding: chunked",
                "Transfer-Encoding : chunked",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding:\tchunked",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: gzip, chunked",
                "transfer-encoding: CHUNKED",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
                "X: y\r\n Transfer-Encoding: chunked",
                "Transfer_Encoding: chunked",
                f"Content-Length: {draw.randint(0, 40)}",
            )
        ),
    ]
    draw.shuffle(lines)
    inner = b"GET /_smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    return _json(draw, *lines) + draw.choice(
        (b"0\r\n\r\n" + inner, b"2\r\n{}\r\n0\r\n\r\n" + inner)
    )


def chunks(draw: random.Random) -> bytes:
    sizes = ("-1", "0x2", "2 ", "g", "", "f" * draw.randint(8, 40), "2\n", "00000000000000002;a=b")
    body = f"{draw.choice(sizes)}\r\n{{}}{draw.choice((chr(13) + chr(10), '', 'xx'))}0\r\n\r\n"
    return _json(draw, "Transfer-Encoding: chunked") + body.encode()


def line_ends(draw: random.Random) -> bytes:
    whole = _json(draw, "Content-Length: 2") + b"{}"
    ends = (
        b"\n",
        b"\r",
        b"\r\r\n",
        b"\n\r",
        b"\x0b\n",
        b"\r\n ",
        b"\r\n\t",
        b"\x00\r\n",
        b"\xe5\x98\x8a",
    )
    at = draw.choice([n for n in range(len(whole)) if whole[n : n + 2] == b"\r\n"])
    return whole[:at] + draw.choice(ends) + whole[at + 2 :]


def headers(draw: random.Random) -> bytes:
    control = chr(draw.choice((0, 1, 8, 11, 12, 14, 27, 31, 127)))
    kinds = (
        f"X-A: b{control}c",
        f"X{control}A: b",
        ": no name",
        "no colon",
        "X A: b",
        "X-A: " + "a" * draw.choice((5_000, 20_000, 70_000, 200_000)),
        "\r\n".join(f"X-{n}: {n}" for n in range(draw.choice((150, 3_000)))),
        "Content-Type: " + "application/json;" * 50,
        "Content-Type: \u4e2d\u6587",
        "Accept: application/vnd.elasticsearch+json;compatible-with=" + "9" * 30,
        "Authorization: \udcff\udcfe",
        "Expect: 100-continue, 200-maybe",
        "Content-Encoding: gzip, gzip",
    )
    return _json(draw, draw.choice(kinds), "Content-Length: 2") + b"{}"


def targets(draw: random.Random) -> bytes:
    path = draw.choice(_PATHS)
    kinds = (
        f"http://{PLANTED}{path}",
        f"https://{PLANTED}:1{path}",
        f"//{PLANTED}{path}",
        f"@{PLANTED}{path}",
        f"/@{PLANTED}{path}",
        f"/..//{PLANTED}{path}",
        f"\\\\{PLANTED}{path}",
        f"{PLANTED}:80",
        f"http://a@{PLANTED}",
        f"/{path}#@{PLANTED}",
        f"ftp://{PLANTED}/",
        "*",
        "",
        "/%",
        "/%2",
        "/%00",
        "/" + "%2e%2e%2f" * 40,
        "/" + "a/" * 3_000,
        path + "?" + "&" * 3_000,
        path + "?q=" + "%" * draw.randint(1, 4_000),
        path + " HTTP/1.1 HTTP/1.1",
        path + "\t",
        path + "?\x7f",
        path + "?q=\u4e2d",
    )
    host = draw.choice(
        ("Host: a", f"Host: {PLANTED}", f"Host: a\r\nHost: {PLANTED}", "Host: a/b@c")
    )
    forwarded = f"X-Forwarded-Host: {PLANTED}"
    first = f"{draw.choice(('GET', 'POST', 'CONNECT'))} {draw.choice(kinds)} HTTP/1.1"
    return "\r\n".join([first, host, forwarded, "\r\n"]).encode()


def methods(draw: random.Random) -> bytes:
    first = draw.choice(
        (
            "GET / HTTP/1.1 ",
            "GET / HTTP/9.9",
            "GET / http/1.1",
            "GET  / HTTP/1.1",
            " GET / HTTP/1.1",
            "GET /",
            "GET",
            "GET / ICE/1.0",
            "PRI * HTTP/2.0",
            f"{draw.choice(_METHODS)} /fuzzed/_search HTTP/1.1",
            f"{'M' * 5_000} / HTTP/1.1",
        )
    )
    return first.encode() + b"\r\nHost: a\r\n\r\n"


def hops(draw: random.Random) -> bytes:
    lines = draw.sample(_HOP, draw.randint(1, len(_HOP)))
    return _json(draw, *lines, "Content-Length: 2") + b"{}"


def bodies(draw: random.Random) -> bytes:
    deep = draw.choice((50, 999, 1_001, 20_000))
    kinds = (
        b"[" * deep,
        b'{"query":' * deep + b"{}" + b"}" * deep,
        b'{"query":{"bool":{"must":' * deep,
        b'{"size":' + b"9" * draw.choice((5, 30, 5_000)) + b"}",
        b'{"size":1e' + b"9" * 20 + b"}",
        b'{"size":-0.0000e-999}',
        b'{"query":{"near_duplicate":{"text":' + b'"' + b"\xff" * 20 + b'"}}}',
        b'{"query":{"near_duplicate":' + draw.choice((b"1", b"[]", b"{}", b'{"text":1}')) + b"}}",
        b'{"dedup":' + draw.choice((b"1", b'{"copies":-1}', b'{"copies":1e99}', b"[[]]")) + b"}",
        b'{"text":"\\ud800","dupdex":{"plan":1}}',
        b'{"doc":' + draw.choice((b"1", b"[]", b'{"text":null}')) + b"}",
        b'{"a":1,"a":2,"query":{},"query":[]}',
        b"\x00" * 50,
        b"\xef\xbb\xbf{}",
        json.dumps({"query": {"match_all": {}}}).encode("utf-16"),
        b'{"' + b"k" * 60_000 + b'":1}',
    )
    body = draw.choice(kinds)
    kind = draw.choice(("json", "x-ndjson", "yaml", "cbor", "smile", "vnd.elasticsearch+json"))
    lines = [f"Content-Type: application/{kind}"]
    if draw.random() < 0.2:
        packed = gzip.compress(body)
        body = draw.choice((packed, packed[: len(packed) // 2], packed + b"rest", body))
        lines.append("Content-Encoding: gzip")
    return _head(draw, *lines, f"Content-Length: {len(body)}") + body


def lines(draw: random.Random) -> bytes:
    parts = (
        b'{"index":{"_index":"fuzzed","_id":"1"}}\n',
        b'{"index":{}}\n',
        b'{"index":',
        b'{"create":{"_id":' + b"9" * 400 + b"}}\n",
        b'{"delete":{"_id":"1"}}\n',
        b'{"update":{"_id":"1"}}\n',
        b'{"text":"a"}\n',
        b'{"text":"a"}',
        b"\n",
        b"\r\n",
        b"\r",
        b"\x1e",
        b"\x00\n",
        b"[]\n",
        b'"index"\n',
        b'{"index":{"_index":["a"]}}\n',
        b'{"index":{"_index":"..","pipeline":1}}\n',
        b"\xff\xfe\n",
    )
    body = b"".join(draw.choice(parts) for _ in range(draw.randint(0, 12)))
    path = draw.choice(("/_bulk", "/fuzzed/_bulk", "/fuzzed/_msearch"))
    kind = "Content-Type: application/x-ndjson"
    return _head(draw, kind, f"Content-Length: {len(body)}", path=path) + body


def wrong_lengths(draw: random.Random) -> bytes:
    body = b'{"query":{"match_all":{}}}'
    more = draw.choice((-3, -1, 1, 5, 200_000))
    return _json(draw, f"Content-Length: {len(body) + more}") + body


def pipelines(draw: random.Random) -> bytes:
    good = b"GET /_cat/indices/fuzzed HTTP/1.1\r\nHost: a\r\n\r\n"
    parts = [good, good, KINDS[draw.choice(list(KINDS)[:-2])](draw), good]
    return b"".join(parts[: draw.randint(2, 4)])


def damaged(draw: random.Random) -> bytes:
    whole = bytearray(_json(draw, "Content-Length: 2") + b"{}")
    for _ in range(draw.randint(1, 6)):
        at = draw.randrange(len(whole))
        match draw.randrange(3):
            case 0:
                whole[at] = draw.randrange(256)
            case 1:
                del whole[at : at + draw.randint(1, 9)]
            case _:
                whole[at:at] = draw.randbytes(draw.randint(1, 9))
        if not whole:
            break
    return bytes(whole)


KINDS: Final[dict[str, Generated]] = {
    "lengths": lengths,
    "two framings": two_framings,
    "chunks": chunks,
    "line ends": line_ends,
    "headers": headers,
    "targets": targets,
    "methods": methods,
    "hops": hops,
    "bodies": bodies,
    "lines": lines,
    "wrong lengths": wrong_lengths,
    "damaged": damaged,
    "pipelines": pipelines,
    "noise": lambda draw: draw.randbytes(draw.randint(1, 300)),
}


def generated(seed: int, amount: int) -> Iterator[tuple[str, bytes]]:
    """So many requests with the names of their kinds."""
    draw = random.Random(seed)
    names = list(KINDS)
    for number in range(amount):
        name = names[number % len(names)]
        yield name, KINDS[name](draw)
