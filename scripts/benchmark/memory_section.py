"""Memory of `dupdex index` on a long stream: its peak, and whether it grows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import IO, Final

import orjson

from dupdex.location import Location
from scripts.benchmark.results import Line, Section, Target
from scripts.benchmark.setting import Setting
from scripts.benchmark.texts_of_corpus import Corpus, document

_PEAK: Final = Target(most=400)
_FLAT: Final = Target(most=1.25)
_MARKS: Final = (0.25, 0.5, 0.75, 1.0)
_COMMAND: Final = "from dupdex.cli import main; main()"
_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_MEBI: Final = 1 << 20


@dataclass(slots=True)
class Watched:
    """What was seen of one run: megabytes, seconds, documents sent."""

    peak: float = 0.0
    at: dict[float, float] = field(default_factory=dict)
    seconds: float = 0.0
    sent: int = 0


def measure(setting: Setting) -> Section:
    section = Section("memory", "Memory of `dupdex index` on a stream")
    megabytes = setting.stream_megabytes or setting.size(2_048, 50)
    places = {
        "embedded": Location(store=str(setting.folder / "memory")),
        "Elasticsearch": setting.server.new_location("memory"),
    }
    for name, place in places.items():
        seen = _index(setting, place, megabytes * _MEBI)
        section.lines += _lines(f"{name}, {megabytes:,} MB of JSON lines", seen, megabytes)
        if place.is_server:
            setting.server.drop(place)
    section.notes.append(
        "resident memory of the one process, `dupdex index - --make-ids`, standard plan; flat: "
        "at the end of the stream against a quarter of it"
    )
    return section


def _lines(name: str, seen: Watched, megabytes: int) -> Iterator[Line]:
    at = {f"MB at {mark:.0%}": value for mark, value in seen.at.items()}
    rate = {"docs/s": seen.sent / seen.seconds, "MB/s": megabytes / seen.seconds}
    yield Line(f"{name}, peak", seen.peak, "MB", _PEAK, at | rate)
    yield Line(f"{name}, growth", seen.at[1.0] / seen.at[0.25], "times", _FLAT)


def _index(setting: Setting, place: Location, size: int) -> Watched:
    command = [sys.executable, "-c", _COMMAND, "index", "-", "--make-ids", "--json"]
    command += ["--format", "jsonl", "--rejects", str(setting.folder / "rejects.ndjson")]
    command += ["--store", place.store, "--index", place.index]
    began = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as process:
        seen = Watched()
        watcher = threading.Thread(target=_watch, args=(process, seen))
        watcher.start()
        assert process.stdin is not None and process.stdout is not None  # both are pipes
        try:
            with suppress(BrokenPipeError):  # it ended early, and has said why
                _feed(process.pid, process.stdin, setting.corpus, size, seen)
            answer = process.stdout.read()
        finally:
            process.wait()
            watcher.join()
    seen.seconds = time.perf_counter() - began
    if process.returncode:
        raise RuntimeError(f"dupdex index ended with status {process.returncode}")
    report = orjson.loads(answer)
    if report["created"] + report["updated"] != seen.sent:
        raise RuntimeError(f"dupdex index stored {report} of {seen.sent} documents")
    return seen


def _feed(pid: int, into: IO[bytes], corpus: Corpus, size: int, seen: Watched) -> None:
    """Write about `size` bytes of documents; note the memory at the marks."""
    written = 0
    marks = list(_MARKS)
    with into:
        for number in count():
            line = orjson.dumps(document(corpus, number).body) + b"\n"
            into.write(line)
            written += len(line)
            seen.sent += 1
            while marks and written >= marks[0] * size:
                seen.at[marks.pop(0)] = resident(pid)
            if not marks:
                return


def _watch(process: subprocess.Popen[bytes], seen: Watched) -> None:
    while process.poll() is None:
        seen.peak = max(seen.peak, resident(process.pid))
        time.sleep(0.05)


def resident(pid: int) -> float:
    """Megabytes in memory now; 0 when the process is gone."""
    status = Path(f"/proc/{pid}/status")
    if status.parent.parent.joinpath("self").exists():
        try:
            found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text(encoding="ascii"))
        except OSError:  # it has just ended
            found = None
        return int(found[1]) / 1024 if found else 0.0
    answer = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return int(answer.stdout.strip() or 0) / 1024
