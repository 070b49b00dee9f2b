"""JSON Lines: one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import orjson

from indexer.model import Document, is_text, kind_of
from indexer.sources.byte_streams import Input
from indexer.sources.documents import document_of
from indexer.sources.encodings import LineDecoder, undecodable
from indexer.sources.json_values import check_values, too_deep
from indexer.sources.options import LONGEST_KEPT, BadLine, Item, ReadOptions, kept_line
from mappings.errors import InputRefused


def read_jsonl(source: Input, options: ReadOptions, skip_lines: int = 0) -> Iterator[Item]:
    """One item for each non-empty line after the first `skip_lines` lines."""
    decoder = LineDecoder(source.encoding)
    for line in source.lines(options.max_line_bytes):
        if source.line <= skip_lines:
            decoder.learn(line or b"")
        elif line is None or line.strip():
            item = _item(line, source, decoder, options)
            source.doubt = decoder.doubt
            yield item


def _item(
    line: bytes | None, source: Input, decoder: LineDecoder, options: ReadOptions
) -> Document | BadLine:
    if line is None:
        return source.bad(f"the line is over {options.max_line_bytes:,} bytes; split the document")
    try:
        return document_of(object_in(line, decoder), source.place(), options)
    except UnicodeDecodeError as error:
        return source.bad(undecodable(error, options.has_options))
    except InputRefused as error:
        return source.bad(str(error), _kept_line(line, decoder))


def _kept_line(line: bytes, decoder: LineDecoder) -> str | None:
    try:
        return kept_line(line.decode(decoder.name)) if len(line) <= LONGEST_KEPT else None
    except UnicodeDecodeError:
        return None


def object_in(line: bytes, decoder: LineDecoder) -> dict[str, Any]:
    """The object on a line. Raises InputRefused, or UnicodeDecodeError for undecodable bytes."""
    if b"\0" in line:
        raise InputRefused("binary content (a NUL byte); only text can be indexed")
    text = line if decoder.is_utf8(line) else decoder.decode(line)
    try:
        value = orjson.loads(text)
    except json.JSONDecodeError as error:
        if "limit" in error.msg:  # the parser's limit is far beyond DEEPEST
            raise too_deep() from error
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        raise InputRefused(_fault(decoded, error)) from error
    if isinstance(value, dict):
        check_values(value, text)
        return value
    raise InputRefused(
        f"the line holds {kind_of(value)}, not an object; write one object per line "
        "(jq -c '.[]' does that to a list)"
    )


def _fault(text: str, error: json.JSONDecodeError) -> str:
    """Why orjson refused the line, with the field of a lone surrogate, which orjson omits."""
    if "surrogate" in error.msg:
        try:
            name = _surrogate(json.loads(text), "")
        except (ValueError, RecursionError):  # nested too deeply for Python
            name = None
        if name is not None:
            return f"field '{name}' holds a lone surrogate, which is no character; correct it"
    hint = ""
    if text.strip() in ("{", "["):
        hint = "; write one object per line (jq -c . does that to a formatted file)"
    return f"not valid JSON at character {error.pos + 1}: {error.msg}{hint}"


def _surrogate(value: object, path: str) -> str | None:
    """The path of the first string that holds a lone surrogate."""
    if isinstance(value, str):
        return path if not is_text(value) else None
    children: list[tuple[str, object]] = []
    if isinstance(value, dict):
        for name, child in value.items():
            if not is_text(name):
                return ascii(name)[1:-1]
            children.append((f"{path}.{name}" if path else name, child))
    elif isinstance(value, list):
        children = [(f"{path}[{number}]", child) for number, child in enumerate(value)]
    return next(
        (location for name, child in children if (location := _surrogate(child, name))), None
    )
