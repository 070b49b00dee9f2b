"""Direct signature: a digest of the exact form of a text."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import mmh3

from indexer.fingerprints.scheme import Terms
from indexer.text import Streams
from indexer.text.preparation import Prepared, exact_form
from mappings.plan import Plan

DIGESTS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "murmur3": lambda data: mmh3.hash_bytes(data, 0, True),
    "md5": lambda data: hashlib.md5(data, usedforsecurity=False).digest(),
    "sha1": lambda data: hashlib.sha1(data, usedforsecurity=False).digest(),
    "sha256": lambda data: hashlib.sha256(data).digest(),
}
"""Digests by name in a plan; murmur3 is the 128-bit version for x64, by far the fastest."""


class Exact:
    """Equal or not."""

    def __init__(self, plan: Plan) -> None:
        self._digest = plan.exact.digest

    def values(self, streams: Streams) -> list[str]:
        return text_hashes(streams.prepared, self._digest)

    def terms(self, values: Sequence[str]) -> list[Terms]:
        return [(value,) for value in values]

    def similarity(self, left: str, right: str) -> float:
        return float(left == right)


def identity(prepared: Prepared, row: int, text_hash: str) -> str:
    """What texts that are the same have in common: the text hash, and of texts written in
    signs, which are no letters to the hash, what their skeletons read. Never stored.
    """
    if not prepared.read_in_signs[row]:
        return text_hash
    return f"{text_hash} {mmh3.hash_bytes(prepared.folded[row].tobytes(), 0, True).hex()}"


def text_hashes(prepared: Prepared, digest: str = "murmur3") -> list[str]:
    """For each text the digest of its exact form (UTF-32, little-endian) in base64url, unpadded:
    22 characters for 128 bits.

    A text without letters and digits (emoji, punctuation) is hashed as prepared.
    """
    literal, make = prepared.literal, DIGESTS[digest]
    forms = exact_form(literal)
    out = []
    for row in range(len(prepared)):
        codes = forms[row].tobytes() or literal.rows[row].tobytes()
        encoded = base64.urlsafe_b64encode(make(codes))
        out.append(encoded.rstrip(b"=").decode("ascii"))
    return out
