"""What a number says: its value, however it is written."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

JOINS: Final = "-/:.~⁄∶"
"""What joins numbers to one: 3-4, 1/2, 3:1, v1.2.3."""

_MARKS: Final = re.compile("[-/:~⁄∶]")
_BETWEEN: Final = "/"
VERSION: Final = "v"
"""What the values of versions begin with."""

_GROUPED: Final = 7
"""Digits of the shortest number of a telephone or a book: marks in it may be left out."""

_DIGITS: Final = {character: value for value, character in enumerate("零一二三四五六七八九")} | {
    **{character: value for value, character in enumerate("〇壹贰叁肆伍陆柒捌玖")},
    "两": 2,
}
_SHORT: Final = {"廿": 20, "卅": 30}
_TENS: Final = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1_000, "仟": 1_000}
_MYRIADS: Final = {"万": 10_000, "亿": 100_000_000, "兆": 1_000_000_000_000}
_WORDS: Final = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
    "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17",
    "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40",
    "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6",
    "seventh": "7", "eighth": "8", "ninth": "9", "tenth": "10", "eleventh": "11",
    "twelfth": "12", "thirteenth": "13", "fourteenth": "14", "fifteenth": "15",
    "sixteenth": "16", "seventeenth": "17", "eighteenth": "18", "nineteenth": "19",
    "twentieth": "20", "thirtieth": "30", "fortieth": "40", "fiftieth": "50",
}  # fmt: skip
_SCALES: Final = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}

WORDS: Final = tuple(_WORDS)
SCALES: Final = tuple(_SCALES)


def han_value(text: str) -> str | None:
    """The value of a Chinese numeral: 一百二十 is 120, 二〇二一 and 二零二一 are 2021.

    A last digit right after a unit counts tenths of it: 一万五 is 15000, 一万零五 is 10005.
    None for what names no single number, as 三五 (three to five) in 三五十.
    """
    if all(character in _DIGITS for character in text):
        return plain("".join(str(_DIGITS[character]) for character in text))
    total = section = digit = 0
    pending = False  # a digit that waits for its unit
    tail = 1  # what a last digit is multiplied by
    for character in text:
        if character in _DIGITS:
            if pending:
                return None
            digit, pending = _DIGITS[character], _DIGITS[character] > 0
            tail = tail if pending else 1
        elif character in _SHORT:
            section, tail = section + _SHORT[character], 1
        elif character in _TENS:
            section += (digit if pending else 1) * _TENS[character]
            digit, pending, tail = 0, False, _TENS[character] // 10
        else:
            scale, amount = _MYRIADS[character], section + digit
            # 一亿二千万 adds to what is said already, 三万亿 multiplies it
            total = total + amount * scale if total >= scale else (total + amount) * scale
            section, digit, pending, tail = 0, 0, False, scale // 10
    return str(total + section + digit * tail)


def arabic_value(text: str, units: str) -> str:
    """1,000 is 1000 and 1.50 is 1.5; `units` multiply: 3.5 with 亿 is 350000000, as is 35 with
    千万. Exact at any size: digits are moved, nothing is computed.
    """
    factor = 0
    for unit in units:
        factor += len(str((_TENS | _MYRIADS)[unit])) - 1
    return _moved(text, factor)


def joined(text: str, units: str, scale: str) -> str:
    """The value of joined numbers; what multiplies is said of the last one.

    Which mark joins them says nothing: 2019-2020 and 2019/2020 are the same. Points belong to the
    numbers: 1.5-2 are two of them and 1.2.3 is one, in which a zero at the end counts.
    """
    *first, last = numbers = _MARKS.split(text)
    if sum(map(len, numbers)) >= _GROUPED and all(map(str.isdigit, numbers)) and not units + scale:
        rest = ("".join(map(_digit, number)) for number in numbers[1:])
        return _BETWEEN.join((plain(numbers[0]), *rest))
    if last.count(".") > 1:
        end = _points(last)
    else:
        end = scaled(last, scale) if scale else arabic_value(last, units)
    return _BETWEEN.join((*map(_points, first), end))


def version(text: str) -> str:
    """The value of what is said to be a version: 1.10 is not 1.1 in it."""
    return VERSION + ".".join(map(plain, text.split(".")))


def agree(left: str, right: str) -> bool:
    """Whether two values do not contradict each other.

    Joined numbers agree with fewer of them, as what is lacking is no difference; and a long number
    may be written with marks or without. A version may be said to be one in one text alone.
    """
    if left == right:
        return True
    if VERSION in (left[:1], right[:1]):
        return _are_one_version(left, right)
    fewer, more = sorted((numbers_of(left), numbers_of(right)), key=len)
    if len(fewer) < len(more) and Counter(fewer) <= Counter(more):
        return True
    digits, others = (value.replace(_BETWEEN, "") for value in (left, right))
    return digits == others and len(digits) >= _GROUPED and digits.isdigit()


def _are_one_version(left: str, right: str) -> bool:
    numbers = [value.removeprefix(VERSION).split(".") for value in (left, right)]
    longest = max(map(len, numbers))
    if left[:1] == right[:1] or longest > 2:
        one, other = (parts + ["0"] * (longest - len(parts)) for parts in numbers)
        return one == other
    return numbers[0] == numbers[1] or plain(".".join(numbers[0])) == plain(".".join(numbers[1]))


def word_value(word: str) -> str:
    """The value of an English number word."""
    return _WORDS[word]


def scaled(text: str, scale: str) -> str:
    """1.5 and million are 1500000; `text` may be a number word."""
    return _moved(_WORDS.get(text, text), _SCALES[scale])


def numbers_of(value: str) -> list[str]:
    """The values of joined numbers, or the one value alone."""
    return value.split(_BETWEEN)


def plain(text: str) -> str:
    """Digits of any script without zeros that say nothing; `text` may hold one decimal point."""
    digits = text if text.isascii() else "".join(map(_digit, text))
    whole, _, part = digits.partition(".")
    whole, part = whole.lstrip("0") or "0", part.rstrip("0")
    return f"{whole}.{part}" if part else whole


def _points(text: str) -> str:
    """A number that is not the last of those joined: a decimal, or a version of several points."""
    if text.count(".") < 2:
        return arabic_value(text, "")
    return ".".join(map(plain, text.split(".")))


def _digit(character: str) -> str:
    return str(int(character)) if character.isdecimal() else character


def _moved(text: str, places: int) -> str:
    """`text` times 10 to the power of `places`."""
    whole, _, part = text.replace(",", "").partition(".")
    return plain(f"{whole}{part[:places].ljust(places, '0')}.{part[places:]}")
