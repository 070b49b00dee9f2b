"""group: a corpus of files grouped without a store."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any, Final

import click
import orjson

from dupdex.cli.grouping_options import policy_of
from dupdex.cli.nothing_read import refuse_nothing
from dupdex.cli.parameters import (
    AT_LEAST_ONE,
    FOUND,
    Command,
    Words,
    plan_option,
    print_json,
    size,
)
from dupdex.cli.saving import check_not_read, check_writable, save_lines
from dupdex.cli.screen import note, progress, say
from dupdex.cli.sources import Report, meta_of, read_options, source_options
from dupdex.corpus.corpus_groups import (
    CorpusGroups,
    CorpusReport,
    Work,
    fields_of,
    group_corpus,
)
from dupdex.corpus.gathering import Wanted
from dupdex.scratch import scratch_folder
from dupdex.wire.counted import counted
from dupdex.wire.forms import to_json
from indexer.grouping import Policy
from indexer.meta import IndexMeta
from indexer.model import Document
from indexer.sources import read, total_bytes
from mappings.errors import InputRefused
from mappings.plan import Plan
from mappings.schemes import SCHEME_FIELDS

NOT_ALL: Final = 1
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def _names(_context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
    names = tuple(name.strip() for name in (value or "").split(",") if name.strip())
    if value is not None and not names:
        raise InputRefused(f"{option.opts[0]} names nothing; name one or more, set apart by commas")
    return names


def _schemes(context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
    names = _names(context, option, value)
    possible = [name for name in SCHEME_FIELDS if name != "exact"]
    for name in names:
        if name not in possible:
            raise InputRefused(
                f"--schemes: {name!r} has no keys that bring candidates; choose among "
                f"{', '.join(possible)}"
            )
    return names


schemes_option: Final = click.option(
    "--schemes",
    metavar="NAME,...",
    callback=_schemes,
    help="Schemes whose keys bring candidates. [default: all of the plan]",
)


def canonical_options(command: Command) -> Command:
    """--canonical, and what its policies need."""
    for option in (
        click.option(
            "--authority",
            metavar="VALUE,...",
            callback=_names,
            help="Values of that field, best first.",
        ),
        click.option(
            "--canonical-field",
            metavar="NAME",
            type=Words(),
            default="",
            help="Field that earliest and authority read.",
        ),
        click.option(
            "--canonical",
            type=click.Choice([policy.value for policy in Policy]),
            default=Policy.FIRST.value,
            show_default=True,
            help="Which member of a group stays.",
        ),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("files", metavar="FILE|DIR|-...", nargs=-1, required=True)
@click.option("--write", metavar="FILE", help="Write the groups, a line of JSON each.")
@click.option(
    "--keep", metavar="FILE", help="Write the documents without the copies, as JSON lines."
)
@plan_option("Plan to compare under. [default: standard]")
@schemes_option
@click.option(
    "--trust-keys",
    metavar="N",
    type=AT_LEAST_ONE,
    help="Compare no texts: documents with N keys in common are near duplicates. Fast, and joins "
    "what shares a disclaimer.",
)
@canonical_options
@click.option(
    "--workers",
    type=click.IntRange(1, 1_000),
    help="Processes that work, this one among them; sentence keys that are trusted take one. "
    "[default: one a processor]",
)
@click.option(
    "--memory",
    metavar="SIZE",
    callback=size,
    help="Join keys past this size (500m, 2g) on disk, by DuckDB: extra corpus. "
    "[default: all in memory]",
)
@source_options
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def group(
    files: tuple[str, ...],
    write: str | None,
    keep: str | None,
    plan: Plan | None,
    schemes: tuple[str, ...],
    trust_keys: int | None,
    canonical: str,
    canonical_field: str,
    authority: tuple[str, ...],
    workers: int | None,
    memory: int | None,
    as_json: bool,
    **source: Any,
) -> None:
    """Group the documents of files by near duplicates; no store is needed.

    Each document is read once. Every line is a document of its own, also where an id comes twice.
    Partial copies and fillings of one form do not join a group.

    Exit status: 0 all were read, 1 some documents or lines were not, 2 and more an error.
    """
    for option, path in (("--write", write), ("--keep", keep)):
        check_not_read(path, option, *(name for name in files if name != "-"))
        check_writable(path, option)
    meta = meta_of(plan, source)
    check_schemes(schemes, meta.plan)
    grouping = policy_of(Policy(canonical), canonical_field, authority)
    fields = fields_of(meta.plan, schemes)
    wanted = Wanted(meta.plan, fields, grouping, trust_keys, keep is not None, memory)
    counts = Report()
    with scratch_folder() as folder:
        with progress(None, "comparing") as comparing:
            documents = _documents(files, source, meta, counts)
            work = Work(folder, workers or os.cpu_count() or 1, comparing)
            found = group_corpus(documents, wanted, work, counts.take)
        if counts.nothing:
            refuse_nothing(*files)
        if write is not None:
            save_lines(_lines(found), write, "--write")
        if keep is not None:
            save_lines(found.kept_lines(), keep, "--keep")
    if as_json:
        failed = {"rejected": counts.rejected, "bad_lines": counts.bad_lines}
        print_json({**to_json(found.report), **failed})
    else:
        _show(found.report, counts)
    sys.exit(NOT_ALL if counts.failed else FOUND)


def check_schemes(schemes: tuple[str, ...], plan: Plan) -> None:
    """Raise InputRefused for a scheme that the plan does not store."""
    for name in schemes:
        if name not in plan.schemes:
            raise InputRefused(
                f"--schemes: the plan does not store {name}; leave it out, or give a --plan that "
                "does"
            )


def _documents(
    files: tuple[str, ...], source: dict[str, Any], meta: IndexMeta, counts: Report
) -> Iterator[Document]:
    """The documents of all files; a bar shows how much of them was read."""
    sizes = [total_bytes(name, source["format"]) for name in files]  # tells what is missing
    known = [size for size in sizes if size is not None]
    total = sum(known) if len(known) == len(sizes) else None
    options = read_options(source, meta)
    with progress(total, "reading") as step:
        for name in files:
            items = read(name, options, progress=step, ignored=counts.ignore, noted=counts.note)
            yield from counts.readable(items)


def _lines(found: CorpusGroups) -> Iterator[bytes]:
    for each in found.groups:
        yield orjson.dumps(to_json(each), option=orjson.OPT_APPEND_NEWLINE)


def _show(report: CorpusReport, counts: Report) -> None:
    show(report, _bad(counts))


def show(report: CorpusReport, bad: str = "") -> None:
    """What was grouped, in lines. `bad`: what was not, in words."""
    part = report.copies / max(1, report.documents)
    saved = f"{_size(report.bytes_saved)} of {_size(report.bytes)} of text"
    groups = f"{counted(report.groups, 'group')} of two and more"
    say(f"{counted(report.documents, 'document')} in {groups}{bad}")
    copies = counted(report.copies, "copy")
    say(f"{copies} ({part:.1%}, {report.exact:,} of them exact): {saved}")
    if report.templates:
        say(f"{report.templates:,} pairs are fillings of one form and join nothing")
    if report.largest:
        say("largest groups:")
    for name, members in report.largest:
        say(f"{members:,}", name)
    if report.frequent_keys:
        note(
            f"{report.frequent_keys:,} keys are in very many documents: of copies that share no "
            "others some may be missing"
        )


def _bad(counts: Report) -> str:
    said = ((counts.rejected, "rejected"), (counts.bad_lines, "unreadable"))
    return "".join(f", {number:,} {what}" for number, what in said if number)


def _size(amount: float) -> str:
    unit = 0
    while amount >= 1_000 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1_000, unit + 1
    return f"{amount:,.0f} {_UNITS[unit]}" if not unit else f"{amount:.1f} {_UNITS[unit]}"
