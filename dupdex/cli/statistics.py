"""statistics: count the words of a corpus, for the schemes that tell common words from rare."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, Final

import click

from dupdex.cli.parameters import Words, plan_option, print_json
from dupdex.cli.saving import check_not_read, save
from dupdex.cli.screen import note, progress, say
from dupdex.cli.sources import Report, meta_of, read_options, source_options
from indexer.model import Document
from indexer.sources import read
from indexer.text.corpus_statistics import Census, data_folder, from_bytes, install, version_of
from mappings.plan import STANDARD, Plan

AT_ONCE: Final = 100_000
"""Characters counted together."""


@click.command()
@click.argument("source", metavar="FILE|DIR|-", type=Words())
@plan_option("Plan whose words are counted: standard, characters, or a file. [default: standard]")
@click.option(
    "--write", "path", metavar="FILE", help="Write the table to a file, too, for other machines."
)
@source_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def statistics(
    source: str, plan: Plan | None, path: str | None, as_json: bool, **options: Any
) -> None:
    """Count the words of your texts, for schemes that weigh them.

    In how many documents a word comes decides for I-Match and TF-IDF, how often an initial comes
    for dna. The table is put into $XDG_DATA_HOME/dupdex (by default ~/.local/share/dupdex) and
    named by its digest; a plan that holds "statistics": "sha256-..." uses it. Other machines need
    the same file there. Without copies in the source the counts are better.

    Exit status: 0 made, 2 and more an error.
    """
    check_not_read(path, "--write", source)
    chosen = plan or STANDARD
    report, census = Report(), Census(chosen)
    with progress(None, "documents") as step:
        items = read(
            source,
            read_options(options, meta_of(chosen, options)),
            ignored=report.ignore,
            noted=report.note,
        )
        for texts in _batches(report.documents(items)):
            census.add(texts)
            step(len(texts))
    if report.problems:
        note(f"of the source were left out or doubled{report.problems.replace(',', ':', 1)}")
    content = census.to_bytes()
    if path is not None:
        save(content, path, "--write")
    placed, version = install(content, data_folder(os.environ)), version_of(content)
    words = len(from_bytes(content).frequencies)
    if as_json:
        facts = {"statistics": version, "documents": census.documents, "words": words}
        print_json({**facts, "file": str(placed)})
        return
    say(f"{version}: {words:,} words of {census.documents:,} documents, in {placed}")
    note(f'to use it, put "statistics": "{version}" into a plan file')


def _batches(documents: Iterable[Document]) -> Iterator[list[str]]:
    texts: list[str] = []
    size = 0
    for document in documents:
        texts.append(document.text)
        size += len(document.text)
        if size >= AT_ONCE:
            yield texts
            texts, size = [], 0
    if texts:
        yield texts
