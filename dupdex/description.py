"""What is to be said about an index: `dupdex info`."""

from __future__ import annotations

from typing import Final

from indexer.attachment import Attachment
from query.stores import StoreReader
from query.tally import ByPlan, Tally

_REBUILD_AGAIN: Final = (
    "lookups may miss the documents with keys of another plan; 'dupdex rebuild' moves them, or "
    "says of each why it cannot"
)

_ATTACH_AGAIN: Final = (
    "lookups cannot find the documents that are not covered; 'dupdex attach' covers all that have "
    "a text"
)


def described(reader: StoreReader) -> dict[str, object]:
    """Where the index is, how large, under which plan, and how many documents carry keys of
    another plan (`other_plans`), which lookups cannot count on; then also the `next_step`.
    `boilerplate`: sentences that have no say in lookups, learned from so many documents. An
    attached index also says how far it is `attached`, and how many documents are `covered`.
    """
    meta = reader.meta
    others = reader.count(without_plan=meta.plan.id)
    facts = {
        **reader.describe(),
        "plan": meta.plan.id,
        "other_plans": others,
        "text_fields": list(meta.text_fields),
        "title_field": meta.title_field,
        "boilerplate": len(meta.boilerplate.sentences),
        "boilerplate_learned_from": meta.boilerplate.documents,
    }
    if meta.attached is None:
        return {**facts, "next_step": _REBUILD_AGAIN} if others else facts
    facts |= {"attached": meta.attached.value, "covered": reader.count() - others}
    # What has no fingerprint is of no plan: it came since, or has no text.
    rows = reader.tally(Tally((ByPlan(),))) if others else ()
    facts["other_plans"] = others - sum(row.documents for row in rows if row.keys[0] is None)
    unfinished = others or meta.attached is not Attachment.DONE
    return {**facts, "next_step": _ATTACH_AGAIN} if unfinished else facts
