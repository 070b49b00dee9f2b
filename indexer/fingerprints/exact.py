"""Direct signature: 128 bits of the exact form of a text."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import mmh3

from indexer.fingerprints.scheme import Terms
from indexer.prepare import Streams
from indexer.prepare.text import Prepared, exact_form
from mappings.plan import Plan


class Exact:
    """Equal or not."""

    def __init__(self, plan: Plan) -> None:
        pass  # nothing of it can be chosen

    def values(self, streams: Streams) -> list[str]:
        return text_hashes(streams.prepared)

    def terms(self, values: Sequence[str]) -> list[Terms]:
        return [(value,) for value in values]

    def similarity(self, left: str, right: str) -> float:
        return float(left == right)


def text_hashes(prepared: Prepared) -> list[str]:
    """For each text 22 characters of base64url: MurmurHash3 x64 128 of its exact form.

    A text without letters and digits (emoji, punctuation) is hashed as prepared.
    """
    forms = exact_form(prepared)
    out = []
    for row in range(len(prepared)):
        codes = forms[row] if forms.lengths[row] else prepared.rows[row]
        digest = mmh3.hash_bytes(codes.tobytes(), 0, True)
        out.append(base64.urlsafe_b64encode(digest)[:22].decode("ascii"))
    return out
