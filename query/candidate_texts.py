"""The documents of candidates, a bounded number at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from indexer.weight import HELD_BYTES, weight
from query.answers import CandidatePage, CandidateReader, Ref, Stored

CHARACTERS: Final = 60_000
"""About how many characters are judged together: more do not fit into a processor's caches."""


def in_groups(
    reader: CandidateReader, pages: Sequence[CandidatePage], chosen: Sequence[Sequence[Ref]]
) -> Iterator[list[Stored]]:
    """The chosen documents, each once, those of one page together; from the pages that brought
    them along, else from the reader. What a group weighs is bounded, but for a single document.
    """
    along: dict[Ref, Stored] = {}
    missing: dict[Ref, None] = {}
    for page, refs in zip(pages, chosen, strict=True):
        _part(page.documents, refs, along, missing)
    if missing:
        missing = {ref: None for ref in missing if ref not in along}
    yield from _grouped(along.values(), lambda _: 0)  # they are here already, and light
    if missing:
        yield from _grouped(reader.each(list(missing)), lambda document: weight(document.body))


def _part(
    documents: Mapping[Ref, Stored],
    refs: Iterable[Ref],
    along: dict[Ref, Stored],
    missing: dict[Ref, None],
) -> None:
    for ref in refs:
        document = documents.get(ref)
        if document is None:
            missing[ref] = None
        else:
            along.setdefault(ref, document)


def _grouped(
    documents: Iterable[Stored], weight_of: Callable[[Stored], int]
) -> Iterator[list[Stored]]:
    group: list[Stored] = []
    characters = held = 0
    for document in documents:
        group.append(document)
        characters += len(document.text)
        held += weight_of(document)
        if characters >= CHARACTERS or held >= HELD_BYTES:
            yield group
            group, characters, held = [], 0, 0
    if group:
        yield group
