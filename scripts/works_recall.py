"""How small a part of a chapter is found in a page: python -m scripts.works_recall FILE.jsonl

Half of the texts are chapters of a bank, the others are pages, as they are and with parts of
chapters planted at random. Prints findings in unrelated pages, and recall by length.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from dupdex.location import Location
from dupdex.session import Session
from dupdex.works.page_check import PageCheck, page_of
from dupdex.works.work_model import Chapter, Page, Work
from dupdex.works.work_store import Works


def main() -> int:
    """Measure one file."""
    parser = argparse.ArgumentParser(prog="works_recall", description=__doc__)
    parser.add_argument("file", type=Path, help="JSON lines with a field text, none a copy")
    parser.add_argument("--texts", type=int, default=120, help="so many of them [120]")
    parser.add_argument("--lengths", default="80,100,120,160,240,480,1000", help="characters")
    parser.add_argument("--trials", type=int, default=30, help="of each length [30]")
    parser.add_argument("--seed", type=int, default=5)
    given = parser.parse_args()
    lengths = [int(length) for length in given.lengths.split(",")]
    drawn = random.Random(given.seed)
    lines = given.file.read_bytes().splitlines()
    texts = [text for line in lines if len(text := orjson.loads(line)["text"]) > max(lengths)]
    texts = drawn.sample(texts, min(given.texts, len(texts)))
    chapters, hosts = texts[::2], texts[1::2]
    with TemporaryDirectory() as folder, Session(Location(folder, "pages")) as session:
        works = Works(session)
        works.put(Work("work"))
        for _ in works.add(Chapter("work", str(at), text) for at, text in enumerate(chapters)):
            pass
        check = PageCheck(works, "pages")
        begun = time.perf_counter()
        false = sum(map(len, check.check([_page(text) for text in hosts])))
        spent = (time.perf_counter() - begun) / len(hosts)
        print(f"{len(chapters)} chapters, {len(hosts)} unrelated pages: {false} findings in these")
        print(f"{1e3 * spent:.1f} ms a page of {sum(map(len, hosts)) // len(hosts):,} characters")
        for length in lengths:
            _planted(check, chapters, hosts, length, given.trials, drawn)
    return 0


def _planted(
    check: PageCheck,
    chapters: list[str],
    hosts: list[str],
    length: int,
    trials: int,
    drawn: random.Random,
) -> None:
    wanted = [drawn.randrange(len(chapters)) for _ in range(trials)]
    pages = []
    for number in wanted:
        chapter, host = chapters[number], drawn.choice(hosts)
        start, at = drawn.randrange(len(chapter) - length), drawn.randrange(len(host))
        pages.append(_page(host[:at] + chapter[start : start + length] + host[at:]))
    found = [{each.chapter for each in findings} for findings in check.check(pages)]
    hits = [f"work/{number}" in keys for number, keys in zip(wanted, found, strict=True)]
    others = sum(map(len, found)) - sum(hits)
    print(f"{length:>5} characters  recall {sum(hits) / trials:.2f}  others {others}")


def _page(text: str) -> Page:
    return page_of("pages", "page", text, {})


if __name__ == "__main__":
    sys.exit(main())
