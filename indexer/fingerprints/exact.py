"""Direct signature: 128 bits of the exact form of a text."""

from __future__ import annotations

import base64

import mmh3

from indexer.prepare.text import Prepared, exact_form


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
