"""The health of an index: what it is made with, its boilerplate and jobs, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dupdex.report.findings import Fault, IndexHealth, JobRun, Notice, Problem
from dupdex.report.up_to_date import up_to_date
from dupdex.session import Session
from indexer.boilerplate import sentence_keys
from indexer.grouping import Grouping
from indexer.meta import IndexMeta
from indexer.stores.collection_store import Query
from indexer.text import prepare_all
from mappings.contract import Field
from mappings.errors import AccessRefused
from mappings.plan import Plan
from mappings.records import RUNS
from query.answers import Request
from query.stores import StoreReader
from query.tally import ByPlan, Tally

_RUNS: Final = 10
_MANY_DOCUMENTS: Final = 1_000
"""From so many on an index learns boilerplate by itself."""

_BEGINNING: Final = 80
"""Characters of a notice."""

_READ: Final = 5
"""Documents that are read for the words of a notice."""


def health(
    session: Session, index: str | None, reader: StoreReader, problems: Sequence[Problem]
) -> IndexHealth:
    """The health of an index; `problems` are those that are known by now."""
    meta, facts = reader.meta, _facts(reader)
    plans = {row.keys[0]: row.documents for row in reader.tally(Tally((ByPlan(),)))}
    runs = tuple(_runs(session, index))
    latest = {run.job: run for run in reversed(runs)}
    documents = sum(plans.values())
    learned = meta.boilerplate.documents
    counts = {
        Fault.OTHER_PLAN: sum(n for plan, n in plans.items() if plan not in (None, meta.plan.id)),
        Fault.NO_PLAN: plans.get(None, 0),
        Fault.NOT_LEARNED: documents if documents >= _MANY_DOCUMENTS and not learned else 0,
        Fault.FAILED_RUN: sum(run.state == "failed" for run in latest.values()),
    }
    found = [Problem(fault, count) for fault, count in counts.items() if count]
    return IndexHealth(
        store="elasticsearch" if session.location.is_server else "embedded",
        version=str(facts.get("version") or facts.get("sqlite") or ""),
        documents=documents,
        size=int(str(facts["bytes"])) if "bytes" in facts else None,
        plan=meta.plan.id,
        schemes=tuple(map(str, meta.plan.schemes)),
        group_policy=_policy(meta, documents, problems),
        learned_from=learned,
        notices=len(meta.boilerplate.sentences),
        runs=runs,
        problems=(*found, *problems),
    )


def _policy(meta: IndexMeta, documents: int, problems: Sequence[Problem]) -> str | None:
    """Which member of a group is its original, None for an index without groups. A sweep makes them
    by the default policy, where none was chosen."""
    ungrouped = any(each.fault is Fault.UNGROUPED for each in problems)
    if meta.grouping is None and (ungrouped or not documents):
        return None
    return (meta.grouping or Grouping()).policy.value


def _facts(reader: StoreReader) -> dict[str, object]:
    """What the store says of the index; nothing where the role may not ask for it."""
    try:
        return reader.describe()
    except AccessRefused:
        return {}


def notices(reader: StoreReader, most: int) -> Iterator[Notice]:
    """The sentences of boilerplate that are in the most documents, with how they begin; those that
    are in none by now are left out."""
    plan, known = reader.meta.plan, reader.meta.boilerplate.sentences
    stored = reader.frequencies({Field.SENTENCES: tuple(known)}) if known else {}
    counts = {key: stored.get((Field.SENTENCES, key), 0) for key in known}
    present = [key for key in counts if counts[key]]
    for key in sorted(present, key=lambda key: (-counts[key], key))[:most]:
        yield Notice(_words(reader, plan, key), counts[key])


def _words(reader: StoreReader, plan: Plan, key: str) -> str:
    """The beginning of a sentence, from a document that has it."""
    (page,) = reader.candidates([Request({Field.SENTENCES: (key,)}, limit=_READ)])
    texts = [stored.text for stored in reader.each([each.ref for each in page.candidates])]
    prepared = prepare_all(texts, plan)
    starts = prepared.original.bounds.tolist()
    for row, sentences in enumerate(sentence_keys(prepared, plan)):
        for start, stop, found in sentences:
            if found == key:
                low, high = prepared.folded_span(start, stop)
                text = texts[row][low - starts[row] : high - starts[row]]
                return " ".join(text.split())[:_BEGINNING]
    return ""


def _runs(session: Session, index: str | None) -> Iterator[JobRun]:
    """The last runs of jobs, the latest first."""
    stored = up_to_date(session, RUNS, index)
    if stored is None:
        return
    for item in stored.query(Query(sort="started", descending=True, limit=_RUNS)).items:
        values = item.values
        yield JobRun(
            values["job"],
            values["state"],
            values["started"],
            values.get("ended"),
            values.get("error"),
        )
