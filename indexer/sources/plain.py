"""Text files: one document each."""

from __future__ import annotations

from dataclasses import replace

from indexer.model import Document, is_text
from indexer.sources.byte_streams import Input
from indexer.sources.documents import document_of
from indexer.sources.encodings import canonical, detect, doubt, undecodable
from indexer.sources.options import AUTO, BadLine, ReadOptions
from mappings.errors import InputRefused


def read_plain(source: Input, options: ReadOptions, name: str | None) -> Document | BadLine:
    """The document of a file; `name` is its id. Input without a name (a pipe) gets an id made from
    its text.

    The text goes to the field `text`, or to the first text field if `text` is not one of them.
    """
    data = source.content(options.max_line_bytes)
    source.line = 1
    if data is None:
        return source.bad(
            f"the file is over {options.max_line_bytes:,} bytes; split it into documents"
        )
    try:
        return _document(data, source, options, name)
    except UnicodeDecodeError as error:
        return source.bad(undecodable(error))
    except InputRefused as error:
        return source.bad(str(error))


def decoded(data: bytes, source: Input) -> str:
    """The text of a whole file; a guess that may be wrong is noted in `source.doubt`.

    Raises InputRefused for binary content, UnicodeDecodeError.
    """
    if b"\0" in data:
        raise InputRefused("binary content (a NUL byte); only text can be indexed")
    if source.encoding == AUTO:
        encoding = detect(data, complete=True)
        source.doubt = doubt(data, encoding)
    else:
        encoding = canonical(source.encoding)
    return data.decode(encoding).removeprefix("\ufeff")


def text_field(options: ReadOptions) -> str:
    """Where a text goes that has no field of its own: `text`, or the first text field."""
    fields = options.meta.text_fields
    return "text" if "text" in fields else fields[0]


def _document(data: bytes, source: Input, options: ReadOptions, name: str | None) -> Document:
    body = {text_field(options): decoded(data, source), "path": source.name}
    if name is not None:
        body = {options.id_field: file_id(name), **body}
    # Input from a pipe has no name to use as an id.
    named = replace(options, make_ids=True) if name is None else options
    return document_of(body, source.place(), named)


def file_id(name: str) -> str:
    """A file name that can be an id; the system allows names that are not text."""
    if not is_text(name):
        raise InputRefused("the file name is not text, so it cannot be an id; rename it")
    return name
