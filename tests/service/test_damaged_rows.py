"""Rows that another program has damaged: named in an error, and nothing else is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from dupdex.index import Index
from dupdex.location import Location
from indexer.model import Document, Status
from mappings.errors import StoreRefused
from mappings.plan import CHARACTERS
from query.questions import Options
from tests.command import run

TEXTS: Final = {
    "bridge": "云溪市北岸的白鹭大桥昨天上午正式通车。全长一千二百米，双向六车道，两侧设有人行道。",
    "rain": "市气象台今天上午发布暴雨蓝色预警信号，预计今天下午到夜间全市大部分地区将出现强降雨。",
}
TORN: Final = TEXTS["bridge"].replace("昨天上午", "前天下午")

DAMAGES: Final = {
    "body no JSON": "UPDATE documents SET body = CAST('{\"text\": ' AS BLOB) WHERE id = 'bridge'",
    "body no object": "UPDATE documents SET body = CAST('[1]' AS BLOB) WHERE id = 'bridge'",
    "body a number": "UPDATE documents SET body = 7 WHERE id = 'bridge'",
    "body a text": "UPDATE documents SET body = '{}' WHERE id = 'bridge'",
    "body empty": "UPDATE documents SET body = x'' WHERE id = 'bridge'",
    "body no UTF-8": "UPDATE documents SET body = CAST(x'ff' AS TEXT) WHERE id = 'bridge'",
    "keys no JSON": "UPDATE documents SET keys = x'00ff' WHERE id = 'bridge'",
    "keys no lists": "UPDATE documents SET keys = CAST('{\"sentences\": 5}' AS BLOB)"
    " WHERE id = 'bridge'",
    "keys unknown": 'UPDATE documents SET keys = CAST(\'{"other": ["a"]}\' AS BLOB)'
    " WHERE id = 'bridge'",
    "simhash a text": "UPDATE documents SET simhash = 'x' WHERE id = 'bridge'",
    "plan bytes": "UPDATE documents SET plan = x'00' WHERE id = 'bridge'",
    "length a text": "UPDATE documents SET length = 'long' WHERE id = 'bridge'",
}


def store(folder: Path, damage: str) -> Location:
    """A store of two documents, one of them damaged."""
    location = Location(str(folder))
    with Index.create(location, plan=CHARACTERS) as index:
        list(index.add(Document(name, text, {"text": text}) for name, text in TEXTS.items()))
    with closing(sqlite3.connect(folder / "dupdex.sqlite")) as db:
        assert db.execute(damage).rowcount == 1
        db.commit()
    return location


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_row_is_named_and_costs_no_other(tmp_path: Path, damage: str) -> None:
    location = store(tmp_path, damage)
    with Index.open(location) as index:
        asked: list[Callable[[], object]] = [
            lambda: index.get(["bridge"]),
            lambda: index.lookup(TORN),
            lambda: list(index.scan()),
        ]
        for ask in asked:
            with pytest.raises(StoreRefused, match=r"is damaged.*check-store --repair"):
                ask()
        assert set(index.get(["rain"])) == {"rain"}
        assert [match.id for match in index.lookup(TEXTS["rain"]).matches] == ["rain"]
        assert [hit.id for hit in index.search("暴雨").hits] == ["rain"]


BODIES: Final = [name for name in DAMAGES if name.startswith("body")]


@pytest.mark.parametrize("damage", [DAMAGES[name] for name in BODIES], ids=BODIES)
def test_a_filter_does_not_pass_over_a_damaged_row(tmp_path: Path, damage: str) -> None:
    """What the body said cannot be known, so "no duplicate" would be a guess."""
    filters = [{"term": {"city": "上海"}}]
    with Index.open(store(tmp_path, damage)) as index:
        with pytest.raises(StoreRefused, match="is damaged"):
            index.search("白鹭", filters=filters)
        with pytest.raises(StoreRefused, match="is damaged"):
            index.lookup(TORN, Options(filters=tuple(filters)))
        assert index.search("暴雨", filters=filters).total == 0


@pytest.mark.parametrize("name", ["body no JSON", "keys no JSON"])
def test_a_damaged_document_is_not_written_over(tmp_path: Path, name: str) -> None:
    """Its old words and keys are not known and could never be removed again."""
    location = store(tmp_path, DAMAGES[name])
    texts = {**TEXTS, "more": "又来了一篇新的文章，写的是另一件事。"}
    with Index.create(location) as index:
        outcomes = list(index.add(Document(n, text, {"text": text}) for n, text in texts.items()))
        assert [outcome.status for outcome in outcomes] == [
            Status.REJECTED,
            Status.UPDATED,
            Status.CREATED,
        ]
        assert "check-store --repair" in outcomes[0].reason
        with pytest.raises(StoreRefused, match="'bridge' cannot be read"):
            index.delete(["rain", "bridge"])
        assert set(index.get(["rain", "more"])) == {"more"}


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM documents WHERE id = 'bridge'",
        "UPDATE documents SET num = 77 WHERE id = 'bridge'",
    ],
)
def test_keys_and_words_without_a_row(tmp_path: Path, damage: str) -> None:
    with Index.open(store(tmp_path, damage)) as index:
        with pytest.raises(StoreRefused, match="is damaged"):
            index.lookup(TORN)
        for filters in ((), ({"term": {"city": "上海"}},)):
            with pytest.raises(StoreRefused, match="is damaged"):
                index.search("白鹭", filters=filters)
        assert [match.id for match in index.lookup(TEXTS["rain"]).matches] == ["rain"]


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_no_command_ends_with_70(tmp_path: Path, damage: str) -> None:
    """The status is that of a store which is not as dupdex left it."""
    store(tmp_path / "dupdex-store", damage)
    failed = run("check", TORN, folder=tmp_path)
    assert failed.status == 4
    assert "check-store --repair" in failed.error()


@pytest.mark.parametrize(
    "meta", ["nothing", "[]", "7", '{"plan": 5, "plan_id": []}', '{"text_fields": {}, "plan": {}}']
)
def test_a_damaged_meta_is_refused(tmp_path: Path, meta: str) -> None:
    store(tmp_path / "dupdex-store", f"UPDATE meta SET value = '{meta}' WHERE key = 'index'")
    failed = run("check", TORN, folder=tmp_path)
    assert failed.status == 4, failed.err
    assert failed.error()
