"""Documents as a stream: line n answers line n, while the body is still being sent."""

from __future__ import annotations

import gzip
import socket
from typing import Any
from urllib.parse import urlsplit

import orjson

from tests.service.gateway.rest_client import NDJSON, ROOT, Rest

WORDS = "words of a text that has a number in it and goes on for a while"


def lines_of(content: bytes) -> list[Any]:
    return [orjson.loads(line) for line in content.splitlines()]


def test_every_line_is_answered_in_its_place(rest: Rest) -> None:
    lines = [
        b'{"id": "1", "text": "%s"}' % WORDS.encode(),
        b'{"id": "2"',
        b"",
        b'{"id": "3"}',
        b'["list"]',
        b'{"text": "no id"}',
        b'{"id": "4", "text": "\xff"}',
        b'{"id": "5", "text": "x", "n": 1180591620717411303424}',
        b'{"id": 6, "text": "%s"}' % WORDS.upper().encode(),
        b'{"id": "7", "text": "' + b"x" * (8 << 20) + b'"}',
        b'{"id": "8", "text": "the last line has no line feed"}',
    ]
    told = rest.ask("POST", "/documents", b"\n".join(lines), NDJSON, refresh="true")
    assert told.headers["content-type"].startswith("application/x-ndjson")
    outcomes = lines_of(told.content)
    created = [outcome["id"] for outcome in outcomes if outcome["status"] == "created"]
    assert len(outcomes) == len(lines)
    assert created == ["1", "6", "8"]
    assert all(bool(each["reason"]) == (each["status"] == "rejected") for each in outcomes)
    assert not any("--" in each["reason"] for each in outcomes)  # no options of a command line
    assert rest.ask("GET", "/info").value["documents"] == 3
    again = lines_of(rest.ask("POST", "/documents", lines[0], NDJSON).content)
    assert again == [{"format": 1, "id": "1", "status": "updated", "reason": ""}]


def test_an_empty_body_has_no_outcomes_and_gzip_is_read(rest: Rest) -> None:
    assert rest.ask("POST", "/documents", b"", NDJSON).content == b""
    body = b"".join(b'{"id":"%d","text":"%s"}\n' % (n, WORDS.encode()) for n in range(3))
    packed = {**NDJSON, "Content-Encoding": "gzip"}
    told = rest.ask("POST", "/documents", gzip.compress(body), packed)
    assert [each["id"] for each in lines_of(told.content)] == ["0", "1", "2"]
    told = rest.ask("POST", "/documents", gzip.compress(body)[:-4], packed)
    assert lines_of(told.content)[-1]["status"] == "rejected"


def test_outcomes_come_while_the_body_is_sent(rest: Rest) -> None:
    """A client that waits for each outcome before it sends the next line."""
    place = urlsplit(rest.url)
    with socket.create_connection((place.hostname, place.port), timeout=30) as connection:
        head = f"POST {ROOT}/documents?target={rest.target} HTTP/1.1\r\nHost: x\r\n"
        kind = "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall((head + kind).encode())
        stream = connection.makefile("rb")
        seen: list[str] = []
        for number in range(3):
            line = b'{"id":"%d","text":"%s %d"}\n' % (number, WORDS.encode(), number)
            connection.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            while len(seen) <= number:
                if (read := stream.readline()).startswith(b"{"):
                    seen.append(orjson.loads(read)["id"])
        connection.sendall(b"0\r\n\r\n")
        assert seen == ["0", "1", "2"]


def test_a_client_that_reads_nothing_until_it_has_sent_all_gets_all(rest: Rest) -> None:
    """More outcomes than the sockets between hold: they wait where nobody has to wait for them."""
    count = 80_000  # an id that is no id makes the outcome longer than the line
    body = b"".join(b'{"id":{"x":%d}}\n' % n for n in range(count))
    told = rest.ask("POST", "/documents", body, NDJSON)
    assert told.content.count(b"\n") == count
    assert len(told.content) > 8 << 20
