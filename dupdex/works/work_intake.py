"""Takes documents into the bank of works, with what they say of their works."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from dupdex.works.work_model import Chapter, Work
from dupdex.works.work_reading import WorkDefaults, chapter_of
from dupdex.works.work_store import ChapterOutcome, Works
from indexer.model import Document
from mappings.errors import InputRefused, NotFound

Told = Callable[[str, str], None]
"""Told where a document comes from that is no chapter, and why."""


def take_works(
    works: Works, documents: Iterable[Document], defaults: WorkDefaults, refused: Told
) -> Iterator[ChapterOutcome]:
    """Add documents as chapters; their works are made, or get what is newly said of them. Outcomes
    come once a chapter is durable."""
    known: dict[str, Work] = {}

    def chapters() -> Iterator[Chapter]:
        for document in documents:
            try:
                chapter, said = chapter_of(document, defaults)
            except InputRefused as error:
                refused(document.origin, str(error))
                continue
            if said.name not in known:
                known[said.name] = works.put(_with_stored(works, said, defaults))
            yield chapter

    yield from works.add(chapters())


def _with_stored(works: Works, said: Work, defaults: WorkDefaults) -> Work:
    """What is said of a work, and what is stored of it where nothing is said."""
    try:
        stored = works.get(said.name)
    except NotFound:
        return said
    return replace(
        said,
        holder=said.holder or stored.holder,
        outlet=said.outlet or stored.outlet,
        sites=stored.sites if defaults.sites is None else said.sites,
        indices=stored.indices if defaults.indices is None else said.indices,
    )
