"""Documents counted by values, groups and times: both stores count as a loop over them does."""

from __future__ import annotations

import time
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from indexer.model import Ref
from mappings.errors import InputRefused
from mappings.plan import CHARACTERS
from query.tally import (
    ByGroup,
    ByPeriod,
    ByPlan,
    ByValue,
    Every,
    InGroups,
    Tally,
    These,
    instant_of,
    period_of,
)
from tests.contract.stores import Store, made

SOURCES: list[Any] = ["甲报", "乙报", "", ["甲报", "丙网"], ["丙网", "丙网"], None, "x" * 1_025]
TIMES = [
    "2026-01-31",
    "2026/02/01 23:59",
    "2026-02",
    "2025",
    "2026-01-31T23:30:00-01:00",
    "2026-01-01T00:10:00.25+0800",
    "2024-02-29T12:00:00Z",
    "1769860800",
    "1769860800123",
    "1969-12-31T23:59:59.999Z",
    "2025-02-29",
    "2026-13-01",
    "2026-01-31T24:00",
    "2026-01-31T23:59:60",
    "2026-1-31",
    "2026-01-31 ",
    "2026-01-31T10:00:00.",
    "2026-01-31T10:00+8",
    "20260131",
    "0000-01-01",
    "0001-01-01T00:00+01:00",
    "9999-12-31T23:59:59.999",
    "999999999999999",
    "gestern",
    "二〇二六年",
    "٢٠٢٦",
    "",
]


def filled(store: Store) -> None:
    records = [
        made(str(at), source=SOURCES[at % len(SOURCES)], deep={"at": text}, rank=at % 3)
        for at, text in enumerate(TIMES)
    ]
    store.write(*records)
    store.writer.set_groups({Ref("", str(at)): "0" for at in (2, 4, 6)})
    store.writer.refresh()


def counted(store: Store, tally: Tally) -> Counter[tuple[str | None, ...]]:
    out: Counter[tuple[str | None, ...]] = Counter()
    for row in store.reader.tally(tally):
        out[row.keys] += row.documents
    return out


def values(source: Any) -> set[str | None]:
    several = source if isinstance(source, list) else [source]
    return {value if value != SOURCES[-1] else None for value in several}


def test_values_are_counted_each(store: Store) -> None:
    filled(store)
    expected = Counter(
        (value,) for at in range(len(TIMES)) for value in values(SOURCES[at % len(SOURCES)])
    )
    assert counted(store, Tally((ByValue("source"),))) == expected
    ranks = Counter((str(at % 3),) for at in range(len(TIMES)))
    assert counted(store, Tally((ByValue("rank"),))) == ranks
    assert counted(store, Tally((ByValue("absent"),))) == {(None,): len(TIMES)}
    assert counted(store, Tally((ByPlan(),))) == {(CHARACTERS.id,): len(TIMES)}
    assert counted(store, Tally(())) == {(): len(TIMES)}


@pytest.mark.parametrize("every", Every)
def test_times_are_read_alike(store: Store, every: Every) -> None:
    filled(store)
    instants = [instant_of(text) for text in TIMES]
    assert sum(instant is None for instant in instants) == 13
    expected = Counter(
        (None if instant is None else period_of(instant, every),) for instant in instants
    )
    assert counted(store, Tally((ByPeriod("deep.at", every),))) == expected
    rows = store.reader.tally(Tally((ByValue("rank"),), earliest="deep.at"))
    assert {row.keys: row.earliest for row in rows} == {
        (str(rank),): min(i for i in instants[rank::3] if i is not None) for rank in range(3)
    }


def test_groups_and_their_documents(store: Store) -> None:
    filled(store)
    own = {(str(at),): 1 for at in range(len(TIMES)) if at not in (0, 2, 4, 6)}
    assert counted(store, Tally((ByGroup(),))) == {("0",): 4, **own}
    some = InGroups(("0", "1", "absent", "2"))
    assert counted(store, Tally((ByGroup(),), some)) == {("0",): 4, ("1",): 1}
    assert counted(store, Tally((), InGroups(()))) == {}
    rows = store.reader.tally(Tally((ByGroup(), ByValue("rank")), some))
    assert {row.keys: row.documents for row in rows} == {
        ("0", "0"): 2,
        ("0", "1"): 1,
        ("0", "2"): 1,
        ("1", "1"): 1,
    }


def test_documents_by_reference(store: Store) -> None:
    filled(store)
    (ref,) = store.reader.refs_of(["3"])["3"]
    these = These((ref, Ref("", "5"), Ref("elsewhere", "7"), Ref("", "absent")))
    assert counted(store, Tally((ByGroup(),), these)) == {("3",): 1, ("5",): 1}
    assert counted(store, Tally((ByGroup(),), These(()))) == {}


def test_the_time_of_writing_is_there_without_a_field(store: Store) -> None:
    before = time.time_ns() // 1_000_000
    filled(store)
    (row,) = store.reader.tally(Tally((), earliest=""))
    assert row.documents == len(TIMES)
    assert row.earliest is not None
    assert before <= row.earliest <= time.time_ns() // 1_000_000
    year = f"{datetime.now(UTC).year}-01-01"
    assert counted(store, Tally((ByPeriod("", Every.YEAR),))) == {(year,): len(TIMES)}


def test_more_rows_than_a_page(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("query.stores.elastic.elastic_tally._PAGE", 3)
    filled(store)
    assert len(store.reader.tally(Tally((ByGroup(),)))) == len(TIMES) - 3


def test_a_text_cannot_be_counted_by(store: Store) -> None:
    filled(store)
    if store.opener.location.is_server:
        with pytest.raises(InputRefused, match="'text', which is mapped as text; name a field"):
            store.reader.tally(Tally((ByValue("text"),)))
    else:
        assert counted(store, Tally((ByValue("text"),))) == {("正文",): len(TIMES)}
