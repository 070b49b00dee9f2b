"""One Elasticsearch for all test processes of a run, started when the first of them asks for it."""

from __future__ import annotations

import threading
from contextlib import ExitStack, suppress
from multiprocessing.connection import Client, Listener
from typing import Final

from tests.servers import NoServerError, test_server

_STOP: Final = "stop"
_ASK: Final = "url"


class SharedServer:
    """Lives in the process that controls the others, until `close`; `url_from` asks it.

    Processes that ask while the server starts wait for it.
    """

    def __init__(self, version: str | None) -> None:
        self._version = version
        self._listener = Listener(family="AF_UNIX")
        self.address = str(self._listener.address)
        self._thread = threading.Thread(target=self._answer, name="shared-server")
        self._thread.start()

    def close(self) -> None:
        """Stop the server, if one was started."""
        with (
            suppress(OSError),  # an error has ended the thread
            Client(self.address) as connection,
        ):
            connection.send(_STOP)
        self._thread.join()

    def _answer(self) -> None:
        answer: tuple[str, str] | None = None
        with self._listener, ExitStack() as running:
            while True:
                with self._listener.accept() as asking:
                    if asking.recv() == _STOP:
                        return
                    answer = answer or self._start(running)
                    asking.send(answer)

    def _start(self, running: ExitStack) -> tuple[str, str]:
        """The URL, or why there is none."""
        try:
            return running.enter_context(test_server(self._version)), ""
        except NoServerError as problem:
            return "", str(problem)


def url_from(address: str) -> str:
    """The URL of the shared server; raises NoServerError with its reasons."""
    with Client(address) as connection:
        connection.send(_ASK)
        url, problem = connection.recv()
    if problem:
        raise NoServerError(problem)
    return str(url)
