"""The keys of texts that show signs of a disguise: as they are given, and as they may be meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import structs

from indexer.meant.meanings import meanings
from indexer.model import Fingerprint
from mappings.contract import Field
from mappings.plan import Plan
from mappings.schemes import STORED

STEP: Final = "meant"
"""The step of a plan under which texts have the keys of what they may mean."""


def meant_texts(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """What some texts may mean, and whose meaning each is."""
    found: list[str] = []
    owners: list[int] = []
    for owner, text in enumerate(texts):
        for meant in meanings(text):
            found.append(meant.text)
            owners.append(owner)
    return found, owners


def with_keys_of(given: Fingerprint, meant: Fingerprint) -> Fingerprint:
    """The fingerprint of a text with the keys of what it may mean; it stays the same text, so
    that its hash does not change."""
    both = {
        field: tuple(dict.fromkeys((*given.keys.get(field, ()), *terms)))
        for field, terms in meant.keys.items()
        if field is not Field.TEXT_HASH
    }
    return structs.replace(given, keys={**given.keys, **both})


def which_are_meant(fingerprints: Sequence[Fingerprint | None], plan: Plan) -> list[int]:
    """The places of stored texts that have keys of a meaning: more blocks of simhashes than one
    has, which are stored to tell this.
    """
    if STEP not in plan.steps:
        return []
    own, field = STORED["simhash"].keys(plan), Field.SIMHASH_KEYS
    return [
        at
        for at, each in enumerate(fingerprints)
        if each is not None and len(each.keys.get(field, ())) > (own if each.length else 0)
    ]
