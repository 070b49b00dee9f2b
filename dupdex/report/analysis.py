"""Makes the report of an index: asks the engine to count, and puts the counts together."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from dupdex.report.findings import (
    CopyRate,
    DuplicateReport,
    Fault,
    Original,
    Problem,
    ReportOptions,
)
from dupdex.report.group_tallies import GroupKey, GroupTallies
from dupdex.report.index_health import health, notices
from dupdex.report.pair_tallies import PairTallies
from dupdex.report.up_to_date import up_to_date
from dupdex.session import Session
from dupdex.wire.output import title_of
from indexer.model import Ref
from indexer.stores.collection_store import Between, scan
from mappings.collections import moment
from mappings.errors import InputRefused
from mappings.records import GROUPS, parts_of_key
from query.stores import StoreReader
from query.tally import ByPeriod, Every, Tally

_FEW_MONTHS, _MANY_MONTHS = 3, 60
"""Of so many months the days are shown, of more than so many the years."""

_TITLE: Final = 120
"""Characters of a title."""


def analyse(
    session: Session, options: ReportOptions | None = None, index: str | None = None
) -> DuplicateReport:
    """The report of an index, as of the last refresh. It only reads.

    Raises NotFound when there is no such index, InputRefused for a field that documents cannot be
    counted by, or that none of them has.
    """
    options = options or ReportOptions()
    reader = session.reader(index)
    documents = reader.count()
    every = options.every or chosen_period(reader, options)
    tallies = GroupTallies(reader, options, every)
    _check_fields(tallies, options, documents)
    tallies.add(all_groups(session, index))
    pairs = PairTallies(session, index, reader.meta.plan.id)
    grouped = sum(size * groups for size, groups in tallies.sizes.items())
    groups = tallies.sizes.total()
    faults = {
        **pairs.faults,
        Fault.SIZES: tallies.wrong_size,
        Fault.NO_ORIGINAL: tallies.without_original,
        Fault.UNGROUPED: documents if documents and not _is_grouped(session, index) else 0,
    }
    problems = [Problem(fault, count) for fault, count in faults.items() if count]
    return DuplicateReport(
        index=index or session.location.index,
        made=moment(datetime.now(UTC)),
        options=options,
        every=every,
        total=CopyRate.of("", documents, grouped, grouped - groups),
        groups=groups,
        largest=max(tallies.sizes, default=0),
        over_time=tuple(sorted(tallies.rates("time"), key=lambda rate: rate.name or "")),
        by_source=_most(tallies.rates("source"), options.top),
        by_kind=_most(tallies.rates("kind"), options.top),
        sizes=tuple(tallies.size_classes()),
        most_copied=tuple(_originals(reader, tallies)),
        flows=tuple(tallies.flows(options.top)),
        fastest=tuple(tallies.speeds(options.top)),
        chains=tuple(pairs.chains(reader, options.top)),
        pairs=tuple(pairs.counts()),
        schemes=tuple(pairs.schemes()),
        boilerplate=tuple(notices(reader, options.top)),
        lengths=tallies.lengths(),
        health=health(session, index, reader, problems),
    )


def chosen_period(reader: StoreReader, options: ReportOptions) -> Every:
    """Periods that make neither a few points nor hundreds of them."""
    rows = reader.tally(Tally((ByPeriod(options.date_field, Every.MONTH),)))
    months = len({row.keys[0] for row in rows} - {None})
    if months <= _FEW_MONTHS:
        return Every.DAY
    return Every.YEAR if months > _MANY_MONTHS else Every.MONTH


def _check_fields(tallies: GroupTallies, options: ReportOptions, documents: int) -> None:
    """Raise InputRefused for a field that no document has: the name may be wrong."""
    fields = {
        "time": options.date_field,
        "source": options.source_field,
        "kind": options.kind_field,
    }
    for part, path in fields.items():
        if documents and path and {rate.name for rate in tallies.rates(part)} == {None}:
            what = "a time" if part == "time" else "a value"
            option = "--date-field" if part == "time" else f"--{part}-field"
            raise InputRefused(
                f"no document has {what} in the field {path!r}; name another one with {option}"
            )


def all_groups(session: Session, index: str | None) -> Iterator[GroupKey]:
    """Every group of two and more, as its record says."""
    stored = up_to_date(session, GROUPS, index)
    if stored is None:
        return
    for item in scan(stored, [Between("size", 1)]):
        canonical = item.values["canonical"]
        ref = Ref(*parts_of_key(canonical)) if canonical else None
        yield GroupKey(item.id, ref, item.values["size"])


def _is_grouped(session: Session, index: str | None) -> bool:
    return session.stored_collection(GROUPS, index) is not None


def _most(rates: list[CopyRate], most: int) -> tuple[CopyRate, ...]:
    """Those with the most copies first."""
    rates.sort(key=lambda rate: (-rate.copies, -rate.documents, rate.name is None, rate.name or ""))
    return tuple(rates[:most])


def _originals(reader: StoreReader, tallies: GroupTallies) -> Iterator[Original]:
    """The canonical members of the largest groups, whose documents are read for their titles."""
    refs = [each.group.canonical for each in tallies.largest]
    documents = reader.documents([ref for ref in refs if ref is not None])
    for each, ref in zip(tallies.largest, refs, strict=True):
        if ref is None or ref not in documents:
            continue
        title = title_of(documents[ref].body, reader.meta, _TITLE)
        yield Original(
            each.group.id, ref, title, each.size - 1, each.source, each.sources, each.time
        )
