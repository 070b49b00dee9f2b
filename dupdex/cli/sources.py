"""Reading sources: the options that say how, and the count of what became of every document."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

import click

from dupdex.cli.parameters import AT_LEAST_ONE, Command, Words
from dupdex.cli.screen import note
from indexer.meta import IndexMeta
from indexer.model import Document, Outcome, Status
from indexer.sources import BadLine, Format, Item, ReadOptions
from indexer.sources.seen import SeenIds
from indexer.weight import batches, weight
from mappings.errors import InputRefused
from mappings.index_body import is_ours
from mappings.plan import STANDARD, Plan


def _field(_context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """A field of the user's documents, which is not one of dupdex's. Raises InputRefused."""
    if value is not None and not value.strip():
        raise InputRefused(f"{option.opts[0]} names no field; name one, or leave it out")
    if value is not None and is_ours(value):
        raise InputRefused(
            f"{option.opts[0]} {value!r} is where dupdex keeps its own values; name another field"
        )
    return value


def _fields(
    context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    for value in values:
        _field(context, option, value)
        if values.count(value) > 1:
            raise InputRefused(f"{option.opts[0]} names {value!r} twice; name each field once")
    return values


_FORMATS: Final = (
    click.option(
        "--encoding",
        metavar="NAME",
        default="auto",
        help="As Python names it: gb18030, big5, ... [default: UTF-8, else GB18030]",
    ),
    click.option(
        "--split",
        type=AT_LEAST_ONE,
        metavar="CHARACTERS",
        help="Cut a novel without headings into documents of about so many characters.",
    ),
    click.option(
        "--format",
        type=click.Choice(get_args(Format)),
        default="auto",
        help="Format of the input; a novel is a text file that is cut into its chapters. "
        "[default: by file name; of a pipe, jsonl]",
    ),
)


def source_options(command: Command) -> Command:
    """How files are read: fields, format, encoding."""
    for option in (
        *_FORMATS,
        click.option("--make-ids", is_flag=True, help="Without an id, take a hash of the text."),
        click.option(
            "--title-field",
            metavar="NAME",
            type=Words(),
            callback=_field,
            help="Field or dotted path of the title. [default: title]",
        ),
        click.option(
            "--text-field",
            metavar="NAME",
            type=Words(),
            multiple=True,
            callback=_fields,
            help="Field or dotted path of the text; several are joined. [default: text]",
        ),
        click.option(
            "--id-field",
            metavar="NAME",
            type=Words(),
            callback=_field,
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
        split=source["split"] or 0,
        meta=meta,
    )


@dataclass
class Report:
    """Counts of one run, and the messages about what was not stored.

    A run that goes on where another was interrupted begins with the `tally` of that one.
    """

    created: int = 0
    updated: int = 0
    rejected: int = 0
    bad_lines: int = 0
    passed_over: int = 0
    elsewhere: int = 0
    outdated: int = 0
    twice: int = 0
    ignored: int = 0
    noted: int = 0
    shown: int = 20
    before: Mapping[str, int] = field(default_factory=dict)
    _seen: SeenIds = field(default_factory=SeenIds)
    _read: int = 0
    _settled: int = 0
    _settled_bad_lines: int = 0
    _ahead: deque[list[int]] = field(default_factory=deque)  # documents read before, bad lines

    @property
    def stored(self) -> int:
        return self.created + self.updated

    @property
    def all_rejected(self) -> int:
        """The count of this run and of the interrupted runs that it continues."""
        return self.rejected + self.before.get("rejected", 0)

    @property
    def all_bad_lines(self) -> int:
        """The count of this run and of the interrupted runs that it continues."""
        return self.bad_lines + self.before.get("bad_lines", 0)

    @property
    def failed(self) -> bool:
        """Whether anything was not stored."""
        rejected = self.all_rejected + self.elsewhere + self.outdated
        return bool(rejected or self.all_bad_lines or self.passed_over)

    @property
    def nothing(self) -> bool:
        """Whether the source held nothing, not even what could not be read."""
        return not (self._read or self.failed)

    @property
    def tally(self) -> dict[str, int]:
        """What was not stored up to the last document whose outcome is known: lines that were read
        ahead of it are not counted, as a run that goes on after it reads them again.
        """
        bad_lines = self.before.get("bad_lines", 0) + self._settled_bad_lines
        return {"rejected": self.all_rejected, "bad_lines": bad_lines}

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
                self._count_bad_line()
                if keep:
                    keep(item)
                self._say(self.bad_lines, f"{item.origin}: {item.message}")
            else:
                self._read += 1
                yield item

    def _count_bad_line(self) -> None:
        self.bad_lines += 1
        if not self._ahead or self._ahead[-1][0] != self._read:
            self._ahead.append([self._read, 0])
        self._ahead[-1][1] += 1

    def note(self, message: str) -> None:
        """Report a remark about a file that was read."""
        self.noted += 1
        self._say(self.noted, message)

    def stays_elsewhere(self, message: str) -> None:
        """Count a rejected document that was meant for another index."""
        self.elsewhere += 1
        self._say(self.elsewhere, message)

    def is_outdated(self, message: str) -> None:
        """Count a rejected document of which the index holds a newer version."""
        self.outdated += 1
        self._say(self.outdated, message)

    def ignore(self, path: object) -> None:
        """Count a file of a folder that is not read."""
        self.ignored += 1
        self._say(self.ignored, f"{path}: not read, its name is none that is looked for")

    def take(self, outcome: Outcome) -> None:
        """Count one outcome, in the order of the documents; say why one was refused."""
        self._settled += 1
        while self._ahead and self._ahead[0][0] < self._settled:
            self._settled_bad_lines += self._ahead.popleft()[1]
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
        """The part of the summary about failures; empty when there were none."""
        counts = (
            (self.twice, "with an id that came before (the last one stays)"),
            (self.all_rejected, "rejected"),
            (self.all_bad_lines, "unreadable"),
            (self.elsewhere, "meant for another index"),
            (self.outdated, "older than what is stored"),
        )
        said = "".join(f", {number:,} {what}" for number, what in counts if number)
        if number := sum(self.before.values()):
            said += f", {number:,} of them before the interruption"
        return said

    def to_json(self) -> dict[str, int]:
        return {
            "created": self.created,
            "updated": self.updated,
            "rejected": self.all_rejected + self.elsewhere + self.outdated,
            "bad_lines": self.all_bad_lines + self.passed_over,
            "ids_twice": self.twice,
        }


def item_batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Lists of `size` items, shorter ones when the documents are long."""
    return batches(items, size, lambda item: weight(item.body) if isinstance(item, Document) else 0)


def meta_of(plan: Plan | None, source: dict[str, Any]) -> IndexMeta:
    """The meta of a new index, from the options."""
    return IndexMeta(
        plan or STANDARD,
        tuple(source["text_field"]) or ("text",),
        source["title_field"] or "title",
    )
