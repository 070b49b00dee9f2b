"""Persons in Chinese text: by surname and given name, by a word that goes with persons beside them,
and foreign ones by the characters that foreign names are spelt with.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from rapidfuzz.distance import Levenshtein

from query.facts.everyday import everyday
from query.facts.sides import Side, Sides, shapes, wider, worded

_VERSION: Final = 1
_NEVER: Final = "的是这那而及与也就都被把让又还等到了着过却即说称表"
_NEVER_GIVEN: Final = re.compile(f"[{_NEVER}在有为从于对向将已则后前中上下里内外今昨日时年月]")
_NEVER_AT_ALL: Final = re.compile(f"[{_NEVER}]")
"""The same beside a certain name: a given name of two characters has one of the others, too, as
向东 and 为民.
"""

_NEVER_IN_LISTS: Final = re.compile("[的是在了着这那被]")
"""The same for a name that has marks on either side, as in a list: 梁和新."""

_DOTTED: Final = re.compile(r"[\u4e00-\u9fff]{1,8}+(?:\.[\u4e00-\u9fff]{1,8}){1,3}")
_KANA: Final = re.compile(r"[\u30a1-\u30fa\u30fc.]{2,}")
_ALIKE: Final = 0.75
"""From this part of equal characters on, two spellings are of one name."""

_BESIDE: Final = 2
_IN_A_LIST: Final = shapes(_BESIDE, _BESIDE)
_AROUND_A_NAME: Final = shapes(1, 2)

_KNOWN: Final = 3
"""Characters of a foreign name that is in the dictionary; a shorter one may be another word."""

_SHORTEST, _LONGEST = 2, 4
"""Characters of a whole name: a surname of one or two, a given name of as many."""

_WIDEST: Final = 40
"""Characters of the longest stretch that persons are looked for in."""

_ADVERBS: Final = frozenset("因将已后从向对为在曾")
_FRAMES: Final = ("由", "包括", "分别是", "分别为", "授予", "同意", "代表")
"""Words of the list that have other things than persons behind them as often."""

_ADDRESS: Final = re.compile(
    "先生|女士|小姐|老师|教授|医生|大夫|律师|师傅|主任|经理|博士|大爷|大妈|阿姨|奶奶|爷爷|叔叔|同学"
)
_COMPOUND: Final = 2
"""Characters of the longest surname."""

_AROUND: Final = 20
_TITLE: Final = 5
"""Characters of the longest word that goes before a person."""


@dataclass(frozen=True, slots=True)
class _Persons:
    """Surnames; those that are words as well are taken for one only in a whole name that stands for
    another one. Words that stand right before and after persons; what foreign names are spelt with,
    and given names usually; persons with a surname of Japan.
    """

    surnames: frozenset[str]
    words: frozenset[str]
    before: re.Pattern[str]
    after: re.Pattern[str]
    foreign: re.Pattern[str]
    given: frozenset[str]
    japanese: re.Pattern[str]


@cache
def _persons() -> _Persons:
    source = files("query.facts") / "data" / f"persons-{_VERSION}.json"
    value = json.loads(source.read_text("utf-8"))
    return _Persons(
        frozenset(value["surnames"]) | frozenset(value["compound_surnames"].split()),
        frozenset(value["surnames_that_are_words"]),
        re.compile(rf"(?:{'|'.join(value['before'].split())})$"),
        re.compile("|".join(value["after"].split())),
        re.compile(rf"[{value['transliterating']}.]{{2,}}"),
        frozenset(value["given"]),
        re.compile(rf"(?:{'|'.join(value['japanese_surnames'].split())})[^{_NEVER}]{{1,3}}"),
    )


def are_persons(asked: Side, stored: Side) -> bool:
    """Surname and one or two characters on both sides, with a word for persons before them, or
    after them where the clause begins with them.
    """
    if not have_the_shape(asked.inside, stored.inside):
        titled = all(map(_has_own_title, (asked, stored)))
        return titled and may_be_names(asked.inside, stored.inside)
    return any(
        after_title(side) or (side.begins_clause and before_title(side)) for side in (asked, stored)
    )


def is_surname(character: str) -> bool:
    """Whether a character is a surname and hardly ever a word."""
    return character in _persons().surnames


def is_japanese(name: str) -> bool:
    """Whether a word has a surname of Japan and a given name: 木村拓哉."""
    return _persons().japanese.fullmatch(name) is not None


def _is_any_surname(word: str) -> bool:
    return word in _persons().surnames or word in _persons().words


def is_usual_given(character: str) -> bool:
    """Whether a character is usual in given names."""
    return character in _persons().given


def may_speak(words: str) -> bool:
    """Whether words end with one that goes before persons, as 主持人."""
    return _persons().before.search(words) is not None


def addressed(asked: Side, stored: Side) -> Sides | None:
    """Two surnames with what somebody is called by behind them: 贾先生 and 叶先生."""
    sides = asked, stored
    if max(asked.stop - asked.start, stored.stop - stored.start) > _COMPOUND:
        return None
    if not all(map(_is_any_surname, (asked.inside, stored.inside))):
        return None
    found = [_ADDRESS.match(side.text, side.stop) for side in sides]
    if found[0] is None or found[1] is None or found[0][0] != found[1][0]:
        return None
    return asked.widened(0, len(found[0][0])), stored.widened(0, len(found[0][0]))


def after_title(name: Side) -> bool:
    """Whether a word that goes with persons stands before a name."""
    near = name.text[max(0, name.start - _TITLE) : name.start]
    return _persons().before.search(near) is not None


def before_title(name: Side) -> bool:
    """Whether such a word stands after it."""
    return _persons().after.match(name.text, name.stop) is not None


def is_person(name: str, any_surname: bool = False, never: re.Pattern[str] = _NEVER_GIVEN) -> bool:
    """Whether a word has the shape of a Chinese name; `any_surname`: also of one that is a word."""
    if not _SHORTEST <= len(name) <= _LONGEST:
        return False
    lists = _persons()
    compound = name[:2] in lists.surnames
    certain = compound or (any_surname and name[0] in lists.words)
    if not certain and (name[0] not in lists.surnames or never.match(name)):
        return False
    given = len(name) - (2 if compound else 1)
    if not 1 <= given <= 2 or never.search(name[1:]):
        return False
    ends = name[-1] in lists.surnames or name[-1] == "和" or name[-1] in _ADVERBS
    return not ("和" in name[1:] and ends)  # 张和李, 张和从


def may_be_names(left: str, right: str, any_surname: bool = False) -> bool:
    """Whether both have the shape of Chinese names, if only of uncommon ones."""
    return all(
        is_person(name, any_surname)
        or (
            len(name) > _SHORTEST
            and len(_NEVER_GIVEN.findall(name[1:])) < _SHORTEST
            and is_person(name, any_surname, _NEVER_AT_ALL)
        )
        for name in (left, right)
    )


def have_the_shape(left: str, right: str, any_surname: bool = False) -> bool:
    """Whether both have it, one of them certainly."""
    certain = is_person(left, any_surname) or is_person(right, any_surname)
    return certain and may_be_names(left, right, any_surname)


def whole_names(asked: Side, stored: Side) -> Sides:
    """Given names that both have, whole: most have two characters, so 王建国 and not 王建."""
    longer = asked.widened(0, 1), stored.widened(0, 1)
    ends = longer[0].inside[-1] != longer[1].inside[-1] or before_title(asked)
    shaped = all(is_person(side.inside) for side in longer)
    return longer if shaped and not ends and are_persons(*longer) else (asked, stored)


def persons_by_shape(asked: Side, stored: Side) -> Sides | None:
    """Two persons that a gap belongs to, of which nothing says so but how their names look."""
    return _in_a_list(asked, stored) or _inside(asked, stored) or _around(asked, stored)


def _in_a_list(asked: Side, stored: Side) -> Sides | None:
    """Two names that have marks on either side."""
    room = min(_BESIDE, asked.start, stored.start)
    begins = [
        asked.start - more
        for more in range(room + 1)
        if asked.begins_clause_before(more) and stored.begins_clause_before(more)
    ]
    for sides in wider(asked, stored, _IN_A_LIST) if begins else ():
        if sides[0].start in begins and all(side.ends_clause for side in sides):
            single = max(len(asked.inside), len(stored.inside)) == 1
            shaped = all(is_person(side.inside, not single, _NEVER_IN_LISTS) for side in sides)
            usual = all(everyday(side.inside) for side in sides)
            return sides if shaped and not usual else None
    return None


def persons_inside(asked: Side, stored: Side) -> Sides | None:
    """Two persons in longer stretches that say what they are: 局长戴秀珍因."""
    if max(len(asked.inside), len(stored.inside)) > _WIDEST:
        return None
    left = _person_within(asked)
    right = left and _person_within(stored)
    return (left, right) if left and right and left.inside != right.inside else None


def _person_within(side: Side) -> Side | None:
    """The first person behind a word that stands for persons alone."""
    for start in range(side.start, side.stop - 1):
        for stop in (start + 3, start + 2):
            person = without_adverb(Side(side.text, start, stop))
            if stop > side.stop or not is_person(person.inside) or not _has_own_title(person):
                continue
            if not (everyday(person.inside) or everyday(person.inside[:2])):
                return person
    return None


def _has_own_title(person: Side) -> bool:
    """Whether a word stands before it that has nothing but persons behind it."""
    near = person.text[max(0, person.start - _TITLE) : person.start]
    return after_title(person) and not near.endswith(_FRAMES)


def without_adverb(person: Side) -> Side:
    """A name without the small word behind it, where it is one without: 李明将, 李娜因."""
    name = person.inside
    shorter = len(name) == _SHORTEST + 1 and name[-1] in _ADVERBS and is_person(name[:-1])
    return person.widened(0, -1) if shorter else person


def _inside(asked: Side, stored: Side) -> Sides | None:
    """Two persons at the end of a gap that begins with what they are: 处长邓平洋, 书记高晓."""
    left = _person_at_end(asked)
    right = left and _person_at_end(stored)
    if left is None or right is None or left.inside == right.inside:
        return None
    return left, right


def _person_at_end(side: Side) -> Side | None:
    for more in (1, 0):
        stop = side.stop + more
        for size in (3, 4, 2):
            if stop - size < side.start:
                continue
            person = Side(side.text, stop - size, stop)
            if is_person(person.inside, True) and after_title(person):
                return person
    return None


def _around(asked: Side, stored: Side) -> Sides | None:
    """A surname and a given name on both sides, which are no words of every day.

    Where the surname is the same, the name has to stand by itself: after a mark or before one, or
    next to a word for persons.
    """
    for shape, left, right in worded(asked, stored, _AROUND_A_NAME):
        whole = shape == (0, 0)
        if not _are_shaped(left, right, whole) or (everyday(left) and everyday(right)):
            continue
        sides = asked.widened(*shape), stored.widened(*shape)
        single = max(len(asked.inside), len(stored.inside)) == 1
        if left[0] != right[0] and not single:
            return sides
        beside = _have_marks(*sides) or (not single and _have_titles(*sides))
        if beside and not everyday(left) and not everyday(right):
            return sides
    return None


def _are_shaped(left: str, right: str, whole: bool) -> bool:
    """Both are shaped like names; a surname that is a word counts where the other is none, or where
    the names are all that differs.
    """
    return have_the_shape(left, right, True) and (whole or is_person(left) or is_person(right))


def _have_marks(asked: Side, stored: Side) -> bool:
    """Whether on either side of both there is no letter."""
    sides = asked, stored
    return all(side.begins_clause for side in sides) or all(side.ends_clause for side in sides)


def _have_titles(asked: Side, stored: Side) -> bool:
    sides = asked, stored
    return all(map(after_title, sides)) or all(map(before_title, sides))


def foreign_names(asked: Side, stored: Side) -> Sides | None:
    """Two foreign names that a gap belongs to: 约翰·史密斯, or a word in katakana."""
    for pattern in (_DOTTED, _KANA):
        left = _run(pattern, asked)
        right = left and _run(pattern, stored)
        if left and right:
            apart = _touch_dots(asked, stored) or not _one_spelling(left.inside, right.inside)
            return (left, right) if apart else None
    return _dotted_and_plain(asked, stored)


def _dotted_and_plain(asked: Side, stored: Side) -> Sides | None:
    """A name with a dot that stands for a whole person of another kind: 安娜·席尔瓦 and 王敏."""
    sides = asked, stored
    dotted = [_DOTTED.fullmatch(side.inside) is not None for side in sides]
    if sum(dotted) != 1:
        return None
    plain = sides[dotted.index(False)].inside
    if everyday(plain):
        return None
    spelt = len(plain) >= _KNOWN and may_be_foreign(plain)
    return sides if is_person(plain) or spelt else None


def may_be_foreign(word: str) -> bool:
    """Whether a word is of characters that foreign names are spelt with."""
    return _persons().foreign.fullmatch(word) is not None


def transliterated(asked: Side, stored: Side) -> Sides | None:
    """The same of names of which one at least has no dot: 加西亚, by their characters alone."""
    words = asked.inside, stored.inside
    if min(map(len, words)) < (_KNOWN if all(map(everyday, words)) else 2):
        return None
    pattern = _persons().foreign
    left = _run(pattern, asked)
    right = left and _run(pattern, stored)
    if left is None or right is None or _one_spelling(left.inside, right.inside):
        return None
    return left, right


def _run(pattern: re.Pattern[str], side: Side) -> Side | None:
    """The run of such letters that a stretch stands in, whole."""
    low = max(0, side.start - _AROUND)
    for match in pattern.finditer(side.text, low, side.stop + _AROUND):
        if match.start() <= side.start and side.stop <= match.end():
            return Side(side.text, *match.span())
    return None


def _one_spelling(left: str, right: str) -> bool:
    return Levenshtein.normalized_similarity(left, right) >= _ALIKE


def _touch_dots(asked: Side, stored: Side) -> bool:
    """Whether several characters right behind or before a dot are others: 马丁·理察德 and
    马丁·门德斯, of which a run holds words around them as well.
    """
    sides = asked, stored
    if min(len(side.inside) for side in sides) < _SHORTEST:
        return False
    behind = all(side.text[side.start - 1 : side.start] == "." for side in sides)
    return behind or all(side.text[side.stop : side.stop + 1] == "." for side in sides)
