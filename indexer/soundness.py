"""The faults of a stored index, and a check that documents have the keys of their texts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol

from indexer.meta import IndexMeta
from indexer.model import Document, Fingerprint, Outcome, Record
from indexer.pipeline import to_records
from mappings.errors import InputRefused

EXAMPLES: Final = 5
"""Faults of each part that a report lists; further ones are only counted."""


class Part(StrEnum):
    """The part of an index that has a fault."""

    FILE = "file"
    META = "description"
    MAPPING = "mapping"
    TABLES = "tables"
    DOCUMENTS = "documents"
    TEXTS = "texts"
    FINGERPRINTS = "fingerprints"
    POSTINGS = "postings"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault; `id` is that of the document, empty when it does not concern a single one."""

    part: Part
    message: str
    id: str = ""

    def __str__(self) -> str:
        return f"{self.id!r}: {self.message}" if self.id else self.message


@dataclass(slots=True)
class Report:
    """The result of a check: counts, and the first few faults of each part."""

    documents: int = 0
    counts: dict[Part, int] = field(default_factory=dict)
    examples: dict[Part, list[Fault]] = field(default_factory=dict)

    def add(self, part: Part, message: str, name: object = "") -> None:
        """Count a fault."""
        self.counts[part] = self.counts.get(part, 0) + 1
        examples = self.examples.setdefault(part, [])
        if len(examples) < EXAMPLES:
            examples.append(Fault(part, _shown(message), _shown(str(name))))

    @property
    def is_sound(self) -> bool:
        return not self.counts

    def to_json(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        faults = {
            part.value: {
                "count": count,
                "examples": [
                    {"id": fault.id, "message": fault.message} for fault in self.examples[part]
                ],
            }
            for part, count in self.counts.items()
        }
        return {"documents": self.documents, "sound": self.is_sound, "faults": faults}


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A stored document and the fingerprint stored with it (None if there is none)."""

    document: Document
    fingerprint: Fingerprint | None
    plan_id: str

    def fault(self, record: Record) -> str:
        """How the stored fingerprint differs from that of the text; empty when it does not."""
        stored, expected = self.fingerprint, record.fingerprint
        if stored is None:
            return "it carries no keys, or keys that cannot be read; lookups do not find it"
        wrong = {
            "plan": self.plan_id != record.plan_id,
            "text hash": stored.text_hash != expected.text_hash,
            "simhash": stored.simhash != expected.simhash,
            "length": stored.length != expected.length,
            "keys": _filled(stored) != _filled(expected),
        }
        names = [name for name, differs in wrong.items() if differs]
        return f"{', '.join(names)}: not what the text makes" if names else ""


class Aside(Protocol):
    """Keeps what a repair takes out of a store."""

    def add(self, document: Document, why: str) -> None:
        """Keep a document."""
        ...

    def add_row(self, origin: str, why: str, row: str | None) -> None:
        """Keep what stands in a row of which no document can be made."""
        ...

    def close(self) -> None:
        """Nothing more comes; what was kept is on disk when this returns."""
        ...


def with_text(document: Document, meta: IndexMeta) -> Document:
    """The document with the text of its body. Raises InputRefused when it has none."""
    return Document(document.id, meta.text_of(document.body), document.body, document.origin)


def check_fingerprints(
    stored: Iterable[StoredDocument], meta: IndexMeta, report: Report
) -> Iterator[tuple[StoredDocument, Record]]:
    """The documents whose fingerprint is not that of their text, each with the right record.

    The report counts them, and also documents whose text is missing or cannot be fingerprinted,
    which are not yielded.
    """
    waiting: deque[StoredDocument] = deque()

    def documents() -> Iterator[Document]:
        for item in stored:
            report.documents += 1
            try:
                document = with_text(item.document, meta)
            except InputRefused as error:
                report.add(Part.TEXTS, str(error), item.document.id)
                continue
            waiting.append(item)
            yield document

    for record in to_records(documents(), meta.plan):
        item = waiting.popleft()
        if isinstance(record, Outcome):
            report.add(Part.TEXTS, record.reason, item.document.id)
        elif fault := item.fault(record):
            report.add(Part.FINGERPRINTS, fault, item.document.id)
            yield item, record


def _shown(text: str) -> str:
    """A possibly damaged text in a form that can be printed."""
    return text.encode("utf-8", "backslashreplace").decode()


def _filled(fingerprint: Fingerprint) -> dict[str, tuple[str, ...]]:
    """The keys without empty lists, which are not stored."""
    return {name.value: terms for name, terms in fingerprint.keys.items() if terms}
