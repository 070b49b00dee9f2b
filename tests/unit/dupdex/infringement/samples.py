"""A report on infringements with something in every part, and pages with hostile titles."""

from __future__ import annotations

from typing import Final

from dupdex.infringement.infringement_findings import (
    ChapterCopied,
    CopiesIn,
    InfringementReport,
    PageCopy,
    PassageCopied,
    ReportScope,
    SiteCopies,
    WorkCopied,
)
from dupdex.works.work_model import State
from query.answers import Verdict

HOSTILE: Final = "</script><script>document.title='taken'</script>&amp;<b> \"' {{x}} =1+1 盗版"
FIRST: Final = "2026-01-02T03:04:05.000Z"
LAST: Final = "2026-03-31T00:00:00.000Z"


def copy(number: int, url: str, state: State = State.STANDING, site: str = "a.example") -> PageCopy:
    """The copy of a chapter; every third is in parts."""
    passages = (
        PassageCopied((0, 1_200), (30, 1_230), 1_100, HOSTILE),
        PassageCopied((1_500, 1_900), (1_300, 1_700), 350, "以后上班再也不用担心堵车"),
    )
    return PageCopy(
        work="夜渡",
        chapter=f"c{number}",
        number=number,
        chapter_title=f"第{number}章 {HOSTILE}",
        chapter_url="https://holder.example/c",
        site=site,
        url=url,
        title=HOSTILE,
        document=url or "no-address",
        index="pages",
        verdict=Verdict.PARTIAL if number % 3 == 0 else Verdict.NEAR,
        similarity=0.75,
        share=0.8123456,
        page_share=0.5,
        state=state,
        appeared=FIRST,
        first_seen=FIRST,
        last_seen=LAST,
        gone=LAST if state is State.GONE else None,
        published=None if number == 2 else FIRST,
        fetched=LAST,
        passages=passages,
        passages_total=2 if number < 3 else 25,
    )


COPIES: Final = (
    copy(1, "https://a.example/1"),
    copy(2, "javascript:document.title='taken'"),
    copy(3, "https://b.example/3?a=1&b=<x>", State.GONE, "b.example"),
    copy(3, "", site=""),
)
REPORT: Final = InfringementReport(
    index="pages",
    made=LAST,
    swept=LAST,
    scope=ReportScope(),
    works=(WorkCopied("夜渡", "holder", 24, 3, 0.125, 4, 3, FIRST, "a.example", HOSTILE),),
    chapters=(
        ChapterCopied("夜渡", "c1", 1, HOSTILE, "", 0.81, 1, 1, FIRST, "a.example", HOSTILE),
    ),
    sites=(
        SiteCopies("夜渡", "a.example", 2, 2, 2, 0.1, FIRST, LAST),
        SiteCopies("夜渡", HOSTILE, 1, 1, 0, 0.05, FIRST, LAST),
        SiteCopies("夜渡", "", 1, 1, 1, 0.05, FIRST, LAST),
    ),
    over_time=(CopiesIn("2026-01", "a.example", 3), CopiesIn("2026-02", "", 1)),
    copies=COPIES,
)
EMPTY: Final = InfringementReport("pages", LAST, None, ReportScope())
