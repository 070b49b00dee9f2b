"""Tells of a text that arrives again and again, with small edits, whichever program it comes to.

A flood is the first text of its kind with the times at which similar ones arrived. It is found by
keys, each of which is an item of its own, as items are read at once and queries only after a
refresh; whether a text belongs to it is for `PairJudge` to say, as of documents.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final, Self

from dupdex.banks.bank_home import BankHome
from dupdex.banks.bank_model import Flood
from dupdex.banks.claims import Claims
from dupdex.banks.flood_keys import flood_keys
from indexer.fingerprints.compute import check_text
from indexer.stores.collection_store import Between, CollectionStore, Item, Query, Values
from mappings.bank_records import FLOODS
from mappings.collections import moment
from mappings.errors import InputRefused, StoreRefused
from mappings.plan import STANDARD
from query.answers import Verdict
from query.pair import PairJudge, Text

MOST_TIMES: Final = 1_000
"""Arrivals of one flood that are remembered, the last ones."""

LONGEST_WINDOW: Final = timedelta(days=7)

_RULE: Final = re.compile(r"(\d{1,6})/(\d{1,6})([smhd])", re.ASCII)
_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}

MOST_FLOODS: Final = 1_000_000
"""Texts and keys that are remembered of all guards of a store, up to 15 for a text; beyond, those
end first that would end first anyway."""

READ: Final = 20_000
"""Characters of a text that are kept and compared: its beginning."""

_KEYS_LAST: Final = 1.5
"""Windows for which keys are kept; those of a flood that goes on are kept anew then."""
_A_KEY: Final = 8
"""Floods that one key leads to, the last ones."""
_COMPARED: Final = 12
"""Floods that a text is compared with, those with most common keys."""
_TIDY: Final = 30.0
_TIDIED, _ROUNDS = 1_000, 40
"""Items that are removed at once, and how often, every so many seconds."""


@dataclass(frozen=True, slots=True)
class FloodRule:
    """So many `times` the same within a `window` are a flood. Guards of one `name` and window count
    together. Raises InputRefused for numbers out of range."""

    times: int
    window: timedelta
    name: str = "default"

    def __post_init__(self) -> None:
        if not 2 <= self.times <= MOST_TIMES:
            raise InputRefused(f"a flood is 2 to {MOST_TIMES:,} times the same, not {self.times:,}")
        if not timedelta(seconds=1) <= self.window <= LONGEST_WINDOW:
            raise InputRefused("the window of a flood is one second to seven days")

    @classmethod
    def read(cls, text: str, name: str = "default") -> Self:
        """From TIMES/WINDOW, as in 20/10m. Raises InputRefused."""
        found = _RULE.fullmatch(text.strip())
        if found is None:
            raise InputRefused(
                f"{text[:40]!r} is no flood; write TIMES/WINDOW, as in 20/10m or 5/1h"
            )
        times, number, unit = found.groups()
        return cls(int(times), timedelta(**{_UNITS[unit]: int(number)}), name)


class FloodGuard:
    """Counts the arrivals of similar texts within a window; programs and threads may share the
    store. Guards of the same name and window count together, whatever their `times` are.

    Of texts that arrive one after the other each is counted. Where several programs see the first
    texts of a flood in the same moment, each may begin one of its own; they count together as soon
    as a text meets both, and no count is ever less than it should be by more than those texts.
    Threads of one guard miss nothing.
    """

    def __init__(self, home: BankHome, rule: FloodRule) -> None:
        self.times, self.window = rule.times, rule.window
        self._home, self._plan = home, STANDARD
        self._judge = PairJudge(self._plan)
        named = f"{rule.name}|{rule.window.total_seconds()}|{self._plan.id}"
        self._scope = sha256(named.encode("utf-8", "replace")).hexdigest()[:16]
        self._claims = Claims()
        self._next_tidy = 0.0

    def arrived(self, text: str, at: datetime | None = None) -> Flood:
        """Count a text, and say how often its like has arrived. Raises TextRefused."""
        check_text(text[:READ], self._plan)
        now = at or datetime.now(UTC)
        store = self._home.collection(FLOODS)
        self._tidy(store, now)
        (asked,) = self._judge.read([text[:READ]])
        keys = self._keys(asked)
        own = f"f{self._scope}:{asked.fingerprint.text_hash}"
        # Threads with similar texts take turns from here on, so none begins what another begins.
        with self._claims.of([own, *keys]):
            found = self._similar(store, asked, own, keys, now)
            if not found:
                return self._told(self._begin(store, text[:READ], own, keys, now), [], now)
            oldest, *others = found
            return self._told(self._count(store, oldest, now), others, now)

    def _similar(
        self, store: CollectionStore, asked: Text, own: str, keys: Sequence[str], now: datetime
    ) -> list[Item]:
        """The floods that a text belongs to, the one that began first before others."""
        items = store.get_all([own, *keys])
        votes: dict[str, int] = {}
        for key in keys:
            for flood in items[key].values.get("floods", ()) if key in items else ():
                votes[flood] = votes.get(flood, 0) + 1
        votes.pop(own, None)
        best = sorted(votes, key=lambda flood: (-votes[flood], flood))[:_COMPARED]
        there = store.get_all(best) if best else {}
        if own in items:
            there[own] = items[own]
        alive = [item for item in there.values() if item.values["until"] > moment(now)]
        texts = self._judge.read([str(item.values.get("text", "")) for item in alive])
        judged = self._judge.judgements(asked, texts) if texts else []
        similar = [
            item
            for item, judgement in zip(alive, judged, strict=True)
            if judgement is not None and judgement.verdict is not Verdict.PARTIAL
        ]
        return sorted(similar, key=lambda item: (str(item.values["first"]), item.id))

    def _begin(
        self, store: CollectionStore, text: str, own: str, keys: Sequence[str], now: datetime
    ) -> Item:
        """Keep a text as the first of its kind; where another program has done so in this moment,
        count it there."""
        kept = moment(now + _KEYS_LAST * self.window)
        values = {
            "until": moment(now + self.window),
            "text": text,
            "first": moment(now),
            "kept": kept,
            "times": [_milliseconds(now)],
            "arrivals": 1,
        }
        version = None
        while version is None:
            version = store.create(own, values)
            item = store.get(own) if version is None else None
            if item is not None and item.values["until"] > moment(now):
                return self._count(store, item, now)
            if item is not None:  # it has ended, and was not removed yet
                version = store.update(own, values, item.version)
        self._lead(store, keys, own, kept)
        return Item(own, values, version)

    def _lead(self, store: CollectionStore, keys: Sequence[str], flood: str, kept: str) -> None:
        """Let keys lead to a flood."""
        stored = store.get_all(keys)
        led = [(key, _leading(stored.get(key), flood, kept)) for key in keys]
        for outcome in store.put_all(led):
            if outcome.reason:
                raise StoreRefused(f"a key of a flood cannot be kept: {outcome.reason}")

    def _count(self, store: CollectionStore, item: Item, now: datetime) -> Item:
        """Count an arrival; each is counted once, whoever else counts at the same time."""
        while True:
            until = max(moment(now + self.window), str(item.values["until"]))
            times = sorted([*self._within(item.values["times"], now), _milliseconds(now)])
            values = {
                **item.values,
                "until": until,
                "times": times[-MOST_TIMES:],
                "arrivals": int(item.values["arrivals"]) + 1,
            }
            outlived = until > str(item.values["kept"])
            if outlived:
                values["kept"] = moment(now + _KEYS_LAST * self.window)
            version = store.update(item.id, values, item.version)
            if version is not None:
                if outlived:
                    (text,) = self._judge.read([str(values["text"])])
                    keys = self._keys(text)
                    self._lead(store, keys, item.id, str(values["kept"]))
                return Item(item.id, values, version)
            # Another program counted meanwhile, or removed it as one that has ended.
            item = store.get(item.id) or self._begun_anew(store, item, now)

    def _begun_anew(self, store: CollectionStore, item: Item, now: datetime) -> Item:
        """A flood that is gone, without an arrival so far."""
        values = {**item.values, "times": [], "arrivals": 0, "first": moment(now)}
        version = store.create(item.id, values)
        found = store.get(item.id) if version is None else Item(item.id, values, version)
        return found or self._begun_anew(store, item, now)

    def _told(self, item: Item, others: Iterable[Item], now: datetime) -> Flood:
        times = [*self._within(item.values["times"], now)]
        for other in others:  # begun by another program in the same moment
            times += self._within(other.values["times"], now)
        count = min(len(times), MOST_TIMES)
        first = moment(datetime.fromtimestamp(min(times) / 1_000, UTC))
        seconds = self.window.total_seconds()
        name = item.id.partition(":")[2]
        return Flood(name, count, self.times, seconds, first, count >= self.times)

    def _keys(self, text: Text) -> list[str]:
        return [f"k{self._scope}:{key}" for key in flood_keys(text.fingerprint)]

    def _within(self, times: Iterable[int], now: datetime) -> list[int]:
        since = _milliseconds(now - self.window)
        return [each for each in times if each > since]

    def _tidy(self, store: CollectionStore, now: datetime) -> None:
        """Now and then, remove what has ended, and what is too much."""
        if time.monotonic() < self._next_tidy:
            return
        self._next_tidy = time.monotonic() + _TIDY
        store.refresh()
        ended = (Between("until", below=moment(now)),)
        for _ in range(_ROUNDS):
            excess = store.count() - MOST_FLOODS
            conditions = () if excess > 0 else ended
            page = store.query(Query(conditions, "until", limit=_TIDIED)).items
            store.delete_all([item.id for item in page])
            store.refresh()
            if len(page) < _TIDIED:
                return


def _leading(item: Item | None, flood: str, kept: str) -> Values:
    """A key that leads to one more flood."""
    before = item.values["floods"] if item is not None else []
    floods = [*(each for each in before if each != flood), flood][-_A_KEY:]
    until = kept if item is None else max(kept, str(item.values["until"]))
    return {"until": until, "floods": floods}


def _milliseconds(time_: datetime) -> int:
    return round(time_.timestamp() * 1_000)
