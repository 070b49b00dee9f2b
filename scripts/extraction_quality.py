"""How well texts are taken out of pages: the library alone, as it is set here, and with the lines
that were learned of each site.

python -m scripts.extraction_quality [--seed 1] [--pages 40]

Two sets of made pages whose texts are known: the sample site, and sites in the ways that pages are
built in (paragraphs, line breaks, bare divisions, tables), with lines of the site inside of the
element that holds the text. F1 is that of the multiset of runs of three letters, a mean over pages.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from random import Random
from typing import Any

from dupdex.pages.addresses import site_of
from dupdex.pages.extraction import extract
from dupdex.pages.page_model import Fetched
from dupdex.pages.site_lines import learned_lines
from scripts.sample_site.copied_pages import copied_pages
from scripts.sample_site.layouts import html_of
from scripts.sample_site.original_pages import original_pages, works
from scripts.sample_site.prose import article, chapter

AT = datetime(2026, 3, 1, tzinfo=UTC)
EDITORS = ("陆遥", "方晓", "易安", "田野", "尹舟")


@dataclass(frozen=True, slots=True)
class Labelled:
    url: str
    html: bytes
    text: str


def _paragraphs(lines: Sequence[str]) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


def _breaks(lines: Sequence[str]) -> str:
    return "<br><br>\n".join(f"\u3000\u3000{line}" for line in lines)


def _divisions(lines: Sequence[str]) -> str:
    return "".join(f"<div>{line}</div>" for line in lines)


def _table(lines: Sequence[str]) -> str:
    rows = "".join(f"<tr><td><font size=3>{line}</font></td></tr>" for line in lines)
    return f"<table width=720 align=center>{rows}</table>"


def _spans(lines: Sequence[str]) -> str:
    return "".join(
        f"<p><span style='font-size:16px'><span>{line}</span></span></p>" for line in lines
    )


LAYOUTS: dict[str, tuple[str, Callable[[Sequence[str]], str]]] = {
    "paragraphs": ("<div class='article-content' id='artibody'>{}</div>", _paragraphs),
    "breaks": ("<div id='content'>{}</div>", _breaks),
    "divisions": ("<div class='txt'>{}</div>", _divisions),
    "table": ("<center>{}</center>", _table),
    "spans": ("<section class='rich_media_content'>{}</section>", _spans),
}


def made_sites(seed: int, pages: int) -> Iterator[Labelled]:
    """Pages of one site a layout, each with a header and a footer of the site inside its text."""
    for place, (name, (frame, lay_out)) in enumerate(LAYOUTS.items()):
        host = f"{name}.example.com"
        site = f"云溪{place}报"
        for number in range(pages):
            rng = Random(f"{seed}/{name}/{number}")
            long = number % 8 == 7
            work = (
                chapter(place * 10 + number % 7 + 1, seed + number)
                if long
                else article(1_000 * (place + 1) + number, seed)
            )
            text = [escape(line) for line in work.text.split("\n")]
            before = [f"来源：{site}", f"记者：{rng.choice(EDITORS)}"]
            after = [
                f"（责任编辑：{rng.choice(EDITORS)}）",
                f"关注{site}微信公众号，第一时间获取本地新闻，回复“入群”加入读者群。",
                f"声明：本文版权归{site}所有，未经授权不得转载，违者将被追究法律责任。",
            ]
            links = "".join(
                f"<li><a href='/{at}.html'>{article(at, seed).title}</a></li>" for at in range(9)
            )
            body = frame.format(lay_out([*before, *text, *after]))
            html = (
                f"<html><head><title>{work.title}_{site}</title></head><body><div class=nav>"
                f"<ul>{links}</ul></div><h1>{work.title}</h1>{body}<div class=related><ul>{links}"
                f"</ul></div><div class=footer>Copyright © 2026 {site}</div></body></html>"
            )
            yield Labelled(f"http://{host}/{number}.html", html.encode(), work.text)


def sample_site(seed: int) -> Iterator[Labelled]:
    """The pages of the sample site that hold a text."""
    originals = works(seed)
    for page in (*original_pages(originals, seed), *copied_pages(originals, seed)):
        if page.text and page.status == 200 and page.encoding == page.meta_charset == "utf-8":
            home = f"http://{page.host}.example.com"
            yield Labelled(f"{home}{page.path}", html_of(page, home), page.text)


def f1(found: str, wanted: str) -> float:
    one, other = _runs(found), _runs(wanted)
    common = (one & other).total()
    return 2 * common / (one.total() + other.total()) if common else 0.0


def _runs(text: str) -> Counter[str]:
    letters = "".join(filter(str.isalnum, text))
    return Counter(letters[at : at + 3] for at in range(max(1, len(letters) - 2)))


def library(**options: Any) -> Callable[[Sequence[Labelled]], list[str]]:
    """trafilatura with these options and nothing else."""
    from trafilatura import extract as take_out

    return lambda pages: [take_out(page.html, url=page.url, **options) or "" for page in pages]


def ours(pages: Sequence[Labelled]) -> list[str]:
    return [extract(Fetched(page.url, 200, page.html, AT, "text/html")).text for page in pages]


def learned(pages: Sequence[Labelled]) -> list[str]:
    """The same without the lines that are learned of the pages of each site."""
    texts = ours(pages)
    sites = [site_of(page.url) for page in pages]
    lines = {
        site: learned_lines(text for text, other in zip(texts, sites, strict=True) if other == site)
        for site in set(sites)
    }
    return [lines[site].cut(text) for text, site in zip(texts, sites, strict=True)]


WAYS: dict[str, Callable[[Sequence[Labelled]], list[str]]] = {
    "library, default": library(),
    "library, no comments": library(include_comments=False),
    "library, favor_precision": library(favor_precision=True),
    "library, favor_recall": library(favor_recall=True),
    "dupdex": ours,
    "dupdex, lines learned": learned,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=40, help="of each made site")
    options = parser.parse_args()
    sets = {
        "sample site": [*sample_site(options.seed)],
        "made sites": [*made_sites(options.seed, options.pages)],
    }
    for name, pages in sets.items():
        print(f"{name}: {len(pages)} pages")
        for way, texts_of in WAYS.items():
            begun = time.process_time()
            texts = texts_of(pages)
            took = (time.process_time() - begun) / len(pages)
            scores = [f1(text, page.text) for text, page in zip(texts, pages, strict=True)]
            lost = sum(score < 0.8 for score in scores)
            mean = sum(scores) / len(scores)
            print(f"  {way:26} F1 {mean:.4f}  below .8: {lost:3}  {1_000 * took:5.1f} ms a page")


if __name__ == "__main__":
    main()
