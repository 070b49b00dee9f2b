"""The log: JSON lines with the names of the Elastic Common Schema, or lines for people."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

import orjson

from dupdex.wire.escapes import shortened, visible

HELD_LINES: Final = 16
HELD_SECONDS: Final = 0.05
"""A process that is killed takes the lines of so many requests with it, or of that time."""

_IN_ONE: Final = 4_096
"""Bytes that several processes can write to one pipe without mixing them (PIPE_BUF of Linux)."""

_LONGEST: Final = 2_000
_SAME: Final = {"ecs.version": "8.11.0", "service.name": "dupdex"}
_BORN_WITH: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class EcsFormatter(logging.Formatter):
    """A record as one JSON object; its `extra` fields with dots in their names come along."""

    def __init__(self) -> None:
        super().__init__()
        self._host, self._process = socket.gethostname(), os.getpid()

    def format(self, record: logging.LogRecord) -> str:
        value: dict[str, Any] = {
            "@timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(
                timespec="milliseconds"
            ),
            "log.level": record.levelname.lower(),
            "message": shortened(_message(record), _LONGEST),
            **_SAME,
            "log.logger": record.name,
            "process.pid": self._process,
            "host.hostname": self._host,
        }
        value |= _extras(record)
        if record.exc_info:
            value |= _error(record.exc_info)
        return orjson.dumps(value, default=str).decode()


class TextFormatter(logging.Formatter):
    """A record as a line for people."""

    def format(self, record: logging.LogRecord) -> str:
        clock = time.strftime("%H:%M:%S", time.localtime(record.created))
        line = f"{clock} {record.levelname.lower()} {_message(record)}"
        if record.exc_info:
            line += " " + " ".join(str(part) for part in _error(record.exc_info).values())
        return visible(shortened(" ".join(line.split()), _LONGEST))


class RequestLog:
    """One line a request, past the machinery of logging: that takes as long as all the rest that
    a gateway does with a request. Lines go out in whole ones, so that those of several processes
    stay apart: `held` together, or after HELD_SECONDS, as a system call for each takes longer than
    to make it. `write` is None where requests are not logged."""

    def __init__(self, form: str, write: Callable[[bytes], object] | None, held: int = 1) -> None:
        self._people, self.write, self._most = for_people(form), write, held
        self._held: list[tuple[float, str, dict[str, Any]]] = []
        self._later: asyncio.TimerHandle | None = None
        self._same = _SAME | {
            "log.logger": "dupdex.gateway.requests",
            "process.pid": os.getpid(),
            "host.hostname": socket.gethostname(),
        }

    def tell(self, message: str, fields: dict[str, Any]) -> None:
        """A line with these fields; those without a value are left out."""
        self._held.append((time.time(), message, fields))
        if len(self._held) >= self._most:
            self.flush()
        elif self._later is None:
            self._later = asyncio.get_running_loop().call_later(HELD_SECONDS, self.flush)

    def flush(self) -> None:
        """Write what is held back."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        held, self._held = self._held, []
        if held and self.write is not None:
            # That nobody can read the log changes nothing about an answer.
            with suppress(OSError):
                for piece in _pieces([self._line(*each) for each in held]):
                    self.write(piece)

    def _line(self, at: float, message: str, fields: dict[str, Any]) -> bytes:
        if self._people:
            took = fields["event.duration"] / 1e6
            clock = time.strftime("%H:%M:%S", time.localtime(at))
            return visible(f"{clock} {message} {took:.1f} ms {fields['url.path']}").encode() + b"\n"
        now = f"{_second(int(at))}.{int(at % 1 * 1_000):03}+00:00"
        told = {name: value for name, value in fields.items() if value is not None}
        value = {"@timestamp": now, "log.level": "info", "message": message}
        return orjson.dumps(value | self._same | told, None, orjson.OPT_APPEND_NEWLINE)


@lru_cache(maxsize=2)
def _second(at: int) -> str:
    """The time without its milliseconds, which takes longer to make than the rest of a line."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _pieces(lines: list[bytes]) -> Iterator[bytes]:
    """Whole lines together, as long as a pipe takes them in one."""
    held: list[bytes] = []
    size = 0
    for line in lines:
        if held and size + len(line) > _IN_ONE:
            yield b"".join(held)
            held, size = [], 0
        held.append(line)
        size += len(line)
    yield b"".join(held)


def for_people(form: str) -> bool:
    """Whether a log of this form ("json", "text", or "auto") is for people."""
    return form == "text" or (form == "auto" and sys.stderr.isatty())


def to_stderr(line: bytes) -> None:
    """Write a line at once."""
    os.write(sys.stderr.fileno(), line)


def log_to_stderr(form: str) -> None:
    """Send all logs of this process to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(TextFormatter() if for_people(form) else EcsFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("dupdex").setLevel(logging.INFO)
    logging.getLogger("elastic_transport").setLevel(logging.ERROR)  # it names whole URLs


def _message(record: logging.LogRecord) -> str:
    """The message; of those of asyncio the first line: the others quote errors of tasks, which may
    hold a part of a document."""
    message = record.getMessage()
    return message.partition("\n")[0] if record.name == "asyncio" else message


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    fields = record.__dict__
    return {name: fields[name] for name in fields.keys() - _BORN_WITH if fields[name] is not None}


def _error(info: Any) -> dict[str, Any]:
    """What happened and where. Not the message of an error of other programs: it may hold a part
    of a document, or a URL with a password."""
    kind, _, trace = info
    places = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(trace)[-8:]]
    return {
        "error.type": getattr(kind, "__name__", str(kind)),
        "error.stack_trace": " < ".join(reversed(places)),
    }
