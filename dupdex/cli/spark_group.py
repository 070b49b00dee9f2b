"""spark-group: a corpus past one machine grouped by a Spark job."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Literal

import click

from dupdex.cli.group import NOT_ALL, canonical_options, check_schemes, schemes_option, show
from dupdex.cli.parameters import FOUND, Words, plan_option, print_json
from dupdex.cli.screen import note
from dupdex.corpus.corpus_groups import fields_of
from dupdex.scratch import scratch_folder
from dupdex.wire.forms import to_json
from indexer.grouping import Grouping, Policy
from indexer.meta import IndexMeta
from indexer.sources.options import ReadOptions
from mappings.plan import STANDARD, Plan


@click.command("spark-group")
@click.argument("files", metavar="PATH...", nargs=-1, required=True)
@click.option("--write", metavar="DIR", help="Write the groups, in a new folder of JSON lines.")
@click.option(
    "--write-parquet", metavar="DIR", help="Write the groups, in a new folder of Parquet."
)
@click.option(
    "--keep",
    metavar="DIR",
    help="Write the documents without the copies, in a new folder of what was read.",
)
@plan_option("Plan to compare under. [default: standard]")
@schemes_option
@canonical_options
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["auto", "jsonl", "parquet"]),
    default="auto",
    help="Format of the input, which is in UTF-8. [default: by file name, else jsonl]",
)
@click.option(
    "--id-field",
    metavar="NAME",
    type=Words(),
    default="id",
    help="Field that holds the id. [default: id]",
)
@click.option(
    "--text-field",
    "text_fields",
    metavar="NAME",
    type=Words(),
    multiple=True,
    help="Field or dotted path of the text; several are joined. [default: text]",
)
@click.option("--make-ids", is_flag=True, help="Without an id, take a hash of the text.")
@click.option(
    "--master",
    metavar="URL",
    help="Where Spark runs. [default: as spark-submit says, else all cores of this machine]",
)
@click.option("--memory", metavar="SIZE", default="2g", show_default=True, help="Of the driver.")
@click.option(
    "--work",
    metavar="DIR",
    help="Folder for what the stages of the job hand on, which all machines of the cluster reach; "
    "it stays. [default: a temporary one]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def spark_group(
    files: tuple[str, ...],
    write: str | None,
    write_parquet: str | None,
    keep: str | None,
    plan: Plan | None,
    schemes: tuple[str, ...],
    canonical: str,
    canonical_field: str,
    authority: tuple[str, ...],
    file_format: Literal["auto", "jsonl", "parquet"],
    id_field: str,
    text_fields: tuple[str, ...],
    make_ids: bool,
    master: str | None,
    memory: str,
    work: str | None,
    as_json: bool,
) -> None:
    """Group the documents of files by near duplicates, as a Spark job.

    For corpora past one machine: the groups are those of 'dupdex group'. Needs dupdex[spark] and
    Java 17 or 21. PATH is a file, a folder or a pattern of JSON lines or Parquet, as Spark names
    them.

    Exit status: 0 all were read, 1 some documents or lines were not, 2 and more an error.
    """
    from dupdex.spark.spark_session import spark_session

    options = ReadOptions(
        format="jsonl",
        id_field=id_field,
        make_ids=make_ids,
        meta=IndexMeta(plan or STANDARD, text_fields or ("text",)),
    )
    check_schemes(schemes, options.meta.plan)
    grouping = Grouping(Policy(canonical), canonical_field, authority)
    with ExitStack() as open_ones:
        folder = work or str(open_ones.enter_context(scratch_folder()))
        session = open_ones.enter_context(spark_session(master, memory))
        from dupdex.spark.corpus_lines import FileCorpus  # only where there is a Spark
        from dupdex.spark.corpus_rows import Reading
        from dupdex.spark.spark_job import group_lines
        from dupdex.spark.spark_session import Stages

        reading = Reading(options, fields_of(options.meta.plan, schemes), grouping)
        corpus = FileCorpus(session, files, file_format)
        stages = Stages(session, folder)
        found = group_lines(corpus.lines(reading), reading, stages, note)
        if write is not None:
            found.write(write, "json")
        if write_parquet is not None:
            found.write(write_parquet, "parquet")
        if keep is not None:
            corpus.write(found.kept(), found.lines, keep)
    for where, why in found.examples:
        note(f"{where}: not read: {why}")
    if as_json:
        print_json({**to_json(found.report), "refused": found.refused})
    else:
        show(found.report, f", {found.refused:,} not read" if found.refused else "")
    sys.exit(NOT_ALL if found.refused else FOUND)
