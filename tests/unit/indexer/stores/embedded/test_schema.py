"""The embedded store's tokens, keys, names and errors."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.meta import IndexMeta
from indexer.stores.embedded import schema
from indexer.stores.embedded.fulltext import columns, match_expression, tokens, tokens_of
from indexer.stores.embedded.rows import keys_of
from mappings.contract import Field
from mappings.errors import (
    DupdexError,
    InputRefused,
    StoreFull,
    StoreRefused,
    StoreUnavailable,
)

POSTING = 6_629_993_967_563_543_034


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("。！ —— 😀", ""),
        ("今天", "今 天"),
        ("今天，很好。", "今 天 很 好"),
        ("Node.js 20版", "node js 20 版"),
        ("用Python写", "用 python 写"),
        ("snake_case don't", "snake case don t"),
        ("ＦＵＬＬ　１２３", "full 123"),
        ("繁體漢字", "繁 体 汉 字"),
        ("STRASSE straße", "strasse strasse"),
        ("e\u0301te\u0301 été", "été été"),
        ("x\u0323\u0307y", "\u1e8b\u0323y"),
        ("かな カナ", "か な カ ナ"),
        ("привет Мир", "привет мир"),
        ("a\x00b\u200bc", "abc"),
        ("half \ud83d pair", "half pair"),
        ("\U00020000\U00020001", "\U00020000 \U00020001"),
        ("1.5", "1 5"),
    ],
)
def test_tokens(text: str, expected: str) -> None:
    assert tokens(text) == expected


@given(st.lists(st.text(st.characters(exclude_categories=()))))
def test_a_text_has_the_same_tokens_in_any_company(texts: list[str]) -> None:
    assert tokens_of(texts) == [tokens(text) for text in texts]
    assert tokens_of([*texts, "长" * 50_000, *texts])[len(texts) + 1 :] == tokens_of(texts)


@given(st.text())
def test_sqlite_never_cuts_a_token_again(text: str) -> None:
    given_tokens = tokens(text).split(" ")
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE f USING fts5(t, tokenize='ascii')")
        db.execute("CREATE VIRTUAL TABLE v USING fts5vocab(f, 'row')")
        db.execute("INSERT INTO f VALUES (?)", (" ".join(given_tokens),))
        kept = {term for (term,) in db.execute("SELECT term FROM v")}
    assert kept == set(given_tokens) - {""}


@given(st.text(st.characters(exclude_categories=())))
def test_any_query_is_a_valid_expression(text: str) -> None:
    expression = match_expression(text)
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE f USING fts5(title, text, content='', tokenize='ascii')")
        if expression:
            db.execute("SELECT count(*) FROM f WHERE f MATCH ?", (expression,)).fetchone()


@given(st.text(min_size=1))
def test_a_text_is_found_by_itself(text: str) -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE f USING fts5(title, text, content='', tokenize='ascii')")
        db.execute("INSERT INTO f(rowid, title, text) VALUES (1, '', ?)", (tokens(text),))
        expression = match_expression(text)
        if expression:
            found = db.execute("SELECT rowid FROM f WHERE f MATCH ?", (expression,)).fetchall()
            assert found == [(1,)]


@pytest.mark.parametrize(
    ("query", "expression"),
    [
        ("", ""),
        ('"', ""),
        ("今天 天气", '"今 天" AND "天 气"'),
        ("今天　天气", '"今 天" AND "天 气"'),
        ('"today was" fine', '"today was" AND "fine"'),
        ('“today was” fine"', '"today was" AND "fine"'),
        ("a AND b", '"a" AND "and" AND "b"'),
        ("don-t", '"don t"'),
        ("a - b", '"a" AND "b"'),
        ('say"two words"now', '"say" AND "two words" AND "now"'),
    ],
)
def test_queries(query: str, expression: str) -> None:
    assert match_expression(query) == expression


def test_a_phrase_does_not_reach_over_two_fields() -> None:
    meta = IndexMeta(text_fields=("one", "two"), title_field="")
    title, text = columns({"one": "甲乙", "two": ["丙丁", 5, "戊"]}, meta)
    assert title == ""
    assert "乙 丙" not in text
    assert [part.strip() for part in text.split("\ue000")] == ["甲 乙", "丙 丁", "戊"]
    assert match_expression("\ue000") == ""


def test_keys_come_back() -> None:
    keys = {Field.TEXT_HASH: ("h",), Field.PASSAGE_KEYS: ("a b", '"'), Field.SENTENCES: ()}
    assert keys_of(schema.pack_keys(keys)) == {
        Field.TEXT_HASH: ("h",),
        Field.PASSAGE_KEYS: ("a b", '"'),
    }


def test_posting_keys_never_change() -> None:
    assert schema.posting_key(Field.SENTENCES, "AbC-_9") == POSTING
    assert schema.posting_key(Field.PASSAGE_KEYS, "AbC-_9") != POSTING
    assert -(1 << 63) <= POSTING < 1 << 63


@pytest.mark.parametrize("name", ["a", "news-2024", "新闻", "a_b.c", "0"])
def test_names(name: str, tmp_path: Path) -> None:
    assert schema.path_of(tmp_path, name) == tmp_path / f"{name}.sqlite"


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../a", "a/b", "a\\b", "A", "-a", "_a", "a b", "a\n", "a\x00", "a" * 201],
)
def test_names_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputRefused):
        schema.path_of(tmp_path, name)


def _error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("told by SQLite")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (sqlite3.SQLITE_FULL, StoreFull),
        (sqlite3.SQLITE_IOERR_WRITE, StoreFull),
        (sqlite3.SQLITE_IOERR_FSYNC, StoreFull),
        (sqlite3.SQLITE_IOERR_SHMSIZE, StoreFull),
        (sqlite3.SQLITE_IOERR_READ, StoreUnavailable),
        (sqlite3.SQLITE_BUSY, StoreRefused),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreRefused),
        (sqlite3.SQLITE_NOTADB, StoreRefused),
        (sqlite3.SQLITE_CORRUPT, StoreRefused),
        (sqlite3.SQLITE_CORRUPT_VTAB, StoreRefused),
        (sqlite3.SQLITE_READONLY, StoreRefused),
        (sqlite3.SQLITE_READONLY_DIRECTORY, StoreRefused),
        (sqlite3.SQLITE_PERM, StoreRefused),
        (sqlite3.SQLITE_CANTOPEN, StoreRefused),
        (sqlite3.SQLITE_ERROR, StoreRefused),
        (sqlite3.SQLITE_TOOBIG, InputRefused),
    ],
)
def test_errors_are_translated(code: int, expected: type[DupdexError], tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with pytest.raises(expected) as caught, schema.translated(path):
        raise _error(code)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is not None


def test_a_file_that_cannot_be_opened_is_not_a_missing_one(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    path.mkdir()
    with pytest.raises(StoreRefused), schema.translated(path), closing(schema.connect(path, "ro")):
        pass


def test_mistakes_of_ours_stay_visible(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.ProgrammingError), schema.translated(tmp_path):
        raise sqlite3.ProgrammingError("closed")


def test_a_failed_transaction_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(schema.connect(path, "rwc")) as db:
        schema.create(db, IndexMeta())
        with pytest.raises(KeyboardInterrupt), schema.transaction(db, path, "BEGIN IMMEDIATE"):
            schema.write_meta(db, IndexMeta(title_field="other"))
            raise KeyboardInterrupt
        assert schema.read_meta(db, path) == IndexMeta()


def test_no_fault_of_a_statement_is_answered_by_removing_the_store(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(schema.connect(path, "rwc")) as db:
        schema.create(db, IndexMeta())
        db.execute("BEGIN")
        with (
            pytest.raises(StoreRefused, match="within a transaction") as caught,
            schema.transaction(db, path, "BEGIN IMMEDIATE"),
        ):
            pass
    assert "remove" not in str(caught.value)


def test_a_word_that_comes_again_is_asked_for_once() -> None:
    assert match_expression("好 好 天 好 “好”") == '"好" AND "天"'
