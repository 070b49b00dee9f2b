"""What a store keeps, overwrites, refuses and forgets."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from indexer.fingerprints import fingerprints_of
from indexer.model import Document, Record, Status
from mappings.contract import Field
from mappings.errors import NotFound, PlanMismatch
from mappings.plan import CHARACTERS, STANDARD
from query.answers import Ref, Request
from tests.contract.stores import META, Store, ids_of, made, real

CREATED, UPDATED, REJECTED = Status.CREATED, Status.UPDATED, Status.REJECTED


def test_a_document_comes_back_as_it_was(store: Store) -> None:
    body: dict[str, Any] = {
        "title": "标题",
        "tags": ["a", "b"],
        "count": 3,
        "ratio": 0.5,
        "draft": False,
        "none": None,
        "source": {"site": "example.org"},
    }
    record = real("新闻/1", "今天天气很好，我们去公园散步。😀", **body)
    assert store.write(record) == [CREATED]
    stored = store.reader.by_ids(["新闻/1", "absent"])
    assert list(stored) == ["新闻/1"]
    (document,) = stored["新闻/1"]
    assert document.body == record.document.body
    assert document.text == record.document.text
    assert document.plan_id == CHARACTERS.id
    assert store.reader.documents([document.ref, Ref("", "新闻/1")]) == {document.ref: document}
    fingerprint = document.fingerprint
    assert fingerprint is not None
    assert set(fingerprint.terms()) == set(record.fingerprint.terms())
    assert (fingerprint.text_hash, fingerprint.simhash, fingerprint.length) == (
        record.fingerprint.text_hash,
        record.fingerprint.simhash,
        record.fingerprint.length,
    )


def test_outcomes_follow_the_order_of_the_records(store: Store) -> None:
    assert store.write(made("a", "t1"), made("b", "t1")) == [CREATED, CREATED]
    outcomes = store.put([made("c", "t1"), made("a", "t1"), made("b", "t1")])
    assert [(outcome.document.id, outcome.status) for outcome in outcomes] == [
        ("c", CREATED),
        ("a", UPDATED),
        ("b", UPDATED),
    ]
    assert store.reader.count() == 3


def test_nothing_to_write(store: Store) -> None:
    assert store.write() == []
    assert store.reader.count() == 0
    assert store.ids("t1") == []
    assert list(store.reader.scan()) == []
    assert store.reader.by_ids([]) == {}
    assert store.reader.candidates([]) == []
    assert store.writer.delete([]) == []


def test_overwriting_forgets_the_old_keys_and_text(store: Store) -> None:
    store.write(made("a", "old", "both", text="从前的文字"))
    store.write(made("a", "new", "both", text="现在的句子"))
    assert store.ids("old") == []
    assert store.ids("new") == store.ids("both") == ["a"]
    assert store.found("从前") == set()
    assert store.found("现在") == {"a"}
    assert store.reader.count() == 1


def test_the_last_of_one_id_wins(store: Store) -> None:
    records = [made("a", "first"), made("b", "t"), made("a", "second"), made("a", "third")]
    assert store.write(*records) == [CREATED, CREATED, UPDATED, UPDATED]
    assert store.ids("first") == store.ids("second") == []
    assert store.ids("third") == ["a"]
    assert store.reader.count() == 2


def test_deleting(store: Store) -> None:
    store.write(*(made(name, "t1", text=f"文字{name}") for name in "abc"))
    assert sorted(store.writer.delete(["a", "absent", "c"])) == ["a", "c"]
    store.writer.refresh()
    assert store.ids("t1") == ["b"]
    assert store.found("文字") == {"b"}
    assert store.reader.count() == 1
    assert store.writer.delete(["a"]) == []
    assert store.write(made("a", "t1")) == [CREATED]
    assert sorted(store.ids("t1")) == ["a", "b"]


BAD: list[tuple[str, str, dict[str, Any]]] = [
    ("nan", "score", {"score": math.nan}),
    ("infinite", "score", {"score": [1.0, math.inf]}),
    ("surrogate", "note", {"note": "half \ud83d"}),
    ("surrogate-name", "fields", {"fields": {"\udc00": 1}}),
    ("number-name", "fields", {"fields": {1: "one"}}),
    ("reserved", "dupdex", {"dupdex": {"plan": "mine"}}),
    ("reserved-path", "dupdex.plan", {"dupdex.plan": "mine"}),
    ("set", "tags", {"tags": {"a"}}),
    ("i" * 513, "id", {}),
    ("字" * 171, "id", {}),
    ("", "id", {}),
    ("half \ud83d", "id", {}),
]


def test_bad_documents_cost_the_others_nothing(store: Store) -> None:
    def stream() -> Iterator[Record]:
        for number, (name, _, fields) in enumerate(BAD):
            yield made(f"good-{number}", "t1")
            yield made(name, "t1", **fields)

    outcomes = store.put(stream())
    assert [outcome.status for outcome in outcomes] == [CREATED, REJECTED] * len(BAD)
    for (_, named, _), outcome in zip(BAD, outcomes[1::2], strict=True):
        assert named in outcome.reason
        assert "\n" not in outcome.reason
    assert store.reader.count() == len(BAD)
    assert sorted(store.ids("t1")) == sorted(f"good-{n}" for n in range(len(BAD)))


def test_a_rejected_document_leaves_the_stored_one(store: Store) -> None:
    store.write(made("a", "t1", rank=1))
    assert store.write(made("a", "t2", rank=math.nan)) == [REJECTED]
    assert store.reader.by_ids(["a"])["a"][0].body["rank"] == 1
    assert store.ids("t2") == []


def test_ids_of_the_longest_kind(store: Store) -> None:
    names = ["i" * 512, "字" * 170, "a b", "a/b?c#d%20", "Ü", "😀", '"', "\\"]
    assert store.write(*(made(name, "t1") for name in names)) == [CREATED] * len(names)
    assert sorted(store.ids("t1")) == sorted(names)
    assert sorted(store.reader.by_ids(names)) == sorted(names)
    assert sorted(store.writer.delete(names)) == sorted(names)


def test_ten_thousand_documents(store: Store) -> None:
    def text(number: int) -> str:
        return f"第{number}号公告：{number * 7919 % 10007}人参加了{number * 31 % 997}次会议。"

    def records() -> Iterator[Record]:
        for start in range(0, 10_000, 500):  # made together, which is ten times faster
            numbers = range(start, start + 500)
            fingerprints = fingerprints_of([text(number) for number in numbers], CHARACTERS)
            for number, fingerprint in zip(numbers, fingerprints, strict=True):
                body = {"text": text(number), "number": number}
                document = Document(f"d{number}", text(number), body)
                yield Record(document, fingerprint, CHARACTERS.id)

    assert sum(outcome.status is CREATED for outcome in store.put(records())) == 10_000
    assert store.reader.count() == 10_000
    asked = [0, 1, 499, 500, 501, 4_999, 9_999]
    requests = [Request(real("q", text(number)).fingerprint.keys, limit=5) for number in asked]
    for number, page in zip(asked, store.reader.candidates(requests), strict=True):
        assert page.candidates[0].id == f"d{number}"
        assert page.candidates[0].text_hash == real("q", text(number)).fingerprint.text_hash
    hashed = real("q", text(77)).fingerprint
    only = {Field.TEXT_HASH: (hashed.text_hash,)}
    (page,) = store.reader.candidates([Request(only)])
    assert ids_of(page.candidates) == ["d77"]
    assert page.candidates[0].simhash == hashed.simhash
    assert sum(1 for _ in store.reader.scan()) == 10_000


def test_another_plan_is_refused(store: Store) -> None:
    store.write(made("a", "t1"))
    store.close_writer()
    with pytest.raises(PlanMismatch, match=CHARACTERS.id):
        store.opener.writer(META, STANDARD, False)
    with pytest.raises(PlanMismatch, match=CHARACTERS.id):
        store.opener.reader(STANDARD, False)
    assert store.open_reader(CHARACTERS).meta.plan == CHARACTERS
    assert store.opener.writer(META, CHARACTERS, False).meta.plan == CHARACTERS


def test_an_unfinished_rebuild_is_refused_to_all_but_itself(store: Store) -> None:
    store.writer.set_meta(META.started(STANDARD))
    store.close_writer()
    with pytest.raises(PlanMismatch, match="rebuild"):
        store.opener.writer(META, None, False)
    with pytest.raises(PlanMismatch, match="rebuild"):
        store.opener.reader(None, False)
    assert store.open_reader(rebuilding=True).meta.rebuilding == STANDARD


def test_meta_comes_back(store: Store) -> None:
    meta = type(META)(plan=STANDARD, text_fields=("head", "正文"), title_field="name")
    writer = store.opener.writer(meta, STANDARD, False)
    assert writer.meta == meta
    changed = meta.started(CHARACTERS)
    writer.set_meta(changed)
    assert writer.meta == replace(changed, revision=1)
    assert store.open_reader(rebuilding=True).meta == writer.meta
    writer.set_meta(replace(meta, revision=1))
    writer.close()
    assert store.open_reader().meta == replace(meta, revision=2)


def test_an_existing_index_keeps_its_own_meta(store: Store) -> None:
    assert store.writer.meta == META
    store.close_writer()
    other = type(META)(plan=STANDARD, text_fields=("content",))
    writer = store.opener.writer(other, None, False)
    assert writer.meta == META
    writer.close()


def test_no_index(store: Store) -> None:
    with pytest.raises(NotFound):
        store.opener.reader(None, False)


def test_scanning_for_other_plans_while_rewriting(store: Store) -> None:
    store.put(real(f"d{number}", f"第{number}篇文章的内容") for number in range(50))
    store.put([real("new", "按新计划写的", STANDARD)])
    assert {stored.id for stored in store.reader.scan(CHARACTERS.id)} == {"new"}

    def rewritten() -> Iterator[Record]:
        for stored in store.reader.scan(STANDARD.id):
            document = Document(stored.id, stored.text, stored.body)
            yield Record(document, real("", stored.text, STANDARD).fingerprint, STANDARD.id)

    assert [outcome.status for outcome in store.put(rewritten())] == [UPDATED] * 50
    assert list(store.reader.scan(STANDARD.id)) == []
    assert sum(1 for _ in store.reader.scan()) == store.reader.count() == 51
    assert store.found("第7篇") == {"d7"}


def test_describing(store: Store) -> None:
    store.write(made("a", "t1"))
    facts = store.reader.describe()
    assert facts["documents"] == 1
    assert isinstance(facts["bytes"], int)
    assert facts["bytes"] > 0


def test_impossible_ids_are_simply_not_there(store: Store) -> None:
    store.write(made("a", "t1"))
    names = ["", "half \ud83d", "i" * 600]
    assert store.reader.by_ids(names) == {}
    assert store.writer.delete(names) == []
    for name in names:
        assert store.ids("t1", exclude=Ref("", name)) == ["a"]
