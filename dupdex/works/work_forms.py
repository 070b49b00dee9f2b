"""Works as plain data, for whoever shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from dupdex.works.work_model import Chapter, Work


@dataclass(frozen=True, slots=True)
class WorkLine:
    """A work and the number of its `chapters`."""

    name: str
    chapters: int
    holder: str
    outlet: str
    sites: tuple[str, ...]
    indices: tuple[str, ...]
    made: str

    @classmethod
    def of(cls, work: Work, chapters: int) -> Self:
        """The line of a work."""
        said = (work.holder, work.outlet, work.sites, work.indices, work.made)
        return cls(work.name, chapters, *said)


@dataclass(frozen=True, slots=True)
class WorkLines:
    """All works, by name."""

    works: tuple[WorkLine, ...]


@dataclass(frozen=True, slots=True)
class ChapterLine:
    """A chapter without its text; `letters`: letters and digits of it."""

    id: str
    number: int | None
    title: str
    url: str
    published: str | None
    letters: int
    added: str
    changed: str

    @classmethod
    def of(cls, chapter: Chapter) -> Self:
        """The line of a chapter."""
        said = (chapter.number, chapter.title, chapter.url, chapter.published)
        return cls(chapter.id, *said, chapter.letters, chapter.added, chapter.changed)


@dataclass(frozen=True, slots=True)
class ChapterLines:
    """The chapters of a work, in order."""

    work: WorkLine
    chapters: tuple[ChapterLine, ...]


def work_columns(work: WorkLine) -> tuple[str, ...]:
    """Name, number of chapters, what it is for, whose it is, and where it stands rightfully."""
    said = [f"for {', '.join(work.indices)}"]
    said += [each for each in (work.holder, work.outlet) if each]
    if work.sites:
        said.append(f"own sites {', '.join(work.sites)}")
    return (work.name, f"{work.chapters:,} chapters", *said)


def chapter_columns(chapter: ChapterLine) -> tuple[str, ...]:
    """Id, number, letters, title, and address."""
    number = "" if chapter.number is None else str(chapter.number)
    return (chapter.id, number, f"{chapter.letters:,} letters", chapter.title, chapter.url)
