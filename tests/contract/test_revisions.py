"""The meta of an index under several programs: nobody undoes what another has changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from dupdex import Index, NotFound, PlanMismatch, StoreRefused, Verdict
from dupdex.rebuild import rebuild
from dupdex.session import Session
from indexer.boilerplate import Boilerplate
from indexer.meta import IndexMeta
from indexer.meta_watch import MetaWatch
from indexer.model import Document
from mappings.plan import CHARACTERS, STANDARD, Plan
from tests.contract.stores import Store, real
from tests.texts import chinese

EASED = replace(CHARACTERS, thresholds=replace(CHARACTERS.thresholds, near=0.1))
STRICT = replace(CHARACTERS, thresholds=replace(CHARACTERS.thresholds, near=0.97, short_near=0.97))
KNOWN = Boilerplate({"abcdef": 9}, 20, 40)


@pytest.fixture(autouse=True)
def looks_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MetaWatch, "EVERY", 0.0)


@pytest.fixture
def filled(store: Store) -> Iterator[Store]:
    text = chinese(200, 1)
    store.write(real("a", text), real("b", text[:180] + chinese(20, 2)))
    store.close_writer()
    yield store


def test_a_meta_replaces_the_one_it_was_made_from_and_no_other(store: Store) -> None:
    first = store.writer.meta
    store.writer.set_meta(replace(first, boilerplate=KNOWN))
    assert store.writer.meta == replace(first, boilerplate=KNOWN, revision=1)
    with pytest.raises(StoreRefused, match=r"revision 1, not 0.*run the same command again"):
        store.writer.set_meta(replace(first, plan=EASED))
    assert store.open_reader().meta.boilerplate == KNOWN
    store.writer.set_meta(replace(store.writer.meta, plan=EASED))
    assert store.open_reader().meta == IndexMeta(EASED, boilerplate=KNOWN, revision=2)


def test_a_lookup_goes_by_the_thresholds_of_now(filled: Store) -> None:
    with Index.open(filled.opener.location) as index:
        (match,) = index.lookup_id("a").matches
        assert match.verdict is Verdict.NEAR
        assert list(rebuild(filled.opener.location, STRICT)) == []
        (match,) = index.lookup_id("a").matches
        assert match.verdict is Verdict.PARTIAL
        assert index.plan.thresholds.near == 0.97


def test_what_is_learned_leaves_the_thresholds_of_another_program(filled: Store) -> None:
    """A writer that was open before a rebuild of the thresholds learns after it."""
    with Session(filled.opener.location) as session, Index.create(session) as index:
        writer = index._for_writing()
        # as a rebuild elsewhere leaves it, past the lock of the embedded store
        written = replace(writer.meta, plan=STRICT, revision=writer.meta.revision + 1)
        past(filled, written)
        index.learn()
        assert index.plan.thresholds.near == 0.97
    with Index.open(filled.opener.location) as index:
        assert index.plan.thresholds.near == 0.97
        assert index.meta.boilerplate.documents == 2
        assert index.meta.revision == 2


def past(store: Store, meta: IndexMeta) -> None:
    """Store a meta as another program does, whatever lock there is."""
    writer = store.opener.writer if store.opener.location.is_server else None
    if writer is not None:
        made = writer(IndexMeta(CHARACTERS), None, True)
        made.set_meta(replace(meta, revision=meta.revision - 1))
        made.close()
        return
    from indexer.stores.embedded import schema

    path = schema.path_of(store.opener.location.folder, store.opener.location.index)
    db = schema.connect(path, "rw")
    schema.write_meta(db, meta)
    db.close()


def test_another_program_between_the_look_and_the_change(filled: Store) -> None:
    writer = filled.writer
    looked = writer.watch.check

    def and_then_another() -> None:
        looked()
        writer.watch.check = looked  # type: ignore[method-assign]
        past(filled, replace(writer.meta, boilerplate=KNOWN, revision=1))

    writer.watch.check = and_then_another  # type: ignore[method-assign]
    with pytest.raises(StoreRefused, match="revision 1, not 0"):
        writer.set_meta(replace(writer.meta, plan=STRICT))
    assert filled.open_reader().meta.boilerplate == KNOWN


def test_a_reader_outlives_the_writer_that_made_the_index(store: Store) -> None:
    with Session(store.opener.location) as session:
        with Index.create(session, plan=CHARACTERS) as index:
            index.add([Document("a", chinese(200, 1))])
            index.refresh()
        with Index.open(session) as index:
            assert [match.id for match in index.lookup(chinese(200, 1)).matches] == ["a"]


@pytest.mark.parametrize("plan", [STANDARD, None])
def test_a_session_opens_an_index_anew_after_a_rebuild(filled: Store, plan: Plan | None) -> None:
    with Session(filled.opener.location) as session:
        before = Index.open(session)
        list(rebuild(filled.opener.location, STANDARD))
        with pytest.raises(PlanMismatch, match="open the index again"):
            before.lookup_id("a")
        with Index.open(session, plan) as index:
            assert index.plan == STANDARD
            assert [match.id for match in index.lookup_id("a").matches] == ["b"]


def test_several_indices_of_one_session(filled: Store) -> None:
    name = filled.opener.location.index
    other = f"{name}-1"
    with Session(filled.opener.location) as session:
        with pytest.raises(NotFound):
            Index.open(session, index=other)
        try:
            with Index.create(session, plan=STANDARD, index=other) as second:
                second.add([Document("z", chinese(200, 1))])
                second.refresh()
                with Index.open(session) as first:
                    assert {match.id for match in first.lookup(chinese(200, 1)).matches} == {
                        "a",
                        "b",
                    }
                assert [match.id for match in second.lookup(chinese(200, 1)).matches] == ["z"]
                assert second.plan == STANDARD
        finally:
            if session.location.is_server:
                from mappings.index_body import template_name

                indices = session._connected().indices
                indices.delete(index=other)
                indices.delete_index_template(name=template_name(other))


def test_the_sample_is_of_the_whole_index(store: Store) -> None:
    store.put(real(f"d{number:04}", f"{number}：{chinese(12, number)}") for number in range(2_000))
    drawn = [stored.id for stored in store.reader.scan(share=0.1)]
    assert 100 <= len(drawn) <= 320
    assert len(set(drawn)) == len(drawn)
    for part in range(4):
        assert any(f"d{part * 500:04}" <= name < f"d{(part + 1) * 500:04}" for name in drawn)
    assert [stored.id for stored in store.reader.scan(share=0.1)] == drawn


def test_learning_tries_again_when_the_meta_was_changed_meanwhile(filled: Store) -> None:
    with Session(filled.opener.location) as session, Index.create(session) as index:
        writer = index._for_writing()
        looked = writer.watch.check

        def and_then_another() -> None:
            looked()
            writer.watch.check = looked  # type: ignore[method-assign]
            past(filled, replace(writer.meta, plan=STRICT, revision=1))

        writer.watch.check = and_then_another  # type: ignore[method-assign]
        index.learn()
        assert index.plan.thresholds.near == 0.97
        assert index.meta.revision == 2
        with pytest.raises(StoreRefused, match="was changed meanwhile") as refused:
            writer.set_meta(replace(writer.meta, revision=1))
        assert "program" not in str(refused.value)
