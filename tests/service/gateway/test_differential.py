"""The same requests to the server and through the gateway: status, headers and body are the same.

Each list of cases runs twice, side by side, on indices of its own prefix; @ stands for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from tests.service.gateway.differential import (
    administration,
    documents,
    kibana,
    oddities,
    searches,
)
from tests.service.gateway.differential.case import Case, Seen, seen, take
from tests.service.gateway.running import Running
from tests.service.gateway.wire import Reply, asked, request

PARTS = {
    "documents": documents.CASES,
    "searches": searches.CASES,
    "administration": administration.CASES,
    "kibana": kibana.CASES,
    "oddities": oddities.CASES,
}
NOT_WHOLE = {**oddities.STRICTER, **oddities.KINDER}


@dataclass
class Side:
    """A server, the prefix of the names there, and what its answers gave."""

    url: str
    prefix: str
    taken: dict[str, str] = field(default_factory=dict)

    def ask(self, case: Case) -> tuple[Reply, Seen]:
        reply = asked(self.url, case.to_bytes(self.prefix, self.taken), case.method)
        if case.take and reply.status < 300:
            self.taken |= take(case, reply)
        return reply, seen(case, reply, self.prefix)


@pytest.fixture
def sides(gateway: Running, es_url: str) -> Iterator[tuple[Side, Side]]:
    """The server, and the gateway before it."""
    number = os.getpid()
    both = Side(es_url, f"gwd{number}a-"), Side(gateway.url, f"gwd{number}b-")
    yield both
    for side in both:
        names = f"/{side.prefix}*?expand_wildcards=all"
        asked(es_url, request("DELETE", names))


def differences(cases: Sequence[Case], direct: Side, through: Side) -> list[str]:
    out = []
    for number, case in enumerate(cases):
        (plain, expected), (reply, found) = direct.ask(case), through.ask(case)
        if found != expected:
            out.append(f"{number} {case.line[:150]}\n  {expected}\n  {found}")
        # Where something varies the length varies with it, but not whether there is one.
        elif (plain.header("content-length") is None) != (reply.header("content-length") is None):
            out.append(f"{number} {case.line[:150]}: only one has a content-length")
    return out


@pytest.mark.parametrize("part", PARTS)
def test_answers_are_those_of_the_server(part: str, sides: tuple[Side, Side]) -> None:
    assert not (found := differences(PARTS[part], *sides)), "\n".join(found)


def test_there_are_enough_of_them() -> None:
    assert sum(map(len, PARTS.values())) >= 250


@pytest.mark.parametrize("what", oddities.REFUSED)
def test_what_both_refuse(what: str, gateway: Running, es_url: str) -> None:
    for url in (es_url, gateway.url):
        reply = asked(url, oddities.REFUSED[what])
        assert (reply.status, reply.header("x-elastic-product")) == (400, "Elasticsearch")
        assert reply.body.startswith(b'{"error":{"root_cause":[{"type":')


@pytest.mark.parametrize("what", NOT_WHOLE)
def test_where_the_gateway_differs(what: str, gateway: Running) -> None:
    data, status = NOT_WHOLE[what]
    assert asked(gateway.url, data.replace(b"@", b"gwd-")).status == status
