"""Why nothing was found: names that nothing in the index has, which look like a true none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from dupdex.cli.screen import note
from dupdex.index import Index
from dupdex.jobs.run_store import RunStore
from dupdex.session import Session
from indexer.field_path import values_at
from indexer.model import Body
from mappings.errors import InputRefused, NotFound
from mappings.index_body import is_ours
from query.answers import Filter

_READ: Final = 1_000
"""Documents that are read to see whether any has a field: so the question stays cheap."""


def note_filters(opened: Index, filters: Sequence[Filter]) -> None:
    """Say which fields of filters no document has, as far as some documents can tell."""
    names = dict.fromkeys(_fields_of(filters))
    if not names:
        return
    read = 0
    for stored in islice(opened.scan(), _READ):
        read += 1
        names = dict.fromkeys(name for name in names if not _has(stored.body, name))
        if not names:
            return
    some = f"of the first {read:,} documents none has" if read == _READ else "no document has"
    for name in names if read else ():
        note(f"{some} a value in the field {name!r}, which the filter asks for; check its name")


def _fields_of(filters: Sequence[Filter]) -> Iterator[str]:
    """The fields of filters for one value; those of the store itself are in no document."""
    for clause in filters:
        term = clause.get("term")
        if isinstance(term, dict):
            yield from (name for name in term if not is_ours(name) and not name.startswith("_"))


def _has(body: Body, name: str) -> bool:
    """Whether there is a value at a path, or above it: a text may be mapped in more ways."""
    above = name.rpartition(".")[0]
    values = (value for path in (name, above) for value in values_at(body, path))
    return any(value is not None and not isinstance(value, dict) for value in values)


def note_document(opened: Index, name: str) -> None:
    """Say why no pair of a document is kept."""
    try:
        opened.ref_of(name)
    except NotFound as error:
        note(str(error))
        return
    except InputRefused:  # several indices have it
        pass
    note(f"no pair of document {name!r} is kept; 'dupdex sweep' keeps those that it finds")


def note_run(session: Session, name: str) -> None:
    """Say why no pair of a run is kept."""
    runs = RunStore.stored(session)
    try:
        if runs is None:
            raise NotFound(f"no run {name!r}, as none was recorded yet; 'dupdex sweep' begins one")
        runs.get(name)
    except NotFound as error:
        note(str(error))
    else:
        note(f"no pair that run {name!r} found is kept any more")
