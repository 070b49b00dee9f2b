"""Chinese names and units: where two texts that are otherwise the same name another place or
person, or measure in another unit.

No model of language is asked, only lists, and both sides have to pass: two places of the list, two
persons by surname next to a word that goes with persons. What sounds the same is a typing mistake
and never comes here.
"""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib.resources import files
from typing import Final

from query.facts.persons import are_persons, may_be_names, whole_names, without_adverb
from query.facts.sides import Side, Sides, in_han, worded
from query.facts.values import numbers_of

_VERSION: Final = 1
_LONGEST: Final = 8
"""Characters of the longest place of the list that is looked for."""

_UNITS: Final = {
    unit: (dimension, factor)
    for dimension, units in {
        "length": "毫米 1 厘米 10 公分 10 米 1000 公尺 1000 公里 1000000 英里 1609344 海里 1852000",
        "mass": "毫克 1 克 1000 公克 1000 斤 500000 公斤 1000000 磅 453592 吨 1000000000",
        "money": "元 1 块 1 块钱 1 人民币 1",
        "dollar": "美元 1 美金 1",
        "euro": "欧元 1",
        "yen": "日元 1 日圆 1",
        "pound": "英镑 1",
        "hkd": "港元 1 港币 1",
        "time": "秒 1 秒钟 1 分钟 60 小时 3600 钟头 3600 天 86400 星期 604800 周 604800",
    }.items()
    for unit, factor in zip(units.split()[::2], map(int, units.split()[1::2]), strict=True)
}


@cache
def _places() -> tuple[dict[str, str], dict[str, str]]:
    """For each name of a place the one that stands for it, and the same of other names alone, with
    other words that Taiwan has for things.
    """
    source = files("query.facts") / "data" / f"places-{_VERSION}.json"
    value = json.loads(source.read_text("utf-8"))
    places, other_names = frozenset(value["places"].split()), value["other_names"]
    named = {name: other_names.get(name, name) for name in (*places, *other_names)}
    others = dict(pair.split("/") for pair in value["other_words"].split()) | other_names
    return {name: place for name, place in named.items() if place in places}, others


def is_place(words: str) -> bool:
    """Whether a stretch is a place of the list, or several one behind the other: 河南成都."""
    return bool(words) and not without_places(words)


def without_places(words: str) -> str:
    """A stretch without the places of the list, the longest first."""
    places, _ = _places()
    start = 0
    while start < len(words):
        size = next((n for n in range(_LONGEST, 1, -1) if words[start : start + n] in places), 0)
        if size:
            words = words[:start] + words[start + size :]
        else:
            start += 1
    return words


def han_names(asked: Side, stored: Side) -> Sides | None:
    """Two different places or persons that the gap belongs to, the shortest such."""
    if not in_han(asked, stored):
        return None
    places, _ = _places()
    for shape, one, other in worded(asked, stored):
        left = places.get(one)
        right = left and places.get(other)
        if left and right and left not in right and right not in left:
            return asked.widened(*shape), stored.widened(*shape)
        if may_be_names(one, other):
            sides = asked.widened(*shape), stored.widened(*shape)
            if are_persons(*sides):
                if sides[0].stop > asked.stop:
                    return whole_names(*sides)
                one_name, other_name = map(without_adverb, sides)
                if not _begins_with(one_name.inside, other_name.inside):
                    return one_name, other_name
    return None


def _begins_with(one: str, other: str) -> bool:
    """Whether of two words one begins with the other: 王伟 and 王伟有, in which 有 is a verb."""
    return one.startswith(other) or other.startswith(one)


def one_thing(asked: Side, stored: Side) -> bool:
    """Whether the gap belongs to two names of one place, or two words for one thing: 克罗地亚 and
    克罗埃西亚, 信息 and 资讯.
    """
    if not in_han(asked, stored):
        return False
    _, other_names = _places()
    return any(
        other_names.get(one, one) == other_names.get(other, other)
        for _, one, other in worded(asked, stored)
    )


def quantities(asked: Side, stored: Side, values: tuple[str, str]) -> Sides | None:
    """Two units of measure that with the numbers before them come to different quantities."""
    for shape, one, other in worded(asked, stored):
        if one in _UNITS and other in _UNITS:
            left, right = map(_quantity, (one, other), values)
            if left is None or right is None or left == right:
                return None
            return asked.widened(*shape), stored.widened(*shape)
    return None


def _quantity(unit: str, value: str) -> tuple[str, Decimal] | None:
    dimension, factor = _UNITS[unit]
    try:
        return dimension, Decimal(numbers_of(value)[-1]) * factor
    except InvalidOperation:  # a number that is no single value, as in 三五十
        return None
