"""Where an interrupted `dupdex index` goes on."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from dupdex.cli.screen import note
from dupdex.index import Index
from dupdex.location import Location
from dupdex.session import Session
from indexer.sources import Place, ReadOptions
from indexer.sources.checkpoint import Checkpoint, state_folder


def checkpoint_of(
    where: Location, source: str, options: ReadOptions, but: Path, restart: bool
) -> AbstractContextManager[Checkpoint | None]:
    """The checkpoint of a file or folder; standard input and pipes cannot be read again."""
    if source == "-" or not (Path(source).is_file() or Path(source).is_dir()):
        return nullcontext()
    place = where.place if where.is_server else str(where.folder.resolve())
    state = state_folder(os.environ)
    checkpoint = Checkpoint.open(place, where.index, source, options, state, but=but)
    if restart:
        checkpoint.finish()
    elif checkpoint.changed:
        note(f"{source} or its options are not those of the interrupted run, beginning anew")
    return checkpoint


def begin_after(
    session: Session, source: str, checkpoint: Checkpoint, exists: bool
) -> Place | None:
    """The place to go on after: none when the index has lost the document of that place, because
    somebody removed the index, or made it again, since."""
    mark = checkpoint.mark
    if mark is None:
        return None
    file = str(Path(source) / mark.place.file) if mark.place.file else source
    if exists:
        with Index.open(session) as opened:
            if opened.get([mark.id]):
                note(f"going on after line {mark.place.line:,} of {file}; --restart begins anew")
                return mark.place
    note(f"the index does not hold line {mark.place.line:,} of {file} any more, beginning anew")
    return None
