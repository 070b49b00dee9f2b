"""What an index costs and finds, field by field: keys and bytes of a document, keys that too many
documents have to have a vote, and what its plan promises at its size.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from dupdex.forecast.recommend import forecast
from dupdex.report.findings import IndexHealth, Notice
from dupdex.report.index_health import health, notices
from dupdex.session import Session
from mappings.contract import Field
from mappings.schemes import label_of
from query.stores import StoreReader

SAMPLE: Final = 50
"""Documents whose keys are counted in the whole index."""

_LISTED: Final = 20


@dataclass(frozen=True, slots=True)
class KeyField:
    """`keys` of a document, and `bytes` that they take in the index, both as the plan has them;
    `frequent`: the share of keys of sampled documents that are in too many documents to have a
    vote, None where no document has such keys."""

    field: str
    label: str
    keys: int
    bytes: int
    frequent: float | None


@dataclass(frozen=True, slots=True)
class FrequentKey:
    """A key that has no vote, and in how many documents it is."""

    field: str
    key: str
    documents: int


@dataclass(frozen=True, slots=True)
class Promise:
    """What a layout of the plan finds: `recall` of a pair by how alike its texts are ("0.5": half
    of their shingles in common; "d=4": four bits of their simhashes differ)."""

    field: str
    label: str
    layout: str
    recall: Mapping[str, float]
    recommended: str


@dataclass(frozen=True, slots=True)
class IndexState:
    """`bytes_per_document`: of the index as it is, None where nobody may ask; `planned_bytes` as
    the plan has it, without the user's own fields; `sampled`: documents whose keys were counted;
    `hot`: documents above which a key has no vote."""

    health: IndexHealth
    bytes_per_document: float | None
    planned_bytes: int
    hot: int
    sampled: int
    fields: tuple[KeyField, ...]
    frequent: tuple[FrequentKey, ...]
    promises: tuple[Promise, ...]
    boilerplate: tuple[Notice, ...]


def index_state(session: Session, index: str | None = None, top: int = _LISTED) -> IndexState:
    """The state of an index, as of the last refresh. It only reads. Raises NotFound."""
    reader = session.reader(index)
    plan, found = reader.meta.plan, health(session, index, reader, ())
    facts = forecast(plan, max(found.documents, 1)).facts
    sampled, counts = _frequencies(reader, found.documents)
    hot = plan.thresholds.hot
    size = found.size / found.documents if found.size and found.documents else None
    frequent = [
        FrequentKey(field.value, key, documents)
        for field, keys in counts.items()
        for key, documents in keys.items()
        if documents > hot
    ]
    frequent.sort(key=lambda each: (-each.documents, each.field, each.key))
    return IndexState(
        health=found,
        bytes_per_document=size,
        planned_bytes=facts["index_bytes_per_document"],
        hot=hot,
        sampled=sampled,
        fields=tuple(_fields(facts, counts, hot)),
        frequent=tuple(frequent[:top]),
        promises=tuple(_promises(facts)),
        boilerplate=tuple(notices(reader, top)),
    )


_Counts = Mapping[Field, Mapping[str, int]]


def _frequencies(reader: StoreReader, documents: int) -> tuple[int, _Counts]:
    """In how many documents each key of some documents is, by field."""
    share = min(1.0, 2 * SAMPLE / documents) if documents else 1.0
    keys: defaultdict[Field, set[str]] = defaultdict(set)
    sampled = 0
    for stored in islice(reader.scan(share=share), SAMPLE):
        sampled += 1
        for field, terms in (stored.fingerprint.keys if stored.fingerprint else {}).items():
            keys[field].update(terms)
    asked = {field: tuple(sorted(terms)) for field, terms in keys.items()}
    found: defaultdict[Field, Counter[str]] = defaultdict(Counter)
    for (field, key), documents in (reader.frequencies(asked) if asked else {}).items():
        found[field][key] = documents
    return sampled, found


def _fields(facts: Mapping[str, Any], counts: _Counts, hot: int) -> list[KeyField]:
    out = []
    for name, keys in facts["keys_per_document"].items():
        field = Field(name)
        seen = counts.get(field, {}).values()
        frequent = sum(each > hot for each in seen) / len(seen) if seen else None
        size = facts["index_bytes_per_key_field"][name]
        out.append(KeyField(name, label_of(field), keys, size, frequent))
    return out


def _promises(facts: Mapping[str, Any]) -> list[Promise]:
    advice = facts["recommended"]
    out = []
    for name, rows in {Field.SIMHASH_KEYS.value: facts["layouts"], **facts["bands"]}.items():
        row = next((each for each in rows if each["current"]), None)
        if row is not None:
            recall = row.get("recall") or {f"d={bits}": row[f"recall_at_{bits}"] for bits in (4, 5)}
            layout = str(row["layout"])
            best = str(advice[name]["layout"])
            out.append(Promise(name, label_of(Field(name)), layout, recall, best))
    return out
