"""The terms of a full-text query, as both stores read it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_TERM: Final = re.compile(r'"([^"]*)"|([^\s"]+)')
_QUOTES: Final = str.maketrans(dict.fromkeys("“”„‟＂«»「」『』", '"'))


def query_terms(text: str, form: Callable[[str], str] = str) -> list[str]:
    """The terms between white space, and the quoted phrases without their marks, of a query in
    some form, such as prepared; what is no character is passed over."""
    whole = text.translate(_QUOTES).encode("utf-8", "ignore").decode("utf-8")
    return [quoted or plain for quoted, plain in _TERM.findall(form(whole))]
