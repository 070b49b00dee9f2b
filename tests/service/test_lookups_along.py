"""Lookups whose candidates come along with their documents: what need not be asked for then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

from indexer.stores.elastic.client import ElasticSettings, connect
from indexer.weight import HELD_BYTES
from query.answers import Verdict
from query.questions import EVERYTHING, Options
from query.stores.elastic.elastic_reader import ElasticReader
from tests.lookups import near_duplicates
from tests.service.elastic_data import PLAN, chinese, record_of, store

PASSAGES: Final = [chinese(f"passage {n}", 60) for n in range(13)]
ASKED: Final = "".join(PASSAGES)


@contextmanager
def watched(settings: ElasticSettings) -> Iterator[tuple[ElasticReader, list[Any]]]:
    """A reader, and the bodies of all that it asks the server from now on."""
    sent: list[Any] = []
    with connect(settings) as client:
        ask = client.perform_request

        def noted(*arguments: Any, **named: Any) -> Any:
            sent.append(named.get("body"))
            return ask(*arguments, **named)

        client.perform_request = noted  # type: ignore[method-assign]
        yield ElasticReader.open(settings, PLAN, client=client), sent


def searches_in(sent: list[Any]) -> Iterator[dict[str, Any]]:
    """The bodies of single searches, and of several sent together with their headers."""
    for body in sent:
        yield from body[1::2] if isinstance(body, list) else [body]


def counts_of(sent: list[Any]) -> int:
    """How many requests ask in how many documents terms are."""
    return sum("frequencies" in str(body) for body in sent)


@pytest.mark.parametrize(("holders", "asks"), [(2, False), (PLAN.thresholds.unrelated, True)])
def test_candidates_that_are_not_read_tell_where_passages_are(
    settings: ElasticSettings, holders: int, asks: bool
) -> None:
    """Without the keys of those that came along, each passage might be in all of them."""
    store(
        settings,
        [
            record_of(f"{n}-{copy}", f"{chinese(f'{n} {copy}', 100)}{passage}")
            for n, passage in enumerate(PASSAGES)
            for copy in range(holders)
        ],
    )
    with watched(settings) as (reader, sent):
        for _ in range(2):  # the first one learns that documents are light
            sent.clear()
            answer = near_duplicates(ASKED, PLAN, reader, Options(verify=17, size=None))
    examined = answer.completeness.examined
    assert examined == 17 < answer.completeness.candidates
    assert {match.verdict for match in answer.matches} == {Verdict.PARTIAL}
    assert (counts_of(sent) > 0) is asks


def test_heavier_documents_come_along_by_fewer(settings: ElasticSettings) -> None:
    """Half of what may be held at once, by what documents weighed before."""
    heavy = "x" * 20_000
    store(
        settings,
        [record_of(f"d{n}", f"{PASSAGES[0]}{chinese(n)}", heavy=heavy) for n in range(30)],
    )
    with watched(settings) as (reader, sent):
        near_duplicates(ASKED, PLAN, reader)
        sent.clear()
        near_duplicates(PASSAGES[0], PLAN, reader, EVERYTHING)
        (size,) = {body["size"] for body in searches_in(sent) if body.get("_source")}
        assert HELD_BYTES / 4 < size * len(heavy) <= HELD_BYTES / 2
