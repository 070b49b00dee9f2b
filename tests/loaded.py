"""The command line in a process of its own that begins with all modules and tables loaded.

Loading them is most of a short run, and tests make hundreds. One process per test process
loads them and runs nothing; each run is forked from it, with the arguments, folder, environment
and streams of its own, and ends as any Python process does. What depends on how a process starts
(signals, closed streams, a terminal, PYTHON* variables) uses the installed script instead.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

_LENGTH: Final = struct.Struct("!I")
_NUMBER: Final = struct.Struct("!i")
_STREAMS: Final = 3


class Loaded:
    """The process that has everything loaded, seen from the tests."""

    def __init__(self, script: str) -> None:
        self._control, theirs = socket.socketpair()
        self._turn = threading.Lock()
        with theirs:
            # Pipes, as a run has: the streams are made when Python starts, and keep their kind.
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno()), script],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
            )

    def close(self) -> None:
        """End it; runs that are under way go on."""
        self._control.close()
        self._process.communicate()

    def run(
        self,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        stdin: bytes,
        seconds: float,
    ) -> tuple[int, bytes, bytes]:
        """One run to its end: the exit status, as `subprocess` says it, and what it printed."""
        pipes = [os.pipe() for _ in range(_STREAMS)]
        (for_in, feed), (out, for_out), (err, for_err) = pipes
        report, theirs = socket.socketpair()
        with report:
            self._ask([for_in, for_out, for_err, theirs.fileno()], arguments, folder, environment)
            theirs.close()
            for each in (for_in, for_out, for_err):
                os.close(each)
            report.settimeout(seconds)
            printed: dict[int, bytes] = {}
            threads = [
                threading.Thread(target=_feed, args=(feed, stdin)),
                threading.Thread(target=_read, args=(out, printed)),
                threading.Thread(target=_read, args=(err, printed)),
            ]
            for thread in threads:
                thread.start()
            (pid,) = _NUMBER.unpack(_received(report, _NUMBER.size))
            try:
                (status,) = _NUMBER.unpack(_received(report, _NUMBER.size))
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                raise
            finally:
                for thread in threads:
                    thread.join()
        return status, printed[out], printed[err]

    def _ask(
        self,
        descriptors: list[int],
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
    ) -> None:
        message = json.dumps([list(arguments), str(folder), dict(environment)]).encode()
        with self._turn:
            socket.send_fds(self._control, [_LENGTH.pack(len(message))], descriptors)
            self._control.sendall(message)


def _feed(descriptor: int, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), open(descriptor, "wb", buffering=0) as pipe:
        view = memoryview(data)
        while view:
            view = view[pipe.write(view) :]


def _read(descriptor: int, printed: dict[int, bytes]) -> None:
    with open(descriptor, "rb") as pipe:
        printed[descriptor] = pipe.read()


def _received(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise ConnectionError("the process that runs the command line has ended")
        data += part
    return data


# --- in the process that has everything loaded


def _load() -> None:
    """What a run would import, also what only one kind of store needs, and read."""
    import query.stores.elastic.elastic_reader
    import query.stores.embedded.embedded_reader  # noqa: F401
    from dupdex.cli import cli
    from indexer.fingerprints import fingerprint_of
    from mappings.plan import STANDARD

    assert all(cli.commands.values())  # loads each
    fingerprint_of("表格 and words", STANDARD)


def _next_run(control: socket.socket) -> list[Any]:
    """Serve until there is nobody to serve. Returns in the processes of the runs only."""
    hears = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests and the runs
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait for the runs
    while True:
        head, descriptors, _, _ = socket.recv_fds(control, _LENGTH.size, _STREAMS + 1)
        if not head:
            os._exit(0)
        (length,) = _LENGTH.unpack(head)
        message = _received(control, length)
        if os.fork() == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            return _forked(json.loads(message), descriptors, hears)
        for each in descriptors:
            os.close(each)


def _forked(wanted: list[Any], descriptors: list[int], hears: Any) -> list[Any]:
    """Fork the run and return in it; the process in between tells how it ended."""
    *streams, report = descriptors
    pid = os.fork()
    if pid:
        _tell_the_end(pid, streams, socket.socket(fileno=report))
    os.close(report)
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    signal.signal(signal.SIGINT, hears)
    return wanted


def _tell_the_end(pid: int, streams: list[int], report: socket.socket) -> NoReturn:
    for each in (*streams, *range(_STREAMS)):
        os.close(each)
    with contextlib.suppress(OSError):  # the tests are gone
        report.sendall(_NUMBER.pack(pid))
        _, status = os.waitpid(pid, 0)
        report.sendall(_NUMBER.pack(os.waitstatus_to_exitcode(status)))
    os._exit(0)


if __name__ == "__main__":
    control, script = socket.socket(fileno=int(sys.argv[1])), sys.argv[2]
    sys.path[0] = str(Path(script).parent)  # as it is for the script
    _load()
    gc.freeze()  # or each run would copy all pages when it ends
    arguments, folder, environment = _next_run(control)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [script, *arguments]
    from dupdex_command import main

    main()
