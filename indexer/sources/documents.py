"""From a JSON object to a document: the rules for ids and text that all formats share."""

from __future__ import annotations

import hashlib
from typing import Final

from indexer.model import Body, Document, kind_of
from indexer.sources.options import Place, ReadOptions
from mappings.collections import LONGEST_ID
from mappings.errors import InputRefused

_ID_BYTES: Final = 12  # 96 bits: no collision is to be expected in any corpus


def document_of(body: Body, place: Place, options: ReadOptions) -> Document:
    """The document of an object; `body` is not changed.

    Raises InputRefused when it has no usable id or text; the message names the field.
    """
    document_id = _id(body.get(options.id_field), options)
    text = options.meta.text_of(body, options.has_options)
    return Document(made_id(text) if document_id is None else document_id, text, body, *place)


def short_id(name: str) -> str:
    """A name as an id: itself, or as much of it as an id holds with a digest of the whole."""
    if len(name.encode()) <= LONGEST_ID:
        return name
    digest = made_id(name)
    start = name.encode()[: LONGEST_ID - len(digest) - 1].decode(errors="ignore")
    return f"{start}#{digest}"


def made_id(text: str) -> str:
    """24 hexadecimal digits that depend on the text alone."""
    return hashlib.blake2b(text.encode(), digest_size=_ID_BYTES).hexdigest()


def _id(value: object, options: ReadOptions) -> str | None:
    if value is None or value == "":
        if options.make_ids:
            return None
        what = "name the id field with --id-field, or have ids made from the text with --make-ids"
        if not options.has_options:
            what = "write a string or an integer"
        raise InputRefused(f"no id: field {options.id_field!r} is missing or empty; {what}")
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    other = ", name another field with --id-field" if options.has_options else ""
    raise InputRefused(
        f"field {options.id_field!r} holds {kind_of(value)}; an id is a string or an integer{other}"
    )
