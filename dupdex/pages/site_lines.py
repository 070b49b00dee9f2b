"""Lines that the pages of a site have beside their articles: learned, and cut.

An extraction leaves some: copyright notices, calls to subscribe, the name of an editor. They recur
over different articles. What recurs over copies of one article alone is that article. A line that
makes up much of the pages that it is on stays, as they look like copies.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final

from dupdex.pages.sketches import Sketch, are_alike, sketch_of

VERSION: Final = 1
"""Of the way lines are learned and cut."""

ARTICLES: Final = 5
"""Different articles that a line must be in."""

SHARE: Final = 0.1
"""The least share of the pages of a site that it must be in."""

SAMPLE: Final = 2_000
"""Pages of a site that are learned from, at most; their texts are held in memory."""

_COPIES: Final = 0.2
"""The share of common runs of letters from which on two pages count as copies here: low, as a line
that is cut from an article is worse than one that is left."""

_LONGEST_LABELLED: Final = 40
_LONGEST_LABEL: Final = 8
_HEAD, _TAIL = 3, 6
"""Lines at the beginning and the end of a text where a label alone is enough."""

_NOTICE: Final = re.compile(r"©|版权|版權|copyright|rights reserved", re.IGNORECASE)
_YEAR: Final = re.compile(r"(19|20)\d\d")
_LABEL: Final = re.compile(rf"\W*([^\W\d][^:：\d]{{0,{_LONGEST_LABEL}}}?)\s*[:：]")


@dataclass(frozen=True, slots=True)
class SiteLines:
    """What is cut from the texts of a site. `lines`: in the form of `form_of`; `labels`: what
    short lines at the edges of a text begin with; `pages`: how many it was learned from."""

    lines: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    pages: int = 0

    def cut(self, text: str) -> str:
        """The text without these lines."""
        if not self.lines and not self.labels:
            return text
        rows = text.split("\n")
        kept = (
            row
            for at, row in enumerate(rows)
            if form_of(row) not in self.lines
            and not (_is_at_an_edge(at, len(rows)) and label_of(row) in self.labels)
        )
        return "\n".join(kept)


NO_LINES: Final = SiteLines()


def form_of(line: str) -> str:
    """A line as it is compared: without spaces; of notices of copyright, without years. Other
    numbers are what a report may be about."""
    form = "".join(line.split())
    return _YEAR.sub("0", form) if _NOTICE.search(form) else form


def label_of(line: str) -> str:
    """What a short line names before a colon, like the function of a person; "" for others."""
    if len(line) > _LONGEST_LABELLED:
        return ""
    found = _LABEL.match(line)
    return "".join(found[1].split()).lower() if found else ""


def learned_lines(texts: Iterable[str]) -> SiteLines:
    """Learn from the texts of pages of one site."""
    held = list(dict.fromkeys(texts))[:SAMPLE]  # pages with one text are one page here
    least = max(ARTICLES, ceil(SHARE * len(held)))
    lines = _frequent((_forms(text) for text in held), least)
    labels = _frequent((_labels(text) for text in held), least)
    # Whole texts: of copies, what is left without the lines they share are the edits alone.
    sketches = [sketch_of(text) for text in held]
    return SiteLines(
        _of_articles(lines, map(_forms, held), sketches),
        _of_articles(labels, map(_labels, held), sketches),
        len(held),
    )


def _frequent(found: Iterable[set[str]], least: int) -> frozenset[str]:
    counts = Counter(each for names in found for each in names)
    return frozenset(each for each, number in counts.items() if number >= least)


def _of_articles(
    names: frozenset[str], found: Iterable[set[str]], sketches: list[Sketch]
) -> frozenset[str]:
    """Those that stand in enough different articles: pages of copies count once."""
    articles: dict[str, list[Sketch]] = defaultdict(list)
    for there, sketch in zip(found, sketches, strict=True):
        for name in there & names:
            known = articles[name]
            if len(known) < ARTICLES and not any(
                are_alike(sketch, each, _COPIES) for each in known
            ):
                known.append(sketch)
    return frozenset(name for name, known in articles.items() if len(known) >= ARTICLES)


def _forms(text: str) -> set[str]:
    return {form_of(line) for line in text.split("\n")} - {""}


def _labels(text: str) -> set[str]:
    return set(_edge_labels(text)) - {""}


def _edge_labels(text: str) -> Iterator[str]:
    rows = text.split("\n")
    for at, row in enumerate(rows):
        if _is_at_an_edge(at, len(rows)):
            yield label_of(row)


def _is_at_an_edge(at: int, rows: int) -> bool:
    return at < _HEAD or at >= rows - _TAIL
