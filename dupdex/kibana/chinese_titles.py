"""Titles, labels and descriptions of the objects for Kibana in Chinese; names of fields stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import orjson

from dupdex.kibana.saved_objects import SavedObject, stringified

TITLES: Final[Mapping[str, str]] = {
    "Canonical document": "代表文档",
    "Copied by": "转载方",
    "Copies": "副本数",
    "Copies within the period": "期间内的副本占比",
    "Copying between sources": "来源之间的转载",
    "Decision": "人工判定",
    "Different texts": "不同文本数",
    "Documents": "文档数",
    "Documents by source": "各来源的文档数",
    "Documents over time": "文档数随时间的变化",
    "Duplicates": "重复情况",
    "Facts": "事实",
    "First": "最早",
    "Found": "发现时间",
    "Group": "组",
    "Groups of two or more": "两个及以上文档的组",
    "How soon sources copy": "各来源转载有多快",
    "Its own copies": "自身重复占比",
    "Job": "任务",
    "Largest groups": "最大的组",
    "Last": "最晚",
    "Last change": "最近变动",
    "Last start": "最近开始",
    "Most copied originals": "被转载最多的原文",
    "Near pairs to decide": "待判定的近似对",
    "Near pairs whose facts differ": "事实不同的近似对",
    "Original": "原文",
    "Original in": "原文来源",
    "Originals": "原文数",
    "Pairs": "文档对",
    "Pairs by similarity": "文档对的相似度分布",
    "Pairs by the time they were found": "文档对的发现时间",
    "Pairs by what people decided": "文档对的人工判定",
    "Runs": "运行次数",
    "Runs of jobs": "任务的运行",
    "Seconds later (least)": "最短间隔（秒）",
    "Seconds later (median)": "间隔中位数（秒）",
    "Share of copies": "副本占比",
    "Share of copies within each period": "各期间内的副本占比",
    "Similarity": "相似度",
    "Source": "来源",
    "Sources": "来源数",
    "Sources that post a text again": "重复发布的来源",
    "Sources with copies": "有副本的来源数",
    "State": "状态",
    "Texts in most sources": "出现来源最多的文本",
    "Time": "时间",
    "Verdict": "判定",
    "Who copies whom": "谁转载谁",
    "Who had a text first": "谁最先发布",
    "How much of the index is copied, the largest groups, the verified pairs and what people "
    "decided about them. Counts of different values are estimates above some thousands.": (
        "索引中有多少副本、最大的组、已验证的文档对以及人工判定。不同取值的计数超过数千时为估计值。"
    ),
    "Which sources have the same texts and who had them first. A text is a group of near "
    "duplicates. Counts of different values are estimates above some thousands.": (
        "哪些来源有相同的文本，谁最先发布。一个文本即一组近似重复的文档。不同取值的计数超过数千时为估计值。"
    ),
}

_VIEWS: Final = {
    "documents": "文档",
    "matches": "匹配",
    "groups": "重复组",
    "jobs": "任务",
    "copies": "副本",
}
_SESSIONS: Final = {"Documents": "文档", "Pairs": "文档对"}
_SAID: Final = ("title", "label", "description")


def in_chinese(objects: Sequence[SavedObject], index: str) -> list[SavedObject]:
    """The same objects under Chinese words; their ids are the same, so that either replaces the
    other."""
    return [replace(each, attributes=_attributes(each, index)) for each in objects]


def _attributes(each: SavedObject, index: str) -> dict[str, Any]:
    attributes = dict(each.attributes)
    if each.type == "index-pattern":  # its title is the pattern
        name = str(attributes["name"]).removeprefix(f"{index}: ")
        return {**attributes, "name": f"{index}：{_VIEWS[name]}"}
    end = f" ({index})"
    title = str(attributes["title"]).removesuffix(end)
    attributes["title"] = f"{(_SESSIONS if each.type == 'search' else TITLES)[title]}{end}"
    attributes["description"] = TITLES.get(attributes["description"], attributes["description"])
    if "panelsJSON" in attributes:
        attributes["panelsJSON"] = stringified(_said(orjson.loads(attributes["panelsJSON"])))
    return attributes


def _said(value: Any) -> Any:
    """A JSON value with its words translated, at any depth."""
    if isinstance(value, list):
        return [_said(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: TITLES.get(each, each) if name in _SAID and isinstance(each, str) else _said(each)
        for name, each in value.items()
    }
