from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import threading
import tracemalloc
from pathlib import Path

import pytest

from indexer.model import Document
from indexer.sources import BadLine, FileSource, Mark, ReadOptions, read, total_bytes
from indexer.sources.documents import made_id
from mappings.errors import InputRefused, NotFound
from tests.unit.indexer.sources.conftest import bad, documents

LINE = b'{"id": "a", "text": "b"}\n'
LONG = b'{"id": "a", "text": "' + b"b" * 1000 + b'"}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "news"
    (root / "sub").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "a.jsonl").write_bytes(LINE)
    (root / "b.CSV.gz").write_bytes(gzip.compress(b"id,text\n1,c\n"))
    (root / "sub" / "c.txt").write_bytes(b"text")
    (root / "sub" / "d.pdf").write_bytes(b"%PDF")
    (root / ".git" / "e.txt").write_bytes(b"no")
    (root / "z.ndjson").write_bytes(LINE)
    return root


class TestFolders:
    def test_known_files_in_order_and_the_others_named(self, folder: Path) -> None:
        ignored: list[str] = []
        items = list(read(str(folder), ReadOptions(), ignored=ignored.append))
        assert [(item.id, item.origin) for item in documents(items)] == [
            ("a", f"{folder}/a.jsonl:1"),
            ("1", f"{folder}/b.CSV.gz:2"),
            ("sub/c.txt", f"{folder}/sub/c.txt:1"),
            ("a", f"{folder}/z.ndjson:1"),
        ]
        assert ignored == [f"{folder}/.git", f"{folder}/sub/d.pdf"]

    def test_a_named_format_selects(self, folder: Path) -> None:
        ignored: list[str] = []
        items = list(read(str(folder), ReadOptions(format="text"), ignored=ignored.append))
        assert [item.id for item in documents(items)] == ["sub/c.txt"]
        assert len(ignored) == 5

    def test_what_cannot_be_opened_is_reported_and_passed_by(self, folder: Path) -> None:
        (folder / "b.jsonl").symlink_to(folder / "gone")
        (folder / "loop").symlink_to(folder)
        os.mkfifo(folder / "pipe.jsonl")
        ignored: list[str] = []
        items = list(read(str(folder), ReadOptions(), ignored=ignored.append))
        (only,) = bad(items)
        assert only.origin == f"{folder}/b.jsonl"
        assert "cannot be opened: No such file" in only.message
        assert len(documents(items)) == 4
        assert ignored[1:3] == [f"{folder}/loop", f"{folder}/pipe.jsonl"]

    def test_links_lead_no_farther_than_the_folder(self, folder: Path, tmp_path: Path) -> None:
        secret = tmp_path / "secret.txt"
        secret.write_bytes(b"secret")
        (folder / "out.txt").symlink_to(secret)
        (folder / "up.txt").symlink_to("../secret.txt")
        (folder / "in.txt").symlink_to("sub/c.txt")
        (tmp_path / "news-2").mkdir()  # a name that begins like that of the folder
        (tmp_path / "news-2" / "x.txt").write_bytes(b"secret")
        (folder / "beside.txt").symlink_to("../news-2/x.txt")
        items = list(read(str(folder), ReadOptions()))
        assert [Path(item.origin).name for item in bad(items)] == [
            "beside.txt",
            "out.txt",
            "up.txt",
        ]
        assert all("a link that leads out of the folder" in item.message for item in bad(items))
        assert "in.txt" in {item.id for item in documents(items)}
        assert "secret" not in {item.text for item in documents(items)}
        (only,) = documents(list(read(str(folder / "out.txt"), ReadOptions())))  # named itself
        assert only.text == "secret"

    def test_a_folder_deeper_than_python_recurses(self, tmp_path: Path) -> None:
        """Nothing of it was indexed."""
        root = tmp_path / "deep"
        root.mkdir()
        (root / "a.txt").write_bytes(b"first")
        here = os.open(root, os.O_RDONLY)
        for _ in range(1_500):
            os.mkdir("d", dir_fd=here)
            inner = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
        with os.fdopen(os.open("z.txt", os.O_CREAT | os.O_WRONLY, dir_fd=here), "wb") as file:
            file.write(b"last")
        for _ in range(1_000):  # beyond what the system takes as one path
            os.mkdir("d", dir_fd=here)
            inner = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
        os.close(here)
        try:
            items = list(read(str(root), ReadOptions()))
            assert FileSource(str(root), ReadOptions()).state()
        finally:
            subprocess.run(["rm", "-rf", str(root)], check=True)  # Python's own recurses
        assert [item.text for item in documents(items)] == ["first", "last"]
        (too_deep,) = bad(items)
        assert "the folder cannot be listed: File name too long" in too_deep.message

    def test_a_file_name_that_is_no_text(self, folder: Path) -> None:
        Path(os.fsdecode(os.fsencode(folder) + b"/\xff.txt")).write_bytes(b"text")
        (only,) = bad(list(read(str(folder), ReadOptions())))
        assert only.origin.endswith("/\\xff.txt:1")
        assert "rename" in only.message

    def test_a_truncated_gzip_keeps_what_came_before(self, folder: Path) -> None:
        lines = b"".join(
            b'{"id": "%d", "text": "%s"}\n' % (n, os.urandom(40).hex().encode())
            for n in range(9999)
        )
        (folder / "b.jsonl.gz").write_bytes(gzip.compress(lines)[:-4000])
        items = list(read(str(folder), ReadOptions()))
        (only,) = bad(items)
        kept = [item for item in documents(items) if "b.jsonl" in item.origin]
        assert 9000 < len(kept) < 9999
        assert only.origin == f"{folder}/b.jsonl.gz:{len(kept) + 1}"
        assert "end-of-stream" in only.message
        assert isinstance(items[-1], Document)

    @pytest.mark.parametrize("data", [b"\x1f\x8b", b"\x1f\x8b\x08", b"\x1f\x8bxxxxxxxxxxxxx"])
    @pytest.mark.parametrize("name", ["x.jsonl", "x.csv", "x.txt"])
    def test_a_gzip_of_nothing(self, tmp_path: Path, data: bytes, name: str) -> None:
        (tmp_path / name).write_bytes(data)
        (only,) = read(str(tmp_path), ReadOptions())
        assert isinstance(only, BadLine)
        assert "cannot be read further" in only.message


class TestGoingOn:
    @pytest.fixture(autouse=True)
    def rows(self, folder: Path) -> None:
        (folder / "c.csv").write_text('id,text\n1,"a\n2,b\n"\n\n2,"open\n3,"x, y"\n4,c\n', "utf-8")

    @pytest.mark.parametrize("name", [".", "c.csv", "a.jsonl", "b.CSV.gz", "sub/c.txt"])
    def test_after_each_document(
        self, folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(folder)
        items = list(read(name, ReadOptions()))
        assert documents(items)
        for number, item in enumerate(items, 1):
            if isinstance(item, Document):
                assert list(read(name, ReadOptions(), after=item.mark)) == items[number:]

    def test_a_place_does_not_depend_on_how_the_folder_is_named(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(folder / "sub")
        for source in (str(folder), "..", "../../news", "../", f"{folder}/"):
            marks = [item.mark for item in documents(list(read(source, ReadOptions())))]
            assert marks[-2:] == [Mark("sub/c.txt", 1), Mark("z.ndjson", 1)]
            files = FileSource(source, ReadOptions())
            assert files.identity == str(folder)
            assert Path(files.describe(Mark("c.csv", 2)).removeprefix("line 2 of ")).exists()

    def test_all_bytes_are_told(self, folder: Path) -> None:
        told: list[int] = []
        list(read(str(folder), ReadOptions(), after=Mark("c.csv", 2), progress=told.append))
        assert sum(told) == total_bytes(str(folder))

    def test_a_place_that_is_not_there(self, folder: Path) -> None:
        with pytest.raises(InputRefused, match="changed while it was read; run the same"):
            list(read(str(folder), ReadOptions(), after=Mark("gone.csv", 2)))
        with pytest.raises(InputRefused, match="in the middle"):
            read("-", ReadOptions(), after=Mark("", 1))

    def test_a_file_is_left_out(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder)
        exclude = Path("sub/../a.jsonl")
        names = [item.origin for item in read(".", ReadOptions(), exclude=exclude)]
        assert "a.jsonl:1" not in names
        assert "z.ndjson:1" in names


class TestSingleSources:
    def test_missing(self, tmp_path: Path) -> None:
        for name in (tmp_path / "no.jsonl", tmp_path / "no" / "no.jsonl"):
            with pytest.raises(NotFound, match="check the path"):
                read(str(name), ReadOptions())
            with pytest.raises(NotFound):
                total_bytes(str(name))
        with pytest.raises(InputRefused):
            read("a\0b", ReadOptions())

    def test_unknown_extensions(self, tmp_path: Path) -> None:
        path = tmp_path / "part-00000"
        path.write_bytes(gzip.compress(b"\xef\xbb\xbf\n" + LINE))
        assert len(documents(list(read(str(path), ReadOptions())))) == 1
        path.write_bytes(b"id,text\n1,b\n")
        with pytest.raises(InputRefused, match="--format"):
            read(str(path), ReadOptions())
        assert len(documents(list(read(str(path), ReadOptions(format="csv"))))) == 1

    @pytest.mark.parametrize("begin", ["<!DOCTYPE html>\n<html>", "\n <HTML lang='zh'>"])
    def test_a_page_of_the_web(self, tmp_path: Path, begin: str) -> None:
        (tmp_path / "page.html").write_text(f"{begin}<p>text</p></html>")
        with pytest.raises(InputRefused, match="'dupdex pages load' takes archives"):
            list(read(str(tmp_path / "page.html"), ReadOptions()))

    def test_a_gzip_under_another_name(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl"
        path.write_bytes(gzip.compress(LINE) + gzip.compress(LINE))
        assert len(documents(list(read(str(path), ReadOptions())))) == 2

    def test_a_named_pipe(self, tmp_path: Path) -> None:
        path = tmp_path / "pipe"
        os.mkfifo(path)
        writer = threading.Thread(target=path.write_bytes, args=(LINE,))
        writer.start()
        assert len(documents(list(read(str(path), ReadOptions())))) == 1
        writer.join()
        assert total_bytes(str(path)) is None

    def test_errors_of_the_caller_are_not_taken_for_the_file_s(self, folder: Path) -> None:
        def broken(_: int) -> None:
            raise BrokenPipeError

        with pytest.raises(BrokenPipeError):
            list(read(str(folder / "a.jsonl"), ReadOptions(), progress=broken))


class TestStandardInput:
    def give(self, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    def test_jsonl_by_default(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.give(monkeypatch, b"\n" + LINE)
        assert [item.origin for item in read("-", ReadOptions())] == ["stdin:2"]
        assert not sys.stdin.closed

    def test_other_formats(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.give(monkeypatch, "id,text\n1,桥\n".encode("gb18030"))
        assert documents(list(read("-", ReadOptions(format="csv"))))[0].text == "桥"
        self.give(monkeypatch, b"text")
        (document,) = documents(list(read("-", ReadOptions(format="text"))))
        assert document.body == {"text": "text", "path": "stdin"}
        assert document.id == made_id("text")

    def test_closed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        with pytest.raises(InputRefused, match="closed"):
            list(read("-", ReadOptions()))


class TestProgress:
    def test_all_bytes_are_told(self, folder: Path) -> None:
        told: list[int] = []
        list(read(str(folder), ReadOptions(), progress=told.append))
        assert sum(told) == total_bytes(str(folder))
        assert all(told)
        assert total_bytes(str(folder / "a.jsonl")) == len(LINE)
        assert total_bytes("-") is None

    def test_a_compressed_file_counts_as_it_is_on_disk(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl.gz"
        path.write_bytes(gzip.compress(LINE * 30_000))
        told: list[int] = []
        list(read(str(path), ReadOptions(), progress=told.append))
        assert sum(told) == total_bytes(str(path)) == path.stat().st_size


def test_memory_is_bounded_by_the_line_not_the_file(tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    with path.open("wb") as file:
        for _ in range(12):
            file.write(LONG * 1_000)
        file.write(b"x" * (20 << 20))
    tracemalloc.start()
    try:
        count = sum(
            1 for _ in read(str(path), ReadOptions(max_line_bytes=1 << 16), after=Mark("", 9))
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 12_000 - 9 + 1
    assert peak < 4 << 20


@pytest.mark.parametrize(
    "options",
    [{"format": "xml"}, {"encoding": "klingon"}, {"encoding": "base64"}, {"max_line_bytes": 0}],
)
def test_options_no_reader_knows(options: dict[str, str]) -> None:
    with pytest.raises(InputRefused):
        ReadOptions(**options)  # type: ignore[arg-type]
