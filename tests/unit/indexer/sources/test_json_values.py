from __future__ import annotations

import time

import orjson
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from indexer.model import DEEPEST, Document
from indexer.sources import ReadOptions, read
from indexer.sources.json_values import check_values
from indexer.stores.storable import encode
from mappings.errors import InputRefused
from tests.unit.indexer.sources.conftest import ReadBytes, bad, documents


def nested(depth: int, opening: str) -> bytes:
    """A document with so many levels in a field, lists and objects as `opening` says."""
    levels = [opening[level % len(opening)] for level in range(depth)]
    begin = "".join("[" if each == "[" else '{"k":' for each in levels)
    end = "".join("]" if each == "[" else "}" for each in reversed(levels))
    inner = "0" if levels and levels[-1] == "{" else ""
    return f'{{"id":"x","text":"abc","v":{begin}{inner}{end}}}'.encode()


@settings(deadline=None, max_examples=30)
@given(
    depth=st.one_of(st.integers(1, 1100), st.integers(1, 100_000)),
    opening=st.text("[{", min_size=1, max_size=5),
)
@example(depth=DEEPEST - 1, opening="[")
@example(depth=DEEPEST, opening="{")
@example(depth=500, opening="[")
@example(depth=1_000_000, opening="[{")
def test_a_deep_line_costs_itself_only(
    tmp_path_factory: pytest.TempPathFactory, depth: int, opening: str
) -> None:
    """490 to 1,023 levels ended the run, and every run that went on after it."""
    path = tmp_path_factory.mktemp("deep") / "in.jsonl"
    good = b'{"id":"g%d","text":"good"}\n'
    path.write_bytes(good % 1 + nested(depth, opening) + b"\n" + good % 2)
    first, deep, last = read(str(path), ReadOptions())
    assert isinstance(first, Document)
    assert isinstance(last, Document)
    if depth < DEEPEST:
        assert isinstance(deep, Document)
        encode(deep)  # as deep as any store takes it
    else:
        (line,) = bad([deep])
        assert line.origin == f"{path}:2"
        assert f"nested deeper than {DEEPEST} levels; flatten it" in line.message


def test_the_field_is_named(read_bytes: ReadBytes) -> None:
    (line,) = bad(read_bytes(nested(300, "[{")))
    assert line.message.startswith("field 'v' is nested deeper")


def test_a_deep_line_in_another_encoding(read_bytes: ReadBytes) -> None:
    data = b'{"id":"a","text":"\xc7\xc5"}\n' + nested(600, "[") + b"\n"  # GB18030
    assert "nested deeper" in bad(read_bytes(data))[0].message


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (b'{"id": "a", "text": "b", "text": "c"}', "text"),
        (b'{"id": "a", "text": "b", "x": [{"y": 1, "y" : 1}]}', "y"),
        (b'{"id": "a", "text" \t:"b", "text":"c"}', "text"),
        (b'{"id": "a", "text": "b", "\\u0074ext": "c"}', "text"),
    ],
)
def test_a_field_that_is_there_twice_is_told(
    read_bytes: ReadBytes, data: bytes, field: str
) -> None:
    """The last one won without a word."""
    (line,) = bad(read_bytes(data))
    assert line.message.startswith(f"field '{field}' is there twice, of which one would be lost")


@pytest.mark.parametrize(
    "data",
    [
        b'{"id": "a", "text": "he said \\"no\\": so"}',
        b'{"id": "a", "text": "b", "x": {"id": 1, "text": 2}, "y": [{"k": 1}, {"k": 1}]}',
        b'{"id": "a", "text": "b", "json": "{\\"k\\":1,\\"k\\":2}"}',
    ],
)
def test_what_only_looks_like_a_name(read_bytes: ReadBytes, data: bytes) -> None:
    assert len(documents(read_bytes(data))) == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
few = settings(deadline=None, max_examples=50)


@few
@given(value=st.dictionaries(st.text('":\\ k'), json_values, max_size=4))
def test_what_json_writes_passes(value: dict[str, object]) -> None:
    text = orjson.dumps(value)
    check_values(orjson.loads(text), text)


@few
@given(
    value=st.dictionaries(st.text('":\\ k'), json_values, min_size=1, max_size=4), name=st.data()
)
def test_any_doubled_name_is_found(value: dict[str, object], name: st.DataObject) -> None:
    again = orjson.dumps({name.draw(st.sampled_from(sorted(value))): 1})
    text = orjson.dumps(value)[:-1] + b"," + again[1:]
    with pytest.raises(InputRefused, match="twice"):
        check_values(orjson.loads(text), text)


def test_a_wide_document_is_looked_at_once() -> None:
    text = orjson.dumps({f"k{n}": {"v": [n]} for n in range(50_000)})
    value = orjson.loads(text)
    started = time.perf_counter()
    check_values(value, text)
    assert time.perf_counter() - started < 5  # about 0.03 s on an idle core
