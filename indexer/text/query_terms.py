"""The terms of a full-text query, as both stores parse it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_TERM: Final = re.compile(r'"([^"]*)"|([^\s"]+)')
_QUOTES: Final = str.maketrans(dict.fromkeys("“”„‟＂«»「」『』", '"'))


def query_terms(text: str, form: Callable[[str], str] = str) -> list[str]:
    """The terms and quoted phrases (without the quotes) of a query, after `form`, such as
    preparation, was applied to it. Lone surrogates are ignored."""
    query = text.translate(_QUOTES).encode("utf-8", "ignore").decode("utf-8")
    return [quoted or plain for quoted, plain in _TERM.findall(form(query))]
