"""kibana: data views and dashboards of an index, as a file or sent to Kibana."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import click

from dupdex.cli.parameters import Command, Words, location, print_json, store_options
from dupdex.cli.saving import save_lines
from dupdex.cli.screen import note, say
from dupdex.kibana.chinese_titles import in_chinese
from dupdex.kibana.console_links import DEFAULT_CONSOLE, ConsoleLinks
from dupdex.kibana.index_facts import absent_collections, check_field, facts_of
from dupdex.kibana.kibana_objects import kibana_objects
from dupdex.kibana.saved_objects import SavedObject, as_lines
from dupdex.location import Location
from dupdex.session import Session
from mappings.errors import InputRefused

_ENDING = ".ndjson"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The options that both commands take."""

    date_field: str
    source_field: str
    console: str
    language: str
    store: str | None
    index: str | None

    @property
    def where(self) -> Location:
        return location(self.store, self.index)

    def objects(self) -> list[SavedObject]:
        """The objects of the index; what they cannot show yet is said."""
        links = ConsoleLinks(self.console, self.where.index)
        with Session(self.where) as session:
            facts = facts_of(session, self.date_field, self.source_field, links)
            absent = absent_collections(session, facts)
        for way in dict.fromkeys(absent.values()):
            names = ", ".join(name for name, each in absent.items() if each == way)
            note(f"the index keeps no {names} yet; '{way}' makes them")
        if not facts.source_field:
            note("no dashboard about sources is made; name their field with --source-field")
        objects = kibana_objects(facts)
        return in_chinese(objects, facts.index) if self.language == "zh" else objects


_source_field = click.option(
    "--source-field",
    metavar="FIELD",
    default="",
    type=Words(),
    help="Field with the source of a document (a site, an account), for what is about sources.",
)
_date_field = click.option(
    "--date-field",
    metavar="FIELD",
    default="",
    type=Words(),
    help="Field with the time of a document, mapped as a date. [default: when it was written to "
    "the index]",
)


def _shared(command: Command) -> Command:
    for option in (
        click.option(
            "--index",
            metavar="NAME",
            type=Words(),
            help="Name of the index. [env: DUPDEX_INDEX; default: dupdex]",
        ),
        click.option(
            "--store", metavar="URL", help="Elasticsearch URL. [env: DUPDEX_STORE; default: none]"
        ),
        click.option(
            "--console",
            metavar="URL",
            default=DEFAULT_CONSOLE,
            show_default=True,
            type=Words(),
            help="Where 'dupdex serve' can be reached by the reader's browser, for links.",
        ),
        click.option(
            "--language",
            type=click.Choice(["en", "zh"]),
            default="en",
            show_default=True,
            help="Of titles and labels.",
        ),
        _source_field,
        _date_field,
    ):
        command = option(command)
    return command


@click.group()
def kibana() -> None:
    """Make data views and dashboards for Kibana.

    Data views of the documents, the verified pairs, the groups and the jobs of an index, two lists
    for Discover, and the dashboards "Duplicates" and "Copying between sources". They hold no
    scripts. Import them again after an update, they are replaced.

    Exit status: 0 done, 2 and more an error.
    """


@kibana.command()
@store_options
@_source_field
@_date_field
def copies(
    date_field: str, source_field: str, store: str | None, index: str | None, as_json: bool
) -> None:
    """List all copies with their originals, beside the index.

    Who copies whom can be asked of this list alone: each of its items has the sources and times of
    both documents. It says how things are when it is made; run it after each sweep, as from 'dupdex
    schedule'. Times may also be strings.
    """
    from dupdex.report.copy_list import CopyFields, list_copies  # only used here

    with Session(location(store, index)) as session:
        check_field(session, source_field, "--source-field")
        check_field(session, date_field, "--date-field")
        done = list_copies(session, CopyFields(source_field, date_field))
    if as_json:
        print_json(asdict(done))
    else:
        say(
            f"{done.copies:,} copies of {done.originals:,} originals listed, {done.across:,} of "
            "them from another source"
        )


@kibana.command()
@click.argument("file", metavar="[FILE.ndjson]", required=False)
@_shared
def export(
    file: str | None,
    date_field: str,
    source_field: str,
    console: str,
    language: str,
    store: str | None,
    index: str | None,
) -> None:
    """Write the objects to a file, or print them.

    Kibana imports the file under Stack Management, Saved Objects.
    """
    if file is not None and not file.endswith(_ENDING):
        raise InputRefused(f"Kibana takes no file but {_ENDING}; write {file + _ENDING!r}")
    wanted = _Wanted(date_field, source_field, console, language, store, index)
    objects = wanted.objects()
    if file is None:
        for each in objects:
            print_json(each.to_json())
        return
    save_lines(as_lines(objects), file, "FILE")
    say(f"wrote {len(objects)} objects to {file}")


@kibana.command("import")
@click.argument("url", metavar="URL")
@click.option("--space", metavar="ID", default="", type=Words(), help="Space of Kibana.")
@click.option(
    "--overwrite/--no-overwrite",
    default=True,
    show_default=True,
    help="Replace objects that are there, or refuse when there are any.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_shared
def import_(
    url: str,
    space: str,
    overwrite: bool,
    as_json: bool,
    date_field: str,
    source_field: str,
    console: str,
    language: str,
    store: str | None,
    index: str | None,
) -> None:
    """Send the objects to Kibana.

    URL is that of Kibana, with its base path if it has one. Credentials are those of the store:
    DUPDEX_API_KEY, or DUPDEX_USERNAME with DUPDEX_PASSWORD, and DUPDEX_CA_FILE; or a user and a
    password in the URL.
    """
    from dupdex.kibana.importing import KibanaServer, import_objects  # HTTP is only used here

    wanted = _Wanted(date_field, source_field, console, language, store, index)
    where = wanted.where
    server = KibanaServer(url, space, where.username, where.password, where.api_key, where.ca_file)
    objects = wanted.objects()
    done = import_objects(server, as_lines(objects), overwrite=overwrite)
    boards = {
        str(each.attributes["title"]): f"{server.base}/app/dashboards#/view/"
        f"{done.ids.get(each.id, each.id)}"
        for each in objects
        if each.type == "dashboard"
    }
    if as_json:
        print_json({"imported": done.count, "dashboards": boards})
        return
    say(f"imported {done.count} objects into {server.base}")
    for title, address in boards.items():
        say(f"{title}: {address}")
