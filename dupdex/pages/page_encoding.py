"""The text of a page's bytes, whatever it says of its encoding.

Tried in turn: the byte order mark, UTF-8 where the bytes are that, what the header and the page
say, and what Chinese, Japanese and Korean pages are written in. What is declared is believed only
as far as common characters come out.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

_BEGINNING: Final = 4_096
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED: Final = re.compile(
    rb"""(?:<meta[^>]{0,200}charset|<\?xml[^>]{0,200}encoding)\s*=\s*["']?\s*([\w.:-]+)""",
    re.IGNORECASE,
)
_IN_HEADER: Final = re.compile(r"""charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_WIDER: Final = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
}
"""What browsers read in the place of an encoding: one that holds it and more."""

_OTHERS: Final = ("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949", "cp1252")
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_JUDGED: Final = 20_000
_HEAD: Final = 256
_MARKUP, _STRAY = 0.2, 0.02
"""Shares of units with a 0 in their first or second byte: the least of a page in UTF-16, and what
other bytes may have on the other side."""
_GOOD: Final = 0.8
"""The share of common characters at which a declared encoding is believed."""


def decoded(body: bytes, content_type: str = "") -> str:
    """The text; bytes that are in no encoding become U+FFFD. Never raises."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    if wide := _wide(body):
        return body.decode(wide, "replace")
    declared = _declared(body, content_type)
    if _is_utf8(body) or b"\0" in body[:_BEGINNING]:
        return body.decode("utf-8", "replace")
    tried = dict.fromkeys([*declared, *_OTHERS])
    best, most = "utf-8", _commonness(body, "utf-8")
    for name in tried:
        share = _commonness(body, name)
        if name in declared and share >= _GOOD:
            return body.decode(name, "replace")
        if share > most:
            best, most = name, share
    return body.decode(best, "replace")


def _declared(body: bytes, content_type: str) -> list[str]:
    """The encodings named by the header and by the page, as codecs of Python."""
    said = [match[1] for match in [_IN_HEADER.search(content_type)] if match]
    said += [match[1].decode("ascii", "replace") for match in _DECLARED.finditer(body[:_BEGINNING])]
    return [name for name in map(_codec, said) if name]


def _codec(label: str) -> str:
    try:
        name = codecs.lookup(label).name
        "".encode(name)  # no codec between bytes, like hex
    except (LookupError, ValueError, TypeError):
        return ""
    return _WIDER.get(name, name)


def _wide(body: bytes) -> str:
    """The form of UTF-16 that bytes are in, "" for none: every other byte of markup is 0."""
    even, odd = (body[at:_HEAD:2].count(0) for at in (0, 1))
    units = len(body[:_HEAD]) // 2
    if max(even, odd) <= _MARKUP * units or min(even, odd) > _STRAY * units:
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(body) - 3  # cut off inside of a character
    return True


def _commonness(body: bytes, name: str) -> float:
    """The share of common characters among those that are not ASCII, less what does not decode."""
    text = body.decode(name, "replace")
    strange = "".join(_NOT_ASCII.findall(text))[:_JUDGED]
    if not strange:
        return 0.0
    if name == "cp1252":
        letters = sum(
            character.isalpha() and character.lower() in _ACCENTED for character in strange
        )
        return letters / len(strange) * _alone(text)
    common = {each for each in set(strange) if _is_common(each, name)}
    share = sum(each in common for each in strange) / len(strange)
    return share if name not in _CHINESE or _reads_as_chinese(strange) else share * _DOUBTED


_CHINESE: Final = ("gb18030", "big5hkscs")
_DOUBTED: Final = 0.7
_OFTEN: Final = frozenset(
    "的一是不了在人有我他这这個个上大来來到时時中为為你和地出就年也自要会會可以日月"
)
_LEAST_OFTEN, _MOST_KANA, _ENOUGH = 0.03, 0.05, 50


def _reads_as_chinese(text: str) -> bool:
    """Whether characters are met as often as in Chinese: Japanese and Korean bytes make common
    Chinese characters, too, but not these, and kana in between."""
    if len(text) < _ENOUGH:
        return True
    kana = sum("\u3040" <= each <= "\u30ff" for each in text)
    often = sum(each in _OFTEN for each in text)
    return kana <= _MOST_KANA * len(text) and often >= _LEAST_OFTEN * len(text)


_ACCENTED: Final = frozenset("àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœß")


def _alone(text: str) -> float:
    """The share of runs beyond ASCII that have one or two characters: Latin text has few more."""
    runs = _NOT_ASCII.findall(text[:_JUDGED])
    return sum(len(run) <= 2 for run in runs) / len(runs) if runs else 0.0


def _is_common(character: str, name: str) -> bool:
    """Whether it is of the first level of the national sets, kana, or usual punctuation."""
    if character == "\ufffd":
        return False
    if (
        "\u3000" <= character <= "\u30ff"
        or "\uff01" <= character <= "\uff5e"
        or character in "“”‘’…—·"
    ):
        return name != "cp949" or character < "\u3040"
    if "\uac00" <= character <= "\ud7a3":
        return name in ("cp949", "euc_kr", "utf-8")
    for charset, low, high in _FIRST_LEVELS.get(name, _ANY_LEVEL):
        try:
            first = character.encode(charset)[0]
        except UnicodeEncodeError:
            continue
        if low <= first <= high:
            return True
    return False


_ANY_LEVEL: Final = (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6))
_FIRST_LEVELS: Final = {
    "gb18030": _ANY_LEVEL,
    "big5hkscs": (("big5", 0xA4, 0xC6),),
    "cp932": (("shift_jis", 0x88, 0x97),),
    "euc_jp": (("euc_jp", 0xB0, 0xCF),),
    "cp949": (("euc_kr", 0xB0, 0xC8),),
}
