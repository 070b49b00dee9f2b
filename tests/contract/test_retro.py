"""Looking back: the stored documents that entries of a bank would have caught."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dupdex.banks.bank_model import BankEntry, BankKind
from dupdex.banks.bank_store import Banks
from dupdex.banks.retro import Retro, retro
from dupdex.banks.retro_hits import hits_of, run_of, runs_of
from dupdex.index import Index
from dupdex.jobs.run_store import Run, State
from dupdex.location import Location
from dupdex.session import Session
from indexer.model import Document
from mappings.errors import NotFound
from tests.texts import LIBRARY, METRO, METRO_HOMOPHONES, METRO_TRADITIONAL, TEA, chinese


@pytest.fixture
def banks(place: Location) -> Iterator[Banks]:
    """Four documents in one index and one in another; a bank with two entries."""
    with Session(place) as session:
        news, mail = place.index, f"{place.index}-mail"
        texts = {"m": METRO, "t": METRO_TRADITIONAL, "tea": TEA, "x": chinese(200, 3)}
        with Index.create(session, index=news) as index:
            index.add([Document(name, text) for name, text in texts.items()])
        with Index.create(session, index=mail) as index:
            index.add([Document("h", METRO_HOMOPHONES)])
        made = Banks(session)
        made.create("spam", BankKind.DENY, [f"{place.index}*"])
        made.add("spam", [BankEntry("metro", METRO), BankEntry("library", LIBRARY)])
        yield made


def found(banks: Banks, run: Run) -> set[tuple[str, str, str]]:
    page = hits_of(banks.home, run.id)
    assert page.total == len(page.hits)
    return {(hit.entry, hit.index, hit.document) for hit in page.hits}


def test_all_documents_are_listed(banks: Banks, place: Location) -> None:
    """Also those that were not made visible yet."""
    begun: list[Run] = []
    steps: list[int] = []
    run = retro(banks, Retro("spam"), lambda done, *_: steps.append(done), begun.append)
    assert (run.state, begun[0].id, begun[0].state) == (State.DONE, run.id, State.RUNNING)
    assert sum(steps) == 4
    news, mail = place.index, f"{place.index}-mail"
    wanted = {("metro", news, "m"), ("metro", news, "t"), ("metro", mail, "h")}
    assert found(banks, run) == wanted
    counts = {"lookups": 4, "of": 4, "hits": 3, "overruled": 0}
    counts |= {"documents": 3, "refused": 0}
    assert run.counts == counts
    assert run_of(banks.home, run.id).counts == counts
    assert [each.id for each in runs_of(banks.home, "spam")] == [run.id]


def test_hits_come_in_pages_best_first(banks: Banks) -> None:
    run = retro(banks, Retro("spam"))
    page = hits_of(banks.home, run.id, limit=2)
    assert page.total == 3
    rest = hits_of(banks.home, run.id, limit=2, after=page.next)
    assert rest.next is None
    similarities = [hit.similarity for hit in (*page.hits, *rest.hits)]
    assert similarities == sorted(similarities, reverse=True)
    assert len({(hit.index, hit.document) for hit in (*page.hits, *rest.hits)}) == 3


def test_one_entry_in_one_index(banks: Banks, place: Location) -> None:
    mail = f"{place.index}-mail"
    run = retro(banks, Retro("spam", ("metro",), (mail,)))
    assert found(banks, run) == {("metro", mail, "h")}
    assert found(banks, retro(banks, Retro("spam", ("library",)))) == set()
    run = retro(banks, Retro("spam"))
    only = hits_of(banks.home, run.id, indices=[mail])
    assert [hit.index for hit in only.hits] == [mail]


def test_a_copy_in_a_disguise_and_an_entry_in_one(banks: Banks, place: Location) -> None:
    with Index.create(banks.home.session, index=f"{place.index}-late") as index:
        index.add([Document("s", "丨".join(METRO)), Document("q", LIBRARY)])
    banks.add("spam", [BankEntry("signs", LIBRARY.translate(str.maketrans("aise", "@!$€")))])
    late = (f"{place.index}-late",)
    assert found(banks, retro(banks, Retro("spam", (), late))) == {
        ("metro", late[0], "s"),
        ("library", late[0], "q"),
        ("signs", late[0], "q"),
    }


def test_what_is_not_there_is_said(banks: Banks) -> None:
    with pytest.raises(NotFound, match="no bank 'none'"):
        retro(banks, Retro("none"))
    with pytest.raises(NotFound, match="no entry 'none'"):
        retro(banks, Retro("spam", ("none",)))
    with pytest.raises(NotFound, match="no index"):
        retro(banks, Retro("spam", (), ("no-such-index",)))
    assert runs_of(banks.home) == []
    with pytest.raises(NotFound, match="no run"):
        run_of(banks.home, "x")


def test_what_allow_entries_free_is_told(banks: Banks, place: Location) -> None:
    banks.create("fine", BankKind.ALLOW, [place.index])
    banks.add("fine", [BankEntry("m", METRO)])
    run = retro(banks, Retro("spam"))
    hits = hits_of(banks.home, run.id).hits
    assert {hit.document: hit.overruled for hit in hits} == {"m": True, "t": True, "h": False}
    assert run.counts["overruled"] == 2
