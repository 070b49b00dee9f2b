"""spark-group: a corpus past one machine grouped by a Spark job."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from dupdex.cli.group import NOT_ALL, canonical_options, check_schemes, schemes_option, show
from dupdex.cli.grouping_options import policy_of
from dupdex.cli.parameters import FOUND, Words, location, plan_option, print_json
from dupdex.cli.screen import note, say
from dupdex.corpus.corpus_groups import fields_of
from dupdex.location import Location
from dupdex.scratch import scratch_folder
from dupdex.wire.forms import to_json
from indexer.grouping import Grouping, Policy
from indexer.meta import IndexMeta
from indexer.sources.options import ReadOptions
from mappings.errors import InputRefused
from mappings.plan import STANDARD

if TYPE_CHECKING:
    from dupdex.spark.spark_job import SparkGroups
    from dupdex.spark.spark_session import Stages


@click.command("spark-group")
@click.argument("files", metavar="PATH...", nargs=-1)
@click.option("--write", metavar="DIR", help="Write the groups, in a new folder of JSON lines.")
@click.option(
    "--write-parquet", metavar="DIR", help="Write the groups, in a new folder of Parquet."
)
@click.option(
    "--keep",
    metavar="DIR",
    help="Write the documents without the copies, in a new folder of what was read.",
)
@click.option(
    "--index", metavar="NAME", type=Words(), help="Group the documents of this index, not of files."
)
@click.option("--store", metavar="URL", help="Elasticsearch URL of the index. [env: DUPDEX_STORE]")
@click.option(
    "--into-index",
    is_flag=True,
    help="Write the id of its group to each document of the index; not where groups are kept.",
)
@plan_option("Plan to compare under. [default: standard, or that of the index]")
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
def spark_group(files: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Group the documents of files by near duplicates, as a Spark job.

    For corpora past one machine: the groups are those of 'dupdex group'. Needs dupdex[spark] and
    Java 17 or 21. PATH is a file, a folder or a pattern of JSON lines or Parquet, as Spark names
    them; or name an index of a server.

    Exit status: 0 all were read, 1 some documents or lines were not, 2 and more an error.
    """
    where = _location(files, asked)
    with ExitStack() as open_ones:
        from dupdex.spark.spark_session import Stages, spark_session

        folder = asked["work"] or str(open_ones.enter_context(scratch_folder()))
        session = open_ones.enter_context(spark_session(asked["master"], asked["memory"]))
        stages = Stages(session, folder)
        if where is None:
            found = _of_files(files, stages, asked)
        else:
            found = _of_index(where, stages, asked)
        for kind, option in (("json", "write"), ("parquet", "write_parquet")):
            if asked[option] is not None:
                found.write(asked[option], kind)
        if where is not None and asked["into_index"]:
            from dupdex.spark.index_lines import write_groups

            say(f"{write_groups(found, where):,} documents are in another group now", err=as_json)
    for name, why in found.examples:
        note(f"{name}: not read: {why}")
    if as_json:
        print_json({**to_json(found.report), "refused": found.refused})
    else:
        show(found.report, f", {found.refused:,} not read" if found.refused else "")
    sys.exit(NOT_ALL if found.refused else FOUND)


def _location(files: tuple[str, ...], asked: dict[str, Any]) -> Location | None:
    """Where the index is; None for files. Raises InputRefused."""
    if bool(files) == (asked["index"] is not None):
        raise InputRefused("name either files or, with --index, an index to group")
    if files:
        if asked["into_index"]:
            raise InputRefused("--into-index needs --index; files are written with --write")
        return None
    where = location(asked["store"], asked["index"])
    if not where.is_server:
        raise InputRefused(
            f"{where.store} is an embedded store, which one machine reads; run 'dupdex sweep', or "
            "name a server with --store"
        )
    if asked["keep"] is not None:
        raise InputRefused("--keep is for files; of an index, search with one hit a group")
    return where


def _of_files(files: tuple[str, ...], stages: Stages, asked: dict[str, Any]) -> SparkGroups:
    from dupdex.spark.corpus_lines import FileCorpus
    from dupdex.spark.corpus_rows import Reading
    from dupdex.spark.spark_job import group_lines

    meta = IndexMeta(asked["plan"] or STANDARD, asked["text_fields"] or ("text",))
    check_schemes(asked["schemes"], meta.plan)
    options = ReadOptions(
        "jsonl", id_field=asked["id_field"], make_ids=asked["make_ids"], meta=meta
    )
    reading = Reading(options, fields_of(meta.plan, asked["schemes"]), _grouping(asked))
    corpus = FileCorpus(stages.session, files, asked["file_format"])
    found = group_lines(corpus.lines(reading), reading, stages, note)
    if asked["keep"] is not None:
        corpus.write(found.kept(), found.lines, asked["keep"])
    return found


def _of_index(where: Location, stages: Stages, asked: dict[str, Any]) -> SparkGroups:
    from dupdex.session import Session
    from dupdex.spark.corpus_rows import Reading
    from dupdex.spark.index_lines import ID, check_writable, lines_of_index
    from dupdex.spark.spark_job import group_lines
    from query.stores.elastic.slices import moment_of

    if asked["into_index"]:
        check_writable(where)
    with Session(where) as session:
        meta = session.reader(plan=asked["plan"]).meta
    check_schemes(asked["schemes"], meta.plan)
    options = ReadOptions("jsonl", id_field=ID, meta=meta)
    fields = fields_of(meta.plan, asked["schemes"])
    reading = Reading(options, fields, _grouping(asked), meta.boilerplate)
    slices = 2 * stages.session.sparkContext.defaultParallelism
    with moment_of(where.elastic) as moment:
        return group_lines(
            lines_of_index(stages.session, where, moment, slices), reading, stages, note
        )


def _grouping(asked: dict[str, Any]) -> Grouping:
    return policy_of(Policy(asked["canonical"]), asked["canonical_field"], asked["authority"])
