"""The groups that a figure of a report counts, counted in the engine as the figure is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final

from dupdex.report.analysis import all_groups, chosen_period
from dupdex.report.findings import ReportOptions
from dupdex.report.group_tallies import GROUPS_AT_ONCE, GroupKey
from dupdex.session import Session
from indexer.model import Ref
from mappings.errors import InputRefused
from query.stores import StoreReader
from query.tally import Axis, ByGroup, ByPeriod, ByValue, InGroups, Tally, These


class Part(StrEnum):
    """What a figure counts by."""

    TIME = "time"
    SOURCE = "source"
    KIND = "kind"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class Figure:
    """`value`: of the part, None for documents without one; `original`: only groups whose original
    is of this source, None for all; a size is from `least` to `most` members."""

    part: Part
    value: str | None = None
    original: str | None = None
    least: int = 2
    most: int | None = None


@dataclass(frozen=True, slots=True)
class GroupBehind:
    """A group, with how many of its documents the figure counts."""

    id: str
    canonical: Ref | None
    size: int
    documents: int


@dataclass(frozen=True, slots=True)
class GroupsBehind:
    """The first of `total` groups, and the `documents` of all of them that the figure counts."""

    groups: tuple[GroupBehind, ...]
    total: int
    documents: int


def groups_behind(
    session: Session,
    options: ReportOptions,
    figure: Figure,
    most: int = 100,
    index: str | None = None,
) -> GroupsBehind:
    """The groups of two and more with a document that a figure counts, those with the most of them
    first.

    Raises NotFound for no index, InputRefused for a part whose field the options do not name.
    """
    reader = session.reader(index)
    axis = _axis(reader, options, figure)
    found: list[GroupBehind] = []
    remaining = all_groups(session, index)
    while batch := list(islice(remaining, GROUPS_AT_ONCE)):
        found += _of_batch(reader, options, figure, axis, batch)
    found.sort(key=lambda group: (-group.documents, -group.size, group.id))
    return GroupsBehind(tuple(found[:most]), len(found), sum(each.documents for each in found))


_FIELDS: Final = {Part.SOURCE: "source_field", Part.KIND: "kind_field"}


def _axis(reader: StoreReader, options: ReportOptions, figure: Figure) -> Axis | None:
    """What tells documents of the figure from others; None where all count."""
    if figure.original is not None and not options.source_field:
        raise InputRefused("name the field of sources with source_field to ask for an original")
    if figure.part is Part.SIZE:
        return None
    if figure.part is Part.TIME:
        return ByPeriod(options.date_field, options.every or chosen_period(reader, options))
    path = options.source_field if figure.part is Part.SOURCE else options.kind_field
    if not path:
        name = _FIELDS[figure.part]
        raise InputRefused(f"name the field that documents are counted by with {name}")
    return ByValue(path)


def _of_batch(
    reader: StoreReader,
    options: ReportOptions,
    figure: Figure,
    axis: Axis | None,
    batch: Sequence[GroupKey],
) -> list[GroupBehind]:
    records = {group.id: group for group in batch}
    if figure.original is not None:
        originals = These(tuple(each.canonical for each in batch if each.canonical is not None))
        rows = reader.tally(Tally((ByGroup(), ByValue(options.source_field)), originals))
        kept = {row.keys[0] for row in rows if row.keys[1] == figure.original}
        records = {name: group for name, group in records.items() if name in kept}
    if not records:
        return []
    among = InGroups(tuple(records))
    sizes: Counter[str] = Counter()
    for row in reader.tally(Tally((ByGroup(),), among)):
        sizes[row.keys[0] or ""] += row.documents
    counts = sizes
    if axis is not None:
        counts = Counter()
        for row in reader.tally(Tally((ByGroup(), axis), among)):
            if row.keys[1] == figure.value:
                counts[row.keys[0] or ""] += row.documents
    return [
        GroupBehind(name, records[name].canonical, sizes[name], documents)
        for name, documents in counts.items()
        if name in records and sizes[name] > 1 and documents and _fits(sizes[name], figure)
    ]


def _fits(size: int, figure: Figure) -> bool:
    return size >= figure.least and (figure.most is None or size <= figure.most)
