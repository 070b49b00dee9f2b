"""Items of somebody's spider: pages into the page store, texts into the index, copies told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

import orjson

from dupdex.index import Index
from dupdex.pages.addresses import identity
from dupdex.pages.extraction import extract
from dupdex.pages.intake import PageIntake
from dupdex.pages.page_documents import open_index
from dupdex.pages.page_model import Extracted, Fetched, PageState, page_id
from dupdex.pages.page_store import PageStore
from dupdex.session import Session
from indexer.model import Document, Ref, Status
from indexer.sources.documents import made_id
from mappings.errors import InputRefused
from query.answers import Match, Verdict
from query.questions import Question

SAME: Final = (Verdict.EXACT, Verdict.NEAR)
"""What makes an item a copy: partial copies are other texts."""

_SHOWN: Final = 10


class Copies(StrEnum):
    """What becomes of items that are near duplicates of what is stored."""

    STORE = "store"
    """They are stored; nobody looks."""
    MARK = "mark"
    """They are stored, and say what they are copies of."""
    DROP = "drop"
    """They are not stored."""


@dataclass(frozen=True, slots=True)
class ItemOutcome:
    """What became of an item. `stored`: its text is in the index; `why`: why it is not; `copies`:
    stored documents that it is a near duplicate of."""

    id: str
    stored: bool
    why: str = ""
    copies: tuple[dict[str, Any], ...] = ()


class ItemStore:
    """Stores items in an index, which is made when it is absent. One thread uses it."""

    def __init__(self, session: Session, index: str | None, copies: Copies) -> None:
        self._index: Index = open_index(session, index)
        self._intake = PageIntake(session, self._index, PageStore.open(session, index))
        self._copies = copies

    def take(self, items: Sequence[Mapping[str, Any]]) -> list[ItemOutcome | Exception]:
        """Store items together, in order; one outcome each. Errors of the store are raised.

        An item has a `text`, or the `body` of a page in bytes with its `url` (and `content_type`,
        `status`).
        """
        if self._copies is not Copies.STORE or len(items) == 1:
            return [self._alone(item) for item in items]
        out: dict[int, ItemOutcome | Exception] = {}
        texts: list[tuple[int, Document]] = []
        for number, item in enumerate(items):
            if isinstance(item.get("body"), bytes):
                out[number] = self._alone(item)
                continue
            try:
                texts.append((number, _document(item)))
            except InputRefused as error:
                out[number] = error
        outcomes = self._index.add([document for _, document in texts])
        for (number, document), outcome in zip(texts, outcomes, strict=True):
            rejected = outcome.status is Status.REJECTED
            out[number] = ItemOutcome(document.id, not rejected, outcome.reason)
        return [out[number] for number in range(len(items))]

    def finish(self) -> None:
        """All that was stored shows in lookups."""
        self._index.refresh()

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def _alone(self, item: Mapping[str, Any]) -> ItemOutcome | Exception:
        try:
            if isinstance(item.get("body"), bytes):
                return self._page(_fetched(item))
            return self._text(_document(item))
        except InputRefused as error:
            return error

    def _text(self, document: Document) -> ItemOutcome:
        if self._copies is Copies.STORE:
            (outcome,) = self._index.add([document])
            rejected = outcome.status is Status.REJECTED
            return ItemOutcome(document.id, not rejected, outcome.reason)
        keep = self._copies is Copies.MARK
        admitted = self._index.admit(document, verdicts=SAME, store_copies=keep)
        copies = _copies(admitted.answer.matches)
        return ItemOutcome(document.id, admitted.outcome is not None, _why(copies), copies)

    def _page(self, fetched: Fetched) -> ItemOutcome:
        extracted = extract(fetched)
        name = page_id(extracted.canonical)
        copies = self._copies_of(name, extracted)
        if copies and self._copies is Copies.DROP:
            return ItemOutcome(name, False, _why(copies), copies)
        (outcome,) = self._intake.take([(fetched, extracted)])
        if self._copies is not Copies.STORE:
            self._index.refresh()  # the next one finds it
        stored = outcome.state in (PageState.INDEXED, PageState.PART)
        return ItemOutcome(outcome.id, stored, outcome.why or outcome.state.value, copies)

    def _copies_of(self, name: str, extracted: Extracted) -> tuple[dict[str, Any], ...]:
        if self._copies is Copies.STORE or not extracted.text:
            return ()
        question = Question(extracted.text, name, Ref("", name))
        return _copies(self._index.lookup_all([question])[0].matches)


def _why(copies: Sequence[Mapping[str, Any]]) -> str:
    return f"a near duplicate of {copies[0]['id']!r}" if copies else ""


def _copies(matches: Sequence[Match]) -> tuple[dict[str, Any], ...]:
    return tuple(
        {"id": match.id, "verdict": match.verdict.value, "similarity": round(match.similarity, 4)}
        for match in matches
        if match.verdict in SAME
    )[:_SHOWN]


def _document(item: Mapping[str, Any]) -> Document:
    """The document of an item with a text: all its fields as JSON. Raises InputRefused."""
    text = item.get("text")
    if not isinstance(text, str) or not text.strip():
        raise InputRefused("the item has neither a text nor the body of a page in bytes")
    try:
        plain = orjson.dumps(dict(item), default=str, option=orjson.OPT_NON_STR_KEYS)
    except (orjson.JSONEncodeError, TypeError) as error:
        raise InputRefused(f"the item cannot be written as JSON: {error}") from error
    body: dict[str, Any] = orjson.loads(plain)
    url = body.get("url")
    given = body.pop("id", None)
    address = page_id(identity(url)) if isinstance(url, str) else ""
    name = str(given) if given not in (None, "") else address or made_id(text)
    return Document(name, body=body)


def _fetched(item: Mapping[str, Any]) -> Fetched:
    """The page of an item. Raises InputRefused for one without an address."""
    url = item.get("url")
    if not isinstance(url, str) or not identity(url):
        raise InputRefused("the item has the body of a page, and no url of it")
    return Fetched(
        url=url,
        status=int(item.get("status") or 200),
        body=item["body"],
        at=datetime.now(UTC),
        content_type=str(item.get("content_type") or ""),
    )
