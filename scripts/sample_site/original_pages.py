"""The site of the originals: articles, a novel, lists, print versions, what is forbidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import quote

from scripts.sample_site.prose import Work, article, chapter, english_article
from scripts.sample_site.prose_words import THINGS, TOPICS
from scripts.sample_site.site_pages import Copied, Page

ARTICLES: Final = 110
ENGLISH: Final = 6
CHAPTERS: Final = 24
PRINTED: Final = range(1, 13)
"""Articles that have a print version."""

ONLY_IN_FEED: Final = range(103, 106)
ONLY_IN_SITEMAP: Final = range(106, 111)
PRIVATE: Final = 5
TAGS: Final = THINGS[:10]
_HOST: Final = "news"
_LIST: Final = 20
_RELATED: Final = 4


def works(seed: int) -> list[Work]:
    """All originals: articles in Chinese and English, and the chapters of the novel."""
    return [
        *(article(number, seed) for number in range(1, ARTICLES + 1)),
        *(english_article(number) for number in range(1, ENGLISH + 1)),
        *(chapter(number, seed) for number in range(1, CHAPTERS + 1)),
    ]


def path_of(work: str) -> str:
    """Where an original stands on its site."""
    kind, _, number = work.partition("-")
    folder = {"article": "news", "english": "english", "novel": "novel"}[kind]
    return f"/{folder}/{number}.html"


def original_pages(originals: Sequence[Work], seed: int) -> Iterator[Page]:
    """Every page of the site but its traps."""
    articles = [work for work in originals if not work.number]
    chapters = [work for work in originals if work.number]
    listed = [work for work in articles if not _is_hidden(work)]
    for place, work in enumerate(articles):
        yield _article_page(work, articles, place)
    yield from _chapter_pages(chapters)
    yield from _lists(listed)
    yield from _tags(listed)
    yield from _print_versions(articles)
    yield from _set_apart(seed)
    home = _page("/", "云溪日报", links=_home_links(listed))
    yield home
    yield replace(home, path="/index.html", canonical="/", role="duplicate", links=[*home.links])


def _page(path: str, title: str, *, links: Sequence[tuple[str, str]] = (), **more: str) -> Page:
    return Page(_HOST, path, title, role=more.pop("role", "index"), links=[*links], **more)  # type: ignore[arg-type]


def _link(work: Work, mark: str = "") -> tuple[str, str]:
    return path_of(work.id) + mark, work.title


def _number(work: Work) -> int:
    return int(work.id.partition("-")[2])


def _is_hidden(work: Work) -> bool:
    numbers = (*ONLY_IN_FEED, *ONLY_IN_SITEMAP)
    return work.id.startswith("article") and _number(work) in numbers


def _article_page(work: Work, all_works: Sequence[Work], place: int) -> Page:
    around = [all_works[(place + step) % len(all_works)] for step in range(1, _RELATED + 1)]
    found_by = "links"
    if _is_hidden(work):
        found_by = "feed" if _number(work) in ONLY_IN_FEED else "sitemap"
    return Page(
        _HOST,
        path_of(work.id),
        work.title,
        work.text,
        links=[_link(other) for other in around if not _is_hidden(other)],
        copies=(Copied(work.id, "original"),),
        declares_canonical=True,
        found_by=found_by,
        language=work.language,
    )


def _chapter_pages(chapters: Sequence[Work]) -> Iterator[Page]:
    """Chapters link to the next and the one before: these are texts of their own."""
    yield _page("/novel/", "夜渡 目录", links=[_link(work) for work in chapters])
    for place, work in enumerate(chapters):
        links = [("/novel/", "目录")]
        if place:
            links.append((path_of(chapters[place - 1].id), "上一章"))
        if place + 1 < len(chapters):
            links.append((path_of(chapters[place + 1].id), "下一章"))
        copies = (Copied(work.id, "original"),)
        yield Page(
            _HOST,
            path_of(work.id),
            f"夜渡 {work.title}",
            work.text,
            "chapter",
            links,
            copies,
            declares_canonical=True,
        )


def _lists(listed: Sequence[Work]) -> Iterator[Page]:
    """Every topic lists its articles, newest first, on as many pages as it takes."""
    for at, topic in enumerate(TOPICS):
        mine = listed[at :: len(TOPICS)]
        pages = [mine[start : start + _LIST] for start in range(0, len(mine), _LIST)]
        for number, some in enumerate(pages, 1):
            links = [_link(work) for work in some]
            links += [(_list_path(at, other), f"第{other}页") for other in range(1, len(pages) + 1)]
            yield _page(_list_path(at, number), f"{topic} 第{number}页", links=links)


def _list_path(topic: int, number: int) -> str:
    return f"/topic/{topic}/" if number == 1 else f"/topic/{topic}/{number}.html"


def _tags(listed: Sequence[Work]) -> Iterator[Page]:
    for tag in TAGS:
        links = [_link(work) for work in listed if tag in work.title]
        yield _page(f"/tag/{quote(tag)}.html", f"标签：{tag}", links=links)


def _print_versions(articles: Sequence[Work]) -> Iterator[Page]:
    for number in PRINTED:
        work = articles[number - 1]
        yield Page(
            _HOST,
            f"/print/{number:03}.html",
            work.title,
            work.text,
            "print",
            canonical=path_of(work.id),
            declares_canonical=True,
        )


def _set_apart(seed: int) -> Iterator[Page]:
    """What robots.txt forbids, what asks not to be indexed or followed, what is no more there."""
    for number in range(1, PRIVATE + 1):
        text = article(number, seed, "private")
        yield Page(_HOST, f"/private/{number}.html", text.title, text.text, "private")
    notice, reached = (article(number, seed, "notice") for number in (1, 2))
    yield Page(
        _HOST,
        "/notices/1.html",
        notice.title,
        notice.text,
        "noindex",
        [("/notices/2.html", reached.title)],
        robots="noindex,follow",
    )
    yield Page(_HOST, "/notices/2.html", reached.title, reached.text)
    yield _page("/partners.html", "合作伙伴", links=[("/hidden/1.html", "伙伴")], robots="nofollow")
    for number in (1, 2):
        text = article(number, seed, "hidden")
        yield Page(_HOST, f"/hidden/{number}.html", text.title, text.text, "hidden", found_by="")
    yield Page(_HOST, "/missing.html", "没有此页", role="missing", status=404)
    yield Page(_HOST, "/gone.html", "此页已删除", role="gone", status=410)
    for number in range(1, 6):
        there = f"/news/{number:03}.html"
        yield Page(
            _HOST, f"/old/{number}.html", "", "", "moved", canonical=there, status=301,
            location=there,
        )  # fmt: skip


def _home_links(listed: Sequence[Work]) -> list[tuple[str, str]]:
    """Lists, what is set apart, and some articles by addresses with tracking parameters."""
    marks = ("?utm_source=home&utm_medium=top", "?spm=a21.b7.c3", "?from=timeline", "#comments")
    return [
        *((_list_path(at, 1), topic) for at, topic in enumerate(TOPICS)),
        *((f"/tag/{quote(tag)}.html", tag) for tag in TAGS),
        *((_link(work, marks[at % len(marks)])) for at, work in enumerate(listed[:20])),
        *((f"/print/{number:03}.html", "打印") for number in PRINTED),
        *((f"/private/{number}.html", "内部") for number in range(1, PRIVATE + 1)),
        *((f"/old/{number}.html", "旧址") for number in range(1, 6)),
        ("/index.html", "首页"),
        ("/novel/", "连载：夜渡"),
        ("/notices/1.html", "告示"),
        ("/partners.html", "合作伙伴"),
        ("/hidden/2.html", "推广"),
        ("/missing.html", "旧闻"),
        ("/gone.html", "旧闻"),
        ("/search?q=船", "搜索"),
    ]
