"""An explanation as one standalone HTML page: both texts side by side, linked highlights."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from query.answers import Direction, FactKind, Verdict
from query.explain.explanation import Explanation, Subject
from query.explain.formula import COMMON
from query.explain.shared_passages import Passage, Same, pieces

_COLOURS: Final = 8
_UNSOUND: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Control characters, halves of pairs and non-characters."""

_VERDICTS: Final[Mapping[Verdict | None, tuple[str, str]]] = {
    Verdict.EXACT: ("完全相同", "exact"),
    Verdict.NEAR: ("近似重复", "near"),
    Verdict.PARTIAL: ("部分重复", "partial"),
    None: ("不重复", "no duplicate"),
}
_DIRECTIONS: Final[Mapping[Direction | None, tuple[str, str]]] = {
    Direction.CONTAINS: ("，前者包含后者", ", the first contains the second"),
    Direction.CONTAINED_IN: ("，前者包含于后者", ", the first is contained in the second"),
    Direction.OVERLAPS: ("，两者互有重叠", ", each has a part of the other"),
    None: ("", ""),
}
_FACTS: Final[Mapping[FactKind, str]] = {
    FactKind.NUMBER: "数字",
    FactKind.DATE: "日期",
    FactKind.NAME: "名称",
}
_CHINESE: Final = (
    (COMMON, "查重时略去：许多无关文档都有两者的共同之处"),
    ("similarity", "相似度"),
    ("the letters and digits are the same", "字母与数字全同"),
    ("left of the characters", "字面保留"),
    ("share in long runs", "连续长片段所占比例"),
    ("sounds in long runs", "连续长片段的音"),
    ("left by edits", "编辑后保留"),
    ("characters", "字"),
    ("sounds", "音"),
    ("words", "词"),
    ("shared long grams", "共有长片段"),
    ("share", "所占比例"),
    ("first", "前者"),
    ("second", "后者"),
    ("no duplicate", "不重复"),
    ("exact", "完全相同"),
    ("near", "近似重复"),
    ("partial", "部分重复"),
)
"""The words of a formula, those that are part of others after them."""


def explanation_page(explanation: Explanation) -> str:
    """A page that needs nothing else: no other file, no network. The texts are escaped."""
    found = explanation.judgement
    chinese, english = _VERDICTS[found.verdict]
    is_partial = found.verdict is Verdict.PARTIAL
    number = f"{max(found.share, found.stored_share) if is_partial else found.similarity:.2f}"
    way = _DIRECTIONS[found.direction]
    names = [_name(each, at) for at, each in enumerate((explanation.first, explanation.second))]
    values = {
        "title": _clean(f"dupdex: {english} {number}, {names[0][1]} / {names[1][1]}"),
        "verdict": _both(f"{chinese} {number}{way[0]}", f"{english} {number}{way[1]}"),
        "verdict_class": "yes" if found.verdict else "no",
        "formula": "".join(
            f"<p>{_both(_in_chinese(rule), rule)}</p>" for rule in explanation.formula.split("; ")
        ),
        "facts": _facts(explanation),
        "first": _side(explanation, 0, names[0]),
        "second": _side(explanation, 1, names[1]),
        "details": "".join(
            part(explanation) for part in (_legend, _boilerplate, _passages, _schemes, _keys)
        ),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], _template())


@cache
def _template() -> str:
    return (files("dupdex.wire") / "templates" / "explain.html").read_text("utf-8")


def _name(subject: Subject, at: int) -> tuple[str, str]:
    """What a text is called, in Chinese and in English."""
    if subject.id is not None:
        return f"文档 {subject.id}", f"document {subject.id}"
    return ("前者", "first text") if at == 0 else ("后者", "second text")


def _side(explanation: Explanation, at: int, name: tuple[str, str]) -> str:
    subject = (explanation.first, explanation.second)[at]
    passages = explanation.passages
    share = (passages.coverage, passages.right_coverage)[at]
    length = explanation.lengths[at]
    side, other = "ab" if at == 0 else "ba"
    spans = [(each.left, each.right)[at] for each in passages.passages]
    out = []
    for text, number in pieces(subject.text, spans):
        if number is None:
            out.append(_clean(text))
        else:
            out.append(_link(text, number, passages.passages[number - 1], side, other))
    covered = _both(
        f"{length:,} 个字，{share:.0%} 在另一侧",
        f"{length:,} letters, {share:.0%} on the other side",
    )
    language = "" if explanation.spaced else ' lang="zh"'
    return (
        f'<div class="side"><div><h2 id="name-{side}">{_both(*name)}</h2>'
        f'<p>{covered} <meter min="0" max="1" value="{share:.4f}" '
        f'aria-labelledby="name-{side}"></meter></p></div>'
        f'<div class="text" id="text-{side}" role="region" tabindex="0" dir="auto"{language} '
        f'aria-labelledby="name-{side}">{"".join(out)}</div></div>'
    )


def _link(text: str, number: int, passage: Passage, side: str, other: str) -> str:
    sounds = " sounds" if passage.same is Same.SOUNDS else ""
    return (
        f'<a class="p h{number % _COLOURS}{sounds}" id="{side}{number}" href="#{other}{number}" '
        f'data-n="{number}" aria-describedby="about-{number}">{_clean(text)}</a>'
    )


def _facts(explanation: Explanation) -> str:
    """What an update changes, where it is seen first."""
    differ, total = explanation.facts_differ or (), explanation.facts_total or 0
    if not total:
        return ""
    rows = "".join(
        f'<li><span class="kind">{_both(_FACTS[fact.kind], fact.kind.value)}</span> '
        f"<del>{_clean(fact.asked)}</del> <ins>{_clean(fact.stored)}</ins></li>"
        for fact in differ
    )
    title = _both(f"事实有出入（{total:,}）", f"Facts that differ ({total:,})")
    note = ""
    if total > len(differ):
        note = _note(f"列出其中前 {len(differ):,} 处。", f"The first {len(differ):,} are listed.")
    return f'<div class="differ"><h2>{title}</h2><ul>{rows}</ul>{note}</div>'


def _legend(explanation: Explanation) -> str:
    if not explanation.passages.passages:
        return ""
    chinese = "同色同号为同一段；点击、回车或悬停可找到另一侧。"
    english = (
        "The same colour and number is the same passage; click, press Enter or point at one to "
        "find its counterpart."
    )
    if any(each.swapped for each in explanation.passages.passages):
        chinese += "虚线下划：读音相同，字不同。"
        english += " Dotted underline: same sounds, other characters."
    return _note(chinese, english)


def _boilerplate(explanation: Explanation) -> str:
    first, second = explanation.boilerplate
    if not first and not second:
        return ""
    return _note(
        f"套话不计：前者 {first:,} 字，后者 {second:,} 字。",
        f"boilerplate: {first:,} letters of the first, {second:,} of the second not counted",
    )


def _passages(explanation: Explanation) -> str:
    passages = explanation.passages
    unit = ("词", "words") if explanation.spaced else ("音节", "syllables")
    rows = [
        (
            f'<a href="#a{number}" data-n="{number}">{number}</a>',
            f"{each.units:,}",
            f"{each.left.start:,}–{each.left.stop:,}",
            f"{each.right.start:,}–{each.right.stop:,}",
            f'<span id="about-{number}">{_sameness(each)}</span>',
        )
        for number, each in enumerate(passages.passages, 1)
    ]
    heads = (
        ("号", "number"),
        unit,
        ("前者", "first"),
        ("后者", "second"),
        ("相同之处", "the same in"),
    )
    note = ""
    if passages.found > len(rows):
        note = _note(
            f"共 {passages.found:,} 段，列出最长的 {len(rows):,} 段。",
            f"{passages.found:,} in all, the longest {len(rows):,} are listed.",
        )
    if not passages.complete:
        note += _note(
            "文本过长或自我重复过多，另有未列出的段落。",
            "There are more: the texts are too long, or repeat themselves.",
        )
    title = (f"相同的段落（{passages.found:,}）", f"Shared passages ({passages.found:,})")
    return _section(title, _table(heads, rows, "rrrr") + note, True)


def _sameness(passage: Passage) -> str:
    if passage.same is Same.CHARACTERS:
        return _both("字", "characters")
    return _both(
        f"音，{passage.swapped:,} 字不同", f"sounds, {passage.swapped:,} characters differ"
    )


def _schemes(explanation: Explanation) -> str:
    rows = [
        (
            f"<code>{_clean(each.name)}</code>",
            f"{each.similarity:.2f}",
            f"{each.threshold:.2f}",
            _both("是", "yes") if each.verdict else _both("否", "no"),
        )
        for each in explanation.scores
    ]
    heads = (
        ("算法", "scheme"),
        ("相似度", "similarity"),
        ("阈值", "threshold"),
        ("重复", "duplicate"),
    )
    return _section(("各算法的分数", "What each scheme says"), _table(heads, rows, " rr"), True)


def _keys(explanation: Explanation) -> str:
    rows = []
    for field in explanation.keys:
        for hit in field.hits:
            count = "–" if hit.documents is None else f"{hit.documents:,}"
            rows.append(
                (f"<code>{field.field.value}</code>", f"<code>{_clean(hit.term)}</code>", count)
            )
    shared = sum(field.shared for field in explanation.keys)
    heads = (("字段", "field"), ("键", "key"), ("含此键的文档", "documents with it"))
    note = ""
    if explanation.documents is None:
        note = _note(
            "没有用到索引，所以没有文档频率。", "No index was asked, so frequencies are unknown."
        )
    else:
        total = explanation.documents
        note = _note(f"索引中共 {total:,} 篇。", f"The index holds {total:,} documents.")
    title = (f"命中的键（{shared:,}）", f"Keys that hit ({shared:,})")
    return _section(title, note + _table(heads, rows, "  r"), False)


def _section(title: tuple[str, str], body: str, is_open: bool) -> str:
    opened = " open" if is_open else ""
    return f"<details{opened}><summary>{_both(*title)}</summary>{body}</details>"


def _table(heads: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]], aligned: str) -> str:
    """`aligned` has an r for each column of numbers. The cells are HTML."""
    classes = [' class="r"' if mark == "r" else "" for mark in aligned.ljust(len(heads))]
    head = "".join(
        f'<th scope="col"{kind}>{_both(*each)}</th>'
        for each, kind in zip(heads, classes, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(row, classes, strict=True))
        + "</tr>"
        for row in rows
    )
    if not body:
        return _note("无", "none")
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll">{table}</div>'


def _note(chinese: str, english: str) -> str:
    return f'<p class="note">{_both(chinese, english)}</p>'


def _both(chinese: str, english: str) -> str:
    return (
        f'<span class="zh" lang="zh-Hans">{_clean(chinese)}</span>'
        f'<span class="en" lang="en">{_clean(english)}</span>'
    )


def _in_chinese(text: str) -> str:
    for english, chinese in _CHINESE:
        text = text.replace(english, chinese)
    return text


def _clean(text: str) -> str:
    """Text that means nothing to a browser: escaped, and without characters HTML cannot hold."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return escape(_UNSOUND.sub("\ufffd", text))
