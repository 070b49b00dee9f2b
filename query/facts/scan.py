"""Where the numbers and dates of a prepared text stand, and the text with these taken out.

The wording of a text is its letters and digits, as sounds, with one mark for every number. Texts
that differ in numbers only have the same wording. Dates are written one way in it: 2021-03-05 and
2021年3月5日 have the same wording, as have 14:25 and 14时25分.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from indexer.cached import cached_property
from indexer.text import Prepared
from indexer.text.ragged import Positions
from indexer.text.table import OTHER, Codes
from query.answers import FactKind
from query.facts.values import (
    JOINS,
    SCALES,
    WORDS,
    arabic_value,
    han_value,
    joined,
    numbers_of,
    plain,
    scaled,
    version,
    word_value,
)

NUMBER_MARK: Final = 0x10FFFE
DAY_MARK: Final = 0x10FFFF
"""A month or a weekday by name: never the same fact as a number."""

_MONTHS: Final = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
)
_DAYS: Final = _MONTHS + "|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_INITIALS: Final = "".join(sorted({word[0] for word in (*_DAYS.split("|"), *WORDS)}))
_WITH_DAY: Final = frozenset(_MONTHS.split("|"))
_PLAIN: Final = "一二三四五六七八九十两零〇廿卅"
_FORMAL: Final = "壹贰叁肆伍陆柒捌玖拾佰仟零"
_COUNTED: Final = "届次部个家批期座场集季轮位例枚条款台"
"""What has a first (首届) that is counted on as the second is."""

_COUNTED_AS: Final = {"首": "1", "正": "1", "腊": "12"}
_NO_MONTH: Final = "[真修改纠公反端]"
"""Before 正 that begins no month of the lunar year."""

_UNITS: Final = "十百千万亿兆"
# A comma with no digit after it ends the clause, not the number: a wide comma is prepared to the
# same. At most 27 digits: in a list of numbers every one would be tried up to the list's end.
_ARABIC: Final = r"\d{1,3}(?:,\d{3}){1,8}(?!,?\d)(?:\.\d+)?|\d+(?:\.\d+)?"
# Taken whole or not at all, as parts of dates are numbers of their own (3-15日); few at a time, or
# every number of a long chain would be tried up to its end.
_JOINED: Final = rf"(?>(?>{_ARABIC})(?:[{JOINS}](?>{_ARABIC})){{1,8}})(?![年月日号时点])"

_FACT: Final = re.compile(
    rf"""
    (?=[\d星礼周首正腊百千万{_PLAIN}{_FORMAL}{_INITIALS}](?<!\w[{_INITIALS}]))  # most end here
    (?:
      (?<!\d)(?P<year>\d{{4}})(?P<sep>[-/.])(?P<month>\d{{1,2}})(?P=sep)(?P<day>\d{{1,2}})(?!\d)
    | (?<![\d:])(?P<hour>\d{{1,2}}):(?P<minute>\d\d)(?::(?P<second>\d\d))?(?![\d:])
    | (?:星期|礼拜|周)(?P<weekday>[一二三四五六日天])
    | (?P<parts>[百千万]分之)?
      (?: (?: (?P<joined>{_JOINED}) | (?P<arabic>{_ARABIC}) )
          (?: (?P<units>[{_UNITS}]+) | (?P<nth>st|nd|rd|th)\b
            | \s?(?P<scale>{"|".join(SCALES)})\b | \s?(?P<sign>[%‰]) )?
        | (?P<han>[{_FORMAL}]{{2,}}[{_UNITS}]*
            | 首(?=[{_COUNTED}]) | (?<!{_NO_MONTH})正(?=月(?![薪报份球亮光饼])) | 腊(?=月)
            | (?!零下)[{_PLAIN}](?:[{_PLAIN[:-5]}零〇{_UNITS}] | 两(?=[百千万亿]))*) )
    | \b(?: (?P<name>{_DAYS})
          | (?P<word>{"|".join(WORDS)})(?:\s(?P<many>{"|".join(SCALES)}))? )\b
    )
    """,
    re.VERBOSE,
)
_VERSION: Final = re.compile(r"(?:\b(?:v|ver|version|release)\b|\bv|版本?号?)[ .:]{0,2}$")
_AFTERNOON: Final = re.compile(r" ?p(?:\. ?m\.|m\b)")
_NOON: Final = 12
_LONGEST_WORD: Final = 10

_DEGREES: Final = ("度", "°")
_SIGNS: Final = ("-", "下")
"""What the signs before a number end with."""

_FIRST_HAN: Final = "\u4e00"
_CLOCK: Final = frozenset("点时")
_DATE: Final = frozenset("年月日号时点分秒")
_PARTS: Final = {"百": "%", "千": "‰", "万": "‱"}


_REMEMBERED: Final = 1 << 14
"""Values of numbers that are remembered: most numbers of a text are small, and are in every one."""

_SHORT: Final = 64
"""Characters of a number that is remembered; one may be as long as its text."""

_GROUPS: Final = ("han", "arabic", "joined", "units", "scale", "word", "many", "parts", "sign")
"""The groups of a number that say its value, as `_value` takes them."""


class Fact(NamedTuple):
    """A number at [start, stop) of the prepared text; equal values are the same number.

    `follows`: it goes on with the date of the fact before it.
    """

    start: int
    stop: int
    kind: FactKind
    value: str
    follows: bool = False


@dataclass(frozen=True)
class Wording:
    """A text without its numbers.

    `places[i]` is where the prepared text has what stands at i; `sounds` are compared. `at` says
    where each fact of `facts` stands.
    """

    text: str
    sounds: Codes
    places: Positions
    facts: list[Fact]
    at: list[int]

    @cached_property
    def words(self) -> Positions:
        """Where all that is no number stands."""
        return np.delete(np.arange(len(self.sounds)), self.at)


@dataclass
class _Scan:
    """What one pass over a text collects; `rewritten` by place, `unsaid` are places left out."""

    text: str
    facts: list[Fact] = field(default_factory=list)
    rewritten: dict[int, str] = field(default_factory=dict)
    unsaid: list[int] = field(default_factory=list)

    def add(self, start: int, stop: int, kind: FactKind, value: str, follows: bool = False) -> None:
        self.facts.append(Fact(start, stop, kind, value, follows))

    def parts(self, match: re.Match[str], names: tuple[str, ...], units: str, last: str) -> None:
        """A date of digits with marks between: the marks become the words they stand for.

        A unit after it, of those in `last`, is left out, as not every way of writing has it.
        """
        for place, name in enumerate(names):
            if match[name]:
                start, stop = match.span(name)
                self.add(start, stop, FactKind.DATE, plain(match[name]), place > 0)
                if 0 < place <= len(units):
                    self.rewritten[start - 1] = units[place - 1]
        if match.end() < len(self.text) and self.text[match.end()] in last:
            self.unsaid.append(match.end())

    def number(self, match: re.Match[str]) -> None:
        """A number, or with a unit after it a part of a date."""
        text, (start, stop) = self.text, match.span()
        before, unit = text[start - 1 : start], text[stop : stop + 1]
        if before == "第":  # neither 首届 nor 1st has it
            self.unsaid.append(start - 1)
        groups = match.group(*_GROUPS)
        value = (remembered if stop - start <= _SHORT else _value)(*groups)
        below_zero = bool(groups[-1] or unit in _DEGREES)
        if before in _SIGNS and (sign := _sign(text, start, below_zero)):
            start, value = start - len(sign), "-" + value
        elif match[0].count(".") == 1 and _is_version(text, start, match[0]):
            value = version(match[0])
        last = self.facts[-1] if self.facts else None
        follows = bool(last and last.stop + 1 == start and last.kind is FactKind.DATE)
        if last and follows and last.value.isalpha():  # March 5, but neither Monday 5 nor 周一,5
            if text[start - 1] == " " and last.value in _WITH_DAY and _is_day(value):
                self.add(start, stop, FactKind.DATE, value, True)
                return
            follows = False
        before = text[start - 1] if follows else " "
        if not _is_date(value, unit, before):
            self.add(start, stop, FactKind.NUMBER, value)
            return
        self.add(start, stop, FactKind.DATE, value, follows)
        if unit == "点":
            self.rewritten[stop] = "时"
        elif (unit in "日号" and before == "月") or unit in "分秒":
            self.unsaid.append(stop)


def scan(text: str) -> _Scan:
    """All numbers of a prepared text."""
    collected = _Scan(text)
    for match in _FACT.finditer(text):
        year, hour, weekday, name = match.group("year", "hour", "weekday", "name")
        if year:
            collected.parts(match, ("year", "month", "day"), "年月", "日号")
        elif hour:
            collected.parts(match, ("hour", "minute", "second"), "时", "分秒")
            if int(hour) < _NOON and _AFTERNOON.match(text, match.end()):
                place = -3 if match["second"] else -2
                first = collected.facts[place]
                collected.facts[place] = first._replace(value=str(int(hour) + _NOON))
        elif weekday:
            collected.add(*match.span(), FactKind.DATE, weekday.replace("天", "日"))
        elif name:
            collected.add(*match.span(), FactKind.DATE, name)
        else:
            collected.number(match)
    return collected


def wording(prepared: Prepared, row: int) -> Wording:
    """The wording of one text of a batch."""
    low, high = prepared.rows.bounds[row : row + 2].tolist()
    codes = prepared.codes[low:high].copy()
    text = prepared.text(row)
    numbers = scan(text)
    kept: npt.NDArray[np.bool_] = prepared.kinds[low:high] != OTHER
    for fact in numbers.facts:
        kept[fact.start : fact.stop] = False
        codes[fact.start] = _mark(fact)
    for place, character in numbers.rewritten.items():
        codes[place] = ord(character)
        kept[place] = True
    for place in numbers.unsaid:
        kept[place] = False
    for fact in numbers.facts:  # each stands for itself, whatever else is there
        kept[fact.start] = True
    places = kept.nonzero()[0]
    characters = codes.take(places)
    at = (characters >= NUMBER_MARK).nonzero()[0].tolist()  # nothing else is kept of such codes
    return Wording(text, prepared.table.syllable.take(characters), places, numbers.facts, at)


def _mark(fact: Fact) -> int:
    return DAY_MARK if fact.kind is FactKind.DATE and fact.value.isalpha() else NUMBER_MARK


def _value(
    han: str | None,
    arabic: str | None,
    several: str | None,
    units: str | None,
    scale: str | None,
    word: str | None,
    many: str | None,
    parts: str | None,
    sign: str | None,
) -> str:
    if han:
        value = _COUNTED_AS.get(han) or han_value(han) or han
    elif word:
        value = scaled(word, many) if many else word_value(word)
    elif several:
        value = joined(several, units or "", scale or "")
    elif scale:
        value = scaled(arabic or "", scale)
    else:
        value = arabic_value(arabic or "", units or "")
    return value + (_PARTS[parts[0]] if parts else sign or "")


remembered = lru_cache(_REMEMBERED)(_value)


def _sign(text: str, start: int, below_zero: bool) -> str:
    """零下, or a minus where it can be no dash between two things.

    After Chinese it is one for what is measured `below_zero` as well.
    """
    if text[max(0, start - 2) : start] == "零下":
        return "零下"
    if not start or text[start - 1] != "-":
        return ""
    before = text[start - 2] if start > 1 else " "
    if before.isalnum():
        return "-" if below_zero and before >= _FIRST_HAN else ""
    return "" if before in "-)%" else "-"


def _is_version(text: str, start: int, number: str) -> bool:
    """Whether a word before a number says that it is a version, and no decimal fraction."""
    before = text[max(0, start - _LONGEST_WORD) : start]
    return number.replace(".", "").isdecimal() and _VERSION.search(before) is not None


def _is_day(value: str) -> bool:
    """A day of a month, or days from one to another."""
    return all(day.isdigit() and len(day) <= 2 and 1 <= int(day) <= 31 for day in numbers_of(value))


def _is_date(value: str, unit: str, before: str) -> bool:
    """Whether a number before `unit` is a part of a date; `before` ends the part before it."""
    if not unit or unit not in _DATE or not value.isdigit():
        return False
    if unit == "年":
        return len(value) > 2
    if unit in "分秒":
        return before in _CLOCK or (unit == "秒" and before == "分")
    return before != " " or (len(value) <= 2 and unit != "号")
