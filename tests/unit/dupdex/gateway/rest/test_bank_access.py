"""What a key with limits may see and change of banks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dupdex.banks.bank_model import BankKind
from dupdex.gateway.callers import ANYBODY, Caller, NotAllowed, Right
from dupdex.gateway.rest import bank_checks, bank_routes
from dupdex.gateway.rest.bank_access import FloodBody, banks_of, guard_of
from dupdex.gateway.rest.bank_checks import BankCheckBody, RetroBody
from dupdex.gateway.rest.bank_routes import BankBody, EntriesBody, EntriesQuery, EntryBody
from dupdex.gateway.rest.operations import Asked
from dupdex.gateway.services import Services
from dupdex.gateway.settings import ServeSettings
from dupdex.index import Index
from indexer.model import Document
from tests.texts import TEA

FORUM = Caller("forum", frozenset({Right.REVIEW}), ("forum-*",))


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    """A request of anybody; a bank for all indices, one for the forum, and two indices."""
    services = Services(ServeSettings(str(tmp_path)))
    for name in ("forum-1", "mail"):
        with Index.create(services.session, index=name) as index:
            index.add([Document("1", TEA)])
    request = Asked(services, ANYBODY, "forum-1", {}, None, None)
    for name, pattern in (("all", "*"), ("forum", "forum-*")):
        body = BankBody(name=name, kind=BankKind.DENY, indices=[pattern])
        bank_routes.made(replace(request, body=body))
        entries = EntriesBody(entries=[EntryBody(text=TEA, id="tea")])
        bank_routes.entries_added(replace(request, path={"bank": name}, body=entries))
    yield request
    services.indices.close()
    services.session.close()


def by_forum(asked: Asked, **values: Any) -> Asked:
    return replace(asked, caller=FORUM, **values)


def test_banks_for_other_indices_are_not_shown(asked: Asked) -> None:
    def names(caller: Caller) -> list[str]:
        value = bank_routes.listed(replace(asked, caller=caller)).value
        return [each["name"] for each in value["banks"]]

    assert names(ANYBODY) == ["all", "forum"]
    assert names(FORUM) == ["forum"]
    page = bank_routes.entries_listed(by_forum(asked, path={"bank": "forum"}, query=EntriesQuery()))
    assert page.value["entries"][0]["text"] == TEA


@pytest.mark.parametrize(
    "call",
    [
        bank_routes.shown,
        bank_routes.dropped,
        bank_routes.entries_listed,
        bank_routes.entry_shown,
        bank_routes.entry_removed,
        bank_routes.entries_added,
        bank_checks.retro_begun,
        bank_checks.retro_listed,
        bank_checks.retro_shown,
        bank_checks.retro_hits,
    ],
)
def test_a_wider_bank_is_not_for_a_key_with_limits(
    asked: Asked, call: Callable[[Asked], object]
) -> None:
    path = {"bank": "all", "entry": "tea", "run": "x"}
    with pytest.raises(NotAllowed, match="may not use index"):
        call(by_forum(asked, path=path, query=EntriesQuery()))


def test_a_key_with_limits_makes_no_wider_bank(asked: Asked) -> None:
    def made(name: str, *patterns: str) -> None:
        body = BankBody(name=name, kind=BankKind.DENY, indices=list(patterns))
        bank_routes.made(by_forum(asked, body=body))

    made("own", "forum-1", "forum-x*")
    for patterns in (("*",), ("forum-*", "mail"), ("?orum-1",)):
        with pytest.raises(NotAllowed):
            made("own", *patterns)
    with pytest.raises(NotAllowed):  # nor does it narrow one
        made("all", "forum-1")
    assert banks_of(asked.services).get("all").indices == ("*",)


def test_a_check_asks_all_banks_for_the_index(asked: Asked) -> None:
    body = BankCheckBody(text=TEA)
    answer = bank_checks.checked(by_forum(asked, body=body)).value
    assert (answer["ruling"], answer["banks"]) == ("denied", ["all", "forum"])
    with pytest.raises(NotAllowed):  # to count takes the right to write
        counted = BankCheckBody(text=TEA, flood=FloodBody(times=2, seconds=60))
        bank_checks.checked(by_forum(asked, body=counted))


def test_a_key_with_limits_looks_back_in_its_own_indices(asked: Asked) -> None:
    path = {"bank": "forum"}
    with pytest.raises(NotAllowed):
        bank_checks.retro_begun(by_forum(asked, path=path, body=RetroBody(indices=["mail"])))
    begun = bank_checks.retro_begun(by_forum(asked, path=path)).value
    while (  # the job is short
        bank_checks.retro_shown(by_forum(asked, path={**path, "run": begun["id"]})).value["state"]
        == "running"
    ):
        pass
    request = replace(asked, path={**path, "run": begun["id"]}, query=EntriesQuery())
    assert [hit["index"] for hit in bank_checks.retro_hits(request).value["hits"]] == ["forum-1"]
    other = Caller("other", frozenset({Right.REVIEW}), ("forum-*",), {"*": [{"term": {"a": 1}}]})
    assert bank_checks.retro_hits(replace(request, caller=other)).value["total"] == 0
    with pytest.raises(NotAllowed, match="sees a part"):
        bank_checks.retro_begun(replace(asked, caller=other, path=path))


def test_a_key_with_limits_counts_floods_for_itself(asked: Asked) -> None:
    body = FloodBody(times=2, seconds=60)
    everyone, forum = guard_of(asked, body), guard_of(by_forum(asked), body)
    assert guard_of(asked, body) is everyone
    assert everyone.arrived(TEA).count == 1
    assert everyone.arrived(TEA).is_flood
    assert forum.arrived(TEA).count == 1
