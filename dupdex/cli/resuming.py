"""Resuming an interrupted `dupdex index`."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext

from dupdex.cli.screen import note
from dupdex.index import Index
from dupdex.location import Location, target_of
from dupdex.session import Session
from indexer.sources import FileSource
from indexer.sources.checkpoint import Checkpoint, Reached, state_folder


def checkpoint_of(
    where: Location, source: FileSource, restart: bool
) -> AbstractContextManager[Checkpoint | None]:
    """The checkpoint of a file or folder; standard input and pipes cannot be read again."""
    if source.state() is None:
        return nullcontext()
    to = target_of(where)
    checkpoint = Checkpoint.open(to.store, to.index, source, state_folder(os.environ))
    if restart:
        checkpoint.finish()
    elif checkpoint.changed:
        note(f"{source.name} or its options are not those of the interrupted run, beginning anew")
    return checkpoint


def begin_after(
    session: Session, source: FileSource, checkpoint: Checkpoint, exists: bool
) -> Reached | None:
    """What to go on after: none when the index has lost the document of that mark, because somebody
    removed the index, or made it again, since."""
    reached = checkpoint.reached
    if reached is None:
        return None
    if exists:
        with Index.open(session) as opened:
            if opened.get([reached.id]):
                note(f"going on after {source.describe(reached.mark)}; --restart begins anew")
                return reached
    note(f"the index does not hold {source.describe(reached.mark)} any more, beginning anew")
    return None
