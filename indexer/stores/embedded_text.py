"""Full text in the embedded store: what FTS5 is given to index, and what it is asked.

The tokens do not depend on the plan of the index: FTS5 forgets a document only when it is told
the very tokens it was given, and a rebuild changes the plan between the two.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from indexer.meta import IndexMeta
from indexer.model import Body
from indexer.prepare import prepare
from indexer.prepare.table import Kind
from mappings.plan import Plan

# Never change a value here without raising embedded_schema.LAYOUT.
_FORM: Final = Plan(
    name="full-text",
    table="1",
    steps=("nfkc", "casefold", "simplified", "invisible", "space", "punctuation"),
    words="none",
)

_BORDER: Final = "\ue000"
"""A word that no query can hold; it keeps phrases from reaching over two fields."""

_TERM: Final = re.compile(r'"([^"]*)"|([^ \n"]+)')  # of a prepared text
_QUOTES: Final = str.maketrans(dict.fromkeys("“”„‟＂«»「」『』", '"'))
_SPACE: Final = 0x20


def tokens(text: str) -> str:
    """The tokens of a text, set apart by spaces.

    A character of a script without spaces is a token by itself; so is a run of other letters
    and digits. All else is left out.
    """
    prepared = prepare(text, _FORM)
    kinds = prepared.kinds
    if not len(kinds):
        return ""
    unit, inside = kinds == Kind.UNIT, kinds != Kind.OTHER
    begins = inside.copy()
    begins[1:] &= unit[1:] | unit[:-1] | ~inside[:-1]
    pairs = np.full((len(kinds), 2), _SPACE, np.uint32)
    pairs[:, 1] = prepared.codes
    chosen: bytes = pairs[np.column_stack((begins, inside))].tobytes()
    return chosen.decode("utf-32-le").lstrip()


def columns(body: Body, meta: IndexMeta) -> tuple[str, str]:
    """The tokens of a document's title and of its text fields."""
    text = f" {_BORDER} ".join(_field(body, name) for name in meta.text_fields)
    return _field(body, meta.title_field), text


def _field(body: Body, name: str) -> str:
    value = body.get(name) if name else None
    parts = value if isinstance(value, list) else [value]
    return f" {_BORDER} ".join(tokens(part) for part in parts if isinstance(part, str))


def match_expression(text: str) -> str:
    """An FTS5 expression: every term and quoted phrase of a query must be there, as a phrase.

    Empty when the query has no letter or digit in it. Any string is allowed.
    """
    whole = text.translate(_QUOTES).encode("utf-8", "ignore").decode("utf-8")
    terms = _TERM.findall(prepare(whole, _FORM).text())
    phrases = (tokens(quoted or plain) for quoted, plain in terms)
    return " AND ".join(f'"{phrase}"' for phrase in phrases if phrase)
