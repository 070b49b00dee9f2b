"""Names without a list: titles in their marks, persons by the shape of their names, organisations
by how their names end, foreign names by what they are spelt with.
"""

from __future__ import annotations

import re
from typing import Final

from rapidfuzz.distance import Levenshtein

from query.facts.everyday import everyday, is_garbled, is_usual
from query.facts.persons import (
    persons_by_shape,
    transliterated,
)
from query.facts.sides import Side, Sides, in_han, shapes, wider

_ENDS: Final = (
    "有限公司|有限责任公司|股份有限公司|公司|集团|科技|股份|药业|能源|置业|物流|电器|食品|传媒|实业|地产|银行|证券|保险|基金|"
    "大学|学院|学校|中学|小学|附中|附小|幼儿园|学堂|乐团|剧团|舞团|合唱团|艺术团|球队|联队|战队|日报|晚报|周报|时报|晨报|早报|商报|卫视|电视台|医院|法院|检察院|出版社|出版集团|杂志社|报社|书店|书局|书屋|研究所|研究院|"
    "实验室|协会|学会|基金会|俱乐部|委员会|委|中心|博物馆|美术馆|图书馆|文化馆|展览馆|纪念馆|艺术馆|剧院|剧场|音乐厅|影院|"
    "酒店|宾馆|饭店|餐厅|商场|广场|公园|机场|车站|火车站|码头|港口|水库|电站|小区|社区|街道|大道|大街|大桥|立交桥|"
    "师事务所|事务所|评估所|设计院|期货|信托|红十字会|联合会|总会|商会|联盟|党|工会|研究会|理事会|董事会|法庭|监狱|海关|税务局|"
    "高速|高速公路|隧道|开发区|办事处|派出所|分局|支队|局|厅|部|队|馆|路|街|桥|村|镇|乡|县|区|市|省|寺|海峡|海湾|山|河|湖|江|岛|站|院|厂|社|所"
)
_ENDED: Final = re.compile(rf"(?:{_ENDS})$")
_TRADES: Final = (
    "技术|电子|软件|信息|网络|通信|生物|医药|制药|化工|化学|材料|矿业|钢铁|重工|机械|装备|机电|电气|电力|汽车|零部件|航空|航运|建设|建筑|农业|"
    "牧业|渔业|林业|纺织|服饰|家居|乳业|酒业|饮料|零售|百货|商贸|贸易|投资|资本|控股|租赁|环保|水务|燃气|文化|传播|影视|教育|旅游|餐饮|供应链"
)
_ENDING: Final = re.compile(f"{_ENDS}|{_TRADES}")
_TRADE: Final = re.compile(rf"(?:{_TRADES})$")
"""Words that the names of firms end with, after one that is not of every day."""

_LOST: Final = re.compile("[\ufffd\ue000-\uf8ff]")
"""What decoders make of bytes that are no characters."""

_SPELT: Final = 2
"""Letters that may differ in one title of a script with spaces."""

_BRIEF: Final = 4
"""One character makes another title of one no longer than this; in a longer one it is a mistake."""

_LEAST_LETTERS, _MOST_LETTERS = 1.4, 8
"""Latin letters for a Chinese character that one title has in two scripts: Hamlet and 哈姆雷特."""

_OTHER: Final = 0.5
"""What has so much in common is a field that was edited, not filled in anew."""

_LONGEST: Final = 24
"""Characters of the longest organisation."""

_SHORTEST: Final = 3
"""The same of the shortest."""

_AFTER: Final = 8
_ORGANISATION_SHAPES: Final = shapes(2, _AFTER)
"""Characters before and after the gap that may belong to both names."""

_NEVER: Final = re.compile("[的是了着就让]|[位处落关由对]于|地处")
_WIDEST_FIELD: Final = 40
_BEFORE_FIELD: Final = frozenset((":", "\n", "|", ""))
_AFTER_FIELD: Final = frozenset((":", "\n", "|", ".", "。", ",", ";", ""))
_SENTENCES: Final = re.compile(r'[.。!?;,:"\n]')


def other_titles(asked: Side | None, stored: Side | None) -> Sides | None:
    """Two titles in their marks, when they say different things, not one in two scripts."""
    if asked is None or stored is None:
        return None
    left, right = (_letters(side.inside) for side in (asked, stored))
    if not left or not right or _in_two_scripts(left, right):
        return None
    if _LOST.search(asked.inside + stored.inside):
        return None
    changed = Levenshtein.distance(left, right)
    if left.isascii() and right.isascii():
        return (asked, stored) if changed > _SPELT else None
    other = changed > 1 or len(left) == len(right) <= _BRIEF
    return (asked, stored) if other else None


def _in_two_scripts(left: str, right: str) -> bool:
    """Whether all letters of one are those of a script that the other has none of, in so many as
    one title has in both.
    """
    scripts = [{sign.isascii() for sign in side if sign.isalpha()} for side in (left, right)]
    if not all(scripts) or not scripts[0].isdisjoint(scripts[1]):
        return False
    latin, other = (left, right) if left.isascii() else (right, left)
    return _LEAST_LETTERS * len(other) <= len(latin) <= _MOST_LETTERS * len(other)


def _fields(asked: Side, stored: Side) -> Sides | None:
    """What two forms have after the same colon, or in a line of its own."""
    sides = asked, stored
    if not all(2 <= len(side.inside) <= _WIDEST_FIELD and _is_field(side) for side in sides):
        return None
    if asked.inside[0].isascii() != stored.inside[0].isascii():
        return None
    if any(_SENTENCES.search(side.inside) or is_usual(side.inside) for side in sides):
        return None
    alike = Levenshtein.normalized_similarity(asked.inside, stored.inside)
    return None if alike >= _OTHER else sides


def _is_field(side: Side) -> bool:
    before = side.text[: side.start].rstrip(" ")[-1:]
    after = side.text[side.stop : side.stop + 2].lstrip(" ")[:1]
    return before in _BEFORE_FIELD and after in _AFTER_FIELD


def plain_names(asked: Side, stored: Side) -> Sides | None:
    """Two persons, organisations or fields, by their shape alone, that a gap belongs to."""
    if found := _fields(asked, stored):
        return found
    if in_han(asked, stored) and (found := persons_by_shape(asked, stored)):
        return found
    return organisations(asked, stored) or transliterated(asked, stored)


def organisations(asked: Side, stored: Side) -> Sides | None:
    """Two names that each end like an organisation or a place, the shortest such.

    One character that is another makes no other name, unless the name stands by itself.
    """
    gaps = asked.inside, stored.inside
    if not in_han(asked, stored, _LONGEST) or any(map(is_usual, gaps)):
        return None
    if not all(map(_may_end, (asked, stored))):
        return None
    single = Levenshtein.distance(*gaps) == 1  # a gap may have a common character in it
    if single and any(map(is_garbled, gaps)):
        return None
    for sides in wider(asked, stored, _ORGANISATION_SHAPES):
        left, right = (side.inside for side in sides)
        if _are_organisations(left, right, not all(map(everyday, gaps))):
            return None if single and not _alone(sides) else sides
    return None


def _may_end(side: Side) -> bool:
    return _ENDING.search(side.text, side.start, side.stop + _AFTER) is not None


def _are_organisations(left: str, right: str, any_trade: bool) -> bool:
    names = left, right
    if any(len(name) < _SHORTEST or is_usual(name) or _NEVER.search(name) for name in names):
        return False
    if all(map(_ENDED.search, names)):
        return True
    ends = [_ENDED.search(name) or _TRADE.search(name) for name in names]
    if not any_trade or not all(ends):
        return False
    firms = [name[: end.start()] for name, end in zip(names, ends, strict=True) if end]
    return not all(map(everyday, firms))


def ends_like_name(words: str) -> bool:
    """Whether a stretch ends like an organisation or a place."""
    return _ENDED.search(words) is not None


def _alone(sides: Sides) -> bool:
    return all(side.begins_clause and side.ends_clause for side in sides)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
