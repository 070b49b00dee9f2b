"""`dupdex crawl` where one page has several addresses: one page is one page."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupdex.location import Location
from dupdex.pages.page_store import PageStore
from dupdex.session import Session
from tests.hostile_site import Routes, Serve, crawl, documents, page

CANONICAL = '<link rel="canonical" href="/a.html">'


def told(store: Location, *arguments: str, folder: Path) -> dict[str, int]:
    result = crawl(store, *arguments, folder=folder)
    assert result.status == 0, result.err
    counts: dict[str, int] = result.json()["counts"]
    return counts


def kept(store: Location) -> set[str]:
    with Session(store) as session:
        return {each.id for each in PageStore.stored(session).find()}


def test_a_page_that_becomes_an_alias_goes(serve: Serve, tmp_path: Path) -> None:
    routes: Routes = {"/": page(0, "/a.html", "/b.html"), "/a.html": page(1), "/b.html": page(1)}
    site, store = serve(routes), Location(str(tmp_path / "store"), "crawled")
    told(store, site.home, folder=tmp_path)
    both = {f"{site.home}{name}" for name in ("", "a.html", "b.html")}
    assert documents(store) == both
    routes["/b.html"] = page(1, head=CANONICAL)
    counts = told(store, site.home, "--afresh", folder=tmp_path)
    assert counts["alias"] == 1
    assert documents(store) == both - {f"{site.home}b.html"} == kept(store)
    # and it may become a page again
    routes["/b.html"] = page(2)
    assert told(store, site.home, "--afresh", folder=tmp_path)["new"] == 1
    assert documents(store) == both == kept(store)


def test_a_page_that_names_one_without_a_text_stays(serve: Serve, tmp_path: Path) -> None:
    routes: Routes = {"/": page(0, "/a.html", "/b.html"), "/b.html": page(1)}
    routes["/a.html"] = 200, {}, b"<html><body><p>-</p></body></html>"
    site, store = serve(routes), Location(str(tmp_path / "store"), "crawled")
    told(store, site.home, folder=tmp_path)
    routes["/b.html"] = page(1, head=CANONICAL)
    told(store, site.home, "--afresh", folder=tmp_path)
    assert f"{site.home}b.html" in documents(store)


@pytest.mark.parametrize("links", [("/a.html", "/b.html"), ("/b.html", "/a.html")])
def test_two_pages_that_name_each_other_are_one(
    serve: Serve, tmp_path: Path, links: tuple[str, str]
) -> None:
    routes: Routes = {"/": page(0, "/a.html"), "/a.html": page(1)}
    site, store = serve(routes), Location(str(tmp_path / "store"), "crawled")
    told(store, site.home, folder=tmp_path)
    routes["/"] = page(0, *links)
    routes["/a.html"] = page(1, "/b.html", head='<link rel="canonical" href="/b.html">')
    routes["/b.html"] = page(1, "/a.html", head=CANONICAL)
    for _ in range(3):
        told(store, site.home, "--afresh", folder=tmp_path)
        assert len(documents(store)) == 2
        assert documents(store) == kept(store)


@pytest.mark.parametrize("mark", ["a.html?print=1", "print/a.html", "a_print.html"])
def test_a_version_to_be_printed_is_the_page(serve: Serve, tmp_path: Path, mark: str) -> None:
    # met before the page itself, and one whose text is another one
    other = "b.html?print=1"
    routes: Routes = {
        "/": page(0, f"/{mark}", "/a.html", f"/{other}", "/b.html"),
        f"/{mark}": page(1, "/a.html"),
        "/a.html": page(1, "/a.html"),
        f"/{other}": page(3),
        "/b.html": page(2),
    }
    site, store = serve(routes), Location(str(tmp_path / "store"), "crawled")
    counts = told(store, site.home, folder=tmp_path)
    assert counts["alias"] == 1
    wanted = {f"{site.home}{name}" for name in ("", "a.html", "b.html", other)}
    assert documents(store) == wanted == kept(store)


def test_a_version_to_be_printed_of_nothing_is_a_page(serve: Serve, tmp_path: Path) -> None:
    routes: Routes = {"/": page(0, "/a.html?print=1"), "/a.html?print=1": page(1)}
    site, store = serve(routes), Location(str(tmp_path / "store"), "crawled")
    told(store, site.home, folder=tmp_path)
    assert "/a.html" not in site.asked
    assert documents(store) == {site.home, f"{site.home}a.html?print=1"}
    # the page comes later, and is linked
    routes["/"] = page(0, "/a.html?print=1", "/a.html")
    routes["/a.html"] = page(1)
    told(store, site.home, "--afresh", folder=tmp_path)
    told(store, site.home, "--afresh", folder=tmp_path)
    assert documents(store) == {site.home, f"{site.home}a.html"} == kept(store)
