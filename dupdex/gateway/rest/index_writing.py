"""An index that is open for writing, for as long as a request needs it."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from dupdex.gateway.services import Services
from dupdex.index import Index

_TURNS: Final[dict[tuple[str, str], threading.Lock]] = defaultdict(threading.Lock)


@contextmanager
def writing(services: Services, name: str) -> Iterator[Index]:
    """The index, open for writing. That of a folder has one writer at a time, so it is opened for
    this request alone: jobs and the command line write in between. Raises NotFound for no index,
    StoreRefused while another program writes.
    """
    if services.location.is_server:
        yield services.indices.for_writing(name)
        return
    services.indices.named(name)  # `create` would make an index that is not there
    with (
        _TURNS[(str(services.location.folder), name)],
        Index.create(services.session, index=name) as opened,
    ):
        yield opened
