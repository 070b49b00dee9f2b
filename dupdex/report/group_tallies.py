"""What groups say about sources, kinds and times: counted in the engine, a batch of groups at once.

Only the records of groups are read one by one; of documents no more than counts comes back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from statistics import median
from typing import Final

from dupdex.report.findings import (
    CopierSpeed,
    CopyFlow,
    CopyRate,
    ListLengths,
    ReportOptions,
    SizeClass,
)
from indexer.model import Ref
from query.stores import StoreReader
from query.tally import Axis, ByGroup, ByPeriod, ByValue, Every, InGroups, Tally, TallyRow, These

GROUPS_AT_ONCE: Final = 4_000
"""Fewer than the terms that a server takes in one query."""

_CLASSES: Final = (2, 3, 4, 5, 10, 20, 50, 100)
"""The largest size of each class but the last."""

_MANY: Final = 3
"""Originals that a source has copied before its speed counts first: fewer may be chance."""

Name = str | None


@dataclass(frozen=True, slots=True)
class GroupKey:
    """What a record says of a group: its id, canonical member and size."""

    id: str
    canonical: Ref | None
    size: int


@dataclass(frozen=True, slots=True)
class Largest:
    """One of the largest groups; `sources` and `time` as in `Original`."""

    group: GroupKey
    size: int
    source: Name
    sources: int | None
    time: int | None


@dataclass(slots=True)
class _Part:
    """Documents, those in groups, and those of them that are originals, by name."""

    documents: Counter[Name] = field(default_factory=Counter)
    grouped: Counter[Name] = field(default_factory=Counter)
    originals: Counter[Name] = field(default_factory=Counter)

    def rates(self) -> list[CopyRate]:
        return [
            CopyRate.of(name, n, self.grouped[name], self.grouped[name] - self.originals[name])
            for name, n in self.documents.items()
        ]


class GroupTallies:
    """Add all groups, then ask. Memory grows with the number of sources, and by one number for each
    original that a source has copied."""

    def __init__(self, reader: StoreReader, options: ReportOptions, every: Every) -> None:
        self._reader, self._options = reader, options
        self.sizes: Counter[int] = Counter()
        self.wrong_size = self.without_original = 0
        self.largest: list[Largest] = []
        self._axes: dict[str, Axis] = {"time": ByPeriod(options.date_field, every)}
        if options.source_field:
            self._axes["source"] = ByValue(options.source_field)
        if options.kind_field:
            self._axes["kind"] = ByValue(options.kind_field)
        self._parts = {name: _Part(self._count(axis)) for name, axis in self._axes.items()}
        self._flows: Counter[tuple[Name, Name]] = Counter()
        self._flow_groups: Counter[tuple[Name, Name]] = Counter()
        self._delays: defaultdict[str, list[int]] = defaultdict(list)
        self._earlier: Counter[str] = Counter()

    def add(self, groups: Iterable[GroupKey]) -> None:
        """Count groups, each of which comes once."""
        remaining = iter(groups)
        while batch := list(islice(remaining, GROUPS_AT_ONCE)):
            self._add_batch(batch)

    def rates(self, part: str) -> list[CopyRate]:
        """Rates by "time", "source" or "kind", in no order; none when nobody named a field."""
        return self._parts[part].rates() if part in self._parts else []

    def size_classes(self) -> list[SizeClass]:
        out = []
        for least, most in _class_limits():
            fits = [n for n in self.sizes if n >= least and (most is None or n <= most)]
            groups = sum(self.sizes[n] for n in fits)
            if groups:
                documents = sum(n * self.sizes[n] for n in fits)
                out.append(SizeClass(least, most, groups, documents))
        return out

    def lengths(self) -> ListLengths:
        """How long the lists would be without a limit."""
        names = {name: len(part.documents) for name, part in self._parts.items()}
        return ListLengths(
            by_source=names.get("source", 0),
            by_kind=names.get("kind", 0),
            most_copied=self.sizes.total(),
            flows=len(self._flows),
            fastest=len({*self._delays, *self._earlier}),
        )

    def flows(self, most: int) -> list[CopyFlow]:
        """Who copies whom, most copies first."""

        def order(pair: tuple[Name, Name]) -> tuple[int, str, str]:
            return -self._flows[pair], pair[0] or "", pair[1] or ""

        best = sorted(self._flows, key=order)[:most]
        return [CopyFlow(*pair, self._flows[pair], self._flow_groups[pair]) for pair in best]

    def speeds(self, most: int) -> list[CopierSpeed]:
        """The fastest copiers first: those that copied three originals and more before others."""
        found = []
        for source in {*self._delays, *self._earlier}:
            delays = self._delays.get(source, [])
            middle = median(delays) / 1_000 if delays else None
            least = min(delays) / 1_000 if delays else None
            found.append(CopierSpeed(source, len(delays), middle, least, self._earlier[source]))
        found.sort(key=_place)
        return found[:most]

    def _count(self, axis: Axis) -> Counter[Name]:
        return _by_name(self._reader.tally(Tally((axis,))))

    def _add_batch(self, batch: list[GroupKey]) -> None:
        records = {group.id: group for group in batch}
        rows = self._reader.tally(Tally((ByGroup(),), InGroups(tuple(records))))
        found = {row.keys[0]: row.documents for row in rows}
        self.wrong_size += sum(found.get(group.id, 0) != group.size for group in batch)
        sizes = {name: found[name] for name in records if found.get(name, 0) > 1}
        self.sizes.update(sizes.values())
        if not sizes:
            return
        groups = InGroups(tuple(sizes))
        refs = [records[name].canonical for name in sizes]
        originals = These(tuple(ref for ref in refs if ref is not None))
        for name, axis in self._axes.items():
            part = self._parts[name]
            part.grouped += _by_name(self._reader.tally(Tally((axis,), groups)))
            part.originals += _by_name(self._reader.tally(Tally((axis,), originals)))
        self._compare(records, sizes, groups, originals)

    def _compare(
        self,
        records: dict[str, GroupKey],
        sizes: dict[str, int],
        groups: InGroups,
        originals: These,
    ) -> None:
        """Sources and times of the members beside those of the originals."""
        field, time = self._options.source_field, self._options.date_field or None
        axes: tuple[Axis, ...] = (ByGroup(), ByValue(field)) if field else (ByGroup(),)
        origins = _by_group(self._reader.tally(Tally(axes, originals, time)))
        self.without_original += len(sizes.keys() - origins.keys())
        members = _by_group(self._reader.tally(Tally(axes, groups, time))) if field else {}
        for name, rows in members.items():
            if name in sizes and name in origins:
                self._compare_group(rows, origins[name])
        best = sorted(sizes, key=lambda name: (-sizes[name], name))[: self._options.top]
        more = [self._largest(records[name], sizes[name], origins, members) for name in best]
        ordered = sorted([*self.largest, *more], key=lambda each: (-each.size, each.group.id))
        self.largest = ordered[: self._options.top]

    def _largest(
        self,
        group: GroupKey,
        size: int,
        origins: dict[str, list[TallyRow]],
        members: dict[str, list[TallyRow]],
    ) -> Largest:
        origin = origins.get(group.id, [])
        named = sorted(row.keys[1] for row in origin if len(row.keys) > 1 and row.keys[1])
        times = [row.earliest for row in origin if row.earliest is not None]
        several = {row.keys[1] for row in members.get(group.id, ())} - {None}
        sources = len(several) if self._options.source_field else None
        return Largest(group, size, named[0] if named else None, sources, min(times, default=None))

    def _compare_group(self, rows: list[TallyRow], origin: list[TallyRow]) -> None:
        """One group: how many copies each source has, and how soon."""
        sources = {row.keys[1] for row in origin}
        times = [row.earliest for row in origin if row.earliest is not None]
        for row in rows:
            copier = row.keys[1]
            copies = row.documents - (copier in sources)
            if not copies:
                continue
            for original in sources:
                self._flows[copier, original] += copies
                self._flow_groups[copier, original] += 1
            if copier is None or copier in sources or row.earliest is None or not times:
                continue
            delay = row.earliest - min(times)
            if delay < 0:
                self._earlier[copier] += 1
            else:
                self._delays[copier].append(delay)


def _class_limits() -> Iterator[tuple[int, int | None]]:
    least = 2
    for most in _CLASSES:
        yield least, most
        least = most + 1
    yield least, None


def _by_name(rows: Iterable[TallyRow]) -> Counter[Name]:
    return Counter({row.keys[0]: row.documents for row in rows})


def _by_group(rows: Iterable[TallyRow]) -> dict[str, list[TallyRow]]:
    out: dict[str, list[TallyRow]] = {}
    for row in rows:
        if row.keys[0] is not None:
            out.setdefault(row.keys[0], []).append(row)
    return out


def _place(speed: CopierSpeed) -> tuple[bool, float, str]:
    late = float("inf") if speed.median is None else speed.median
    return speed.originals < _MANY, late, speed.source
