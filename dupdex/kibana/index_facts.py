"""What the objects are made of: facts of one index, read from its server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dupdex.kibana.console_links import ConsoleLinks
from dupdex.session import Session
from indexer.field_path import values_at
from indexer.meta import IndexMeta
from mappings.contract import Field
from mappings.errors import InputRefused, StoreRefused
from mappings.records import COPIES, GROUPS, MATCHES, RUNS

if TYPE_CHECKING:
    from query.stores.elastic.field_kinds import FieldKinds


@dataclass(frozen=True, slots=True)
class IndexFacts:
    """`time_field`: of a document, by default when it was written; `source_field`: where it comes
    from, empty when nobody named one; both as aggregations take them. `kinds`: what fields of the
    user's are mapped as."""

    index: str
    title_field: str = ""
    time_field: str = Field.INDEXED.path
    source_field: str = ""
    kinds: dict[str, str] = field(default_factory=dict)
    links: ConsoleLinks = field(default_factory=ConsoleLinks)


def facts_of(
    session: Session,
    date_field: str = "",
    source_field: str = "",
    links: ConsoleLinks | None = None,
) -> IndexFacts:
    """Read the facts; the names of fields may be empty.

    Raises InputRefused for a folder, and for fields that are absent or cannot be aggregated;
    StoreRefused for an index without a place for groups.
    """
    from query.stores.elastic.field_kinds import FieldKinds  # heavy; the rest does without

    if not session.location.is_server:
        raise InputRefused(
            f"Kibana reads Elasticsearch alone, and {session.location.place} is a folder; name a "
            "server with --store"
        )
    client, settings = session.connection()
    meta = session.reader().meta
    _check_shown(session, meta)
    fields = FieldKinds(client, settings)
    kinds = {}
    if date_field and not fields.is_time(date_field):
        raise InputRefused(
            f"field {date_field!r} is not mapped as a date, so Kibana cannot use it as the time; "
            "name another one with --date-field, or none for the time of writing"
        )
    source = _counted(fields, source_field) if source_field else ""
    if date_field:
        kinds[date_field] = "date"
    if source:
        kinds[source] = min(fields.kinds(source))
    if meta.title_field:
        kinds.setdefault(meta.title_field, "text")
    time = date_field or Field.INDEXED.path
    links = links or ConsoleLinks(index=settings.index)
    return IndexFacts(settings.index, meta.title_field, time, source, kinds, links)


def _check_shown(session: Session, meta: IndexMeta) -> None:
    if meta.sidecar_of is not None:
        raise StoreRefused(
            f"index {session.location.index!r} has a sidecar, and a dashboard cannot join two "
            "indices; 'dupdex report' shows the same figures"
        )
    if not meta.standing:
        raise StoreRefused(
            "the index has no place for groups, as an earlier version made it; run 'dupdex rebuild'"
        )


def absent_collections(session: Session, facts: IndexFacts) -> dict[str, str]:
    """Names of collections that panels read and that the index does not have yet, with the command
    that makes each."""
    ways = {MATCHES: "sweep", GROUPS: "sweep", RUNS: "sweep"}
    if facts.source_field:
        ways[COPIES] = "kibana copies"
    return {
        each.name: f"dupdex {way}"
        for each, way in ways.items()
        if session.stored_collection(each) is None
    }


def check_field(session: Session, path: str, option: str) -> None:
    """Raise InputRefused for a field that no document has, which would look like one without
    values. An empty name is none."""
    if not path:
        return
    if session.location.is_server:
        from query.stores.elastic.field_kinds import FieldKinds  # heavy; a folder does without

        session.reader()  # says what is wrong with the index, if anything
        is_there = bool(FieldKinds(*session.connection()).kinds(path))
    else:
        bodies = (each.body for each in session.reader().scan())
        is_there = any(value is not None for body in bodies for value in values_at(body, path))
    if not is_there:
        raise _absent(path, option)


def _counted(fields: FieldKinds, path: str) -> str:
    if not fields.kinds(path):
        raise _absent(path, "--source-field")
    return fields.counted(path)


def _absent(path: str, option: str) -> InputRefused:
    return InputRefused(
        f"no document has a value in the field {path!r}; name another one with {option}"
    )
