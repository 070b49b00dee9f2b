"""Names without a list: titles in their marks, persons by the shape of their names, organisations
by how their names end, foreign names by what they are spelt with.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from rapidfuzz.distance import Levenshtein

from indexer.text.corpus_statistics import load_statistics
from indexer.text.stop_words import load_stop_words
from mappings.plan import STANDARD
from query.facts.names import LONGEST, Side, Sides, after_title, in_han, is_person, wider

_ENDS: Final = (
    "有限公司|有限责任公司|股份有限公司|公司|集团|科技|股份|药业|能源|置业|物流|电器|食品|传媒|实业|地产|银行|证券|保险|基金|"
    "大学|学院|学校|中学|小学|医院|法院|检察院|出版社|出版集团|杂志社|报社|书店|书局|书屋|研究所|研究院|"
    "实验室|协会|学会|基金会|俱乐部|委员会|委|中心|博物馆|美术馆|图书馆|文化馆|展览馆|纪念馆|艺术馆|剧院|剧场|音乐厅|影院|"
    "酒店|宾馆|饭店|餐厅|商场|广场|公园|机场|车站|火车站|码头|港口|水库|电站|小区|社区|街道|大道|大街|大桥|立交桥|"
    "高速|高速公路|隧道|开发区|办事处|派出所|分局|支队|局|厅|部|队|馆|路|街|桥|村|镇|乡|县|区|市|省|寺|山|河|湖|江|岛|站"
)
_ENDING: Final = re.compile(_ENDS)
_ENDED: Final = re.compile(rf"(?:{_ENDS})$")
_KANA: Final = re.compile(r"[\u30a1-\u30fa\u30fc.]{2,}")
_DOTTED: Final = re.compile(r"[\u4e00-\u9fff]{1,8}(?:\.[\u4e00-\u9fff]{1,8}){1,3}")
_SPELT: Final = 2
"""Letters that may differ in one title of a script with spaces."""

_BRIEF: Final = 4
"""One character makes another title of one no longer than this; in a longer one it is a mistake."""

_AROUND: Final = 20
_FIRST, _LAST = "\u4e00", "\u9fff"
_ALIKE: Final = 0.75
"""From this part of equal characters on, two spellings are of one name."""

_OTHER: Final = 0.5
"""What has so much in common is a field that was edited, not filled in anew."""

_WIDEST_FIELD: Final = 40
_BEFORE_FIELD: Final = frozenset((":", "\n", "|", ""))
_AFTER_FIELD: Final = frozenset((":", "\n", "|", ".", ",", ";", ""))
_SENTENCES: Final = re.compile(r'[.!?;,:"\n]')


def other_titles(asked: Side | None, stored: Side | None) -> Sides | None:
    """Two titles in their marks, when they say different things in one script."""
    if asked is None or stored is None:
        return None
    left, right = (_letters(side.inside) for side in (asked, stored))
    if not left or not right or left[0].isascii() != right[0].isascii():
        return None
    changed = Levenshtein.distance(left, right)
    if left[0].isascii():
        return (asked, stored) if changed > _SPELT else None
    other = changed > 1 or len(left) == len(right) <= _BRIEF
    return (asked, stored) if other else None


def _fields(asked: Side, stored: Side) -> Sides | None:
    """What two forms have after the same colon, or in a line of its own."""
    sides = asked, stored
    if not all(2 <= len(side.inside) <= _WIDEST_FIELD and _is_field(side) for side in sides):
        return None
    if asked.inside[0].isascii() != stored.inside[0].isascii():
        return None
    if any(_SENTENCES.search(side.inside) or _is_usual(side.inside) for side in sides):
        return None
    return None if _one_spelling(asked.inside, stored.inside, _OTHER) else sides


def _is_field(side: Side) -> bool:
    before = side.text[: side.start].rstrip(" ")[-1:]
    after = side.text[side.stop : side.stop + 2].lstrip(" ")[:1]
    return before in _BEFORE_FIELD and after in _AFTER_FIELD


def foreign_names(asked: Side, stored: Side) -> Sides | None:
    """Two foreign names that a gap belongs to: 约翰·史密斯, or a word in katakana."""
    for pattern in (_DOTTED, _KANA):
        left, right = _run(pattern, asked), _run(pattern, stored)
        if left and right and not _one_spelling(left.inside, right.inside):
            return left, right
    return None


def plain_names(asked: Side, stored: Side) -> Sides | None:
    """Two persons, organisations or fields, by their shape alone, that a gap belongs to."""
    if found := _fields(asked, stored):
        return found
    if not in_han(asked, stored):
        return None
    return _persons_inside(asked, stored) or _persons(asked, stored) or _ended(asked, stored)


def _persons_inside(asked: Side, stored: Side) -> Sides | None:
    """Two persons at the end of a gap that begins with what they are: 处长邓平洋, 书记高晓."""
    sides = _person_at_end(asked), _person_at_end(stored)
    left, right = sides
    if left is None or right is None or left.inside == right.inside:
        return None
    return left, right


def _person_at_end(side: Side) -> Side | None:
    for more in (1, 0):
        stop = side.stop + more
        for size in (3, 4, 2):
            person = Side(side.text, stop - size, stop)
            if person.start > side.start and is_person(person.inside, True) and after_title(person):
                return person
    return None


def _persons(asked: Side, stored: Side) -> Sides | None:
    """A surname and a given name on both sides, which are no words of every day.

    Where the surname is the same, the name has to stand by itself: after a mark or before one.
    """
    for sides in wider(asked, stored):
        left, right = (side.inside for side in sides)
        if sides[0].start < asked.start - 1 or sides[0].stop > asked.stop + 2:
            continue
        whole = sides == (asked, stored)
        if not (is_person(left, whole) and is_person(right, whole)):
            continue
        if everyday(left) and everyday(right):
            continue
        if left[0] != right[0]:
            if len(asked.inside) > 1 or len(stored.inside) > 1 or _apart(*sides):
                return sides
        elif _apart(*sides) and not everyday(left) and not everyday(right):
            return sides
    return None


def _ended(asked: Side, stored: Side) -> Sides | None:
    """Two names that end alike, or each like an organisation or a place."""
    gaps = asked.inside, stored.inside
    if min(map(len, gaps)) < 2 or max(map(len, gaps)) > LONGEST:
        return None
    if any(map(_is_usual, gaps)):
        return None
    if all(map(_ENDED.search, gaps)):
        return asked, stored
    ending = _ENDING.match(asked.text, asked.stop)
    if ending and stored.text.startswith(ending[0], stored.stop):
        return asked.widened(0, len(ending[0])), stored.widened(0, len(ending[0]))
    return None


def _apart(asked: Side, stored: Side) -> bool:
    """Whether on either side of both there is no letter."""
    sides = asked, stored
    return all(side.begins_clause for side in sides) or all(side.ends_clause for side in sides)


def _run(pattern: re.Pattern[str], side: Side) -> Side | None:
    """The run of such letters that a stretch stands in, whole."""
    low = max(0, side.start - _AROUND)
    for match in pattern.finditer(side.text, low, side.stop + _AROUND):
        if match.start() <= side.start and side.stop <= match.end():
            return Side(side.text, *match.span())
    return None


def _one_spelling(left: str, right: str, least: float = _ALIKE) -> bool:
    return Levenshtein.normalized_similarity(left, right) >= least


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def everyday(word: str) -> bool:
    """Whether a word is in the dictionary, so that it may stand in for another of its meaning."""
    return _df(word) > 0


def is_garbled(text: str) -> bool:
    """Whether a decoder gave up on a part of a text, or made characters of it that no word has."""
    return any(
        character == "\ufffd" or (_FIRST <= character <= _LAST and not _df(character))
        for character in text
    )


def _is_usual(words: str) -> bool:
    """Whether a stretch begins with a small word, as no name does."""
    first = next((words[:size] for size in (4, 3, 2) if everyday(words[:size])), words[:1])
    return first in load_stop_words("1")


def _df(word: str) -> int:
    return _words().get(word, 0)


@cache
def _words() -> Mapping[str, int]:
    """The shipped dictionary: in how many documents a word is."""
    return load_statistics(STANDARD).frequencies
