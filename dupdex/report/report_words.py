"""What reports call things, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dupdex.report.findings import Fault
from dupdex.wire.vocabulary import VERDICTS, Phrase
from query.answers import Verdict
from query.tally import Every

NOBODY: Final = Phrase("（无）", "(none)")
"""Documents without a source, a kind or a time."""

PERIODS: Final[Mapping[Every, Phrase]] = {
    Every.DAY: Phrase("日", "day"),
    Every.WEEK: Phrase("周（起始日）", "week of"),
    Every.MONTH: Phrase("月", "month"),
    Every.YEAR: Phrase("年", "year"),
}
DECISIONS: Final[Mapping[str | None, Phrase]] = {
    "duplicate": Phrase("判定为重复", "duplicate"),
    "not-duplicate": Phrase("判定为不重复", "not duplicate"),
    None: Phrase("未判定", "undecided"),
}
DIFFERENCES: Final[Mapping[str | None, Phrase]] = {
    "differ": Phrase("有出入", "differ"),
    "same": Phrase("一致", "same"),
    None: Phrase("未比较", "not compared"),
}
STATES: Final[Mapping[str, Phrase]] = {
    "running": Phrase("进行中", "running"),
    "done": Phrase("完成", "done"),
    "failed": Phrase("失败", "failed"),
}
YES: Final = Phrase("是", "yes")
NO: Final = Phrase("否", "no")
POLICIES: Final[Mapping[str | None, Phrase]] = {
    "first": Phrase("先入库者", "first seen"),
    "earliest": Phrase("时间最早者", "earliest"),
    "longest": Phrase("最长者", "longest"),
    "authority": Phrase("按来源权威", "by authority"),
    None: Phrase("不分组", "no groups kept"),
}
"""Which member of a group is its original."""

FAULTS: Final[Mapping[Fault, Phrase]] = {
    Fault.UNGROUPED: Phrase(
        "{} 篇文档从未分组，重复率无从得知；请运行 dupdex sweep",
        "{} documents were never put into groups, so no rate is known; run 'dupdex sweep'",
    ),
    Fault.OTHER_PLAN: Phrase(
        "{} 篇文档的指纹属于另一方案，可能查不到；请运行 dupdex rebuild",
        "{} documents have keys of another plan and may not be found; run 'dupdex rebuild'",
    ),
    Fault.NO_PLAN: Phrase(
        "{} 篇文档没有指纹，查重时不可见：或没有正文，或须用 dupdex index 或 dupdex attach 补上",
        "{} documents have no keys and cannot be found: they have no text, or 'dupdex index' or "
        "'dupdex attach' has to give them some",
    ),
    Fault.SIZES: Phrase(
        "{} 个组的记录与成员数不符；请运行 dupdex sweep",
        "{} groups have another size than their records say; run 'dupdex sweep'",
    ),
    Fault.NO_ORIGINAL: Phrase(
        "{} 个组的原文已不在索引中；请运行 dupdex sweep",
        "{} groups have lost their original; run 'dupdex sweep'",
    ),
    Fault.OLD_PAIRS: Phrase(
        "{} 对重复是按另一方案核实的；请运行 dupdex sweep",
        "{} pairs were verified under another plan; run 'dupdex sweep'",
    ),
    Fault.NOT_LEARNED: Phrase(
        "索引有 {} 篇文档，却未学习套话；请运行 dupdex learn",
        "boilerplate was not learned from {} documents; run 'dupdex learn'",
    ),
    Fault.FAILED_RUN: Phrase(
        "{} 项任务最近一次运行失败；请看 dupdex jobs",
        "{} jobs failed the last time they ran; see 'dupdex jobs'",
    ),
    Fault.MANY_PAIRS: Phrase(
        "重复对有 {} 个，过多，未寻找传播链",
        "{} pairs are too many to look for chains",
    ),
}


def fault_words(fault: Fault, count: int) -> Phrase:
    """What is wrong, and what to do."""
    return Phrase(*(text.format(f"{count:,}") for text in FAULTS[fault]))


def verdict_words(verdict: str) -> Phrase:
    """The name of a stored verdict."""
    return VERDICTS[Verdict(verdict)]
