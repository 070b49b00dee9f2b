"""Searches with one hit a group: exact totals, and pages that no write disturbs."""

from __future__ import annotations

import pytest

from dupdex.index import Index
from mappings.errors import InputRefused
from query.answers import GroupHits, Ref
from query.stores import StoreReader
from tests.contract.stores import Elastic, Store, real


def filled(store: Store, groups: int, copies: int) -> None:
    """Groups of 1 to `copies` documents each; those of a group are numbered alike."""
    names = {
        f"g{group:02}-{copy}": f"g{group:02}-0"
        for group in range(groups)
        for copy in range(1 + group % copies)
    }
    store.write(*(real(name, f"天气 {'很好' * (len(name) % 3)} {name}") for name in names))
    store.writer.set_groups({Ref("", name): group for name, group in names.items()})
    store.writer.refresh()


def pages(reader: StoreReader, size: int) -> list[GroupHits]:
    out = [reader.search_groups("天气", size)]
    while out[-1].next is not None:
        out.append(reader.search_groups("天气", size, out[-1].next))
    return out


def test_one_hit_a_group(store: Store) -> None:
    filled(store, groups=9, copies=3)
    found = store.reader.search_groups("天气", 100)
    assert (found.documents, found.groups, found.next) == (18, 9, None)
    assert len({hit.group for hit in found.hits}) == 9
    assert sum(hit.copies for hit in found.hits) == found.documents
    for hit in found.hits:
        assert hit.hit.id.startswith(hit.group[:3])
        assert "text" in hit.hit.body
        assert "dupdex" not in hit.hit.body
        assert hit.copies == 1 + int(hit.group[1:3]) % 3
    scores = [hit.hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("size", [1, 4, 20])
def test_pages_hold_every_group_once(store: Store, size: int) -> None:
    filled(store, groups=20, copies=2)
    found = pages(store.reader, size)
    groups = [hit.group for page in found for hit in page.hits]
    assert sorted(groups) == [f"g{at:02}-0" for at in range(20)]
    assert {page.groups for page in found} == {20}
    assert {len(page.hits) for page in found[:-1]} <= {size}


def test_writes_between_pages_repeat_nothing(store: Store) -> None:
    filled(store, groups=12, copies=2)
    first = store.reader.search_groups("天气", 5)
    store.write(*(real(f"g{at:02}-9", "天气 天气 天气") for at in range(12)))
    store.writer.set_groups({Ref("", f"g{at:02}-9"): f"g{at:02}-0" for at in range(12)})
    store.writer.refresh()
    rest = store.reader.search_groups("天气", 100, first.next)
    groups = [hit.group for hit in (*first.hits, *rest.hits)]
    assert sorted(groups) == [f"g{at:02}-0" for at in range(12)]


def test_filters_and_nothing_found(store: Store) -> None:
    store.write(
        real("a", "天气", site="x"), real("b", "天气", site="y"), real("c", "天气", site="x")
    )
    store.writer.set_groups({Ref("", "b"): "a"})
    store.writer.refresh()
    found = store.reader.search_groups("天气", filters=[{"term": {"site": "x"}}])
    assert {(hit.group, hit.copies) for hit in found.hits} == {("a", 1), ("c", 1)}
    assert (found.documents, found.groups) == (2, 2)
    for text in ("没有", "!!"):
        none = store.reader.search_groups(text)
        assert (none.hits, none.documents, none.groups, none.next) == ((), 0, 0, None)


def test_a_cursor_of_a_search_that_is_over(store: Store) -> None:
    filled(store, groups=3, copies=1)
    found = pages(store.reader, 1)
    if isinstance(store.opener, Elastic):  # the last page has let go of the point in time
        with pytest.raises(InputRefused, match="expired"):
            store.reader.search_groups("天气", 1, found[0].next)
    else:
        assert store.reader.search_groups("天气", 1, found[0].next).hits == found[1].hits
        with pytest.raises(InputRefused, match="no cursor"):
            store.reader.search_groups("天气", 1, {"seen": "???"})


def test_a_cursor_is_text_and_belongs_to_its_search(store: Store) -> None:
    filled(store, groups=3, copies=1)
    with Index.open(store.opener.location) as index:
        first = index.search_groups("天气", 2)
        assert first.next is not None
        assert len(index.search_groups("天气", 2, first.next).hits) == 1
        for text in ("很好", first.next):
            with pytest.raises(InputRefused, match="another search"):
                index.search_groups(text, 2, first.next)
        for cursor in ("", "ä", "abc", "W10"):
            with pytest.raises(InputRefused, match=r"no place to go on|another search"):
                index.search_groups("天气", 2, cursor)


def test_half_a_surrogate_pair_is_in_no_group(store: Store) -> None:
    filled(store, groups=2, copies=1)
    store.close_writer()
    with Index.open(store.opener.location) as index:
        assert index.search_groups("\ud800").hits == ()
