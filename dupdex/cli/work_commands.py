"""works: the rights holder's bank of works, and the comparison of pages with it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from dupdex.cli.bank_options import place_options
from dupdex.cli.nothing_read import refuse_nothing
from dupdex.cli.parameters import FOUND, NONE_FOUND, Words, location, print_json
from dupdex.cli.screen import confirmed, note, progress, say, say_all
from dupdex.cli.sources import Report, read_options, source_options
from dupdex.cli.works_sweeping import sweep
from dupdex.session import Session
from dupdex.wire.counted import counted
from dupdex.wire.forms import to_json
from dupdex.works.work_forms import (
    ChapterLine,
    ChapterLines,
    WorkLine,
    WorkLines,
    chapter_columns,
    work_columns,
)
from dupdex.works.work_intake import take_works
from dupdex.works.work_reading import WorkDefaults, host_given
from dupdex.works.work_store import Works
from indexer.meta import IndexMeta
from indexer.sources import read, total_bytes
from mappings.errors import InputRefused, NotFound


@contextmanager
def works_at(store: str | None) -> Iterator[Works]:
    """The works of a store, open."""
    with Session(location(store, None)) as session:
        yield Works(session)


@click.group()
def works() -> None:
    """Keep works, and find the pages that copy them.

    A work is a novel by chapters, or the articles of an outlet. The bank of works is of the whole
    store. 'dupdex works sweep' compares the pages of an index with it, 'dupdex infringement'
    reports what was found.

    Exit status: each command tells its own.
    """


@works.command()
@click.argument("source", metavar="FILE|DIR|-", type=Words())
@click.option("--work", default="", metavar="NAME", type=Words(), help="Work of what names none.")
@click.option("--holder", default="", metavar="NAME", type=Words(), help="Holder of the rights.")
@click.option("--outlet", default="", metavar="NAME", type=Words(), help="Who published it.")
@click.option(
    "--own-site",
    "sites",
    multiple=True,
    metavar="HOST",
    type=Words(),
    help="Its pages are no copies, nor those of sites below it. May be repeated.",
)
@click.option(
    "--for",
    "indices",
    multiple=True,
    metavar="PATTERN",
    type=Words(),
    help="Names of indices whose pages are compared, with * and ?. May be repeated. [default: all]",
)
@source_options
@place_options
def add(
    source: str,
    work: str,
    holder: str,
    outlet: str,
    sites: tuple[str, ...],
    indices: tuple[str, ...],
    store: str | None,
    as_json: bool,
    **options: object,
) -> None:
    """Add chapters or articles; one of the same work and id is replaced.

    Fields of a document: id and text; work, or outlet for an article; title or chapter, number,
    url, published, holder. The site of its url is its own, too. What is the same already is not
    written again.

    Exit status: 0 all were added, 1 some were not, 2 and more an error.
    """
    if not all(each.strip() for each in indices):
        raise InputRefused("--for names no index; name one, like news-*, or leave it out")
    own = tuple(dict.fromkeys(map(host_given, sites))) or None
    defaults = WorkDefaults(work, holder, outlet, own, indices or None)
    texts = options["text_field"] or ("text",)
    title = options["title_field"] or "title"
    meta = IndexMeta(text_fields=tuple(texts), title_field=str(title))  # type: ignore[arg-type]
    reading = read_options(options, meta)
    report, counts = Report(), {"created": 0, "updated": 0, "unchanged": 0, "rejected": 0}

    def refused(origin: str, why: str) -> None:
        counts["rejected"] += 1
        note(f"{origin}: {why}")

    with works_at(store) as opened, progress(total_bytes(source, reading.format), "adding") as step:
        items = read(source, reading, progress=step, noted=note, ignored=report.ignore)
        for outcome in take_works(opened, report.readable(items), defaults, refused):
            counts[outcome.status] += 1
            if outcome.reason:
                note(f"{outcome.work}/{outcome.id}: {outcome.reason}")
    counts["rejected"] += report.bad_lines
    if report.nothing:
        refuse_nothing(source)
    if as_json:
        print_json(counts)
    else:
        say(", ".join(f"{number:,} {name}" for name, number in counts.items()))
    sys.exit(NONE_FOUND if counts["rejected"] else FOUND)


@works.command("list")
@place_options
def list_works(store: str | None, as_json: bool) -> None:
    """List the works.

    Exit status: 0 there are works, 1 there are none, 2 and more an error.
    """
    with works_at(store) as opened:
        counts = opened.count()
        lines = WorkLines(tuple(WorkLine.of(w, counts.get(w.name, 0)) for w in opened.all()))
    if as_json:
        print_json(to_json(lines))
    else:
        for line in lines.works:
            say(*work_columns(line))
        if not lines.works:
            note("there are no works; 'dupdex works add' keeps one")
    sys.exit(FOUND if lines.works else NONE_FOUND)


@works.command()
@click.argument("work", metavar="WORK", type=Words())
@click.argument("chapter", metavar="[ID]", required=False, type=Words())
@place_options
def show(work: str, chapter: str | None, store: str | None, as_json: bool) -> None:
    """Show the chapters of a work, or one with its text.

    Of very long lines the middle is left out; --json has all.

    Exit status: 0 there are chapters, 1 there are none, 2 and more an error.
    """
    with works_at(store) as opened:
        found = opened.get(work)
        chapters = sorted(opened.chapters(work), key=lambda each: each.order)
    if chapter is not None:
        one = next((each for each in chapters if each.id == chapter), None)
        if one is None:
            raise NotFound(f"work {work!r} has no chapter {chapter!r}; 'dupdex works show' lists")
        if as_json:
            print_json({**to_json(ChapterLine.of(one)), "text": one.text})
        else:
            say(*chapter_columns(ChapterLine.of(one)))
            say_all(one.text.splitlines())
        return
    line = WorkLine.of(found, len(chapters))
    lines = ChapterLines(line, tuple(map(ChapterLine.of, chapters)))
    if as_json:
        print_json(to_json(lines))
    else:
        say(*work_columns(line))
        for each in lines.chapters:
            say(*chapter_columns(each))
    sys.exit(FOUND if chapters else NONE_FOUND)


@works.command()
@click.argument("work", metavar="WORK", type=Words())
@click.argument("ids", metavar="[ID]...", nargs=-1, type=Words())
@click.option("--yes", is_flag=True, help="Do not ask. Only a terminal is asked at all.")
@place_options
def remove(work: str, ids: tuple[str, ...], yes: bool, store: str | None, as_json: bool) -> None:
    """Remove a work, or some of its chapters. The next sweep removes what it had found of them.

    Exit status: 0 done, 1 not agreed to, or some were not there, 2 and more an error.
    """
    with works_at(store) as opened:
        opened.get(work)
        if not ids and sys.stdin.isatty() and not yes:
            count = opened.count().get(work, 0)
            if not confirmed(f"Remove {work} with {counted(count, 'chapter')}?"):
                note("nothing was removed")
                sys.exit(NONE_FOUND)
        if any(not each for each in ids):
            raise InputRefused("an id of a chapter is empty; leave it out")
        removed = opened.remove(work, ids)
    if as_json:
        print_json({"work": work, "removed": removed})
    else:
        say(f"{counted(removed, 'chapter')} of {work} {'is' if removed == 1 else 'are'} gone")
    sys.exit(FOUND if not ids or removed == len(set(ids)) else NONE_FOUND)


works.add_command(sweep)
