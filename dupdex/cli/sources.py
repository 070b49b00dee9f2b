"""Reading sources: the options that say how, and the count of what became of every document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import click

from dupdex.cli.parameters import Command, Words
from dupdex.cli.screen import note
from indexer.meta import IndexMeta
from indexer.model import Document, Outcome, Status
from indexer.sources import BadLine, Item, ReadOptions
from indexer.sources.seen import SeenIds
from mappings.plan import STANDARD, Plan


def source_options(command: Command) -> Command:
    """How files are read: fields, format, encoding."""
    for option in (
        click.option(
            "--encoding",
            metavar="NAME",
            default="auto",
            help="As Python names it: gb18030, big5, ... [default: UTF-8, else GB18030]",
        ),
        click.option(
            "--format",
            type=click.Choice(["auto", "jsonl", "csv", "text"]),
            default="auto",
            help="Format of the input. [default: by file name]",
        ),
        click.option("--make-ids", is_flag=True, help="Without an id, take a hash of the text."),
        click.option(
            "--title-field",
            metavar="NAME",
            type=Words(),
            help="Field or dotted path of the title. [default: title]",
        ),
        click.option(
            "--text-field",
            metavar="NAME",
            type=Words(),
            multiple=True,
            help="Field or dotted path of the text; several are joined. [default: text]",
        ),
        click.option(
            "--id-field",
            metavar="NAME",
            type=Words(),
            default="id",
            help="Field that holds the id. [default: id]",
        ),
    ):
        command = option(command)
    return command


def read_options(source: dict[str, Any], meta: IndexMeta) -> ReadOptions:
    """The options of `source_options`, for an index that reads its text as `meta` says."""
    return ReadOptions(
        format=source["format"],
        encoding=source["encoding"],
        id_field=source["id_field"],
        make_ids=source["make_ids"],
        meta=meta,
    )


@dataclass
class Report:
    """Counts of one run, and the messages about what was not stored."""

    created: int = 0
    updated: int = 0
    rejected: int = 0
    bad_lines: int = 0
    passed_over: int = 0
    twice: int = 0
    ignored: int = 0
    shown: int = 20
    _seen: SeenIds = field(default_factory=SeenIds)

    @property
    def stored(self) -> int:
        return self.created + self.updated

    @property
    def failed(self) -> bool:
        """Whether anything was not stored."""
        return bool(self.rejected or self.bad_lines or self.passed_over)

    def documents(
        self, items: Iterable[Item], keep: Callable[[BadLine], None] | None = None
    ) -> Iterator[Document]:
        """The documents of a source, of which the last of an id stays; see `readable`."""
        for document in self.readable(items, keep):
            if self._seen.add([document.id])[0]:
                self.twice += 1
                message = f"{document.origin}: id {document.id!r} again; the last one stays"
                self._say(self.twice, message)
            yield document

    def readable(
        self, items: Iterable[Item], keep: Callable[[BadLine], None] | None = None
    ) -> Iterator[Document]:
        """The documents of a source; bad lines are reported, given to `keep`, and passed over."""
        for item in items:
            if isinstance(item, BadLine):
                self.bad_lines += 1
                if keep:
                    keep(item)
                self._say(self.bad_lines, f"{item.origin}: {item.message}")
            else:
                yield item

    def ignore(self, path: object) -> None:
        """Count a file of a folder that is not read."""
        self.ignored += 1
        self._say(self.ignored, f"{path}: not read, its name is none that is looked for")

    def take(self, outcome: Outcome) -> None:
        """Count one outcome; say why a document was refused."""
        if outcome.status is Status.CREATED:
            self.created += 1
        elif outcome.status is Status.UPDATED:
            self.updated += 1
        else:
            self.rejected += 1
            document = outcome.document
            where = document.origin or "document"
            self._say(self.rejected, f"{where}: id {document.id!r} not stored: {outcome.reason}")

    def _say(self, number: int, message: str) -> None:
        if number <= self.shown:
            note(message)
        elif number == self.shown + 1:
            note("further messages of this kind are counted, not shown")

    @property
    def problems(self) -> str:
        """The part of the summary that is about what went wrong, empty when nothing did."""
        counts = (
            (self.twice, "with an id that came before (the last one stays)"),
            (self.rejected, "rejected"),
            (self.bad_lines, "unreadable"),
        )
        return "".join(f", {number:,} {what}" for number, what in counts if number)

    def to_json(self) -> dict[str, int]:
        return {
            "created": self.created,
            "updated": self.updated,
            "rejected": self.rejected,
            "bad_lines": self.bad_lines + self.passed_over,
            "ids_twice": self.twice,
        }


def meta_of(plan: Plan | None, source: dict[str, Any]) -> IndexMeta:
    """What a new index is to say of itself, from the options."""
    return IndexMeta(
        plan or STANDARD,
        tuple(source["text_field"]) or ("text",),
        source["title_field"] or "title",
    )
