"""A report with something in every part, and names that would break a careless page."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from dupdex.report.findings import (
    Chain,
    CopierSpeed,
    CopyFlow,
    CopyRate,
    DuplicateReport,
    Fault,
    IndexHealth,
    JobRun,
    ListLengths,
    Notice,
    Original,
    PairCount,
    Problem,
    ReportOptions,
    SchemeCount,
    SizeClass,
)
from indexer.model import Ref
from query.tally import Every

HOSTILE: Final = "</script><script>document.title='taken'</script>&amp;<b> \"' {{x}} =1+1 甲报"


def _rate(name: str | None, documents: int, copies: int) -> CopyRate:
    return CopyRate.of(name, documents, copies + 1, copies)


REPORT: Final = DuplicateReport(
    index="news",
    made="2026-02-01T00:00:00.000Z",
    options=ReportOptions("published", "site", "section", None, 20),
    every=Every.MONTH,
    total=CopyRate.of("", 1_234, 400, 300),
    groups=100,
    largest=12,
    over_time=tuple(
        _rate(each, 100 + 10 * at, 7 * at)
        for at, each in enumerate([None, "2025-11-01", "2025-12-01", "2026-01-01"])
    ),
    by_source=(_rate(HOSTILE, 500, 200), _rate("乙报", 400, 50), _rate(None, 300, 49)),
    by_kind=(_rate("体育", 700, 200), _rate("财经", 500, 99)),
    sizes=(SizeClass(2, 2, 60, 120), SizeClass(6, 10, 30, 240), SizeClass(101, None, 1, 140)),
    most_copied=(
        Original("g1", Ref("news", "d1"), HOSTILE, 11, HOSTILE, 3, 1_769_860_800_000),
        Original("g2", Ref("news", "=d2"), "", 4, None, 2, None),
    ),
    flows=(CopyFlow("乙报", HOSTILE, 90, 40), CopyFlow(None, "乙报", 5, 5)),
    fastest=(
        CopierSpeed("乙报", 40, 95.0, 0.0, 1),
        CopierSpeed("丙网", 4, 100_000.0, 86_400.0, 0),
        CopierSpeed("丁台", 0, None, None, 2),
    ),
    chains=(Chain((Ref("news", "a"), Ref("news", HOSTILE), Ref("news", "c")), 7, 2),),
    pairs=(
        PairCount("near", None, "differ", False, 200),
        PairCount("exact", "not-duplicate", None, True, 100),
        PairCount("partial", None, None, False, 9),
    ),
    schemes=(SchemeCount("passages", 300, 20),),
    boilerplate=(Notice(HOSTILE, 55), Notice("", 54)),
    lengths=ListLengths(5_000, 2, 100, 2, 3),
    health=IndexHealth(
        store="embedded",
        version="3.40.1",
        documents=1_234,
        size=9_999_999,
        plan="standard-2-abc",
        schemes=("exact", "passages"),
        group_policy="earliest",
        learned_from=1_000,
        notices=2,
        runs=(
            JobRun("sweep", "failed", "2026-01-31T00:00:00.000Z", None, HOSTILE),
            JobRun("sweep", "done", "2026-01-30T00:00:00.000Z", "2026-01-30T00:01:00.000Z", None),
        ),
        problems=tuple(Problem(fault, 1_000 + at) for at, fault in enumerate(Fault)),
    ),
)
EMPTY: Final = replace(
    REPORT,
    options=ReportOptions(),
    total=CopyRate.of("", 0, 0, 0),
    groups=0,
    largest=0,
    over_time=(),
    by_source=(),
    by_kind=(),
    sizes=(),
    most_copied=(),
    flows=(),
    fastest=(),
    chains=(),
    pairs=(),
    schemes=(),
    boilerplate=(),
    health=replace(REPORT.health, runs=(), problems=()),
)
