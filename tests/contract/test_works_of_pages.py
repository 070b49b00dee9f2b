"""Works in pages that come, change and go: no record outlives its document, on both stores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from dupdex.location import Location
from dupdex.pages.intake import PageIntake
from dupdex.pages.page_documents import open_index
from dupdex.pages.page_model import Extracted, Fetched
from dupdex.pages.page_store import PageStore
from dupdex.session import Session
from dupdex.works.arrivals import Arrivals
from dupdex.works.infringement_store import InfringementStore
from dupdex.works.work_model import Chapter, Work
from dupdex.works.work_store import Works
from dupdex.works.works_sweep import WorksSweep, counts_of, sweep_works
from tests.texts import chinese

AT = datetime(2026, 3, 1, tzinfo=UTC)
TEXT = chinese(1_800, 7)
HOME = "https://b.example.com/"


def page(name: str, text: str, **facts: object) -> tuple[Fetched, Extracted]:
    fetched = Fetched(f"{HOME}{name}", 200, b"x", AT, "text/html")
    made = Extracted(f"{HOME}{name}", text, title="夜渡", site="b.example.com", quality=0.9)
    return fetched, replace(made, **facts)  # type: ignore[arg-type]


def part(number: int) -> tuple[Fetched, Extracted]:
    """One of the three pages that a chapter is cut over."""
    return page(
        f"7_{number}.html",
        TEXT[600 * (number - 1) : 600 * number],
        title=f"夜渡({number}/3)",
        next_url=f"{HOME}7_{number + 1}.html" if number < 3 else "",
        previous_url=f"{HOME}7_{number - 1}.html" if number > 1 else "",
    )


class Desk:
    """Pages compared with a work as they come."""

    def __init__(self, session: Session, intake: PageIntake, arrivals: Arrivals) -> None:
        self.session, self.intake, self.arrivals = session, intake, arrivals

    def standing(self) -> list[str]:
        """The pages that records stand for, by the ends of their addresses."""
        store = InfringementStore.open(self.session)
        store.refresh()
        return sorted(each.url.rpartition("/")[2] for each in store.all() if each.gone is None)

    def swept(self) -> tuple[int, int, int]:
        """What a sweep of everything finds: new, gone, standing."""
        counts = counts_of(sweep_works(Works(self.session), WorksSweep(whole=True)))
        return counts["new"], counts["gone"], counts["standing"]


@pytest.fixture
def desk(place: Location) -> Iterator[Desk]:
    with Session(place) as session, open_index(session) as index:
        works = Works(session)
        works.put(Work("novel"))
        list(works.add([Chapter("novel", "c1", TEXT)]))
        arrivals = Arrivals(session)
        intake = PageIntake(
            session, index, PageStore.open(session), delete_gone=True, arrived=arrivals
        )
        yield Desk(session, intake, arrivals)


def test_parts_that_become_one_document(desk: Desk) -> None:
    desk.intake.take([part(2), part(3)])
    assert desk.standing() == ["7_2.html"]
    desk.intake.take([part(1)])
    assert desk.standing() == ["7_1.html"]
    assert (desk.arrivals.counts.new, desk.arrivals.counts.gone) == (2, 1)
    assert desk.swept() == (0, 0, 1)


def test_documents_that_go(desk: Desk) -> None:
    names = ("gone.html", "unfit.html", "removed.html", "stays.html")
    desk.intake.take([page(name, TEXT) for name in names])
    assert desk.standing() == sorted(names)
    desk.intake.take([(Fetched(f"{HOME}gone.html", 404, b"", AT), Extracted("", ""))])
    desk.intake.take([page("unfit.html", "首页", quality=0.0)])
    desk.intake.remove([f"{HOME}removed.html"])
    assert desk.standing() == ["stays.html"]
    assert desk.arrivals.counts.gone == 3
    assert desk.swept() == (0, 0, 1)


def test_nothing_is_made_for_a_document_that_was_never_found(desk: Desk) -> None:
    desk.intake.take([page("1.html", chinese(900, 8))])
    desk.intake.remove([f"{HOME}1.html"])
    assert InfringementStore.stored(desk.session) is None
