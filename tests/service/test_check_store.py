"""dupdex check-store: a real store, damaged in many ways, is seen through and mended."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from elasticsearch import Elasticsearch

from dupdex.index import Index
from dupdex.location import Location
from dupdex.store_check import check_store, repair_store
from indexer.model import Document
from indexer.soundness import Part, Report
from indexer.stores.embedded.embedded_writer import EmbeddedWriter
from mappings.errors import NotFound, PlanMismatch, StoreRefused
from mappings.index_body import template_name
from mappings.plan import CHARACTERS, STANDARD
from tests.command import run
from tests.contract.stores import META
from tests.golden.layouts import restore

COUNT: Final = 40
TEXTS: Final = {
    f"d{n}": f"第{n}篇报道：{chr(0x4E00 + 37 * n)}市第{n}座大桥昨天上午正式通车，全长{n}百米。"
    f"The bridge number {n} was opened by mayor {chr(97 + n % 26) * 5} on Sunday."
    for n in range(COUNT)
}


def fill(location: Location, texts: dict[str, str] = TEXTS) -> None:
    with Index.create(location, plan=CHARACTERS) as index:
        body = {"n": 1, "tags": ["a", "b"], "title": "标题 one"}
        list(index.add(Document(name, t, {"text": t, **body}) for name, t in texts.items()))


def damage(location: Location, *statements: str) -> None:
    with closing(sqlite3.connect(location.folder / "dupdex.sqlite")) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


def works(location: Location, names: set[str]) -> None:
    """Every document is found by its text, by a word, and by its id; no other is."""
    with Index.open(location) as index:
        assert {stored.id for stored in index.scan()} == names
        for name in sorted(names):
            assert name in [match.id for match in index.lookup(TEXTS[name]).matches]
            assert name in {hit.id for hit in index.search(f"第{name[1:]}座大桥").hits}


DAMAGES: Final[dict[str, tuple[Part, bool, tuple[str, ...]]]] = {
    # name: where it is told, whether the document is lost, how it is done
    "body no JSON": (Part.DOCUMENTS, True, ("UPDATE documents SET body = x'7b' WHERE id='d3'",)),
    "body no object": (Part.DOCUMENTS, True, ("UPDATE documents SET body = x'37' WHERE id='d3'",)),
    "body as text": (
        Part.DOCUMENTS,
        False,
        ("UPDATE documents SET body = CAST(body AS TEXT) WHERE id = 'd3'",),
    ),
    "id no text": (Part.DOCUMENTS, True, ("UPDATE documents SET id = x'ff00' WHERE id = 'd3'",)),
    "id no UTF-8": (
        Part.DOCUMENTS,
        True,
        ("UPDATE documents SET id = CAST(x'ff' AS TEXT) WHERE id = 'd3'",),
    ),
    "keys no JSON": (Part.DOCUMENTS, False, ("UPDATE documents SET keys = x'5b' WHERE id='d3'",)),
    "keys and text gone": (
        Part.DOCUMENTS,
        True,
        ("UPDATE documents SET keys = x'5b', body = CAST('{}' AS BLOB) WHERE id = 'd3'",),
    ),
    "simhash a text": (Part.DOCUMENTS, False, ("UPDATE documents SET simhash='x' WHERE id='d3'",)),
    "simhash another": (
        Part.FINGERPRINTS,
        False,
        ("UPDATE documents SET simhash = simhash / 2 WHERE id = 'd3'",),
    ),
    "text hash another": (
        Part.FINGERPRINTS,
        False,
        ("UPDATE documents SET text_hash = 'x' WHERE id = 'd3'",),
    ),
    "length another": (Part.FINGERPRINTS, False, ("UPDATE documents SET length=1 WHERE id='d3'",)),
    "plan another": (Part.FINGERPRINTS, False, ("UPDATE documents SET plan='x' WHERE id='d3'",)),
    "keys of another": (
        Part.FINGERPRINTS,
        False,
        ("UPDATE documents SET keys = (SELECT keys FROM documents WHERE id='d4') WHERE id='d3'",),
    ),
    "text another": (
        Part.FINGERPRINTS,
        False,
        (
            "UPDATE documents SET body ="
            " CAST(replace(CAST(body AS TEXT), 'Sunday', 'Monday') AS BLOB) WHERE id = 'd3'",
        ),
    ),
    "title another": (
        Part.WORDS,
        False,
        (
            "UPDATE documents SET body ="
            " CAST(replace(CAST(body AS TEXT), ' one', ' two') AS BLOB) WHERE id = 'd3'",
        ),
    ),
    "a posting gone": (
        Part.POSTINGS,
        False,
        ("DELETE FROM recent WHERE key = (SELECT min(key) FROM recent)",),
    ),
    "all postings of one gone": (Part.POSTINGS, False, ("DELETE FROM recent WHERE num = 4",)),
    "a posting too many": (Part.POSTINGS, False, ("INSERT INTO postings VALUES (77, 4)",)),
    "a posting twice": (
        Part.POSTINGS,
        False,
        ("INSERT INTO postings SELECT key, num FROM recent WHERE num = 4 LIMIT 1",),
    ),
    "a posting of nothing": (Part.POSTINGS, False, ("INSERT INTO recent VALUES (77, 4000)",)),
    "postings swapped": (
        Part.POSTINGS,
        False,
        (
            "UPDATE recent SET num = 9000 WHERE num = 4",
            "UPDATE recent SET num = 4 WHERE num = 5",
            "UPDATE recent SET num = 5 WHERE num = 9000",
        ),
    ),
    "row deleted": (Part.POSTINGS, True, ("DELETE FROM documents WHERE id = 'd3'",)),
    "row renumbered": (Part.WORDS, False, ("UPDATE documents SET num = 7000 WHERE id = 'd3'",)),
    "words gone": (Part.WORDS, False, ("INSERT INTO fulltext(fulltext) VALUES ('delete-all')",)),
    "words of nothing": (
        Part.WORDS,
        False,
        ("INSERT INTO fulltext(rowid, title, text) VALUES (5000, 'a', 'b c')",),
    ),
    "words more": (
        Part.WORDS,
        False,
        ("INSERT INTO fulltext(rowid, title, text) VALUES (4, '', 'more')",),
    ),
    "full text torn": (Part.FILE, False, ("UPDATE fulltext_data SET block = x'00' WHERE id > 10",)),
    "no recent": (Part.TABLES, False, ("DROP TABLE recent",)),
    "no postings": (Part.TABLES, False, ("DROP TABLE postings",)),
    "no full text": (Part.TABLES, False, ("DROP TABLE fulltext",)),
    "no collections": (Part.TABLES, False, ("DROP TABLE collections",)),
}


@pytest.mark.parametrize(("part", "lost", "statements"), DAMAGES.values(), ids=DAMAGES)
def test_every_damage_is_told_and_mended(
    tmp_path: Path, part: Part, lost: bool, statements: tuple[str, ...]
) -> None:
    location, rejects = Location(str(tmp_path / "store")), tmp_path / "rejects"
    fill(location)
    assert check_store(location).is_sound
    damage(location, *statements)
    report = check_store(location)
    assert part in report.counts, report
    told, left = repair_store(location, rejects)
    assert told.counts == report.counts
    assert left.is_sound, left
    assert left.documents == COUNT - lost
    works(location, set(TEXTS) - ({"d3"} if lost else set()))
    assert rejects.exists() == (lost and part is Part.DOCUMENTS)
    with Index.create(location) as index:  # and it can be written to
        again = [Document("d3", TEXTS["d3"], {"text": TEXTS["d3"]})]
        assert [outcome.reason for outcome in index.add(again)] == [""]
        index.delete(["d5"])
    assert check_store(location).is_sound


def test_a_damaged_body_is_kept_for_people(tmp_path: Path) -> None:
    location, rejects = Location(str(tmp_path)), tmp_path / "rejects"
    fill(location)
    damage(location, "UPDATE documents SET body = substr(body, 1, length(body) - 1) WHERE id='d3'")
    repair_store(location, rejects)
    (line,) = map(json.loads, rejects.read_text().splitlines())
    assert "'d3'" in line["origin"]
    assert json.loads(line["line"] + "}")["text"] == TEXTS["d3"]


def test_a_document_without_a_text_is_told_and_stays(tmp_path: Path) -> None:
    location = Location(str(tmp_path))
    fill(location)
    damage(location, "UPDATE documents SET body = CAST('{\"n\": 1}' AS BLOB) WHERE id = 'd3'")
    _, left = repair_store(location, tmp_path / "rejects")
    assert left.counts == {Part.TEXTS: 1}
    with Index.open(location) as index:
        assert index.get(["d3"])["d3"].body == {"n": 1}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = '[' WHERE key = 'index'",
        "DELETE FROM meta",
        "DROP TABLE meta",
        "DROP TABLE documents",
    ],
)
def test_what_cannot_be_mended_is_refused(tmp_path: Path, statement: str) -> None:
    location = Location(str(tmp_path))
    fill(location)
    damage(location, statement)
    assert check_store(location).counts == {Part.META: 1}
    before = (tmp_path / "dupdex.sqlite").read_bytes()
    with pytest.raises(StoreRefused, match="cannot be mended"):
        repair_store(location, tmp_path / "rejects")
    assert (tmp_path / "dupdex.sqlite").read_bytes() == before


def test_torn_pages_are_told(tmp_path: Path) -> None:
    location = Location(str(tmp_path))
    fill(location)
    with closing(sqlite3.connect(tmp_path / "dupdex.sqlite")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name='documents'").fetchone()[0]
    content = bytearray((tmp_path / "dupdex.sqlite").read_bytes())
    content[4_096 * (root - 1) : 4_096 * root] = b"\xaa" * 4_096
    (tmp_path / "dupdex.sqlite").write_bytes(content)
    assert Part.FILE in check_store(location).counts
    with pytest.raises(StoreRefused, match="restore it from a copy"):
        repair_store(location, tmp_path / "rejects")


def test_a_store_that_is_not_there_or_is_written_or_is_rebuilt(tmp_path: Path) -> None:
    location, rejects = Location(str(tmp_path)), tmp_path / "rejects"
    for ask in (lambda: check_store(location), lambda: repair_store(location, rejects)):
        with pytest.raises(NotFound):
            ask()
    fill(location)
    damage(location, "DELETE FROM recent")
    with EmbeddedWriter.open(tmp_path, "dupdex", META, None) as writer:
        assert check_store(location).counts == {Part.POSTINGS: COUNT}
        with pytest.raises(StoreRefused, match="another program is writing"):
            repair_store(location, rejects)
        writer.set_meta(writer.meta.started(STANDARD))
    for ask in (lambda: check_store(location), lambda: repair_store(location, rejects)):
        with pytest.raises(PlanMismatch, match="was not finished"):
            ask()


def test_an_old_layout_is_checked_as_it_is(tmp_path: Path) -> None:
    restore(1, tmp_path)
    location = Location(str(tmp_path))
    assert check_store(location) == Report(documents=3)
    damage(location, "DELETE FROM recent WHERE num = 1")
    assert repair_store(location, tmp_path / "rejects")[1].is_sound


KILLED: Final = """
import os, signal, sys
from pathlib import Path
from dupdex.location import Location
from dupdex.store_check import repair_store
from indexer.stores.embedded.embedded_repair import _Repair
derive = _Repair._derive
def killed(repair):
    derive(repair)
    os.kill(os.getpid(), signal.SIGKILL)
_Repair._derive = killed
repair_store(Location(sys.argv[1]), Path(sys.argv[2]))
"""


def test_a_repair_that_is_killed_has_changed_nothing(tmp_path: Path) -> None:
    location, rejects = Location(str(tmp_path)), tmp_path / "rejects"
    fill(location)
    damage(location, "UPDATE documents SET keys = x'5b' WHERE id = 'd3'")
    damage(location, "UPDATE documents SET body = x'5b' WHERE id = 'd4'")
    before = check_store(location)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path), str(rejects)],
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert check_store(location) == before
    assert repair_store(location, rejects)[1].is_sound


def test_the_command(tmp_path: Path) -> None:
    fill(Location(str(tmp_path / "dupdex-store")))
    sound = run("check-store", folder=tmp_path)
    assert (sound.status, sound.out) == (0, f"{COUNT} documents, sound\n")
    location = Location(str(tmp_path / "dupdex-store"))
    damage(location, "UPDATE documents SET text_hash = 'x'")
    damage(location, "UPDATE documents SET body = x'00' WHERE id = 'd3'")
    found = run("check-store", folder=tmp_path)
    assert found.status == 1
    assert f"{COUNT} documents, {COUNT} faults" in found.out
    assert "fingerprints: 39" in found.out
    assert "and 34 more" in found.out
    told = run("check-store", "--json", folder=tmp_path).json()
    assert told["faults"]["documents"]["count"] == 1
    assert told["faults"]["documents"]["examples"][0]["id"] == "d3"
    mended = run("check-store", "--repair", folder=tmp_path)
    assert mended.status == 1
    assert "1 rows that cannot be read were moved to dupdex-rejects.ndjson" in mended.out
    assert mended.out.endswith("all is mended\n")
    (kept,) = map(json.loads, (tmp_path / "dupdex-rejects.ndjson").read_text().splitlines())
    assert kept["to"]["index"] == "dupdex"
    sound = run("check-store", "--repair", "--json", folder=tmp_path)
    assert sound.status == 0
    assert sound.json()["documents"] == COUNT - 1
    assert run("check-store", "--index", "other", folder=tmp_path).status == 3


# --- Elasticsearch


@pytest.fixture
def server(es_url: str) -> Iterator[tuple[Location, Elasticsearch]]:
    location = Location(es_url, f"check-{uuid.uuid4().hex[:12]}")
    with closing(Elasticsearch(es_url)) as client:
        yield location, client
        client.indices.delete(index=location.index, ignore_unavailable=True)
        client.options(ignore_status=404).indices.delete_index_template(
            name=template_name(location.index)
        )


def test_documents_of_a_server(server: tuple[Location, Elasticsearch], tmp_path: Path) -> None:
    location, client = server
    fill(location)
    client.indices.refresh(index=location.index)
    assert check_store(location) == Report(documents=COUNT)

    def change(name: str, alter: Callable[[dict[str, Any]], object]) -> None:
        source = client.get(index=location.index, id=name)["_source"]
        alter(source)
        client.index(index=location.index, id=name, document=source, refresh=True)

    change("d1", lambda source: source.pop("dupdex"))
    change("d2", lambda source: source.update(text=TEXTS["d2"].replace("Sunday", "Monday")))
    change("d3", lambda source: source["dupdex"].pop("passage_keys"))
    change("d4", lambda source: source["dupdex"].update(plan="another"))
    change("d5", lambda source: source["dupdex"].update(simhash=9))
    change("d6", lambda source: source.pop("text"))
    client.index(index=location.index, id="more", document={"text": TEXTS["d7"]}, refresh=True)
    report = check_store(location)
    assert report.counts == {Part.FINGERPRINTS: 6, Part.TEXTS: 1}
    before, left = repair_store(location, tmp_path / "rejects")
    assert before.counts == report.counts
    assert left.counts == {Part.TEXTS: 1}
    with Index.open(location) as index:
        assert "d1" in [match.id for match in index.lookup(TEXTS["d1"]).matches]
        assert "more" in [match.id for match in index.lookup(TEXTS["d7"]).matches]
    assert not (tmp_path / "rejects").exists()


def test_the_mapping_of_a_server(server: tuple[Location, Elasticsearch], tmp_path: Path) -> None:
    location, client = server
    fill(location, {})
    mappings: dict[str, Any] = client.indices.get_mapping(index=location.index)[location.index][
        "mappings"
    ]
    assert check_store(location).is_sound
    client.indices.delete(index=location.index)
    client.indices.delete_index_template(name=template_name(location.index))
    ours = mappings["properties"]["dupdex"]
    del ours["properties"]["sentences"]
    ours["dynamic"] = "true"
    client.indices.create(index=location.index, mappings=mappings)
    report = check_store(location)
    assert report.counts == {Part.MAPPING: 2}
    assert repair_store(location, tmp_path / "rejects")[1].is_sound
    client.indices.delete(index=location.index)
    ours["properties"]["sentences"] = {"type": "text"}
    client.indices.create(index=location.index, mappings=mappings)
    _, left = repair_store(location, tmp_path / "rejects")
    (fault,) = left.examples[Part.MAPPING]
    assert "dupdex.sentences has type text, it needs keyword" in fault.message


def test_a_repair_does_not_advise_itself(tmp_path: Path) -> None:
    location = Location(tmp_path / "store", "news")
    fill(location)
    path = tmp_path / "store" / "news.sqlite"
    with closing(sqlite3.connect(path)) as db:  # or SQLite takes the pages from the log
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)
    refused = run("check-store", "--repair", "--store", "store", "--index", "news", folder=tmp_path)
    assert refused.status == 4, refused.err
    assert "is damaged" in refused.error() or "cannot be mended" in refused.error()
    assert "--repair" not in refused.error()
    assert "restore it from a copy" in refused.error()
