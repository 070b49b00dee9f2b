"""Full text in the embedded store: the tokens that FTS5 indexes, and its query expressions.

The tokens do not depend on the plan of the index: FTS5 deletes a document only when it is given
exactly the tokens that were inserted, and a rebuild may change the plan in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice, pairwise
from typing import Final

import numpy as np

from indexer.field_path import strings_at
from indexer.meta import IndexMeta
from indexer.model import Body
from indexer.text import prepare
from indexer.text.preparation import prepare_all
from indexer.text.query_terms import query_terms
from indexer.text.table import Kind
from mappings.plan import Plan

# Never change a value here without raising schema.LAYOUT.
_FORM: Final = Plan(
    name="full-text",
    table="1",
    steps=("nfkc", "casefold", "simplified", "invisible", "space", "punctuation"),  # no skeleton
    words="none",
)

_BORDER: Final = "\ue000"
"""A word that no query can contain; it keeps phrases from spanning two fields."""

_BETWEEN: Final = f" {_BORDER} "
_BATCH_CHARACTERS: Final = 45_000

_SPACE: Final = 0x20


def tokens(text: str) -> str:
    """The tokens of a text, separated by spaces.

    Each character of a script without spaces is a token, and so is each run of other letters and
    digits. Everything else is left out.
    """
    return _batch([text])[0]


def tokens_of(texts: Sequence[str]) -> list[str]:
    """`tokens` of each text, in batches (see indexer.text.ragged) that bound memory."""
    out: list[str] = []
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and size + len(text) > _BATCH_CHARACTERS:
            out += _batch(batch)
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    return out + _batch(batch) if batch else out


def _batch(texts: Sequence[str]) -> list[str]:
    prepared = prepare_all(texts, _FORM)
    kinds = prepared.kinds
    if not len(kinds):
        return [""] * len(texts)
    bounds = prepared.rows.bounds
    unit, inside = kinds == Kind.UNIT, kinds != Kind.OTHER
    begins = inside.copy()
    begins[1:] &= unit[1:] | unit[:-1] | ~inside[:-1]
    starts = bounds[:-1][bounds[:-1] < len(kinds)]
    begins[starts] = inside[starts]  # whatever the previous text ended with
    pairs = np.full((len(kinds), 2), _SPACE, np.uint32)
    pairs[:, 1] = prepared.codes
    chosen = np.column_stack((begins, inside)).ravel()
    joined: str = pairs.ravel()[chosen].tobytes().decode("utf-32-le")
    ends = np.concatenate(([0], np.cumsum(chosen)))[2 * bounds].tolist()
    return [joined[start:end].lstrip() for start, end in pairwise(ends)]


Strings = Callable[[Body, str], Iterable[str]]
"""The strings of a body that full text is given for a field."""


def strings_of_layout_1(body: Body, name: str) -> list[str]:
    """`Strings` as they were when a field was a name at the top of a body and no path."""
    value = body.get(name) if name else None
    parts = value if isinstance(value, list) else [value]
    return [part for part in parts if isinstance(part, str)]


def columns(body: Body, meta: IndexMeta, strings: Strings = strings_at) -> tuple[str, str]:
    """The tokens of a document's title and of its text fields."""
    return columns_of([body], meta, strings)[0]


def columns_of(
    bodies: Sequence[Body], meta: IndexMeta, strings: Strings = strings_at
) -> list[tuple[str, str]]:
    """`columns` of each body."""
    parts = [parts_of(body, meta, strings) for body in bodies]
    token_strings = iter(
        tokens_of([text for fields in parts for texts in fields for text in texts])
    )
    out: list[tuple[str, str]] = []
    for fields in parts:
        title, *texts = (_BETWEEN.join(islice(token_strings, len(part))) for part in fields)
        out.append((title, _BETWEEN.join(texts)))
    return out


def parts_of(body: Body, meta: IndexMeta, strings: Strings = strings_at) -> list[list[str]]:
    """What `columns` are made of: the strings of the title, then of each text field."""
    return [list(strings(body, name)) for name in (meta.title_field, *meta.text_fields)]


def match_expression(text: str) -> str:
    """An FTS5 expression that requires every term and quoted phrase of a query, as a phrase, each
    once: what SQLite takes grows with the square of how often one comes again.

    Empty when the query has no letter or digit. Any string is allowed.
    """
    phrases = map(tokens, query_terms(text, lambda query: prepare(query, _FORM).text()))
    return " AND ".join(f'"{phrase}"' for phrase in dict.fromkeys(phrases) if phrase)
