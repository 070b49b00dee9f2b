"""What runs that look back have found, and the record of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from dupdex.banks.bank_home import BankHome
from dupdex.jobs.run_store import Run, RunStore
from indexer.stores.collection_store import Cursor, Equals, Item, Query
from mappings.bank_records import RETRO_HITS
from mappings.errors import NotFound
from mappings.records import LEASES, RUNS
from query.answers import Verdict

JOB: Final = "retro"


@dataclass(frozen=True, slots=True)
class RetroHit:
    """A stored document that an entry matches. `share`: the part of the entry that is in it.
    `overruled`: an allow entry says otherwise (see `dupdex.banks.overruling`)."""

    bank: str
    entry: str
    index: str
    document: str
    verdict: Verdict
    similarity: float
    share: float | None
    overruled: bool = False

    @classmethod
    def from_item(cls, item: Item) -> Self:
        """The hit that an item of RETRO_HITS holds."""
        stored = item.values
        return cls(
            stored["bank"],
            stored["entry"],
            stored["index"],
            stored["document"],
            Verdict(stored["verdict"]),
            stored["similarity"],
            stored.get("share"),
            stored.get("overruled") == "yes",
        )


@dataclass(frozen=True, slots=True)
class RetroPage:
    """Hits, the most similar first; `next`: after what the next page begins."""

    hits: tuple[RetroHit, ...]
    next: Cursor | None
    total: int


def runs_of(home: BankHome, bank: str = "", limit: int = 20) -> list[Run]:
    """The runs for a bank, or for all, that were begun last."""
    runs = stored_runs(home)
    return [] if runs is None else runs.latest(f"{JOB}-{bank}" if bank else "", limit=limit)


def run_of(home: BankHome, name: str) -> Run:
    """One run. Raises NotFound."""
    runs = stored_runs(home)
    if runs is None:
        raise NotFound(f"no run {name!r}; nothing was looked for yet")
    return runs.get(name)


def stored_runs(home: BankHome) -> RunStore | None:
    """The record of runs; None where nothing ever ran."""
    runs = home.stored(RUNS)
    return None if runs is None else RunStore(runs, home.stored(LEASES))


def indices_of(home: BankHome, run: str) -> list[str]:
    """The indices in which a run found something so far."""
    store = home.stored(RETRO_HITS)
    if store is None:
        return []
    store.refresh()
    return sorted(row[0] for row, _ in store.tally(["index"], [Equals("run", (run,))]))


def hits_of(
    home: BankHome,
    run: str,
    limit: int = 100,
    after: Cursor | None = None,
    indices: Sequence[str] | None = None,
) -> RetroPage:
    """A page of what a run found so far; with `indices` only in these."""
    store = home.stored(RETRO_HITS)
    if store is None:
        return RetroPage((), None, 0)
    conditions = [Equals("run", (run,))]
    if indices is not None:
        conditions.append(Equals("index", tuple(indices)))
    store.refresh()
    page = store.query(Query(tuple(conditions), "similarity", True, limit, after))
    hits = tuple(map(RetroHit.from_item, page.items))
    return RetroPage(hits, page.next, store.count(conditions))
