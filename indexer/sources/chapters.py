"""A novel as lines of text: where its chapters begin.

A heading is a short line of its own: 第…章, 回, 卷, 节 or 部; 序, 楔子, 尾声, 后记 or 番外;
Chapter, Part or Book with a number; Prologue or Epilogue. A heading without text below it is none:
that is how tables of contents and title pages of volumes look.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

LONGEST_HEADING: Final = 60
"""Characters of a line that can be a heading."""

FRONT: Final = 100
"""Letters that the text before the first heading must have to be a document."""

_TABLE: Final = 3
"""Headings in a row without text below that make a table of contents."""

_NUMERAL: Final = "0-9０-９零〇一二两三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾佰廿卅"
_SEPARATED: Final = r"[\s:：、.．,，·—\-~《（(【]"
_ORDINAL: Final = re.compile(
    rf"(?:正文\s*)?(?:[第卷][{_NUMERAL}\s]*\d*)?第\s*[{_NUMERAL}]{{1,9}}\s*(?P<kind>[章章回卷节節集部篇折幕话話])"
    rf"(?:$|{_SEPARATED}|(?=\S))"
)
_NAMED: Final = re.compile(
    r"(?:序|序章|序言|序幕|自序|代序|楔子|引子|引言|前言|尾声|尾聲|终章|終章|后记|後記|结语|結語|跋|附录|附錄|"
    rf"番外(?:篇)?[{_NUMERAL}]{{0,4}})(?:$|{_SEPARATED}.*)"
)
_ENGLISH: Final = re.compile(
    r"(?:(?P<kind>chapter|part|book|volume)\s+(?:\d+|[ivxlcdm]+|one|two|three|four|five|six|seven|"
    r"eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|"
    r"twenty(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|thirty|forty|fifty)\b|"
    r"(?:prologue|epilogue|preface|foreword|introduction|interlude|afterword)(?=$|[\s:.—-]))"
    r"(?:$|[\s:.—–-].*)",
    re.IGNORECASE,
)
_SENTENCE_END: Final = "。！!；;，,、”」』"
_VOLUMES: Final = frozenset("卷部集篇") | {"part", "book", "volume"}
_LEADER: Final = re.compile(r"\s*(?:[.．·]{2,}|…+)[\s.．…·]*\d*$")
_SPACES: Final = re.compile(r"[\s\u3000]+")


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter. `number`: from 1 on, 0 of what stands before the first heading; `line`: where it
    begins, from 1 on; `text`: what is below its heading; `volume`: the heading above it."""

    number: int
    title: str
    text: str
    line: int
    volume: str = ""


@dataclass(slots=True)
class _Section:
    """A heading, and the lines to the next one."""

    line: int
    title: str
    kind: str
    body: list[str]
    letters: int = 0


def heading_of(line: str) -> tuple[str, str] | None:
    """The heading on a line and its kind ("" of those without a number); None where it is text."""
    said = _SPACES.sub(" ", line).strip()
    if not said or len(said) > LONGEST_HEADING or said[-1] in _SENTENCE_END:
        return None
    if found := _ORDINAL.match(said):
        return (said, found["kind"]) if _is_title(said, found.end()) else None
    if _NAMED.fullmatch(said):
        return said, ""
    if found := _ENGLISH.fullmatch(said):
        return said, (found["kind"] or "").lower()
    return None


def chapters_of(text: str) -> list[Chapter]:
    """The chapters of a text, in order; none where it has no headings."""
    sections = _sections(text.split("\n"))
    headings = _without_tables(sections)
    if not any(section.letters for section in headings[1:]):
        return []
    out: list[Chapter] = []
    front = headings[0]
    if front.letters >= FRONT:
        out.append(Chapter(0, "", _joined(front.body), 1))
    volume, number = "", 0
    for section in headings[1:]:
        if section.letters:
            number += 1
            body = _joined(section.body)
            out.append(Chapter(number, section.title, body, section.line, volume))
        elif section.kind in _VOLUMES:
            volume = section.title
    return out


def pieces_of(text: str, size: int) -> Iterator[tuple[int, str]]:
    """A text in pieces of about `size` characters, cut between lines, longer lines after a full
    stop or anywhere; each with the line that it begins on."""
    held: list[str] = []
    length, began = 0, 1
    for number, line in enumerate(text.split("\n"), 1):
        for part in _cut(line, size):
            if held and length + len(part) > size:
                yield began, "\n".join(held)
                held, length = [], 0
            if not held:
                began = number
            held.append(part)
            length += len(part) + 1
    if any(part.strip() for part in held):
        yield began, "\n".join(held)


def _is_title(said: str, end: int) -> bool:
    """Whether what follows 第三章 is a title: a sentence that begins so goes on with a comma or a
    word like 里 or 的."""
    rest = said[end:]
    if said[end - 1 : end].isspace() or not rest:
        return True
    return rest[0] not in "的里中是讲说和与及就也都在之以前后内末开写节课" and "，" not in rest


def _sections(lines: Sequence[str]) -> list[_Section]:
    """What stands before the first heading, and a section for each heading."""
    sections = [_Section(1, "", "", [])]
    for number, line in enumerate(lines, 1):
        if found := heading_of(line):
            sections.append(_Section(number, *found, []))
        else:
            sections[-1].body.append(line)
            sections[-1].letters += sum(map(str.isalnum, line))
    return sections


def _without_tables(sections: list[_Section]) -> list[_Section]:
    """The same without headings of a table of contents; text below the last of them is put before
    the first chapter, when that heading comes again."""
    empty = 0
    keys = [_key(section.title) for section in sections]
    last = {key: place for place, key in enumerate(keys)}
    out = sections[:1]
    for place, section in enumerate(sections[1:], 1):
        again = last[keys[place]] > place
        if section.letters and empty >= _TABLE and again and len(out) == 1:
            out[0].body += section.body
            out[0].letters += section.letters
        elif section.letters or not again:
            out.append(section)
        empty = 0 if section.letters else empty + 1
    return out


def _key(title: str) -> str:
    """A heading without the leader and the page number that a table of contents puts after it."""
    return _SPACES.sub("", _LEADER.sub("", title)).casefold()


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines).strip("\n\r")


def _cut(line: str, size: int) -> Iterator[str]:
    while len(line) > size:
        end = max(line.rfind(mark, size // 2, size) for mark in "。！？.!?") + 1 or size
        yield line[:end]
        line = line[end:]
    yield line
