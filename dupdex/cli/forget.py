"""forget: a document goes without a trace."""

from __future__ import annotations

import sys

import click

from dupdex.cli.parameters import FOUND, NONE_FOUND, Words, location, print_json, store_options
from dupdex.cli.screen import confirmed, note, say_all
from dupdex.index import Index
from dupdex.session import Session
from dupdex.wire.forms import to_json
from dupdex.wire.record_lines import left_lines, receipt_lines


@click.command()
@click.argument("document_id", metavar="ID", type=Words())
@click.option("--verify", is_flag=True, help="Remove nothing; only search for what is left.")
@click.option(
    "--purge",
    is_flag=True,
    help="Then write the files of the index anew, which hold removed text for a while.",
)
@click.option("--yes", is_flag=True, help="Do not ask. Only a terminal is asked at all.")
@store_options
def forget(
    document_id: str,
    verify: bool,
    purge: bool,
    yes: bool,
    store: str | None,
    index: str | None,
    as_json: bool,
) -> None:
    """Remove a document and all that is kept of it, and print a receipt.

    That is the document, its keys, its pairs, what was decided about it and when, its pins, and its
    id wherever a group has it. Then every place is searched: the receipt says what is left. Not
    reached are backups, files that documents were read from, and files of rejected documents.
    --verify searches again, at any time. What no search finds may still be on the disk, in parts of
    files that are free: --purge takes as long as copying the index.

    Exit status: 0 nothing is left, 1 something is, or there was nothing to remove, 2 and more an
    error.
    """
    where = location(store, index)
    session = click.get_current_context().with_resource(Session(where))
    if verify:
        with Index.open(session) as opened:
            left = tuple(opened.left_of(document_id))
        if as_json:
            print_json({"id": document_id, "left": list(left)})
        else:
            say_all(left_lines(left))
        sys.exit(NONE_FOUND if left else FOUND)
    session.reader()  # a mistyped --index must not make a new one, in which nothing is left
    asks = not yes and sys.stdin.isatty()
    if asks and not confirmed(f"Forget {document_id} in {where}? It cannot be undone."):
        note("nothing was removed")
        sys.exit(NONE_FOUND)
    with Index.create(session) as opened:
        receipt = opened.forget_document(document_id)
    if purge and (kept := session.purge()):
        note(f"the server still holds {kept} removed documents, for copies that are away")
    if as_json:
        print_json(to_json(receipt))
    else:
        say_all(receipt_lines(receipt))
    sys.exit(FOUND if receipt.anything and not receipt.left else NONE_FOUND)
