"""What a robots.txt means."""

from __future__ import annotations

from time import process_time

from dupdex.crawl.robots import MOST_BYTES, robots_of

TEXT = b"""\xef\xbb\xbfUser-agent: *
Disallow: /private/
Allow: /private/open
Crawl-delay: 2
Sitemap: https://a.org/map.xml

User-agent: dupdex
Disallow: /not-for-us
Request-rate: 1/4
"""


def test_the_rules_for_us() -> None:
    ours, other = robots_of(200, TEXT, "dupdex"), robots_of(200, TEXT, "other")
    assert not ours.allows("https://a.org/not-for-us/1") and ours.allows("https://a.org/private/")
    assert not other.allows("https://a.org/private/1") and other.allows(
        "https://a.org/private/open"
    )
    assert other.delay == 2 and ours.delay == 4
    assert ours.sitemaps == ("https://a.org/map.xml",)


def test_no_file_allows_all_and_a_broken_server_nothing() -> None:
    for status in (404, 403, 410, 301):
        assert robots_of(status, b"Disallow: /", "dupdex").allows("https://a.org/")
    for status in (500, 503, 429):
        robots = robots_of(status, b"", "dupdex")
        assert robots.unreadable and not robots.allows("https://a.org/")


def test_any_bytes() -> None:
    for body in (b"", b"\x00\xff" * 100, b"<html>", "Disallow：/".encode("gb18030")):
        assert robots_of(200, body, "dupdex").allows("https://a.org/")
    assert robots_of(200, b"User-agent: *\nCrawl-delay: 1e99", "dupdex").delay <= 3_600


def test_of_two_rates_the_slower_one_is_kept() -> None:
    rules = b"User-agent: *\nCrawl-delay: {}\nRequest-rate: 1/10"
    assert robots_of(200, rules.replace(b"{}", b"1"), "dupdex").delay == 10
    assert robots_of(200, rules.replace(b"{}", b"30"), "dupdex").delay == 30


def test_a_file_of_megabytes_is_read_to_a_limit() -> None:
    filler = b"Disallow: /folder/%d/\n"
    begin = b"User-agent: *\n" + b"".join(filler % number for number in range(25_000))
    assert len(begin) > MOST_BYTES
    rules = robots_of(200, begin.replace(b"/folder/9/", b"/private/") + b"Disallow: /late/\n", "x")
    assert not rules.allows("https://a.org/private/1")
    assert rules.allows("https://a.org/late/1")


def test_a_line_that_is_cut_is_no_rule() -> None:
    begin = b"User-agent: *\nDisallow: /a\n"
    cut = begin + b"#" * (MOST_BYTES - len(begin) - 12) + b"\nDisallow: /articles/private/\n"
    rules = robots_of(200, cut, "x")
    assert not rules.allows("https://a.org/a") and rules.allows("https://a.org/r")


def test_thousands_of_other_crawlers_cost_nothing() -> None:
    others = b"".join(b"User-agent: bot%d\nuseragent bot%d x\n" % (n, n) for n in range(3_000))
    rules = b"".join(b"Disallow: /f%d/\n" % number for number in range(9_000))
    body = (
        b"User-agent: *\nDisallow: /all/\n\n" + others + rules + b"User-agent: dupdex\nAllow: /\n"
    )
    begun = process_time()
    ours, other = robots_of(200, body, "dupdex"), robots_of(200, body, "Bot7/1.0")
    assert process_time() - begun < 10  # the product of both takes minutes
    assert ours.allows("https://a.org/f1/") and ours.allows("https://a.org/all/")
    assert not other.allows("https://a.org/f1/") and other.allows("https://a.org/all/")


def test_rules_of_others_are_not_those_of_the_crawler_before() -> None:
    body = b"User-agent: dupdex # us\nDisallow: /a/\n\nUser-Agent : other\nDisallow: /b/\n"
    ours = robots_of(200, body, "dupdex")
    assert not ours.allows("https://a.org/a/") and ours.allows("https://a.org/b/")
    for end in ("\n", "\r", "\x85"):
        nameless = f"User-agent: dupdex{end}Disallow: /a/{end}User-agent:{end}Disallow: /b/"
        ours = robots_of(200, nameless.encode(), "dupdex")
        assert not ours.allows("https://a.org/a/") and ours.allows("https://a.org/b/")
