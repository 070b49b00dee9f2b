from __future__ import annotations

import csv
import io
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.model import Document
from indexer.sources import ReadOptions, read
from tests.unit.indexer.sources.conftest import ReadBytes, bad, documents


def test_the_header_names_the_fields(read_bytes: ReadBytes, tmp_path: Path) -> None:
    items = read_bytes("id, title,text\n1,题,文 章\n".encode(), "in.csv")
    body = {"id": "1", "title": "题", "text": "文 章"}
    assert items == [Document("1", "文 章", body, f"{tmp_path}/in.csv:2")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(read_bytes: ReadBytes, delimiter: str) -> None:
    data = delimiter.join(["id", '"text"', "a,b" if delimiter != "," else "x;y"])
    row = delimiter.join(["1", f'"a{delimiter}b"', "c"])
    (document,) = documents(read_bytes(f"\n{data}\n{row}\n".encode(), "in.csv"))
    assert document.text == f"a{delimiter}b"


def test_known_names_outweigh_the_number_of_columns(read_bytes: ReadBytes) -> None:
    data = b"id;text;a, b, c, d\n1;x;y\n"
    assert documents(read_bytes(data, "in.csv"))[0].body == {
        "id": "1",
        "text": "x",
        "a, b, c, d": "y",
    }


def test_quoted_line_feeds_and_the_origin_of_the_next_row(read_bytes: ReadBytes) -> None:
    items = documents(read_bytes(b'id,text\r\n1,"a\r\nb ""c"""\r\n2,d\r\n', "in.csv"))
    assert [(item.text, item.origin.rpartition(":")[2]) for item in items] == [
        ('a\r\nb "c"', "2"),
        ("d", "4"),
    ]


def test_rows_of_the_wrong_width(read_bytes: ReadBytes) -> None:
    items = read_bytes(b"id,text\n1\n2,b,c\n\n3,d\n", "in.csv")
    assert [item.message.partition(";")[0] for item in bad(items)] == [
        "the row has 1 columns, the header 2",
        "the row has 3 columns, the header 2",
    ]
    assert [item.id for item in documents(items)] == ["3"]


def test_an_unclosed_quote_costs_its_own_line(read_bytes: ReadBytes) -> None:
    rows = b"".join(b"%d,text\n" % n for n in range(3, 50))
    items = read_bytes(b'id,text\n1,"open\n2,"x, y"\n' + rows, "in.csv")
    assert [item.origin.rpartition(":")[2] for item in bad(items)] == ["2"]
    assert [item.id for item in documents(items)] == [str(n) for n in range(2, 50)]


def test_what_is_kept_of_a_bad_row(read_bytes: ReadBytes) -> None:
    data = 'id,text\n1,"a\nb",c\n2,"open\n3,桥\n'.encode()
    assert [item.line for item in bad(read_bytes(data, "in.csv"))] == ['1,"a\nb",c', '2,"open']
    long = b"id,text\n1," + b"x" * 10_000 + b",z\n2\n"
    assert [item.line for item in bad(read_bytes(long, "in.csv"))] == [None, "2"]
    broken = b"id,text\n1,\xff\n"
    assert bad(read_bytes(broken, "in.csv"))[0].line is None


def test_an_unclosed_quote_on_the_last_line(read_bytes: ReadBytes) -> None:
    items = read_bytes(b'id,text\n1,a\n2,"b\n', "in.csv")
    assert len(documents(items)) == 1
    assert "unexpected end of data" in bad(items)[0].message


def test_long_rows(read_bytes: ReadBytes) -> None:
    data = b'id,text\n1,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n2,"b\n' + b"3,ccc\n" * 10 + b"4,d\n"
    items = read_bytes(data, "in.csv", max_line_bytes=20)
    assert [item.origin.rpartition(":")[2] for item in bad(items)] == ["2", "3"]
    assert len(documents(items)) == 11


def test_fields_over_the_limit_of_the_csv_module(read_bytes: ReadBytes) -> None:
    (document,) = documents(read_bytes(b"id,text\n1," + b"x" * 200_000, "in.csv"))
    assert len(document.text) == 200_000


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"nr,text\n1,a\n", "no column 'id'; its columns are nr, text; name the id column"),
        (b"id,body\n1,a\n", "no column 'text'"),
        (b"id,text,id\n1,a,2\n", "names 'id' twice"),
        (b'id,"text\n1,a\n', "no header"),
        (b"id,te\0xt\n1,a\n", "no header"),
        (b"x" * 200 + b"\n1,a\n", "no header"),
    ],
)
def test_a_header_that_cannot_be_used(read_bytes: ReadBytes, data: bytes, said: str) -> None:
    (item,) = bad(read_bytes(data, "in.csv", max_line_bytes=100))
    assert said in item.message
    assert item.origin.endswith(":1")


def test_a_wide_header_takes_no_longer_than_its_columns(read_bytes: ReadBytes) -> None:
    """40,000 columns took 49 seconds, and a million would have stood still."""
    names = [f"c{n}" for n in range(40_000)]
    started = time.perf_counter()
    header = ",".join(["id", "text", *names])
    (document,) = documents(read_bytes(f"{header}\n1,a{',x' * 40_000}\n".encode(), "in.csv"))
    assert time.perf_counter() - started < 2
    assert len(document.body) == 40_002
    for columns in (names, [*names, *names, "id"]):  # no text; all of them twice
        (item,) = bad(read_bytes(",".join(columns).encode(), "in.csv", make_ids=True))
        assert "and 39,950 more" in item.message
        assert len(item.message) < 1_000


def test_missing_ids(read_bytes: ReadBytes) -> None:
    assert "--make-ids" in bad(read_bytes(b"id,text\n,a\n", "in.csv"))[0].message
    assert documents(read_bytes(b"text,x\na,1\n", "in.csv", make_ids=True))[0].text == "a"


class TestEncodings:
    def test_gb18030(self, read_bytes: ReadBytes) -> None:
        data = "id,text,来源\n1,大桥通车,报\n".encode("gb18030")
        assert documents(read_bytes(data, "in.csv"))[0].body["来源"] == "报"

    def test_gb18030_after_a_long_ascii_beginning(self, read_bytes: ReadBytes) -> None:
        data = b"id,text\n" + b"1,plain\n" * 10_000 + "2,大桥\n".encode("gb18030")
        assert documents(read_bytes(data, "in.csv"))[-1].text == "大桥"

    def test_a_prefix_may_end_inside_a_character(self, read_bytes: ReadBytes) -> None:
        for shift in range(4):
            data = ("id,text\n" + "x" * shift + ",大桥通车\n" * 9000).encode("gb18030")
            assert documents(read_bytes(data, "in.csv", make_ids=True))[-1].text == "大桥通车"

    def test_broken_bytes_cost_their_row(self, read_bytes: ReadBytes) -> None:
        data = "id,text\n1,大桥\n2,图".encode() + b"\xff\n" + "3,\0\n4,馆\n".encode()
        items = read_bytes(data, "in.csv")
        assert [item.id for item in documents(items)] == ["1", "4"]
        assert "column 2 is not valid UTF-8" in bad(items)[0].message
        assert "NUL" in bad(items)[1].message

    def test_excel_unicode_text(self, read_bytes: ReadBytes) -> None:
        data = "id\ttext\r\n1\t大桥\r\n".encode("utf-16")
        assert documents(read_bytes(data, "in.tsv"))[0].text == "大桥"

    def test_bom(self, read_bytes: ReadBytes) -> None:
        assert documents(read_bytes("\ufeffid,text\n1,a\n".encode(), "in.csv"))[0].id == "1"
        assert documents(read_bytes("\ufeffid,text\n1,大\n".encode("gb18030"), "in.csv"))[0].id


cells = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


@settings(deadline=None)  # files and a busy machine
@given(rows=st.lists(cells, max_size=20), delimiter=st.sampled_from(",;\t|"))
def test_what_the_csv_module_writes_is_read_back(rows: list[str], delimiter: str) -> None:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(["id", "text"])
    writer.writerows([str(number), text] for number, text in enumerate(rows))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "in.csv")
        path.write_bytes(out.getvalue().encode())
        items = list(read(str(path), ReadOptions()))
    assert [item.text for item in documents(items)] == rows
    assert not bad(items)


@settings(deadline=None)  # files and a busy machine
@given(data=st.binary(max_size=300), head=st.sampled_from([b"", b"id,text\n", b'id;"text"\n']))
def test_any_bytes_are_survived(data: bytes, head: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "in.csv")
        path.write_bytes(head + data)
        for item in documents(list(read(str(path), ReadOptions(max_line_bytes=50)))):
            item.text.encode()
