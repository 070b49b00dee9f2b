from __future__ import annotations

import codecs
import tempfile
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.meta import IndexMeta
from indexer.model import Document
from indexer.sources import Mark, ReadOptions, read
from tests.unit.indexer.sources.conftest import ReadBytes, bad, documents


def line(**body: object) -> bytes:
    return orjson.dumps(body) + b"\n"


GOOD = line(id="z", text="好")


def test_a_document_keeps_all_its_fields(read_bytes: ReadBytes, tmp_path: Path) -> None:
    items = read_bytes(line(id="a", text="桥通车了", tags=["x", 1], deep={"n": None}))
    assert items == [
        Document(
            "a",
            "桥通车了",
            {"id": "a", "text": "桥通车了", "tags": ["x", 1], "deep": {"n": None}},
            f"{tmp_path}/in.jsonl:1",
        )
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"id": "a", "text": }\n', "not valid JSON at character 21"),
        (b'{"id": "a", "text": "b"', "not valid JSON"),
        (b'{"id": "a", "text": NaN}\n', "not valid JSON"),
        (b"{\n", "jq -c ."),
        (b"[1]\n", "holds a list, not an object"),
        (b"7\n", "holds a number, not an object"),
        (b"null\n", "holds null, not an object"),
        (b'{"text": "b"}\n', "--make-ids"),
        (b'{"id": "", "text": "b"}\n', "--id-field"),
        (b'{"id": null, "text": "b"}\n', "'id' is missing"),
        (b'{"id": true, "text": "b"}\n', "holds a boolean"),
        (b'{"id": 1.5, "text": "b"}\n', "holds a fraction"),
        (
            b'{"id": 123456789012345678901234, "text": "b"}\n',
            "'id' holds an integer beyond 64 bits",
        ),
        (b'{"id": "a", "text": "b", "x": [{"n": 18446744073709551616}]}\n', "field 'x[0].n' holds"),
        (b'{"id": "a", "text": "b", "n": -9223372036854775809}\n', "field 'n' holds an integer"),
        (b'{"id": "a", "text": "b", "n": ' + b"9" * 9_000 + b"}\n", "not valid JSON"),
        (b'{"id": ["a"], "text": "b"}\n', "holds a list"),
        (b'{"id": "a"}\n', "--text-field"),
        (b'{"id": "a", "text": null}\n', "--text-field"),
        (b'{"id": "a", "text": {"zh": "b"}}\n', "field 'text' holds an object"),
        (b'{"id": "a", "text": 5}\n', "field 'text' holds a number"),
        (b'{"id": "a", "text": "b", "x": {"y": ["", "\\ud800"]}}\n', "field 'x.y[1]' holds a lone"),
        (b'{"id": "\\udc00", "text": "b"}\n', "field 'id' holds a lone"),
        (b'{"id": "a", "text": "b", "\\ud800": 1}\n', "field '\\ud800' holds a lone"),
        (b'{"id": "a", "text": "b\0"}\n', "NUL"),
        (b'{"id": "a", "text": "\xff\xff"}\n', "not valid UTF-8 at byte 22"),
        (b"[" * 5000 + b"\n", "nested deeper than 100 levels"),
    ],
)
def test_a_bad_line_is_named_and_costs_itself_only(
    read_bytes: ReadBytes, tmp_path: Path, data: bytes, said: str
) -> None:
    data = data if data.endswith(b"\n") else data + b"\n"
    first, second, third = read_bytes(GOOD + data + GOOD)
    assert isinstance(first, Document)
    assert isinstance(third, Document)
    assert [second.origin] == [item.origin for item in bad([second])] == [f"{tmp_path}/in.jsonl:2"]
    (only,) = bad([second])
    assert said in only.message
    assert "\n" not in only.message


def test_numbers_that_are_kept_as_they_are(read_bytes: ReadBytes) -> None:
    data = b'{"id": 1, "text": "b", "n": [18446744073709551615, -9223372036854775808, 1e30, 7.5]}\n'
    (document,) = documents(read_bytes(data))
    assert document.body["n"] == [18446744073709551615, -9223372036854775808, 1e30, 7.5]


def test_what_is_kept_of_a_bad_line(read_bytes: ReadBytes) -> None:
    lines = (b"{oops\r\n", b'{"id": "\xff\xff"}\n', b'{"id": "x' + b"y" * 10_000 + b'"}\n', b"last")
    kept = [item.line for item in bad(read_bytes(b"".join(lines), max_line_bytes=1 << 20))]
    assert kept == ["{oops", None, None, "last"]
    chinese = '{"id": "桥"}\n'.encode("gb18030")
    assert bad(read_bytes(chinese))[0].line == '{"id": "桥"}'


def test_integers_become_strings(read_bytes: ReadBytes) -> None:
    (document,) = documents(read_bytes(line(nr=7, text="b"), id_field="nr"))
    assert document.id == "7"
    assert document.body["nr"] == 7


def test_made_ids_depend_on_the_text_alone(read_bytes: ReadBytes) -> None:
    data = line(text="b", n=1) + line(text="b", n=2) + line(text="c") + line(id="own", text="b")
    ids = [item.id for item in documents(read_bytes(data, make_ids=True))]
    assert ids[0] == ids[1] != ids[2]
    assert len(ids[0]) == 24
    assert ids[3] == "own"
    assert bad(read_bytes(b'{"id": [], "text": "b"}\n', make_ids=True))


def test_the_text_fields_of_the_index_are_joined(read_bytes: ReadBytes) -> None:
    meta = IndexMeta(text_fields=("head", "content"))
    (document,) = documents(read_bytes(line(id="a", head="h", content="c"), meta=meta))
    assert document.text == "h\nc"


def test_empty_lines_carriage_returns_and_a_bom(read_bytes: ReadBytes) -> None:
    data = codecs.BOM_UTF8 + b"\n \t\r\n" + GOOD.replace(b"\n", b"\r\n") + b"\n" + GOOD.strip()
    assert [item.origin.rpartition(":")[2] for item in documents(read_bytes(data))] == ["3", "5"]


def test_a_line_over_the_limit_is_not_kept_in_memory(read_bytes: ReadBytes) -> None:
    long = line(id="a", text="x" * 1000)
    items = read_bytes(GOOD + long + GOOD + long.strip(), max_line_bytes=100)
    assert [type(item).__name__ for item in items] == ["Document", "BadLine"] * 2
    assert "over 100 bytes" in bad(items)[0].message
    assert documents(read_bytes(GOOD, max_line_bytes=len(GOOD)))


class TestEncodings:
    def test_a_gb18030_file(self, read_bytes: ReadBytes) -> None:
        data = "\n".join(f'{{"id": "{n}", "text": "{n} 大桥通车"}}' for n in range(3)).encode(
            "gb18030"
        )
        assert [item.text for item in documents(read_bytes(data))] == [
            f"{n} 大桥通车" for n in range(3)
        ]
        assert not bad(read_bytes(data, encoding="gbk"))
        assert len(bad(read_bytes(data, encoding="utf-8"))) == 3

    def test_ascii_lines_decide_nothing(self, read_bytes: ReadBytes) -> None:
        data = line(id=1, text="plain") + '{"id": 2, "text": "图书馆"}\n'.encode("gb18030")
        assert [item.text for item in documents(read_bytes(data))] == ["plain", "图书馆"]

    def test_a_broken_line_in_a_utf8_file_is_not_taken_for_gb18030(
        self, read_bytes: ReadBytes
    ) -> None:
        broken = line(id=2, text="图书馆").replace("图".encode(), "图".encode()[:2] + b"\xa1\xa1")
        broken.decode("gb18030")  # that it would decode is the point
        items = read_bytes(line(id=1, text="图书馆") + broken + line(id=3, text="图书馆"))
        assert [item.text for item in documents(items)] == ["图书馆", "图书馆"]
        assert "UTF-8" in bad(items)[0].message

    def test_utf8_lines_win_back_a_file_whose_first_line_is_broken(
        self, read_bytes: ReadBytes
    ) -> None:
        broken = '{"id": 1, "text": "大桥"}\n'.encode("gb18030")
        items = read_bytes(broken + line(id=2, text="图书馆开放") + line(id=3, text="大桥"))
        assert [item.text for item in documents(items)][1:] == ["图书馆开放", "大桥"]

    def test_neither(self, read_bytes: ReadBytes) -> None:
        items = read_bytes('{"id": 1, "text": "桥"}\n'.encode("gb18030") + b'{"id":"\xff\xff"}\n')
        assert "GB18030" in bad(items)[0].message

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
    def test_utf16(self, read_bytes: ReadBytes, encoding: str) -> None:
        """As many bytes as a dozen reads take, which end inside of characters, too."""
        line = "上\u2028海𠀀" * 32
        text = "".join(f'{{"id": "{n}", "text": "{line}"}}\n' for n in range(8_000))
        items = read_bytes(text.encode(encoding), encoding=encoding)
        assert [document.text for document in documents(items)] == [line] * 8_000

    def test_utf16_is_known_by_its_mark(self, read_bytes: ReadBytes) -> None:
        data = '{"id": "a", "text": "上海"}\n'.encode("utf-16")
        assert documents(read_bytes(data))[0].text == "上海"
        items = read_bytes(data + b"\x00")
        assert "cannot be read further" in bad(items)[-1].message

    def test_big5(self, read_bytes: ReadBytes) -> None:
        # Trail bytes of Big5 include the backslash: 功 ends in 5C.
        data = '{"id": "a", "text": "功課"}\n'.encode("big5")
        assert documents(read_bytes(data, encoding="big5"))[0].text == "功課"


def test_skipped_lines_count_as_read(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(GOOD + b"\n" + b"broken\n" + GOOD + GOOD)
    origins = [
        item.origin.rpartition(":")[2] for item in read(str(path), ReadOptions(), after=Mark("", 3))
    ]
    assert origins == ["4", "5"]
    assert list(read(str(path), ReadOptions(), after=Mark("", 99))) == []


def test_what_lines_taught_is_known_after_them(tmp_path: Path) -> None:
    """A broken line of a UTF-8 file is not taken for GB18030 because reading went on before it."""
    broken = line(id=2, text="图书馆").replace("图".encode(), "图".encode()[:2] + b"\xa1\xa1")
    path = tmp_path / "in.jsonl"
    path.write_bytes(line(id=1, text="图书馆") + broken + line(id=3, text="图书馆"))
    whole = list(read(str(path), ReadOptions()))
    assert list(read(str(path), ReadOptions(), after=Mark("", 1))) == whole[1:]


MARKS = (b"\x1f\x8b", codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

fragments = st.sampled_from(
    [
        b'{"id":"a","text":"b"}',
        "桥".encode(),
        "桥".encode("gb18030"),
        b"\r",
        b"\0",
        b" ",
        b"\\ud800",
    ]
)
anything = st.one_of(
    st.binary(max_size=200),
    st.lists(st.lists(st.one_of(fragments, st.binary(max_size=8)), max_size=4).map(b"".join)).map(
        b"\n".join
    ),
)


@settings(deadline=None)  # files and a busy machine
@given(data=anything, encoding=st.sampled_from(["auto", "utf-8", "gb18030", "utf-16"]))
def test_any_bytes_give_one_item_for_each_line(data: bytes, encoding: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "in.jsonl")
        path.write_bytes(data)
        items = list(read(str(path), ReadOptions(encoding=encoding, max_line_bytes=64)))
    for item in documents(items):
        item.text.encode()
        item.id.encode()
    if encoding != "utf-16" and not data.startswith(MARKS):
        lines = data.removeprefix(codecs.BOM_UTF8).split(b"\n")
        assert len(items) == sum(1 for text in lines if text.strip())
