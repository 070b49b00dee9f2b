"""The sample site as it is served: what leads where, validators, errors, traps."""

from __future__ import annotations

import gzip
import http.client
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest

from scripts.sample_site import SampleSite, Traps

SMALL = Traps(crawl_delay=0, slow_seconds=0.2, huge_megabytes=2, bomb_megabytes=2)
_LINK = re.compile(r'<a href="([^"]*)"( rel="nofollow[^"]*")?')


@pytest.fixture
def site() -> Iterator[SampleSite]:
    with SampleSite(seed=1, traps=SMALL) as serving:
        yield serving


def get(url: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    asked = urllib.request.Request(
        url, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )
    try:
        with urllib.request.urlopen(asked, timeout=20) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read()


def walked(site: SampleSite, start: str) -> set[str]:
    """What links lead to on one site, without what asks not to be followed, and the maze."""
    seen, waiting = {start}, [start]
    rules = {page.url: page for page in site.truth()}
    while waiting:
        url = waiting.pop()
        if url in rules and not rules[url].allowed:
            continue
        body = get(url)[2].decode("utf-8", "replace")
        if 'content="nofollow"' in body:
            continue
        for address, unfollowed in _LINK.findall(body):
            there = urljoin(url, unescape(address)).partition("#")[0].partition("?")[0]
            if not unfollowed and there not in seen and urlsplit(there).netloc in start:
                seen.add(there)
                waiting.append(there)
    return seen


def test_links_lead_to_what_the_truth_says(site: SampleSite) -> None:
    starts = [start for start in site.starts if not start.startswith(site.home("maze"))]
    reached = set().union(*(walked(site, start) for start in starts))
    mine = [page for page in site.truth() if not page.url.startswith(site.home("maze"))]
    by_links = {page.url for page in mine if page.found_by == "links"}
    assert by_links - reached == set()
    assert reached & {page.url for page in mine if page.found_by != "links"} == set()


def test_lists_for_machines_name_the_rest(site: SampleSite) -> None:
    feed = get(site.feeds[0])[2].decode()
    named = {page.url for page in site.truth() if page.found_by == "feed"}
    assert named
    assert all(url in feed for url in named)
    index = get(site.url("news", "/sitemap.xml"))[2].decode()
    maps = [get(url)[2] for url in re.findall("<loc>(.*?)</loc>", index)]
    text = gzip.decompress(maps[0]).decode() + maps[1].decode()
    assert all(page.url in text for page in site.truth() if page.found_by == "sitemap")
    assert not any(page.url in text for page in site.truth() if not page.allowed)


def test_validators_answer_304_until_the_page_changes(site: SampleSite) -> None:
    url = site.original("article-002")
    headers = get(url)[1]
    asked = {"If_None_Match": headers["ETag"], "If_Modified_Since": headers["Last-Modified"]}
    assert get(url, **asked)[0] == 304
    site.change(url)
    assert get(url, **asked)[0] == 200
    mirrored = site.url("mirror", "/a/1.htm")
    date = get(mirrored)[1]["Last-Modified"]
    assert get(mirrored, If_Modified_Since=date)[0] == 304
    site.change(mirrored)
    assert get(mirrored, If_Modified_Since=date)[0] == 200


def test_errors_and_redirects(site: SampleSite) -> None:
    assert get(site.url("news", "/missing.html"))[0] == 404
    assert get(site.url("news", "/gone.html"))[0] == 410
    assert get(site.url("maze", "/broken/1.html"))[0] == 500
    storm = site.url("maze", "/storm/1.html")
    assert [get(storm)[0] for _ in range(3)] == [503, 503, 200]
    moved = get(site.url("news", "/old/1.html"))
    assert moved[0] == 200
    assert [each.status for each in site.requests()[-2:]] == [301, 200]
    site.remove(site.original("article-003"))
    assert get(site.original("article-003"))[0] == 410


def test_traps(site: SampleSite) -> None:
    assert len(get(site.url("maze", "/huge.html"))[2]) == 2 << 20
    assert get(site.url("maze", "/bomb.html"))[1]["Content-Encoding"] == "gzip"
    assert get(site.url("maze", "/slow.html"))[2].startswith(b"<html>")
    with pytest.raises(http.client.IncompleteRead):
        get(site.url("maze", "/cut.html"))
    rooms = {get(site.url("mirror", "/list/1.html"))[2] for _ in range(2)}
    assert len(rooms) == 2  # another session each time
    assert b"/calendar/2025/12/" in get(site.url("maze", "/calendar/2026/1/"))[2]


def test_the_log_counts(site: SampleSite) -> None:
    url = site.original("article-001")
    get(url, User_Agent="tester/1")
    get(url)
    assert site.counts()[url] == 2
    assert site.requests()[0].agent == "tester/1"
    site.forget_requests()
    assert site.requests() == []


def test_a_port_that_is_taken_is_told() -> None:
    with SampleSite(traps=SMALL) as first:
        other = SampleSite(port=first.port)
        with pytest.raises(OSError, match="not free"), other:
            pass
