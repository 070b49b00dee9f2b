"""check --file: the documents of a stream, looked up in batches, on several processes if wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from dupdex.cli.bank_asking import BankAsking, banks_in_json, is_denied
from dupdex.cli.nothing_found import note_filters
from dupdex.cli.nothing_read import nothing_in
from dupdex.cli.parameters import FAILED, FOUND, NONE_FOUND, print_json
from dupdex.cli.screen import note, progress, say
from dupdex.cli.sources import item_batches
from dupdex.index import Index
from dupdex.location import Location
from dupdex.lookup_batches import answered
from dupdex.wire import output
from dupdex.wire.bank_lines import bank_column
from dupdex.wire.counted import counted
from dupdex.wire.forms import to_json
from indexer.model import Document
from indexer.sources import BadLine, Item, ReadOptions, read, total_bytes
from indexer.sources.files import STDIN
from mappings.errors import TextRefused
from query.answers import Answer, Ref
from query.questions import Options, Question

BATCH: Final = 50


@dataclass(frozen=True, slots=True)
class Asking:
    """How the documents of a stream are looked up, and how answers are shown. `workers`: processes,
    of which this one asks `index` and the others open that of `where`."""

    index: Index
    where: Location
    options: Options
    itself: bool
    as_json: bool
    banks: BankAsking | None = None
    workers: int = 1

    def question(self, document: Document) -> Question:
        return Question(document.text, document.id, Ref("", document.id) if self.itself else None)


def check_stream(asking: Asking, source: str, read_as: ReadOptions) -> int:
    """Check every document; returns the exit status."""
    # a line that comes from another program is answered before the next one may come
    size = 1 if source == STDIN else BATCH
    with progress(total_bytes(source, read_as.format), "checking") as step:
        items = read(source, read_as, progress=step, noted=note)
        first = next(items, None)
        if first is None:
            note(nothing_in([source]))
            return NONE_FOUND
        status = _check_items(asking, chain((first,), items), size)
    if status == NONE_FOUND:
        note_filters(asking.index, asking.options.filters)
    return status


def _check_items(asking: Asking, items: Iterator[Item], size: int) -> int:
    any_found = bad = False
    lookups = left_out = 0
    for item, answer in _answered(asking, items, size):
        if isinstance(item, BadLine):
            bad = True
            note(f"{item.origin}: {item.message}")
            continue
        if not isinstance(answer, Answer):
            bad = True
            note(f"document {item.id!r}: {answer}")
            continue
        lookups += 1
        left_out += answer.left_out is not None
        from_banks = asking.banks.ask([item.text])[0] if asking.banks else None
        any_found |= bool(answer.matches) or is_denied(from_banks)
        if asking.as_json:
            print_json(to_json(answer) | banks_in_json(from_banks))
        else:
            say(*_columns(answer), *((bank_column(from_banks),) if from_banks else ()))
    if asking.itself and not asking.as_json:  # in JSON each answer says it
        note(
            f"left out (--self): stored documents of the same id, in {left_out:,} of "
            f"{counted(lookups, 'lookup')}"
        )
    return FAILED if bad else FOUND if any_found else NONE_FOUND


def _answered(
    asking: Asking, items: Iterator[Item], size: int
) -> Iterator[tuple[Item, Answer | TextRefused | None]]:
    """Each item with its answer, in order; None for a line that could not be read."""

    def questions(batch: list[Item]) -> list[Question]:
        return [asking.question(item) for item in batch if not isinstance(item, BadLine)]

    # a program that answers line by line cannot have others work ahead
    workers = asking.workers if size > 1 else 1
    to = asking.index, asking.where, asking.options
    for batch, answers in answered(item_batches(items, size), questions, *to, workers):
        each = iter(answers)
        for item in batch:
            yield item, None if isinstance(item, BadLine) else next(each)


def _columns(answer: Answer) -> tuple[str, ...]:
    if not answer.matches:
        return (str(answer.id), "none")
    best = answer.matches[0]
    more = (f"+{len(answer.matches) - 1} more",) if len(answer.matches) > 1 else ()
    return (str(answer.id), output.headline(best), best.id, *more)
