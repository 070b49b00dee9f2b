"""What `attach` and `detach` did."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class AttachReport:
    """`indices`: those that answer now; `written`: documents that got a fingerprint; `refused`: why
    a document has none, by index and id; `edited`: documents that were changed by other programs
    all the while, so that their fingerprints may be of an earlier text.
    """

    indices: list[str] = field(default_factory=list)
    written: int = 0
    edited: int = 0
    refused: dict[tuple[str, str], str] = field(default_factory=dict)


@dataclass(slots=True)
class DetachReport:
    """`indices`: those that dupdex was detached from; `cleaned`: documents that the object was
    taken out of; `collections`: indices beside them that were removed; `refused`: why a document
    still has the object, by index and id; `stays`: what a server does not let go of, in sentences;
    `untouched`: there was a sidecar, and nothing in the index itself.
    """

    indices: list[str] = field(default_factory=list)
    cleaned: int = 0
    collections: list[str] = field(default_factory=list)
    refused: dict[tuple[str, str], str] = field(default_factory=dict)
    stays: list[str] = field(default_factory=list)
    untouched: bool = False
