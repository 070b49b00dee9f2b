"""What an explanation calls things, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from indexer.meant.meant import Disguise
from query.answers import Direction, FactKind, Verdict
from query.explain.formula import Measure, Place


class Phrase(NamedTuple):
    """The same words in both languages."""

    zh: str
    en: str


VERDICTS: Final[Mapping[Verdict | None, Phrase]] = {
    Verdict.EXACT: Phrase("完全相同", "exact"),
    Verdict.NEAR: Phrase("近似重复", "near"),
    Verdict.PARTIAL: Phrase("部分重复", "partial"),
    None: Phrase("不重复", "no duplicate"),
}
DIRECTIONS: Final[Mapping[Direction | None, Phrase]] = {
    Direction.CONTAINS: Phrase("，前者包含后者", ", the first contains the second"),
    Direction.CONTAINED_IN: Phrase("，前者包含于后者", ", the first is contained in the second"),
    Direction.OVERLAPS: Phrase("，两者互有重叠", ", each has a part of the other"),
    None: Phrase("", ""),
}
"""What follows a verdict."""

FACTS: Final[Mapping[FactKind, Phrase]] = {
    FactKind.NUMBER: Phrase("数字", "number"),
    FactKind.DATE: Phrase("日期", "date"),
    FactKind.NAME: Phrase("名称", "name"),
}
DISGUISES: Final[Mapping[str, Phrase]] = {
    name: Phrase(chinese, name.value)
    for name, chinese in (
        (Disguise.LOOK_ALIKES, "形近字符"),
        (Disguise.BETWEEN, "字间插符号"),
        (Disguise.VERTICAL, "竖排"),
        (Disguise.SPACED, "字母拆开"),
        (Disguise.DIGITS, "数字代字母"),
        (Disguise.SIGNS, "符号代字母"),
        (Disguise.STRETCHED, "字母拉长"),
        (Disguise.PINYIN, "拼音"),
        (Disguise.STRAY, "夹杂字母"),
        (Disguise.APART, "拆字"),
        (Disguise.HOMOPHONES, "谐音字"),
        (Disguise.SWAPPED, "邻字对调"),
        (Disguise.MISSING, "缺字"),
        (Disguise.ADDED, "前后添文"),
        (Disguise.BACKWARDS, "倒写"),
        (Disguise.MARKUP, "夹杂网页代码"),
        (Disguise.REFERENCES, "字符编码"),
    )
}
MEASURES: Final[Mapping[Measure, Phrase]] = {
    Measure.IDENTICAL: Phrase(
        "相似度 = 1, 字母与数字全同", "similarity = 1, the letters and digits are the same"
    ),
    Measure.SIMILARITY: Phrase("相似度", "similarity"),
    Measure.CHARACTERS: Phrase("字", "characters"),
    Measure.SYLLABLES: Phrase("音", "sounds"),
    Measure.WORDS: Phrase("词", "words"),
    Measure.EDITS: Phrase("编辑后保留", "left by edits"),
    Measure.STAYED: Phrase("长文中保留", "left of the longer text"),
    Measure.SWAPS: Phrase("邻字对调后保留", "left by swaps and edits"),
    Measure.IN_ORDER: Phrase("按序保留的字", "letters in their order"),
    Measure.WITHIN: Phrase("短文整体包含于长文", "short grams of one in the other"),
    Measure.UNCHANGED: Phrase("字面保留", "left of the characters"),
    Measure.SHARE: Phrase("所占比例", "share"),
    Measure.LONG_GRAMS: Phrase("共有长片段", "shared long grams"),
    Measure.SHARE_IN_RUNS: Phrase("连续长片段所占比例", "share in long runs"),
    Measure.SYLLABLES_IN_RUNS: Phrase("连续长片段的音", "sounds in long runs"),
    Measure.WORDS_IN_RUNS: Phrase("连续片段的词", "words in runs"),
    Measure.RUNS: Phrase("连续片段数", "runs"),
    Measure.SYLLABLES_SHARED: Phrase("共有的音", "shared sounds"),
}
PLACES: Final[Mapping[Place, Phrase]] = {
    Place.FIRST: Phrase("前者", "first"),
    Place.SECOND: Phrase("后者", "second"),
}
WIDESPREAD: Final = Phrase(
    "查重时略去：许多无关文档都有两者的共同之处",
    "left out of lookups, as many unrelated documents have what these two have",
)
