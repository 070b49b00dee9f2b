"""The embedded store when things go wrong: kills, a full disk, two writers, files not ours."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from indexer.model import Status
from indexer.stores.embedded.embedded_writer import EmbeddedWriter
from mappings.contract import Field
from mappings.errors import DupdexError, NotFound, StoreFull, StoreRefused
from mappings.plan import CHARACTERS
from query.answers import Request
from query.stores.embedded.embedded_reader import EmbeddedReader
from tests.command import goes_on, halted, halting, run, start, write_lines
from tests.service.embedded_data import META, records, write

ROOT: Final = Path(__file__).parents[2]


def check(folder: Path, acknowledged: set[str]) -> None:
    """Everything acknowledged is there by id, by key and by full text, and the file is sound."""
    path = folder / "a.sqlite"
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        db.execute("INSERT INTO fulltext(fulltext) VALUES ('integrity-check')")
    with EmbeddedReader.open(folder, "a", CHARACTERS) as reader:
        names = sorted(acknowledged)
        stored = reader.by_ids(names)
        assert sorted(stored) == names
        requests = []
        for name in names:
            fingerprint = stored[name][0].fingerprint
            assert fingerprint is not None
            requests.append(Request({Field.PASSAGE_KEYS: fingerprint.keys[Field.PASSAGE_KEYS][1:]}))
        for name, page in zip(names, reader.candidates(requests), strict=True):
            assert [candidate.id for candidate in page.candidates] == [name]
        for name in names[:: max(1, len(names) // 50)]:
            hits = reader.search(f"第{name[1:]}篇")
            assert [hit.id for hit in hits.hits] == [name]
        every = {stored.id for stored in reader.scan()}
        assert acknowledged <= every
        assert reader.count() == len(every)
        (page,) = reader.candidates([Request({Field.PASSAGE_KEYS: ("all",)}, None, max_df=10**6)])
        assert {candidate.id for candidate in page.candidates} == every


CHILD: Final = """
import sys
from pathlib import Path
import indexer.stores.embedded.embedded_writer as embedded
from tests.service.embedded_data import META, record
embedded.MERGE_AT, embedded.MERGE_PER_DOCUMENT = 2_000, 0
folder, start, generation = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
print("start", flush=True)
writer = embedded.EmbeddedWriter.open(folder, "a", META, None, chunk=40)
# every other document is an update of one that an earlier run has written
numbers = (n for i in range(10**6) for n in (start + i, i % (start + 1)))
for outcome in writer.write(record(n, generation) for n in numbers):
    print(outcome.document.id, flush=True)
"""


def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    acknowledged: set[str] = set()
    # So many documents are waited for, however long they take, and then a little more.
    moments = (0, 0, 0, 0, 1, 1, 39, 40, 81, 300, 700)
    for generation, documents in enumerate(moments):
        start = 10_000 * generation
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(tmp_path), str(start), str(generation)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "start\n"
        lines = [child.stdout.readline() for _ in range(documents)]
        time.sleep((0.0, 0.002, 0.005, 0.02)[generation % 4])
        child.send_signal(signal.SIGKILL)
        lines += child.stdout.read().splitlines(keepends=True)
        child.stdout.close()
        assert child.wait() == -signal.SIGKILL
        acknowledged |= {line.strip() for line in lines if line.endswith("\n")}
        if acknowledged:  # before that the index may not be there yet
            check(tmp_path, acknowledged)
    assert len(acknowledged) > 500
    # the lock went with its holder
    assert write(tmp_path, 900_000, 900_010)[0].status is Status.CREATED


def test_killed_while_being_made(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").touch()  # what is left when SQLite had not written its first page
    with pytest.raises(NotFound):
        EmbeddedReader.open(tmp_path, "a", None)
    write(tmp_path, 0, 10)
    check(tmp_path, {f"d{n}" for n in range(10)})


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with EmbeddedWriter.open(tmp_path, "a", META, None) as first:
        with pytest.raises(StoreRefused, match="another program is writing"):
            EmbeddedWriter.open(tmp_path, "a", META, None)
        other = subprocess.run(
            [sys.executable, "-c", CHILD, str(tmp_path), "0", "0"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert other.returncode == 1
        assert "StoreRefused" in other.stderr
        with EmbeddedWriter.open(tmp_path, "b", META, None):
            pass  # a lock is for one index
        assert list(first.write(records(0, 5)))[4].status is Status.CREATED
    assert write(tmp_path, 0, 1)[0].status is Status.UPDATED


def test_a_refused_open_lets_go_of_the_lock(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").write_text("not a database, and long enough to see that" * 100)
    with pytest.raises(StoreRefused):
        EmbeddedWriter.open(tmp_path, "a", META, None)
    (tmp_path / "a.sqlite").unlink()
    write(tmp_path, 0, 1)


READING: Final = """
import sys
from pathlib import Path
from mappings.contract import Field
from query.answers import Request
from query.stores.embedded.embedded_reader import EmbeddedReader
reader = EmbeddedReader.open(Path(sys.argv[1]), "a", None)
most = 0
begun = False
while not (Path(sys.argv[1]) / "stop").exists():
    request = Request({Field.PASSAGE_KEYS: ("all",)}, None, max_df=10**6)
    (page,) = reader.candidates([request])
    found = len(page.candidates)
    assert found >= most and found % 50 == 0, (found, most)
    assert reader.search("第7篇").total == 1
    most = found
    if not begun:
        print("reading", flush=True)
    begun = True
print(most, reader.count())
"""


def test_processes_read_while_one_writes(tmp_path: Path) -> None:
    with EmbeddedWriter.open(tmp_path, "a", META, None, chunk=50) as writer:
        list(writer.write(records(0, 50)))
        readers = [
            subprocess.Popen(
                [sys.executable, "-c", READING, str(tmp_path)],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(3)
        ]
        for reader in readers:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "reading\n"  # before anything more is written
        for start in range(50, 3_000, 50):
            list(writer.write(records(start, start + 50)))
            time.sleep(0.02)
        (tmp_path / "stop").touch()
        for reader in readers:
            out, err = reader.communicate()
            assert reader.returncode == 0, err
            most, count = map(int, out.split())
            assert 50 <= most <= count == 3_000


def test_a_full_disk_leaves_what_was_acknowledged(tmp_path: Path) -> None:
    acknowledged: set[str] = set()
    with EmbeddedWriter.open(tmp_path, "a", META, None, chunk=50) as writer:
        pages = writer._db.execute("PRAGMA page_count").fetchone()[0]
        writer._db.execute(f"PRAGMA max_page_count={pages + 200}")
        with pytest.raises(StoreFull, match="no space left"):
            for outcome in writer.write(records(0, 100_000)):
                acknowledged.add(outcome.document.id)
        assert len(acknowledged) >= 50
        assert len(acknowledged) % 50 == 0
        writer._db.execute("PRAGMA max_page_count=1000000")
        more = list(writer.write(records(len(acknowledged), len(acknowledged) + 100)))
        assert all(outcome.status is Status.CREATED for outcome in more)
    acknowledged |= {outcome.document.id for outcome in more}
    check(tmp_path, acknowledged)


def test_a_write_that_the_system_refuses(tmp_path: Path) -> None:
    acknowledged: set[str] = set()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with EmbeddedWriter.open(tmp_path, "a", META, None, chunk=50) as writer:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
            with pytest.raises(StoreFull):
                for outcome in writer.write(records(0, 100_000)):
                    acknowledged.add(outcome.document.id)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert acknowledged
    check(tmp_path, acknowledged)


@pytest.mark.parametrize("content", [b"hello", b"\0" * 5_000, b"SQLite format 3\0" + b"x" * 5_000])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.sqlite"
    path.write_bytes(content)
    with pytest.raises(StoreRefused):
        EmbeddedReader.open(tmp_path, "a", None)
    with pytest.raises(StoreRefused):
        EmbeddedWriter.open(tmp_path, "a", META, None)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE meta (key, value)")
        db.commit()
    before = path.read_bytes()
    with pytest.raises(StoreRefused, match="did not make"):
        EmbeddedReader.open(tmp_path, "a", None)
    with pytest.raises(StoreRefused, match="did not make"):
        EmbeddedWriter.open(tmp_path, "a", META, None)
    assert path.read_bytes() == before


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    write(tmp_path, 0, 500)
    path = tmp_path / "a.sqlite"
    content = bytearray(path.read_bytes())
    content[4_096 : len(content) // 2] = b"\xaa" * (len(content) // 2 - 4_096)
    path.write_bytes(content)
    with pytest.raises(DupdexError), EmbeddedReader.open(tmp_path, "a", None) as reader:
        reader.by_ids([f"d{n}" for n in range(500)])
        list(reader.scan())


def test_a_layout_of_the_future_is_refused(tmp_path: Path) -> None:
    write(tmp_path, 0, 1)
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as db:
        db.execute("PRAGMA user_version=99")
    with pytest.raises(StoreRefused, match="layout 99"):
        EmbeddedReader.open(tmp_path, "a", None)


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").mkdir()
    with pytest.raises(StoreRefused):
        EmbeddedWriter.open(tmp_path, "a", META, None)
    with pytest.raises(StoreRefused):
        EmbeddedReader.open(tmp_path, "a", None)
    (tmp_path / "file").touch()
    with pytest.raises(StoreRefused, match="cannot be"):
        EmbeddedWriter.open(tmp_path / "file", "a", META, None)


def test_a_store_removed_under_a_writer(tmp_path: Path) -> None:
    """What goes into a file that nobody can find any more is never acknowledged."""
    folder = tmp_path / "store"
    with EmbeddedWriter.open(folder, "a", META, None, chunk=50) as writer:
        assert len(list(writer.write(records(0, 100)))) == 100
        shutil.rmtree(folder)
        for change in (
            lambda: list(writer.write(records(100, 110))),
            lambda: writer.delete(["d1"]),
            writer.refresh,
        ):
            with pytest.raises(NotFound, match="was removed or replaced"):
                change()
    with EmbeddedWriter.open(folder, "a", META, None) as writer:  # another one at the same place
        write_beside = list(writer.write(records(0, 10)))
    assert [outcome.status for outcome in write_beside] == [Status.CREATED] * 10
    check(folder, {f"d{n}" for n in range(10)})


def test_a_store_replaced_under_a_writer(tmp_path: Path) -> None:
    write(tmp_path / "other", 0, 5)
    with EmbeddedWriter.open(tmp_path / "store", "a", META, None) as writer:
        (tmp_path / "other" / "a.sqlite").replace(tmp_path / "store" / "a.sqlite")
        with pytest.raises(NotFound, match="was removed or replaced"):
            list(writer.write(records(100, 110)))


def test_a_run_whose_store_is_removed_reports_no_success(tmp_path: Path) -> None:
    lines: Iterator[dict[str, object]] = (
        {"id": f"d{n}", "text": f"第{n}篇文章，写的是{n}件事。"} for n in range(3_000)
    )
    write_lines(tmp_path / "many.jsonl", lines)
    process = halted(start("index", "many.jsonl", folder=tmp_path, program=halting(500)))
    shutil.rmtree(tmp_path / "dupdex-store")
    goes_on(process)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3, (out, err)
    assert "was removed or replaced" in err
    again = run("index", "many.jsonl", folder=tmp_path)
    assert again.status == 0, again.err
    assert run("info", "--json", folder=tmp_path).json()["documents"] == 3_000


@pytest.mark.parametrize("name", ["a.sqlite", "a.sqlite.lock"])
def test_a_pipe_in_place_of_a_file_is_refused_at_once(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(StoreRefused, match="is a pipe or a device"):
        EmbeddedWriter.open(tmp_path, "a", META, None)
    if name == "a.sqlite":
        with pytest.raises(StoreRefused, match="is a pipe or a device"):
            EmbeddedReader.open(tmp_path, "a", None)


def test_a_closed_writer_leaves_no_log(tmp_path: Path) -> None:
    """A reader that is closed after it could not merge the log into the file."""
    write(tmp_path, 0, 1)
    with EmbeddedReader.open(tmp_path, "a", CHARACTERS) as reader:
        write(tmp_path, 1, 40)
        log = tmp_path / "a.sqlite-wal"
        assert not log.exists() or not log.stat().st_size
        assert reader.count() == 40
    check(tmp_path, {f"d{n}" for n in range(40)})


def test_a_reader_in_a_snapshot_does_not_hold_up_the_close(tmp_path: Path) -> None:
    write(tmp_path, 0, 1)
    with closing(sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None)) as db:
        db.execute("BEGIN")
        assert db.execute("SELECT count(*) FROM documents").fetchone() == (1,)
        began = time.monotonic()
        write(tmp_path, 1, 40)
        assert time.monotonic() - began < 4
    check(tmp_path, {f"d{n}" for n in range(40)})
