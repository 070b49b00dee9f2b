"""Which addresses a crawl follows, and which it takes for a trap."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupdex.crawl import shapes
from dupdex.crawl.address import shapes_of, site_of
from dupdex.crawl.crawl_limits import Scope, goes_in_circles, start_url
from dupdex.crawl.shapes import ShapeBudget
from mappings.errors import InputRefused

HOME = "https://news.example.com/"


@pytest.mark.parametrize(
    "url",
    [
        "https://news.example.com/a/1.html",
        "http://news.example.com/a/1.html",
        "https://www.news.example.com/a",
        "https://NEWS.example.com/sitemap.xml.gz",
        "https://news.example.com/list?page=2",
        "https://blog.example.org/x",
        "https://deep.sub.example.net/x",
    ],
)
def test_what_is_followed(url: str) -> None:
    assert Scope.of([HOME], ["blog.example.org", "*.example.net"]).has(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/",
        "https://news.example.com.evil.org/",
        "https://evilexample.net/",
        "https://news.example.com:8443/",
        "ftp://news.example.com/",
        "https://news.example.com/photo.JPG",
        "https://news.example.com/a/b/a/b/a/b/a/b/",
        "https://news.example.com/" + "x" * 2_000,
        "https://news.example.com:port/",
        "mailto:a@news.example.com",
        "",
    ],
)
def test_what_is_not_followed(url: str) -> None:
    assert not Scope.of([HOME], ["*.example.net"]).has(url)


def test_patterns() -> None:
    scope = Scope.of([HOME], allow=["/a/"], deny=[r"print"])
    assert scope.has(f"{HOME}a/1") and not scope.has(f"{HOME}b/1")
    assert not scope.has(f"{HOME}a/1?print=1")
    with pytest.raises(InputRefused, match="--allow '\\(' is no regular expression"):
        Scope.of([HOME], allow=["("])


@given(st.text())
def test_no_text_breaks_a_scope(text: str) -> None:
    Scope.of([HOME]).has(text)
    Scope.of([HOME]).has(f"https://news.example.com/{text}")
    goes_in_circles(text) if "[" not in text and "]" not in text else None


def test_starts() -> None:
    assert start_url("news.example.com") == HOME
    assert start_url(" http://localhost:8000 ") == "http://localhost:8000/"
    for wrong in ("", "nonsense", "ftp://a.org/", "http://", "https://a b.org/"):
        with pytest.raises(InputRefused, match="is no address of a site"):
            start_url(wrong)


def test_sites() -> None:
    assert site_of("HTTPS://News.Example.com:443/x") == "news.example.com"
    assert site_of("http://a.org:8080/") == "a.org:8080"
    assert site_of("http://[::1]:80/") == "[::1]"


def test_numbers_titles_tokens_and_values_do_not_make_a_shape() -> None:
    def near(path: str) -> str:
        return shapes_of(HOME + path)[0]

    assert near("a/2026/11/5.html") == near("a/1999/1/77.html")
    assert near("a/the-old-bridge") == near("a/a-new-mill-opens")
    assert near("l?page=2&sort=a") == near("l?sort=b&page=1")
    assert near("s/0123456789abcdef01") == near("s/fedcba98765432100a")
    assert near("a/1") != near("b/1")
    assert near("l?page=2") != near("l?year=2")


def asked(budget: ShapeBudget, urls: list[str], *, texts: bool, links: bool = False) -> int:
    """How many of these are asked, one after the other, when each leads to the next."""
    for number, url in enumerate(urls):
        if budget.trap(shapes_of(url)):
            return number
        sentences = [number * 10, number * 10 + 1] if texts else []
        led_to = [shapes_of(urls[number + 1])] if links and number + 1 < len(urls) else []
        budget.note(shapes_of(url), sentences, led_to)
    return len(urls)


def test_a_calendar_ends() -> None:
    urls = [f"{HOME}calendar/{number // 12}/{number % 12}/" for number in range(500)]
    assert asked(ShapeBudget(40), urls, texts=False, links=True) == 40


def test_endless_folders_and_filters_end() -> None:
    folders = [f"{HOME}deep/" + "x/" * number for number in range(1, 500)]
    assert asked(ShapeBudget(40), folders, texts=False, links=True) <= 120
    filters = [f"{HOME}shop/list?" + "&".join(f"f{chr(97 + each)}=1" for each in range(number % 26))
               for number in range(1, 500)]  # fmt: skip
    assert asked(ShapeBudget(40), filters, texts=False, links=True) <= 120


def test_articles_do_not_end() -> None:
    urls = [f"{HOME}a/{number}.html" for number in range(2_000)]
    assert asked(ShapeBudget(40), urls, texts=True) == 2_000


def test_lists_that_lead_to_articles_do_not_end() -> None:
    budget = ShapeBudget(40)
    budget.note(shapes_of(f"{HOME}a/0.html"), [1, 2, 3], [])
    for number in range(1, 300):
        url = f"{HOME}list/{number}"
        assert not budget.trap(shapes_of(url))
        budget.note(shapes_of(url), [], [shapes_of(f"{HOME}a/{number}.html")])


def test_two_kinds_of_lists_that_lead_to_each_other_end() -> None:
    urls = [f"{HOME}{('week', 'month')[number % 2]}/{number}" for number in range(2_000)]
    assert asked(ShapeBudget(40), urls, texts=False, links=True) < 200


def test_the_same_text_again_and_again_is_nothing_new() -> None:
    budget = ShapeBudget(40)
    for number in range(100):
        url = f"{HOME}room/{number}"
        if budget.trap(shapes_of(url)):
            break
        budget.note(shapes_of(url), [1, 2, 3], [])
    assert number == 41


def test_what_is_held_of_texts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "_SENTENCES", 40)
    monkeypatch.setattr(shapes, "_SENTENCES_IN_ALL", 200)
    budget = ShapeBudget(40)
    for number in range(300):
        kind = "abcdefghijklmnop"[number % 16]
        budget.note(shapes_of(f"{HOME}{kind}/{number}"), [number * 5 + at for at in range(5)], [])
        held = [len(each) for each in budget._texts.values()]
        assert sum(held) == budget._held <= 200 and max(held) <= 40
    assert len(budget._texts) > 4
    last = shapes_of(f"{HOME}{kind}/1")
    for _ in range(41):  # what was met last is known
        budget.note(last, [number * 5 + at for at in range(5)], [])
    assert budget.trap(last)


def test_a_trap_among_many_hosts_is_found_as_soon() -> None:
    """Articles of a hundred hosts take no room from the few sentences of their traps."""
    budget, hosts = ShapeBudget(40), range(100)
    looked_at = Counter[int]()
    for number in range(60):
        for host in hosts:
            home = f"https://h{host}.example.org"
            for kind in "abc":
                first = ((number * 100 + host) * 3 + ord(kind)) * 30
                url = f"{home}/{kind}/{number}"
                budget.note(shapes_of(url), range(first, first + 30), [])
            filtered = shapes_of(f"{home}/list?page={number}")
            if not budget.trap(filtered):
                looked_at[host] += 1
                budget.note(filtered, range(-20 - host * 20, -host * 20), [])
    assert set(looked_at.values()) == {41} and len(looked_at) == 100


def test_what_was_a_trap_stays_one() -> None:
    shape = shapes_of(f"{HOME}calendar/1/1/")[0]
    assert ShapeBudget(40, [shape]).trap(shapes_of(f"{HOME}calendar/7/9/")) == shape


def test_hosts_of_other_scripts_are_one_site_in_either_spelling() -> None:
    scope = Scope.of(["https://新闻.example/"], ["论坛.example", "*.博客.example"])
    for host in ("新闻.example", "论坛.example", "a.博客.example"):
        assert scope.has(f"https://{host}/1")
        assert scope.has(f"https://{host.encode('idna').decode()}/1")


def test_a_site_may_be_named_by_an_address_on_it() -> None:
    scope = Scope.of([HOME], ["https://blog.example.org/start.html", "127.0.0.1:8080"])
    assert scope.has("http://blog.example.org/x") and scope.has("http://127.0.0.1:8080/x")


@pytest.mark.parametrize("given", ["", "*", "a b", "**.example.org", "http://", "x:y"])
def test_what_is_no_site(given: str) -> None:
    with pytest.raises(InputRefused, match="--site"):
        Scope.of([HOME], [given])
