"""The sites that copy: mirrors, light and heavy copies, quotations, chapters joined and cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from scripts.mutations import kinds
from scripts.mutations.word_edits import traditional
from scripts.sample_site.prose import Work, article
from scripts.sample_site.site_pages import Copied, Page

LIGHT: Final = (
    ("ws_punct", "0.3"),
    ("synonym_p", "0.5"),
    ("edit_every_n", "100"),
    ("trunc_tail_keep", "0.9"),
    ("boilerplate", "foot"),
    ("s2t", "s2t"),
)
HEAVY: Final = (
    ("edit_every_n", "20"),
    ("homophone_pct", "10"),
    ("sent_reorder", "all"),
    ("trunc_head_keep", "0.5"),
    ("repost_combo", "1"),
    ("s2twp", "s2twp"),
    ("boilerplate", "ads"),
)
_KEPT: Final = {"trunc_tail_keep/0.9": 0.9, "trunc_head_keep/0.5": 0.5, "repost_combo/1": 5 / 6}
_LIST: Final = 30


@dataclass(frozen=True, slots=True)
class _Encoding:
    """How a page is encoded, and what is said of it."""

    encoding: str
    header: str
    meta: str


ENCODINGS: Final = (
    _Encoding("gb18030", "gb2312", "gb2312"),
    _Encoding("gb18030", "", "gb2312"),
    _Encoding("gb18030", "", ""),
    _Encoding("big5", "", "big5"),
    _Encoding("big5", "big5", ""),
    _Encoding("utf-8", "", "gb2312"),
    _Encoding("utf-8", "", ""),
    _Encoding("utf-8-sig", "", ""),
    _Encoding("utf-16", "", ""),
)
"""Declared in part, not at all, or wrongly; every one of them is met on the Web."""


def copied_pages(originals: Sequence[Work], seed: int) -> Iterator[Page]:
    """The pages of the three sites."""
    articles = [work for work in originals if not work.number and work.language == "zh"]
    chapters = [work for work in originals if work.number]
    mirror = [*_mirror(articles, seed)]
    yield from mirror
    yield from _lists("mirror", "/list", mirror, "百川转载网", "?PHPSESSID={session}")
    rewrites = [*_rewrites(articles, seed)]
    yield from rewrites
    yield from _lists("rewrites", "/l", rewrites, "今日资讯汇")
    books = [*_books(chapters, seed)]
    yield from books
    firsts = [page for page in books if not page.part_of]
    yield Page("books", "/", "书海阁", role="index", links=[(p.path, p.title) for p in firsts])


def _mirror(articles: Sequence[Work], seed: int) -> Iterator[Page]:
    """Exact and light copies, in all encodings, among pages of its own."""
    for place, work in enumerate(articles[:60]):
        path = f"/a/{place + 1}.htm"
        if place < 20:
            yield _copy("mirror", path, work, ("exact", "0"), "exact", seed)
        else:
            yield _copy("mirror", path, work, LIGHT[place % len(LIGHT)], "light", seed)
    for place, how in enumerate(ENCODINGS):
        work = articles[60 + place]
        page = _copy("mirror", f"/e/{place + 1}.htm", work, ("exact", "0"), "exact", seed)
        if how.encoding == "big5":
            changed = traditional(work.text, Random(0), "s2t") or work.text
            page.text = changed.encode("big5", "ignore").decode("big5")
            page.copies = (Copied(work.id, "s2t", degree="light"),)
        elif how.encoding == "gb18030":
            page.text = page.text + "\n这一页由朱镕堃和囧囧整理。"
        page.encoding, page.header_charset, page.meta_charset = how.encoding, how.header, how.meta
        yield page
    yield from _own("mirror", "/o", 20, seed)


def _rewrites(articles: Sequence[Work], seed: int) -> Iterator[Page]:
    """Heavy copies, and articles quoted whole inside of longer pages."""
    for place, work in enumerate(articles[50:100]):
        kind = HEAVY[place % len(HEAVY)]
        yield _copy("rewrites", f"/x/{place + 1}.shtml", work, kind, "heavy", seed)
    for place, work in enumerate(articles[:10]):
        yield _quoting("rewrites", f"/q/{place + 1}.shtml", work, seed, 2)
    yield from _own("rewrites", "/o", 40, seed)


def _own(host: str, folder: str, count: int, seed: int) -> Iterator[Page]:
    for number in range(1, count + 1):
        text = article(number, seed, host)
        yield Page(host, f"{folder}/{number}.html", text.title, text.text, "unrelated")


def _copy(host: str, path: str, work: Work, kind: tuple[str, str], degree: str, seed: int) -> Page:
    name, strength = kind
    rng = Random(f"{seed}/{host}{path}")
    changed = kinds.MUTATIONS[name][strength](work.text, rng) or work.text
    spelled = f"{name}/{strength}"
    copied = Copied(work.id, spelled, _KEPT.get(spelled, 1.0), degree)
    return Page(host, path, work.title, changed, "copy", copies=(copied,))


def _quoting(host: str, path: str, work: Work, seed: int, times: int) -> Page:
    """A page with text of its own before and after; in all `times` as long as what it quotes."""
    own = [article(number, seed, f"{host}{path}").text.split("\n") for number in (1, 2, 3, 4)]
    lines = [line for text in own for line in text]
    kept: list[str] = []
    while sum(map(len, kept)) < len(work.text) * (times - 1) and lines:
        kept.append(lines.pop(0))
    middle = len(kept) // 2
    text = "\n".join([*kept[:middle], work.text, *kept[middle:]])
    copied = (Copied(work.id, "quoted", 1.0, "exact"),)
    return Page(host, path, f"读《{work.title}》有感", text, "quote", copies=copied)


def _books(chapters: Sequence[Work], seed: int) -> Iterator[Page]:
    """A novel as such sites have it: a page a chapter, chapters cut over pages, several on one."""
    for work in chapters[:8]:
        yield _copy("books", f"/book/7/{work.number}.html", work, ("exact", "0"), "exact", seed)
    for work in chapters[8:12]:
        yield from _cut(work, 3)
    for start in (12, 15):
        some = chapters[start : start + 3]
        copies = tuple(Copied(work.id, "joined") for work in some)
        text = "\n".join(f"{work.title}\n{work.text}" for work in some)
        title = f"夜渡 {some[0].number}-{some[-1].number}"
        yield Page("books", f"/book/7/part-{start}.html", title, text, "joined", copies=copies)
    for work in chapters[18:22]:
        yield _quoting("books", f"/essay/{work.number}.html", work, seed, 2)
    for work, kind in zip(chapters[22:], (("edit_every_n", "50"), ("s2t", "s2t")), strict=True):
        degree = "heavy" if kind[0] == "edit_every_n" else "light"
        yield _copy("books", f"/book/7/{work.number}.html", work, kind, degree, seed)


def _cut(work: Work, pieces: int) -> Iterator[Page]:
    """A chapter over several pages that lead to each other."""
    lines = work.text.split("\n")
    base = f"/book/7/{work.number}"
    paths = [f"{base}.html", *(f"{base}_{number}.html" for number in range(2, pieces + 1))]
    for at, path in enumerate(paths):
        some = lines[len(lines) * at // pieces : len(lines) * (at + 1) // pieces]
        share = sum(map(len, some)) / len(work.text)
        yield Page(
            "books",
            path,
            f"{work.title}({at + 1}/{pieces})",
            "\n".join(some),
            "part",
            copies=(Copied(work.id, "cut", share),),
            next_page=paths[at + 1] if at + 1 < pieces else "",
            previous_page=paths[at - 1] if at else "",
            part_of=paths[0] if at else "",
        )


def _lists(
    host: str, folder: str, pages: Sequence[Page], title: str, mark: str = ""
) -> Iterator[Page]:
    """A home page and lists, whose links may carry a session of the visitor."""
    parts = [pages[start : start + _LIST] for start in range(0, len(pages), _LIST)]
    lists = [
        (f"{folder}/{number}.html", f"{title} {number}") for number in range(1, len(parts) + 1)
    ]
    yield Page(host, "/", title, role="index", links=lists)
    for (path, name), some in zip(lists, parts, strict=True):
        links = [(page.path + mark, page.title) for page in some]
        yield Page(host, path, name, role="index", links=[*links, *lists])


def press_pages(seed: int) -> Iterator[Page]:
    """A site that copies nothing and asks for a delay."""
    pages = [
        Page("press", f"/{number}.html", text.title, text.text, "unrelated")
        for number in range(1, 26)
        for text in (article(number, seed, "press"),)
    ]
    yield from pages
    yield Page("press", "/", "南湖内刊", role="index", links=[(p.path, p.title) for p in pages])
