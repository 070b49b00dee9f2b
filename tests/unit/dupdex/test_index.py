"""The Index object on the embedded store: plans, stale texts, answers that are cut."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from dupdex import Document, Index, Location, NotFound, Options, Subject
from dupdex.rebuild import rebuild
from mappings.errors import PlanMismatch
from mappings.plan import CHARACTERS
from query.answers import Verdict
from tests.texts import chinese


def document(name: str, text: str) -> Document:
    return Document(name, text, {"id": name, "text": text})


def fill(index: Index, *documents: Document) -> None:
    assert all(outcome.status == "created" for outcome in index.add(documents))
    index.refresh()


def test_the_plan_alone_makes_an_index_of_that_plan(tmp_path: Path) -> None:
    with Index.create(Location(str(tmp_path)), plan=CHARACTERS) as index:
        assert index.plan == CHARACTERS


def test_no_index_is_made_that_this_machine_cannot_fill(tmp_path: Path) -> None:
    absent = replace(CHARACTERS, syllables="pypinyin-9.9.9")
    with pytest.raises(PlanMismatch, match=r"pypinyin-9\.9\.9"):
        Index.create(Location(str(tmp_path)), plan=absent)
    with pytest.raises(NotFound):
        Index.open(Location(str(tmp_path)))


def test_copies_beyond_the_verified_ones_are_undecided_not_denied(tmp_path: Path) -> None:
    base = chinese(400, 1)
    copies = []
    for number in range(30):
        text = list(base)
        for place in range(number, 400, 30):
            text[place] = "改"
        copies.append(document(str(number), "".join(text)))
    with Index.create(Location(str(tmp_path)), plan=CHARACTERS) as index:
        fill(index, *copies)
        answer = index.lookup_id("0", Options(size=None, verify=5))
        covers = answer.completeness
        assert covers.candidates == covers.examined + covers.from_stored + covers.undecided == 29
        assert covers.undecided > 0
        assert len(answer.matches) == covers.examined + covers.from_stored
        whole = index.lookup_id("0", Options(None, None, None))
        assert len(whole.matches) == 29
        assert whole.completeness.undecided == 0


def test_more_copies_than_a_key_may_have_documents(tmp_path: Path) -> None:
    """All keys of such a text are frequent; its copies must be found all the same."""
    base = chinese(300, 2)
    with Index.create(Location(str(tmp_path)), plan=CHARACTERS) as index:
        fill(index, *(document(str(n), f"{base}第{n}号") for n in range(350)))
        answer = index.lookup_id("5", Options(None, None, None))
        assert len(answer.matches) == 349
        assert not answer.completeness.truncated


def test_explaining_stored_documents_and_texts(tmp_path: Path) -> None:
    base = chinese(200, 3)
    with Index.create(Location(str(tmp_path)), plan=CHARACTERS) as index:
        fill(index, document("a", base), document("b", f"{base}又及"), document("c", "别的话"))
        stored = index.get(["a", "b"])
        by_id = index.explain(*(Subject(stored[name].text, name) for name in ("a", "b")))
        assert (by_id.first.id, by_id.second.id, by_id.documents) == ("a", "b", 3)
        assert {hit.documents for each in by_id.keys for hit in each.hits} <= {1, 2}
        text = index.explain(Subject(base), Subject(f"{base}又及", "b"))
        assert text.judgement == by_id.judgement
        assert text.passages == by_id.passages


def test_what_lookups_leave_out_is_explained(tmp_path: Path) -> None:
    notice = "".join(filter(str.isalnum, chinese(110, 99)))[:80]
    asked = f"{chinese(240, 1)}。{notice}。"
    with Index.create(Location(str(tmp_path)), plan=CHARACTERS) as index:
        fill(index, *(document(str(n), f"{chinese(300, 100 + n)}。{notice}。") for n in range(60)))
        assert index.lookup(asked).matches == ()
        explained_of = Subject(asked), Subject(index.get(["7"])["7"].text, "7")
        explained = index.explain(*explained_of)
        whole = index.explain(*explained_of, boilerplate=True)
    assert whole.verdict is Verdict.PARTIAL
    assert explained.verdict is None
    assert explained.widespread
    assert explained.formula.verdict is Verdict.PARTIAL


def test_a_text_changed_behind_our_back_is_fingerprinted_again(tmp_path: Path) -> None:
    old, new = chinese(200, 3), chinese(200, 4)
    location = Location(str(tmp_path))
    with Index.create(location, plan=CHARACTERS) as index:
        fill(index, document("changed", old), document("copy", new))
    with sqlite3.connect(tmp_path / "dupdex.sqlite") as db:
        body = orjson.dumps({"id": "changed", "text": new})
        db.execute("UPDATE documents SET body=? WHERE id='changed'", (body,))
    with Index.open(location) as index:
        assert [match.id for match in index.lookup_id("changed").matches] == ["copy"]
        assert index.lookup_id("copy").matches == ()
    assert [outcome.document.id for outcome in rebuild(location, None)] == ["changed"]
    with Index.open(location) as index:
        assert [match.id for match in index.lookup_id("copy").matches] == ["changed"]
