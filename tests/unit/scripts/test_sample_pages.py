"""The pages of the sample site, before they are served: as many as promised, the same by seed."""

from __future__ import annotations

import gzip

import pytest

from scripts.mutations.mutation import jac5
from scripts.sample_site import PageTruth, SampleSite, bank_documents, documents
from scripts.sample_site.layouts import html_of
from scripts.sample_site.maze_pages import bomb, endless, huge_body
from scripts.sample_site.prose import numeral


@pytest.fixture(scope="module")
def site() -> SampleSite:
    return SampleSite(seed=1)


@pytest.fixture(scope="module")
def truth(site: SampleSite) -> list[PageTruth]:
    return site.truth()


def test_there_are_pages_of_every_kind(truth: list[PageTruth]) -> None:
    assert len(truth) >= 300
    assert len({page.url for page in truth}) == len(truth)
    roles = {page.role for page in truth if not page.role.startswith("trap")}
    assert {"article", "chapter", "copy", "quote", "joined", "part", "unrelated", "index"} <= roles
    degrees = {copied.degree for page in truth for copied in page.copies}
    assert degrees == {"exact", "light", "heavy"}
    assert {page.found_by for page in truth} == {"links", "sitemap", "feed", ""}


def test_the_seed_decides(truth: list[PageTruth]) -> None:
    assert SampleSite(seed=1).truth() == truth
    others = {page.url: page.text for page in SampleSite(seed=2).truth()}
    same = [page.url for page in truth if page.text and others.get(page.url) == page.text]
    assert all("/english/" in url for url in same)


def test_documents_are_what_a_crawl_that_obeys_indexes(truth: list[PageTruth]) -> None:
    wanted = documents(truth)
    assert len(wanted) >= 300
    assert not {page.role for page in wanted} & {"private", "hidden", "noindex", "print", "index"}
    assert not [page.url for page in wanted if page.part_of or not page.text]


def test_every_copy_names_an_original(site: SampleSite, truth: list[PageTruth]) -> None:
    works = {str(each["id"]) for each in bank_documents(site)}
    for page in truth:
        assert {copied.work for copied in page.copies} <= works
        if any(copied.kind == "original" for copied in page.copies):
            assert page.url == site.original(page.copies[0].work)


def test_texts_that_are_no_copies_share_little(site: SampleSite) -> None:
    texts = [work.text for work in site.works[:20]] + [work.text for work in site.works[-6:]]
    pairs = ((one, other) for at, one in enumerate(texts) for other in texts[:at])
    assert max(jac5(one, other) for one, other in pairs) < 0.15


def test_parts_make_the_chapter(site: SampleSite, truth: list[PageTruth]) -> None:
    whole = {work.id: work.text for work in site.works}
    firsts = [page for page in truth if page.role == "part" and not page.part_of]
    assert firsts
    for first in firsts:
        rest = [page for page in truth if page.part_of == first.url]
        joined = "\n".join(page.text for page in (first, *rest))
        assert joined == whole[first.copies[0].work]


def test_pages_are_written_in_their_encodings(site: SampleSite, truth: list[PageTruth]) -> None:
    pages = [site.page(each.url) for each in truth if "/e/" in each.url]
    assert {page.encoding for page in pages} >= {"gb18030", "big5", "utf-16"}
    for page in pages:
        first = page.text.partition("\n")[0]
        assert first in html_of(page, "http://site").decode(page.encoding)


def test_a_change_is_seen() -> None:
    changing = SampleSite(seed=1)
    url = changing.original("article-001")
    before = changing.page(url).text
    changing.change(url)
    assert changing.page(url).text.startswith(before + "\n")
    changing.remove(url)
    added = changing.add()
    found = {page.url: page for page in changing.truth()}
    assert found[url].status == 410
    assert not found[url].is_document
    assert found[added].is_document


@pytest.mark.parametrize("path", ["/calendar/2026/12/", "/deep/1/", "/deep/1/2/", "/room"])
def test_traps_lead_on(path: str) -> None:
    links = endless(path, "", "abc")
    assert links
    assert path not in [address for address, _ in links]


def test_a_bomb_is_small() -> None:
    packed = bomb(2)
    assert len(packed) < 10_000
    assert len(gzip.decompress(packed)) > 2 << 20
    assert sum(map(len, huge_body(1_000_000))) == 1_000_000


@pytest.mark.parametrize(
    ("number", "spelled"), [(1, "一"), (10, "十"), (11, "十一"), (20, "二十"), (24, "二十四")]
)
def test_numerals(number: int, spelled: str) -> None:
    assert numeral(number) == spelled
