"""What is known of the pages of an index: their documents, and their records in the page store
where there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dupdex.pages.page_model import PageState
from dupdex.session import Session
from dupdex.works.page_check import page_of
from dupdex.works.work_model import Page
from indexer.model import Ref
from mappings.page_records import PAGES
from mappings.records import key_of
from query.answers import Stored


class PageFacts:
    """Reads both; an index that was not crawled has documents only."""

    def __init__(self, session: Session, index: str) -> None:
        self._session, self._index = session, index

    def pages(self, refs: Sequence[Ref], documents: Mapping[Ref, Stored]) -> list[Page]:
        """The pages as they are compared; one that is gone has no text."""
        records = self._records(refs)
        out = []
        for ref in refs:
            stored, record = documents.get(ref), records.get(ref.id, {})
            if stored is None or record.get("state") == PageState.GONE:
                out.append(Page(key_of(ref.index, ref.id), ""))
                continue
            page = page_of(ref.index, ref.id, stored.text, stored.body)
            out.append(_with_times(page, record))
        return out

    def standing(self, refs: Sequence[Ref]) -> dict[Ref, str | None]:
        """Of pages that their site has not taken away, when they were fetched last; None where
        nothing says so. Documents are not looked at."""
        records = self._records(refs)
        return {
            ref: records.get(ref.id, {}).get("fetched")
            for ref in refs
            if records.get(ref.id, {}).get("state") != PageState.GONE
        }

    def _records(self, refs: Sequence[Ref]) -> dict[str, Mapping[str, Any]]:
        store = self._session.stored_collection(PAGES, self._index)
        if store is None or not refs:
            return {}
        found = store.get_all(dict.fromkeys(ref.id for ref in refs))
        return {name: item.values for name, item in found.items()}


def _with_times(page: Page, record: Mapping[str, Any]) -> Page:
    """With what the record knows better: of a text over several pages the document has the time of
    the last one that was fetched."""
    fetched = max(page.fetched or "", record.get("fetched") or "")
    return replace(
        page,
        fetched=fetched or None,
        published=page.published or record.get("published"),
    )
