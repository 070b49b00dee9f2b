"""check-store: is the index as dupdex left it, and if not, mend it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from dupdex.cli.parameters import FOUND, NONE_FOUND, location, print_json, store_options
from dupdex.cli.rejects import check_no_store, rejects_file
from dupdex.cli.screen import progress, say
from dupdex.store_check import check_store as check
from dupdex.store_check import repair_store
from indexer.soundness import Report


@click.command("check-store")
@click.option("--repair", is_flag=True, help="Mend what can be mended.")
@click.option(
    "--rejects",
    metavar="FILE",
    help="Where --repair puts rows of the embedded store that cannot be read. "
    "[default: INDEX-rejects.ndjson]",
)
@store_options
def check_store(
    repair: bool, rejects: str | None, store: str | None, index: str | None, as_json: bool
) -> None:
    """Check that an index is sound, and mend it on request.

    Every document must carry the keys that its text makes under the plan of the index. In the
    embedded store the file and every row are checked too, and postings and full text against the
    documents, both ways; in Elasticsearch the mapping. With --repair, fingerprints are made again
    from the texts, postings and full text from the documents.

    Exit status: 0 sound, 1 faults were found (and with --repair mended), 2 and more an error.
    """
    where = location(store, index)
    kept_in = rejects_file(where, rejects)
    with progress(None, "checking") as step:
        if repair:
            check_no_store(kept_in)
            before, after = repair_store(where, Path(kept_in), step)
        else:
            before = after = check(where, step)
    if as_json:
        repaired = {"left": after.to_json()["faults"]} if repair else {}
        print_json({"location": str(where), **before.to_json(), **repaired})
    else:
        for line in _lines(before):
            say(line)
        if repair and not before.is_sound:
            if aside := before.documents - after.documents:
                say(f"{aside:,} rows that cannot be read were moved to {kept_in}")
            say("all is mended" if after.is_sound else "mended, but for:")
            for line in _faults(after):
                say(line)
        elif not before.is_sound:
            say("'dupdex check-store --repair' mends what can be mended")
    sys.exit(FOUND if before.is_sound else NONE_FOUND)


def _lines(report: Report) -> Iterator[str]:
    verdict = "sound" if report.is_sound else f"{sum(report.counts.values()):,} faults"
    yield f"{report.documents:,} documents, {verdict}"
    yield from _faults(report)


def _faults(report: Report) -> Iterator[str]:
    for part, count in report.counts.items():
        examples = report.examples[part]
        yield f"{part.value}: {count:,}"
        yield from (f"  {fault}" for fault in examples)
        if count > len(examples):
            yield f"  and {count - len(examples):,} more"
