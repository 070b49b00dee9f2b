"""Which stored documents the entries of a bank would have caught: a job, and what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import islice
from typing import Any, Final

from dupdex.banks.bank_check import CANDIDATES, BankQuestion, check_banks
from dupdex.banks.bank_home import BankHome
from dupdex.banks.bank_model import BankEntry, BankKind
from dupdex.banks.bank_store import Banks
from dupdex.banks.retro_hits import JOB
from dupdex.index import Index
from dupdex.jobs.heartbeat import WAIT, held
from dupdex.jobs.run_store import Progress, Run, RunStore
from indexer.stores.collection_store import Between, scan
from mappings.bank_records import RETRO_HITS
from mappings.collections import moment
from mappings.errors import AccessRefused, StoreRefused, TextRefused
from mappings.records import LEASES, RUNS
from query.answers import Match
from query.questions import Options, Question

KEPT: Final = timedelta(days=30)
"""How long what a run found is kept."""

_BATCH: Final = 50
_LOOKUP: Final = Options(
    size=None,
    candidates=CANDIDATES,
    verify=None,
    boilerplate=True,
    facts=False,
    located=False,
)


@dataclass(frozen=True, slots=True)
class Retro:
    """What a run looks for. `entries`: only these of the bank; `indices`: in these, None for all
    that the bank is for."""

    bank: str
    entries: tuple[str, ...] = ()
    indices: tuple[str, ...] | None = None

    @property
    def job(self) -> str:
        """The name of the job: one at a time goes through a bank."""
        return f"{JOB}-{self.bank}"


def retro(
    banks: Banks,
    wanted: Retro,
    step: Callable[..., None] = lambda *_: None,
    begun: Callable[[Run], None] = lambda _: None,
    wait: float = WAIT,
) -> Run:
    """Look all entries up in all indices, and keep the documents that they match; returns the
    record of the run. `begun` is told of it when it begins, `step` of lookups, and of how many
    there are.

    Raises NotFound for a bank, an entry or an index that is not there, StoreUnavailable when
    another run for the bank is under way for longer than `wait` seconds.
    """
    bank = banks.get(wanted.bank)
    home = banks.home
    if wanted.indices is None:
        names = home.session.indices()
        ours = (home.name, home.session.location.works)
        targets = [name for name in names if name not in ours and bank.is_for(name)]
    else:
        targets = list(dict.fromkeys(wanted.indices))
        for name in targets:
            home.session.reader(name)
    for entry in wanted.entries:
        banks.entry(bank.name, entry)
    runs = RunStore(home.collection(RUNS), home.collection(LEASES))
    with held(home.collection(LEASES), wanted.job, wait=wait) as lease:
        run = runs.begin(wanted.job, {"entries": list(wanted.entries), "indices": targets})
        with runs.recorded(run) as progress:
            begun(run)
            _forget_old_hits(home)
            _Going(banks, wanted, targets, progress, lease.check, step).all()
    return progress.run


def _forget_old_hits(home: BankHome) -> None:
    store = home.collection(RETRO_HITS)
    old = Between("found", below=moment(datetime.now(UTC) - KEPT))
    names = [item.id for item in scan(store, [old])]
    if names:
        store.delete_all(names)


class _Going:
    """One run that is under way."""

    def __init__(
        self,
        banks: Banks,
        wanted: Retro,
        targets: Sequence[str],
        progress: Progress,
        check: Callable[[], None],
        step: Callable[..., None],
    ) -> None:
        self._banks, self._wanted, self._targets = banks, wanted, targets
        self._progress, self._check, self._step = progress, check, step
        self._store = banks.home.collection(RETRO_HITS)
        self._done = self._hits = self._refused = self._overruled = 0
        self._documents: set[tuple[str, str]] = set()

    def all(self) -> None:
        """Every entry in every index."""
        wanted = self._wanted
        total = len(wanted.entries) or self._banks.count().get(wanted.bank, 0)
        total *= len(self._targets)
        self._progress.note(lookups=0, of=total, hits=0, documents=0)
        self._step(0, total)
        for target in self._targets:
            self._make_visible(target)
            with Index.open(self._banks.home.session, index=target) as index:
                entries = self._entries()
                while batch := list(islice(entries, _BATCH)):
                    self._check()
                    self._look_up(index, target, batch)
                    self._note(len(batch), total)
        self._store.refresh()

    def _make_visible(self, target: str) -> None:
        """What was written until now is looked at as well; a folder shows it at once."""
        session = self._banks.home.session
        if session.location.is_server:
            with suppress(AccessRefused), closing(session.writer(target)) as writer:
                writer.refresh()

    def _entries(self) -> Iterator[BankEntry]:
        now = moment(datetime.now(UTC))
        bank, names = self._wanted.bank, self._wanted.entries
        found = (
            (self._banks.entry(bank, name) for name in names)
            if names
            else self._banks.everything(bank)
        )
        return (entry for entry in found if entry.text and entry.acts(now))

    def _look_up(self, index: Index, target: str, entries: Sequence[BankEntry]) -> None:
        try:
            answers = index.lookup_all([Question(entry.text) for entry in entries], _LOOKUP)
        except TextRefused:  # one that the plan of this index cannot compare
            if len(entries) == 1:
                self._refused += 1
                return
            for entry in entries:
                self._look_up(index, target, [entry])
            return
        found = [
            (entry, match)
            for entry, answer in zip(entries, answers, strict=True)
            for match in answer.matches
        ]
        freed = self._freed(index, target, [match for _, match in found])
        self._keep(
            self._item(entry, target, match, (match.id, entry.id) in freed)
            for entry, match in found
        )

    def _freed(self, index: Index, target: str, matches: Sequence[Match]) -> set[tuple[str, str]]:
        """Documents and entries that allow entries overrule."""
        wanted = self._wanted.bank
        banks = self._banks.which_are_for(target)
        if not any(bank.kind is BankKind.ALLOW for bank in banks):
            return set()
        names = (wanted, *(bank.name for bank in banks if bank.kind is BankKind.ALLOW))
        asked = BankQuestion(target, names, CANDIDATES, passages=False)
        freed: set[tuple[str, str]] = set()
        for match in {match.ref: match for match in matches}.values():
            self._check()
            (answer,) = check_banks(self._banks, [index.meta.text_of(match.document)], asked)
            freed |= {(match.id, hit.entry) for hit in answer.hits if hit.overruled}
        return freed

    def _keep(self, items: Iterable[tuple[str, dict[str, Any]]]) -> None:
        for outcome in self._store.put_all(items):
            if outcome.reason:
                raise StoreRefused(f"a document that was found cannot be kept: {outcome.reason}")
            self._hits += 1

    def _item(
        self, entry: BankEntry, target: str, match: Match, is_freed: bool
    ) -> tuple[str, dict[str, Any]]:
        run = self._progress.run.id
        named = "|".join((run, entry.id, match.index, match.id))
        self._documents.add((match.index, match.id))
        self._overruled += is_freed
        values = {
            "run": run,
            "bank": self._wanted.bank,
            "entry": entry.id,
            "index": target,
            "document": match.id,
            "verdict": match.verdict.value,
            "similarity": match.similarity,
            "share": match.share,
            "overruled": "yes" if is_freed else None,
            "found": moment(datetime.now(UTC)),
        }
        return sha256(named.encode("utf-8", "replace")).hexdigest()[:40], values

    def _note(self, looked_up: int, total: int) -> None:
        self._done += looked_up
        self._step(looked_up)
        self._progress.note(
            lookups=self._done,
            of=max(total, self._done),
            hits=self._hits,
            overruled=self._overruled,
            documents=len(self._documents),
            refused=self._refused,
        )
