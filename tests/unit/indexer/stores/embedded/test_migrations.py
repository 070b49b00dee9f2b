"""Stores of older layouts: read as they are, migrated by the first writer, never half-way."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

import orjson
import pytest

from dupdex.index import Index
from dupdex.location import Location
from indexer.meta import IndexMeta
from indexer.model import Document
from indexer.soundness import Part
from indexer.sources.dead_letters import DeadLetters
from indexer.stores.embedded import migrations, schema
from indexer.stores.embedded.embedded_check import check
from indexer.stores.embedded.embedded_collection import EmbeddedCollection
from indexer.stores.embedded.embedded_repair import repair
from indexer.stores.embedded.embedded_writer import EmbeddedWriter
from mappings.collections import Attribute, Collection, Kind
from mappings.errors import PlanMismatch, StoreRefused
from mappings.plan import CHARACTERS, STANDARD
from query.stores.embedded.embedded_reader import EmbeddedReader
from tests.golden.layouts import DELETED, DOCUMENTS, restore

ROOT: Final = Path(__file__).parents[5]
OLD: Final = range(schema.OLDEST, schema.LAYOUT)
THERE: Final = {name: text for name, text in DOCUMENTS.items() if name != DELETED}


def layout_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def tables_of(path: Path) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT name, coalesce(sql, '') FROM sqlite_master").fetchall()
    return {(name, sql.replace('"', "'")) for name, sql in rows}


def check_documents(folder: Path) -> None:
    """Every document is found by id, by its text, by a piece of it and by a word."""
    with Index.open(Location(str(folder))) as index:
        assert index.count() == len(THERE)
        assert set(index.get(list(DOCUMENTS))) == set(THERE)
        for name, text in THERE.items():
            assert [match.id for match in index.lookup(text).matches] == [name]
        assert index.lookup(DOCUMENTS[DELETED]).matches == ()
        assert [hit.id for hit in index.search("白鹭").hits] == ["bridge"]
        assert [hit.id for hit in index.search("fox").hits] == ["fox"]
        assert index.search("第一稿").total == index.search("编号").total == 0


def test_every_layout_has_a_store_and_a_step() -> None:
    assert list(migrations.STEPS) == list(OLD)


@pytest.mark.parametrize("layout", OLD)
def test_a_reader_takes_an_old_store_as_it_is(tmp_path: Path, layout: int) -> None:
    path = restore(layout, tmp_path)
    check_documents(tmp_path)
    assert layout_of(path) == layout


@pytest.mark.parametrize("layout", OLD)
def test_a_writer_brings_an_old_store_up_to_date(tmp_path: Path, layout: int) -> None:
    path = restore(layout, tmp_path)
    with Index.create(Location(str(tmp_path))) as index:
        check_documents(tmp_path)
        more = Document("more", "又来了一篇新的文章。", {"text": "又来了一篇新的文章。"})
        assert [outcome.status for outcome in index.add([more])] == ["created"]
        assert index.delete(["more"]) == ["more"]
    assert layout_of(path) == schema.LAYOUT
    check_documents(tmp_path)
    EmbeddedWriter.open(tmp_path, "fresh", IndexMeta(plan=CHARACTERS), None).close()
    assert tables_of(path) == tables_of(tmp_path / "fresh.sqlite")


@pytest.mark.parametrize("layout", OLD)
def test_a_reader_that_is_open_goes_on(tmp_path: Path, layout: int) -> None:
    restore(layout, tmp_path)
    with EmbeddedReader.open(tmp_path, "dupdex", None) as reader:
        EmbeddedWriter.open(tmp_path, "dupdex", IndexMeta(), None).close()
        assert reader.count() == len(THERE)
        assert reader.search("fox").total == 1


def test_a_collection_is_opened_beside_an_old_index(tmp_path: Path) -> None:
    path = restore(1, tmp_path)
    notes = Collection("notes", 1, (Attribute("note", Kind.TEXT),))
    with EmbeddedWriter.open(tmp_path, "other", IndexMeta(), None):
        EmbeddedCollection.open(tmp_path, "dupdex", notes).close()
    assert layout_of(path) == schema.LAYOUT
    check_documents(tmp_path)


MEADOW: Final = "The quick brown fox jumps over the lazy dog and runs into the deep forest."


def with_dotted_title(folder: Path) -> Path:
    """A store of layout 1 whose title field has a dot, with what that layout put in full text: a
    title that stands in an object was not read, nor a list in a list."""
    path = restore(1, folder)
    bodies = {
        "fox": ({"text": MEADOW, "head": {"title": "marsupial"}}, ""),
        "rain": ({"text": MEADOW, "head.title": "meerkat"}, "meerkat"),
        "bridge": ({"text": MEADOW, "head.title": ["okapi", ["wombat"]]}, "okapi"),
    }
    words = MEADOW.lower().rstrip(".")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("INSERT INTO fulltext(fulltext) VALUES ('delete-all')")
        (meta,) = db.execute("SELECT value FROM meta WHERE key='index'").fetchone()
        described = orjson.dumps({**orjson.loads(meta), "title_field": "head.title"}).decode()
        db.execute("UPDATE meta SET value=? WHERE key='index'", (described,))
        for name, (body, title) in bodies.items():
            db.execute("UPDATE documents SET body=? WHERE id=?", (orjson.dumps(body), name))
            db.execute(
                "INSERT INTO fulltext(rowid, title, text)"
                " SELECT num, ?, ? FROM documents WHERE id=?",
                (title, words, name),
            )
    return path


def faults(path: Path) -> Mapping[Part, int]:
    with closing(schema.connect(path, "rw")) as db:
        return check(db, path).counts


def word_faults(path: Path) -> int:
    return faults(path).get(Part.WORDS, 0)


def found(folder: Path, word: str) -> list[str]:
    with EmbeddedReader.open(folder, "dupdex", None) as reader:
        return sorted(hit.id for hit in reader.search(word).hits)


def test_full_text_of_layout_1_gets_the_words_at_dotted_paths(tmp_path: Path) -> None:
    path = with_dotted_title(tmp_path)
    assert word_faults(path) == 0  # they are as that layout wants them
    assert found(tmp_path, "marsupial") == found(tmp_path, "wombat") == []
    with EmbeddedWriter.open(tmp_path, "dupdex", IndexMeta(), None) as writer:
        assert word_faults(path) == 0
        assert found(tmp_path, "marsupial") == ["fox"]
        assert found(tmp_path, "meerkat") == ["rain"]
        assert found(tmp_path, "okapi wombat") == ["bridge"]
        assert writer.delete(["fox"]) == ["fox"]
    assert found(tmp_path, "marsupial") == []
    assert found(tmp_path, "quick") == ["bridge", "rain"]
    assert word_faults(path) == 0


def test_the_words_of_layout_2_are_checked_as_it_wants_them(tmp_path: Path) -> None:
    path = with_dotted_title(tmp_path)
    with closing(schema.connect(path, "rw")) as db, schema.transaction(db, path, "BEGIN IMMEDIATE"):
        migrations.STEPS[1](db, path)
        db.execute("PRAGMA user_version=2")
    assert faults(path).keys() == {Part.FINGERPRINTS}  # of bodies that were changed by hand
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TABLE collections")  # which came with layout 2
    assert faults(path) == {Part.TABLES: 1}


def test_a_damaged_row_does_not_keep_a_store_from_its_new_layout(tmp_path: Path) -> None:
    path = with_dotted_title(tmp_path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE documents SET body=X'7B' WHERE id='rain'")
    EmbeddedWriter.open(tmp_path, "dupdex", IndexMeta(), None).close()
    assert layout_of(path) == schema.LAYOUT
    assert found(tmp_path, "marsupial") == ["fox"]


def test_a_store_of_layout_1_without_full_text_can_be_repaired(tmp_path: Path) -> None:
    path = with_dotted_title(tmp_path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TABLE fulltext")
    with DeadLetters(tmp_path / "rejects.ndjson") as letters:
        before, after = repair(path, letters)
    assert Part.TABLES in before.counts
    assert after.is_sound or after.counts.keys() <= {Part.DOCUMENTS}
    assert found(tmp_path, "marsupial") == ["fox"]


def test_a_refused_writer_changes_nothing(tmp_path: Path) -> None:
    path = restore(1, tmp_path)
    with pytest.raises(PlanMismatch):
        EmbeddedWriter.open(tmp_path, "dupdex", IndexMeta(), STANDARD)
    assert layout_of(path) == 1


@pytest.mark.parametrize("layout", [0, -1, schema.LAYOUT + 1])
def test_a_layout_that_nobody_knows_is_refused(tmp_path: Path, layout: int) -> None:
    path = restore(1, tmp_path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version={layout}")
    for refused in (
        lambda: EmbeddedReader.open(tmp_path, "dupdex", None),
        lambda: EmbeddedWriter.open(tmp_path, "dupdex", IndexMeta(), None),
    ):
        with pytest.raises(StoreRefused, match=f"has layout {layout}, this dupdex reads layouts 1"):
            refused()
    assert layout_of(path) == layout
