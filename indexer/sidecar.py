"""Which index a sidecar belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from mappings.contract import OBJECT_FIELD
from mappings.errors import PlanMismatch, StoreRefused


@dataclass(frozen=True, slots=True)
class SidecarOf:
    """The index whose documents a sidecar holds the objects of, by name, and by the id that it has
    as long as nobody makes it anew."""

    index: str
    uuid: str

    def to_json(self) -> dict[str, Any]:
        return {"index": self.index, "uuid": self.uuid}

    def refusal(self) -> StoreRefused:
        """What a write to the documents of the index is refused with: only others write them."""
        return StoreRefused(
            f"index {self.index!r} has a sidecar, and dupdex does not write to its documents; "
            f"change them as you always do, then run 'dupdex attach {self.index}'"
        )

    @classmethod
    def from_json(cls, value: object) -> Self | None:
        """What is stored; None for an index that is no sidecar."""
        if not isinstance(value, Mapping):
            return None
        return cls(str(value.get("index", "")), str(value.get("uuid", "")))


def with_sidecars(mappings: Mapping[str, Any]) -> set[str]:
    """The indices that sidecars belong to, by the mappings of these."""
    metas = (value["mappings"]["_meta"][OBJECT_FIELD] for value in mappings.values())
    found = (SidecarOf.from_json(meta.get("sidecar_of")) for meta in metas)
    return {of.index for of in found if of is not None}


class MadeAnew(PlanMismatch):
    """The index was deleted and made anew: what the sidecar holds is of other documents."""
