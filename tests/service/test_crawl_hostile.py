"""`dupdex crawl` against servers that answer what no server should: nothing is lost by it."""

from __future__ import annotations

from gzip import compress
from pathlib import Path

from dupdex.location import Location
from tests.hostile_site import Answer, Routes, Serve, Site, crawl, documents, html, page


def first_fails(site: Site) -> Answer:
    """Two failures, then a page."""
    return page(9) if site.asked.count("/late") > 2 else (500, {}, b"")


def test_odd_answers_cost_themselves_alone(serve: Serve, tmp_path: Path) -> None:
    rules = {"Content-Type": "application/octet-stream"}, b"User-agent: *\nDisallow: /no\n"
    wide = {"Content-Type": "text/html; charset=utf-16le"}, html(5).encode("utf-16-le")
    binary = serve({"/robots.txt": (200, *rules), "/": page(1, "/no", "/yes"), "/yes": page(2)})
    nowhere = serve({"/robots.txt": (301, {"Location": "https://"}, b""), "/": page(3)})
    superscript = serve({"/": page(4, "/x"), "/x": (503, {"Retry-After": "\u00b2"}, b"")})
    utf16 = serve({"/": (200, *wide)})
    unasked = serve({"/": (304, {}, b"")})
    late = serve({"/": page(6, "/late"), "/late": first_fails})
    sites = (binary, nowhere, superscript, utf16, unasked, late)
    store = Location(str(tmp_path / "store"), "crawled")
    result = crawl(store, *(site.home for site in sites), folder=tmp_path)
    assert result.status == 0, result.err
    assert "/no" not in binary.asked
    pages = {site.home for site in sites if site is not unasked}
    assert documents(store) == pages | {f"{binary.home}yes", f"{late.home}late"}
    counts = result.json()["counts"]
    assert counts["failed_by_reason"] == {"status 304": 1, "status 503": 1}
    assert counts["waiting"] == 0 and counts["forbidden"] == 1


def test_a_large_file_of_rules_is_read_to_a_limit(serve: Serve, tmp_path: Path) -> None:
    begin = b"User-agent: *\nDisallow: /no\n"
    rules = begin + b"".join(b"Disallow: /%d/\n" % number for number in range(500_000))
    packed = {"Content-Encoding": "gzip"}, compress(rules[:2_000_000])
    sites = [
        serve({"/robots.txt": robots, "/": page(1, "/no", "/yes"), "/yes": page(2)})
        for robots in ((200, {}, rules), (200, *packed))
    ]
    store = Location(str(tmp_path / "store"), "crawled")
    result = crawl(store, *(site.home for site in sites), folder=tmp_path)
    assert result.status == 0, result.err
    for site in sites:
        assert "/yes" in site.asked and "/no" not in site.asked


def test_one_canonical_address_in_all_pages_loses_none(serve: Serve, tmp_path: Path) -> None:
    numbers = range(1, 8)
    head = '<link rel="canonical" href="/a/{}.html">'
    routes: Routes = {f"/a/{n}.html": page(n, head=head.format(3)) for n in numbers}
    routes["/a/8.html"] = page(3, head=head.format(3))  # a copy of it, which says the truth
    routes["/"] = page(0, *(f"/a/{n}.html" for n in (*numbers, 8)))
    site = serve(routes)
    store = Location(str(tmp_path / "store"), "crawled")
    assert crawl(store, site.home, folder=tmp_path).status == 0
    wanted = {site.home} | {f"{site.home}a/{n}.html" for n in numbers}
    assert documents(store) == wanted
    # also where the other address is asked long after
    routes["/"] = page(0, "/late.html")
    routes["/late.html"] = page(20, head=head.format(9))
    routes["/a/9.html"] = page(21)
    assert crawl(store, site.home, "--afresh", folder=tmp_path).status == 0
    assert documents(store) == wanted | {f"{site.home}late.html", f"{site.home}a/9.html"}


def test_a_page_that_moved_for_good_is_gone(serve: Serve, tmp_path: Path) -> None:
    site = serve({"/": page(1, "/old", "/kept"), "/old": page(2), "/kept": page(3)})
    store = Location(str(tmp_path / "store"), "crawled")
    assert crawl(store, site.home, folder=tmp_path).status == 0
    site.routes["/old"] = 301, {"Location": "/new"}, b""
    site.routes["/kept"] = 302, {"Location": "/login"}, b""
    site.routes |= {"/new": page(2), "/login": page(4)}
    again = crawl(store, site.home, "--afresh", "--delete-gone", folder=tmp_path)
    assert again.status == 0, again.err
    assert documents(store) == {
        site.home,
        *(f"{site.home}{name}" for name in ("new", "kept", "login")),
    }


def test_hosts_without_end(serve: Serve, tmp_path: Path) -> None:
    def next_host(site: Site) -> Answer:
        number = int(site.hosts[-1].split(".")[1]) + 1
        return page(number, f"http://127.{number}.0.1:{port}/", f"http://127.{number}.0.1:{port}/x")

    site = serve({"/": next_host, "/x": next_host}, at="0.0.0.0")
    port = site.server.server_address[1]
    store = Location(str(tmp_path / "store"), "crawled")
    options = ("--site", f"*.0.1:{port}", "--hosts", "3", "--private")
    named = {"127.0.0.1", "127.1.0.1", "127.2.0.1", "127.3.0.1"}
    for more in ((), ("--afresh",)):  # hosts that were met before are asked again, too
        site.hosts.clear()
        result = crawl(store, f"http://127.0.0.1:{port}/", *options, *more, folder=tmp_path)
        assert result.status == 0, result.err
        assert result.json()["counts"]["hosts_left_out"] == {f"*.0.1:{port}": 1}
        assert f"1 hosts of *.0.1:{port} were left out" in result.err
        assert set(site.hosts) == named


def test_what_waits_on_other_hosts_is_taken_up(serve: Serve, tmp_path: Path) -> None:
    there = serve({"/": page(2, "/more"), "/more": page(3)})
    here = serve({"/": page(1, there.home)})
    store, only = Location(str(tmp_path / "store"), "crawled"), ("--site", there.home, "--private")
    first = crawl(store, here.home, *only, "--pages", "2", folder=tmp_path)
    assert first.json()["counts"]["waiting"] == 1
    assert crawl(store, here.home, *only, folder=tmp_path).status == 0
    assert documents(store) == {here.home, there.home, f"{there.home}more"}
