"""What `scripts/demo --serve` shows: the console on the sample, with groups, pairs to review,
banks, jobs and a report. Everything is done by the commands that are printed.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import closing
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

import msgspec

PORT: Final = 9280
REPORT: Final = "report?date_field=date&source_field=source&every=month"

_HOST: Final = "127.0.0.1"
_PROGRAM: Final = str(Path(sys.executable).with_name("dupdex"))
_DECISIONS: Final = (
    ("zh-44", "zh-45", "not-duplicate", "two counties, two forecasts"),
    ("zh-06", "zh-31", "duplicate", "one wrong character"),
    ("en-03", "en-09", "duplicate", "the same storm, told again"),
)
_SPAM: Final = (
    {
        "id": "loan",
        "text": "无需抵押，当天放款，额度最高二十万元，加微信即可办理，名额有限，先到先得。",
        "labels": ["贷款"],
        "reason": "多次被读者举报",
        "by": "editor",
    },
    {
        "id": "watches",
        "text": "Buy cheap watches at our new shop, all at half price, and only until Sunday.",
        "labels": ["shopping"],
        "reason": "reported by readers",
        "by": "editor",
    },
)
_FORECAST: Final = "zh-44"
"""A document whose text is allowed to come again."""


def serve(store: Path, port: int | None = None) -> int:
    """Fill a folder's store and run the gateway before it until it is told to stop (Ctrl-C);
    returns its exit status. `port`: None for PORT, or any other where that is taken.
    """
    shutil.rmtree(store, ignore_errors=True)
    fill(store)
    chosen = _free_port() if port is None else port
    print(f"\nThe console:  {address(chosen)}", flush=True)
    for view in ("groups", "review", "banks", REPORT):
        print(f"              {address(chosen, view)}")
    print("Ctrl-C ends it.\n", flush=True)
    arguments = ["serve", "--store", str(store), "--port", str(chosen), "--no-log-requests"]
    os.execv(_PROGRAM, [_PROGRAM, *arguments])  # so that signals reach the gateway itself


def address(port: int, view: str = "ask") -> str:
    """Where a view of the console is."""
    return f"http://{_HOST}:{port}/_dupdex/console/{view}"


def fill(store: Path) -> None:
    """Index the sample with groups, keep its pairs, decide a few, and make two banks."""
    with (
        as_file(files("dupdex.data") / "sample.jsonl") as sample,
        tempfile.TemporaryDirectory() as t,
    ):
        spam, known = Path(t) / "spam.jsonl", Path(t) / "known.jsonl"
        spam.write_bytes(b"\n".join(map(msgspec.json.encode, _SPAM)))
        known.write_bytes(msgspec.json.encode({"id": "forecast", "text": _text_of(sample)}))
        _run(store, "index", "--group", str(sample))
        _run(store, "sweep")
        _run(store, "banks", "create", "spam", "--kind", "deny", "--about", "广告 advertisements")
        _run(store, "banks", "add", "spam", "--file", str(spam))
        _run(store, "banks", "create", "forecasts", "--kind", "allow", "--about", "天气预报")
        _run(store, "banks", "add", "forecasts", "--file", str(known))
    for first, second, said, why in _DECISIONS:
        _run(store, "decide", first, second, said, "--why", why, "--by", "editor")


def _text_of(sample: Path) -> str:
    lines = map(msgspec.json.decode, sample.read_bytes().splitlines())
    return str(next(line["text"] for line in lines if line["id"] == _FORECAST))


def _run(store: Path, *arguments: str) -> None:
    command = [*arguments, "--store", str(store)]
    print("$ dupdex", *(f'"{each}"' if " " in each else each for each in command), flush=True)
    subprocess.run([_PROGRAM, *command], check=True)


def _free_port() -> int:
    """PORT, or another one when somebody listens there."""
    for port in (PORT, 0):
        with closing(socket.socket()) as attempt:
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                attempt.bind((_HOST, port))
            except OSError:
                continue
            return int(attempt.getsockname()[1])
    raise OSError("no port is free")
