"""crawl: from sites, sitemaps and feeds to pages and documents."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import click

from dupdex.cli.grouping_options import grouping_of, grouping_options
from dupdex.cli.parameters import (
    AT_LEAST_NONE,
    AT_LEAST_ONE,
    Interrupted,
    Number,
    Words,
    location,
    print_json,
    size,
    store_options,
)
from dupdex.cli.schedule import keep_schedule
from dupdex.cli.screen import note, progress, say
from dupdex.crawl.address import UrlState, id_of
from dupdex.crawl.crawl_job import Wanted, check_packages
from dupdex.crawl.crawl_job import crawl as crawl_sites
from dupdex.crawl.crawl_limits import Limits, Scope, start_url
from dupdex.crawl.frontier import Frontier
from dupdex.jobs.cron import cron_trigger
from dupdex.jobs.run_store import Run
from dupdex.jobs.scheduler import Schedule
from dupdex.pages.page_documents import open_index
from dupdex.session import Session
from dupdex.wire.job_forms import RunForm
from mappings.errors import InputRefused

_ARGUMENTS = "dupdex.crawl.arguments"
_LOST = (UrlState.GONE, UrlState.FAILED, UrlState.FORBIDDEN)
_OTHERS = (
    ("unfit", "unfit"),
    ("gone", "gone"),
    ("copies", "copies of works"),
    ("listing", "sitemaps and feeds"),
    ("moved", "moved"),
    ("alias", "other addresses of a page"),
    ("noindex", "not to be indexed"),
    ("other_kind", "of other kinds"),
    ("forbidden", "forbidden by robots.txt"),
    ("left_out", "left out by --allow, --deny and --depth"),
    ("trapped", "like many that led nowhere"),
    ("failed", "failed"),
)


class _Crawl(click.Command):
    """Keeps its arguments as they were given, for a schedule."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)


def _agent(_context: click.Context, option: click.Parameter, value: str | None) -> str:
    """What the crawler calls itself, "" for what it is called anyway. Raises InputRefused."""
    if value is not None and not (value.strip() and value.isascii() and value.isprintable()):
        raise InputRefused(
            f"{option.opts[0]} {value!r} cannot be sent; write ASCII characters in one line, as in "
            "'mybot/1.0 (+https://example.org/bot)'"
        )
    return value or ""


@click.command(cls=_Crawl)
@click.argument("starts", metavar="SITE|SITEMAP|FEED…", nargs=-1, required=True, type=Words())
@click.option("--pages", type=AT_LEAST_ONE, help="Pages that are fetched at the most, in this run.")
@click.option(
    "--depth",
    type=AT_LEAST_NONE,
    default=20,
    show_default=True,
    help="Links from a start address at the most.",
)
@click.option("--megabytes", type=AT_LEAST_ONE, help="Megabytes that are fetched at the most.")
@click.option(
    "--page-size",
    metavar="SIZE",
    callback=size,
    default="10m",
    show_default=True,
    help="Pages that are larger, also when unpacked, are given up.",
)
@click.option(
    "--site",
    "sites",
    multiple=True,
    type=Words(),
    metavar="HOST",
    help="A further site to follow links to, or *.example.com. May be repeated.",
)
@click.option(
    "--hosts",
    type=AT_LEAST_ONE,
    default=100,
    show_default=True,
    help="Hosts at the most of each '*.example.com', those that were met first. Hosts that earlier "
    "crawls met stay, also where they are more.",
)
@click.option(
    "--allow",
    multiple=True,
    type=Words(),
    metavar="REGEX",
    help="Only addresses in which this is found. May be repeated.",
)
@click.option(
    "--deny",
    multiple=True,
    type=Words(),
    metavar="REGEX",
    help="No addresses in which this is found. May be repeated.",
)
@click.option(
    "--delay",
    type=Number(0.0, 3_600.0),
    default=0.1,
    show_default=True,
    help="Seconds from request to request of one host, at the least.",
)
@click.option(
    "--timeout",
    type=Number(0.1, 600.0),
    default=30.0,
    show_default=True,
    help="Seconds that one answer may take.",
)
@click.option(
    "--patience",
    type=Number(0.0, 86_400.0),
    default=120.0,
    show_default=True,
    help="Seconds of pause at the most for a host that asks for one, or fails.",
)
@click.option(
    "--agent",
    type=Words(),
    callback=_agent,
    metavar="TEXT",
    help="What the crawler calls itself, best with a way to reach you: 'mybot/1.0 "
    "(+https://example.org/bot)'. Its first word is the name that robots.txt files call "
    "it by. [default: dupdex with its version]",
)
@click.option(
    "--private",
    is_flag=True,
    help="Ask machines of private networks, too; else only those that are named.",
)
@click.option("--afresh", is_flag=True, help="Ask for everything again, due or not, as if new.")
@click.option("--delete-gone", is_flag=True, help="Delete documents whose pages are gone.")
@click.option(
    "--works",
    is_flag=True,
    help="Compare pages with the bank of works as they come; 'dupdex infringement' reports.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1_000),
    default=2,
    show_default=True,
    help="Processes that read pages.",
)
@click.option(
    "--schedule",
    "times",
    metavar="CRON",
    type=Words(),
    help="Crawl at these times, as in '0 3 * * *'; short for dupdex schedule.",
)
@grouping_options
@store_options
@click.pass_context
def crawl(
    context: click.Context,
    /,
    starts: tuple[str, ...],
    times: str | None,
    store: str | None,
    index: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Fetch the pages of sites into an index, and what is new ever after.

    Give addresses of sites, sitemaps or feeds (RSS, Atom, JSON); what each is shows when it
    answers. Links are followed on the sites of these addresses. The text of each page goes into the
    index, the page as it was into the page store beside it ('dupdex pages'). Files robots.txt are
    obeyed, with Crawl-delay and sitemaps, and nofollow and noindex. A host is asked ten times a
    second at the most, and less often the slower it answers.

    Run it again for what is new: pages that have an ETag or Last-Modified are asked whether they
    changed, pages of a sitemap with dates when these are newer (or a month has passed), all others
    when they have stayed as they are for as long again as before, after an hour at the least and a
    month at the most. The start addresses, sitemaps and feeds are asked every time.

    One crawl of an index runs at a time. What is fetched is stored at once: interrupted or killed,
    run it again, and it goes on with what still waits. 'dupdex jobs' shows how it went.

    Exit status: 0 done, 1 nothing could be fetched, 2 and more an error, 130 interrupted.
    """
    wanted = _wanted(starts, options)
    check_packages()
    if times is not None:
        _keep(context, times, store, index, as_json)
    where = location(store, index)
    with Session(where) as session, progress(None, "crawling") as step:
        wanted = replace(wanted, grouping=grouping_of(options, session.stored_meta()))
        try:
            run = crawl_sites(session, wanted, step=step)
            lost = list(_lost_starts(session, wanted.starts))
        except KeyboardInterrupt:
            raise Interrupted(
                "interrupted; what was fetched is stored, the same command goes on"
            ) from None
    if as_json:
        print_json(RunForm.of(run).to_json())
    else:
        say(_told(run))
    for line in (*_remarks(run), *lost):
        note(line)
    sys.exit(0 if _did_something(run) else 1)


def _wanted(starts: tuple[str, ...], options: dict[str, Any]) -> Wanted:
    urls = tuple(dict.fromkeys(map(start_url, starts)))
    limits = Limits(
        pages=options["pages"],
        megabytes=options["megabytes"],
        depth=options["depth"],
        page_bytes=options["page_size"],
        delay=options["delay"],
        timeout=options["timeout"],
        patience=options["patience"],
        hosts=options["hosts"],
    )
    return Wanted(
        urls,
        Scope.of(urls, options["sites"], options["allow"], options["deny"]),
        limits,
        options["agent"],
        options["private"],
        options["afresh"],
        options["workers"],
        delete_gone=options["delete_gone"],
        works=options["works"],
    )


def _keep(
    context: click.Context, times: str, store: str | None, index: str | None, as_json: bool
) -> NoReturn:
    """Crawl at certain times from now on."""
    where = location(store, index)
    with Session(where) as session:
        open_index(session).close()  # a schedule is kept beside an index
    command = ("crawl", *_without_times(context.meta[_ARGUMENTS]))
    environment = {"DUPDEX_INDEX": where.index}
    schedule = Schedule(times, command, cron_trigger(times), None, environment)
    keep_schedule(where, schedule, None, as_json)


def _without_times(arguments: list[str]) -> list[str]:
    """The arguments but for --schedule."""
    out: list[str] = []
    after = False
    for argument in arguments:
        if after or argument.startswith("--schedule="):
            after = False
        elif argument == "--schedule":
            after = True
        else:
            out.append(argument)
    return out


def _told(run: Run) -> str:
    counts, seconds = run.counts, RunForm.of(run).seconds
    pages = ", ".join(f"{counts.get(name, 0):,} {name}" for name in ("new", "changed", "unchanged"))
    others = "".join(f", {counts[name]:,} {told}" for name, told in _OTHERS if counts.get(name))
    fetched = f"{counts.get('fetched', 0):,} fetched ({counts.get('bytes', 0) / 1e6:,.1f} MB)"
    return f"{fetched}: {pages}{others}; took {seconds:,.0f} s"


def _lost_starts(session: Session, starts: Sequence[str]) -> Iterator[str]:
    """The start addresses from which nothing came, and why."""
    known = Frontier.open(session).stored(map(id_of, starts))
    for url in starts:
        address = known.get(id_of(url))
        if address is not None and address.state in _LOST:
            answer = "" if address.status is None else f" (status {address.status})"
            why = address.why or f"the site says that nothing is there{answer}"
            yield f"{url}: {why}; is the address right?"


def _remarks(run: Run) -> Iterator[str]:
    """What a user should know beside the counts."""
    for reason, number in run.counts.get("failed_by_reason", {}).items():
        yield f"{number:,} failed: {reason}; the next crawl asks for them again"
    for host, why in run.counts.get("hosts_given_up", {}).items():
        yield f"{host} was given up for this run: {why}"
    for name, number in run.counts.get("hosts_left_out", {}).items():
        yield f"{number:,} hosts of {name} were left out; --hosts lets more of them in"
    waiting = run.counts.get("waiting", 0)
    if ended_by := run.counts.get("ended_by"):
        yield f"it ended at --{ended_by}; {waiting:,} addresses wait for the next crawl"


def _did_something(run: Run) -> bool:
    return any(run.counts.get(name) for name in ("fetched", "unchanged"))
