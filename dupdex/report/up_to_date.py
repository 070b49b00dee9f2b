"""Collections as a report reads them: with all that was written so far, where that may be asked."""

from __future__ import annotations

from contextlib import suppress

from dupdex.session import Session
from indexer.stores.collection_store import CollectionStore
from mappings.collections import Collection
from mappings.errors import AccessRefused


def up_to_date(
    session: Session, collection: Collection, index: str | None
) -> CollectionStore | None:
    """The collection, refreshed unless the role may not do that; None when there is none."""
    stored = session.stored_collection(collection, index)
    if stored is not None:
        with suppress(AccessRefused):  # its figures are then those of a second ago
            stored.refresh()
    return stored
