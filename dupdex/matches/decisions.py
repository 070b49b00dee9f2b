"""What people decided about pairs: kept by pair, with its history, whatever becomes of verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Self

from dupdex.matches.match_record import Decision, key, pair_id
from indexer.model import Ref
from indexer.stores.collection_store import CollectionStore, EitherEquals, Item, scan
from mappings.collections import moment
from mappings.errors import InputRefused
from mappings.records import parts_of_key

UNDO: Final = "undo"
"""What takes a decision back."""

LONGEST_WHY: Final = 10_000
KEYS_AT_ONCE: Final = 500
"""Documents that one query of a collection names."""

_ENTRY: Final = ("decision", "by", "why", "at")


@dataclass(frozen=True, slots=True)
class Decided:
    """What is decided about a pair, None once it was taken back. `history`: what was decided
    before, oldest first, each with `decision`, `by`, `why` and `at`."""

    first: Ref
    second: Ref
    decision: Decision | None
    by: str = ""
    why: str = ""
    at: str = ""
    history: tuple[Mapping[str, str], ...] = ()

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """As the collection DECISIONS holds it."""
        said = values["decision"]
        return cls(
            Ref(*parts_of_key(values["first"])),
            Ref(*parts_of_key(values["second"])),
            None if said == UNDO else Decision(said),
            values.get("by", ""),
            values.get("why", ""),
            values["at"],
            tuple(values.get("history", ())),
        )


class Decisions:
    """The decisions of an index, in its collection DECISIONS. What is written shows at once."""

    def __init__(self, store: CollectionStore) -> None:
        self._store = store

    def decide(
        self, one: Ref, other: Ref, decision: Decision | None, why: str = "", by: str = ""
    ) -> Decided:
        """Decide about a pair, or take back (None) what was decided; the last word counts.

        Raises InputRefused for a document and itself, and when there is nothing to take back.
        """
        if one == other:
            raise InputRefused(f"{one.id!r} is one document; name two to decide about them")
        if len(why) > LONGEST_WHY:
            raise InputRefused(f"the reason is longer than {LONGEST_WHY:,} characters; shorten it")
        first, second = sorted((one, other), key=key)
        name = pair_id(first, second)
        while True:
            item = self._store.get(name)
            history = _history(item)
            if decision is None and (not history or history[-1]["decision"] == UNDO):
                raise InputRefused(
                    f"nothing is decided about {one.id!r} and {other.id!r}, so nothing is undone"
                )
            values = {
                "first": key(first),
                "second": key(second),
                "decision": decision.value if decision else UNDO,
                "by": by or None,
                "why": why or None,
                "at": moment(datetime.now(UTC)),
                "history": history,
            }
            if item is None:
                done = self._store.create(name, values)
            else:
                done = self._store.update(name, values, item.version)
            if done is not None:
                self._store.refresh()
                return Decided.from_values({k: v for k, v in values.items() if v is not None})

    def named(self, pairs: Iterable[str]) -> dict[str, Decision]:
        """What is decided about these pairs (ids) by now; the others are left out."""
        items = self._store.get_all(pairs)
        decided = {name: Decided.from_values(item.values) for name, item in items.items()}
        return {name: each.decision for name, each in decided.items() if each.decision}

    def of(self, refs: Sequence[Ref]) -> Iterator[Decided]:
        """Every pair that was ever decided about, with one of the documents on either side."""
        seen: set[str] = set()
        for item in touching(self._store, refs):
            if item.id not in seen:
                seen.add(item.id)
                yield Decided.from_values(item.values)

    def everything(self) -> Iterator[Decided]:
        """Every pair that was ever decided about, as of now."""
        self._store.refresh()
        return (Decided.from_values(item.values) for item in scan(self._store))

    def remove(self, refs: Sequence[Ref]) -> int:
        """Forget all decisions about these documents, and their history; how many pairs."""
        self._store.refresh()
        removed = self._store.delete_all([item.id for item in touching(self._store, refs)])
        if removed:
            self._store.refresh()
        return removed


def touching(
    store: CollectionStore, refs: Sequence[Ref], sides: Sequence[str] = ("first", "second")
) -> Iterator[Item]:
    """The items with one of the documents as `first` or as `second`, once for 500 keys."""
    keys = list(dict.fromkeys(map(key, refs)))
    for start in range(0, len(keys), KEYS_AT_ONCE):
        part = tuple(keys[start : start + KEYS_AT_ONCE])
        yield from scan(store, [EitherEquals(tuple(sides), part)])


def _history(item: Item | None) -> list[dict[str, str]]:
    """All that was decided so far, the latest last."""
    if item is None:
        return []
    last = {name: item.values[name] for name in _ENTRY if name in item.values}
    return [*item.values.get("history", ()), last]
