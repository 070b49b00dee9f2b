"""Looking up and storing as one step, the same on both stores."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from dupdex.admission import Admission, Admitted
from dupdex.index import Index
from dupdex.session import Session
from indexer.model import Document, Status
from mappings.errors import InputRefused
from query.answers import Verdict
from tests.contract.stores import Store
from tests.texts import METRO, METRO_HOMOPHONES, TEA


@pytest.fixture
def session(store: Store) -> Session:
    store.close_writer()
    return store.opened.enter_context(Session(store.opener.location))


@pytest.fixture
def index(session: Session) -> Iterator[Index]:
    with Index.create(session) as index:
        yield index


def test_the_second_one_finds_the_first(index: Index) -> None:
    first = index.admit(Document("a", METRO))
    assert (first.is_first, first.answer.matches) == (True, ())
    assert first.outcome is not None
    assert first.outcome.status is Status.CREATED
    second = index.admit(Document("b", METRO_HOMOPHONES))
    assert not second.is_first
    assert [(match.id, match.verdict) for match in second.answer.matches] == [("a", Verdict.NEAR)]
    assert index.admit(Document("c", TEA)).is_first
    assert index.count() == 3


def test_it_is_no_copy_of_itself(index: Index) -> None:
    for _ in range(2):
        assert index.admit(Document("a", METRO)).is_first
    assert index.count() == 1


def test_ids_that_are_made_from_texts(index: Index) -> None:
    """Equal posts have one id then, and the second one is a copy all the same."""
    post = Document("made", METRO)
    assert index.admit(post, is_same_by_id=False).is_first
    again = index.admit(post, is_same_by_id=False, store_copies=False)
    assert (again.is_first, again.outcome) == (False, None)


def test_copies_need_not_be_stored(index: Index) -> None:
    assert index.admit(Document("a", METRO), store_copies=False).outcome is not None
    assert index.admit(Document("b", METRO), store_copies=False).outcome is None
    exact = (Verdict.EXACT,)
    near = index.admit(Document("c", METRO_HOMOPHONES), verdicts=exact, store_copies=False)
    assert near.is_first
    assert set(index.get(list("abc"))) == {"a", "c"}


def test_what_cannot_be_stored(index: Index) -> None:
    with pytest.raises(InputRefused, match="empty"):
        index.admit(Document("", METRO))
    with pytest.raises(InputRefused, match="no text"):
        index.admit(Document("a", body={"other": METRO}))
    assert index.admit(Document("a", METRO)).is_first


def test_of_many_threads_one_is_first(session: Session, index: Index) -> None:
    def post(number: int) -> Admitted:
        own = Admission(session, index) if number % 2 else shared
        return own.admit(Document(f"d{number}", METRO))

    shared = Admission(session, index)
    with ThreadPoolExecutor(6) as pool:
        posted = list(pool.map(post, range(6)))
    assert [each.is_first for each in posted].count(True) == 1
    first = next(each.outcome for each in posted if each.is_first)
    assert first is not None
    for each in posted:
        found = [match.id for match in each.answer.matches]
        assert (first.document.id in found) == (not each.is_first)
