"""Slots: what stands for something else in one place, or in a few, of texts in which nothing else
differs but facts.

There two stretches are names on less evidence than elsewhere: by the shape of a person, by the
characters of foreign names, as places or firms of a list, by how they end, or as no words at all.
"""

from __future__ import annotations

import re
from typing import Final

from query.facts.classes import is_proper
from query.facts.everyday import everyday, in_words, is_garbled, is_rare, is_usual
from query.facts.names import is_place, without_places
from query.facts.persons import is_japanese, is_person, is_surname, is_usual_given, may_be_foreign
from query.facts.sides import Side, Sides
from query.facts.things import ends_like_name

_LONGEST: Final = 12
"""Characters of the longest slot."""

_SHORTEST, _WORDS = 2, 3
"""The same of the shortest, and of the shortest that is words, or nothing, that tell no name."""

_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
_MARKS: Final = re.compile("[-.·]")
_SMALL_WORD: Final = re.compile("[的是在了着过这那有把被让又还也都很更最不没着得地]")
_ENDED: Final = re.compile("(?:报|周末|巷|庄|屯|岭|峡|湾|阁|塔|宫|庙|陵|坛|祠)$")
"""More ends of names, which words have as often."""

_NAMES_BEHIND: Final = re.compile(
    "(?:昵称|网名|笔名|艺名|绰号|代号|取名|名叫|名为|叫做|命名为|改名|更名为|定名为)$"
)
_KINDS: Final = re.compile("(?:台风|飓风|热带风暴|电影|影片|专辑|单曲|歌曲|电视剧|纪录片|品牌)$")
"""What has a name behind it, or a verb of every day: 台风登陆."""

_NEAR: Final = 4
"""Characters of the longest of these."""

_COMMON: Final = 3
"""Two names of so many characters may have one in common: 海南岛 and 巴士海峡."""


def only_slot(asked: Side, stored: Side, alone: bool) -> Sides | None:
    """Two names that stand for each other; `alone`: where there is no other such slot."""
    if found := _given_names(asked, stored) or (alone and _one_character(asked, stored)):
        return found
    sides = asked, stored
    left, right = (_MARKS.sub("", side.inside) for side in sides)
    if not _may_be_slots(left, right):
        return None
    if _are_called(*sides) or _are_names(left, right, *map(_is_known, sides)):
        return sides
    longer = asked.widened(0, 1), stored.widened(0, 1)
    ends = asked.following == stored.following and _ENDED.fullmatch(asked.following)
    if ends and all(_is_name(side.inside) for side in longer):
        return longer
    if not alone or min(len(left), len(right)) < _WORDS or set(left) & set(right):
        return None
    if any("." in side.inside for side in sides):
        return None
    said = all(map(in_words, (left, right))) or not any(map(_is_known, sides))
    return sides if said else None


def _are_called(asked: Side, stored: Side) -> bool:
    """Whether a word that has names behind it stands before two stretches: 专辑, 笔名."""
    near = [side.text[max(0, side.start - _NEAR) : side.start] for side in (asked, stored)]
    if all(map(_NAMES_BEHIND.search, near)):
        return True
    usual = everyday(asked.inside) and everyday(stored.inside)
    return all(map(_KINDS.search, near)) and not usual


def _are_names(left: str, right: str, known: bool, other_known: bool) -> bool:
    """Whether both are names, or one is and the other no known words."""
    words = left, right
    if all(map(may_be_foreign, words)):
        return max(map(len, words)) >= _WORDS
    names = [_is_name(each) for each in words]
    if all(names):
        return True
    persons = [is_person(each) and not in_words(each) for each in words]
    if any(persons):
        return not any(map(in_words, words))
    return (names[0] and not other_known) or (names[1] and not known)


def _may_be_slots(left: str, right: str) -> bool:
    """Whether two stretches are a few Chinese characters each, of which few are the same, and none
    is a small word or what damage makes.
    """
    for words in (left, right):
        if not _SHORTEST <= len(words) <= _LONGEST or not _HAN.fullmatch(words):
            return False
        small = _SMALL_WORD.search(without_places(words)) and not ends_like_name(words)
        if small or is_usual(words) or is_garbled(words):
            return False
    return len(set(left) & set(right)) <= min(len(left), len(right)) // _COMMON


def _is_name(words: str) -> bool:
    """Whether a stretch is a name by itself."""
    if is_proper(words) or is_place(words):
        return True
    if not in_words(words) and (
        is_person(words, True) or may_be_foreign(words) or is_japanese(words)
    ):
        return True
    return len(words) >= _WORDS and (ends_like_name(words) or _ENDED.search(words) is not None)


def _is_known(side: Side) -> bool:
    """Whether a stretch is words, perhaps with a character around it, or what damage makes."""
    if is_rare(_MARKS.sub("", side.inside)):
        return True
    before, after = min(1, side.start), min(1, len(side.text) - side.stop)
    return any(
        in_words(side.widened(i, j).inside) for i in range(before + 1) for j in range(after + 1)
    )


def _one_character(asked: Side, stored: Side) -> Sides | None:
    """Two persons of three characters, one of which is another: 王建国, 王建军; 田泽宇, 彭泽宇."""
    here, there = asked.inside, stored.inside
    if len(here) != 1 or len(there) != 1:
        return None
    for before in range(_WORDS):
        if before > min(asked.start, stored.start):
            break
        whole = asked.widened(before, 2 - before), stored.widened(before, 2 - before)
        usual = all(map(is_usual_given, whole[0].inside[1:] + whole[1].inside[1:]))
        shaped = all(is_person(side.inside) and not in_words(side.inside) for side in whole)
        if usual and shaped and all(is_surname(side.inside[0]) for side in whole):
            return whole
    return None


def _given_names(asked: Side, stored: Side) -> Sides | None:
    """Two whole persons of one surname, which stands before the slot: 王宏伟 and 王世荣."""
    if not (asked.start and stored.start) or not is_surname(asked.text[asked.start - 1]):
        return None
    if min(len(asked.inside), len(stored.inside)) < _SHORTEST:
        return None
    whole = asked.widened(1, 0), stored.widened(1, 0)
    if not all(is_person(side.inside) and not in_words(side.inside) for side in whole):
        return None
    if all(map(everyday, (asked.inside, stored.inside))):
        return None
    return whole
