"""Where a chapter stands in a page: shared runs, put together over small edits, and what of them
counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Final

from dupdex.works.work_model import Finding, Passage
from indexer.text import Streams
from mappings.plan import Plan
from query.answers import Verdict
from query.explain.shared_passages import shared_passages
from query.pair import PairJudge

Range = tuple[int, int]

_GAP: Final = 40
"""Characters between two runs, on either side, over which they are one passage: an edited sentence.
In scripts with spaces so many times as much:"""

_SPACED: Final = 4
LEAST: Final = 20
"""Equal units of the shortest passage of a copy: fewer are a saying, or a name with its titles."""

ALONE: Final = 72
"""Equal units of a passage that counts by itself, whatever the verdict on the texts as wholes,"""

ALONE_WORDS: Final = 56
"""and the same in words, as long leads of a news agency are quoted by unrelated articles."""

_SAMPLE: Final = 12
"""Characters by which it is told in advance whether a page may have a stretch once more."""


@dataclass(slots=True)
class _Chain:
    """Runs that follow each other on both sides."""

    chapter: Range
    page: Range
    same: int

    def gap_to(self, run: Passage) -> int | None:
        """The larger of the gaps on either side; None for a run that does not follow."""
        gaps = run.chapter[0] - self.chapter[1], run.page[0] - self.page[1]
        return None if min(gaps) < 0 else max(gaps)


@dataclass(frozen=True)
class Compared:
    """A chapter and a page: the verdict on them as wholes, None for none, and the runs that they
    share. `letters`: running sums of letters and digits of either text."""

    key: str
    verdict: Verdict | None
    similarity: float
    spaced: bool
    runs: tuple[Passage, ...]
    chapter_letters: tuple[int, ...] = field(repr=False)
    page_letters: tuple[int, ...] = field(repr=False)

    @property
    def weight(self) -> int:
        """Equal units in all."""
        return sum(run.same for run in self.runs)

    def passages(self, taken: Sequence[Range] = ()) -> tuple[Passage, ...]:
        """What counts of the runs, without those that stand for the most part where something else
        of the page does. Nothing where the texts have too little in common."""
        runs = [run for run in self.runs if 2 * overlap(run.page, taken) <= _length(run.page)]
        found = joined(runs, _GAP * (_SPACED if self.spaced else 1))
        whole = self.verdict if 2 * sum(run.same for run in runs) >= self.weight else None
        if whole in (Verdict.EXACT, Verdict.NEAR) and not found:  # nothing but letters that swap
            sides = (0, len(self.chapter_letters) - 1), (0, len(self.page_letters) - 1)
            return () if taken else (Passage(*sides, 0),)
        if whole is None:
            alone = ALONE_WORDS if self.spaced else ALONE
            if max((passage.same for passage in found), default=0) < alone:
                return ()
        kept = [each for each in found if each.same >= LEAST]
        return tuple(kept or (found if whole else ()))

    def finding(self, passages: Sequence[Passage], page: str, at: int) -> Finding:
        """What is kept of passages. `page`: the whole page, of which what was compared begins at
        character `at`."""
        moved = [replace(each, page=(each.page[0] + at, each.page[1] + at)) for each in passages]
        letters = self.page_letters if len(self.page_letters) > len(page) else letters_of(page)
        return Finding(
            self.key,
            self.verdict or Verdict.PARTIAL,
            self.similarity,
            covered([each.chapter for each in moved], self.chapter_letters),
            covered([each.page for each in moved], letters),
            tuple(moved),
        )


def compared(key: str, chapter: str, page: str, plan: Plan) -> Compared:
    """A chapter and a page, compared. Raises TextRefused for a text that cannot be."""
    judge = PairJudge(plan)
    texts = judge.read([chapter, page])
    judged = judge.judgement(texts[0], texts[1])
    features = texts[0].features, texts[1].features
    spaced = features[0].spaced and features[1].spaced
    runs = _repeated(chapter, page, _runs(features[0].batch.streams(spaced)), judge, spaced)
    sums = letters_of(chapter), letters_of(page)
    return Compared(key, judged.verdict, judged.similarity, spaced, tuple(runs), *sums)


def _runs(streams: Streams) -> list[Passage]:
    listed = shared_passages(streams).passages
    return [
        Passage((e.left.start, e.left.stop), (e.right.start, e.right.stop), e.units) for e in listed
    ]


def _repeated(
    chapter: str, page: str, runs: Sequence[Passage], judge: PairJudge, spaced: bool
) -> list[Passage]:
    """The runs, and those of stretches that the page has once more: no two that come in overlap in
    the chapter. Only passages that count alone are looked for again, as sayings recur."""
    gap, alone = _GAP * (_SPACED if spaced else 1), ALONE_WORDS if spaced else ALONE
    found = [each for each in joined(runs, gap) if each.same >= alone]
    size = _SAMPLE * (_SPACED if spaced else 1)
    starts = (at for each in found for at in range(each.chapter[0], each.chapter[1] - size, size))
    samples = {chapter[at : at + size] for at in starts}
    out = [*runs]
    todo = _between([each.page for each in found], (0, len(page)))
    while todo:
        low, high = todo.pop()
        rest = page[low:high]
        if high - low < alone or not any(sample in rest for sample in samples):
            continue
        listed = _runs(judge.read([chapter, rest])[0].features.batch.streams(spaced))
        again = [replace(e, page=(e.page[0] + low, e.page[1] + low)) for e in listed]
        kept = [each.page for each in joined(again, gap) if each.same >= alone]
        if kept:
            out = [run for run in out if not overlap(run.page, kept)]
            out += [run for run in again if overlap(run.page, kept)]
            todo += _between(kept, (low, high))
    return out


def _between(ranges: Iterable[Range], whole: Range) -> list[Range]:
    """What is left of a range without others in it."""
    cuts = [whole[0], *(cut for each in union(ranges) for cut in each), whole[1]]
    return [(cuts[at], cuts[at + 1]) for at in range(0, len(cuts), 2)]


def joined(runs: Iterable[Passage], gap: int) -> list[Passage]:
    """Runs that follow each other on both sides with at most so many characters between, as one
    passage each; by their place in the page."""
    chains: list[_Chain] = []
    near: list[_Chain] = []
    for run in sorted(runs, key=lambda run: run.page):
        near = [chain for chain in near if run.page[0] - chain.page[1] <= gap]
        fits = [
            (between, at)
            for at, chain in enumerate(near)
            if (between := chain.gap_to(run)) is not None and between <= gap
        ]
        if fits:
            chain = near[min(fits)[1]]
            chain.chapter = chain.chapter[0], run.chapter[1]
            chain.page = chain.page[0], run.page[1]
            chain.same += run.same
        else:
            near.append(_Chain(run.chapter, run.page, run.same))
            chains.append(near[-1])
    return [Passage(each.chapter, each.page, each.same) for each in chains]


def letters_of(text: str) -> tuple[int, ...]:
    """Running sums of letters and digits: one more than characters."""
    return tuple(accumulate(map(str.isalnum, text), initial=0))


def union(ranges: Iterable[Range]) -> list[Range]:
    """The same characters in ranges that neither touch nor overlap, in order."""
    out: list[Range] = []
    for start, stop in sorted(ranges):
        if stop <= start:
            continue
        if out and start <= out[-1][1]:
            out[-1] = out[-1][0], max(out[-1][1], stop)
        else:
            out.append((start, stop))
    return out


def covered(ranges: Iterable[Range], letters: Sequence[int]) -> float:
    """The share of the letters and digits of a text that stand in any of the ranges."""
    count = sum(letters[stop] - letters[start] for start, stop in union(ranges))
    return count / max(1, letters[-1])


def overlap(one: Range, others: Iterable[Range]) -> int:
    """How many characters of a range are in others that do not overlap each other."""
    return sum(max(0, min(one[1], stop) - max(one[0], start)) for start, stop in others)


def _length(one: Range) -> int:
    return one[1] - one[0]
