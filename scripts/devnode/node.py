"""One Elasticsearch process: its command line, its log, its end."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scripts.devnode.failures import DevNodeError, PortTakenError

_STOP_SECONDS = 15
_TAIL_BYTES = 64_000
# What the optimising compiler and a concurrent collector bring, they take minutes to earn back.
_SHORT_LIVED = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


@dataclass(slots=True)
class Node:
    """What is needed to start one node, any number of times, on the same ports and data."""

    name: str
    assembled: Path
    java: Path
    heap: str
    short_lived: bool
    folder: Path
    http_port: int
    transport_port: int
    discovery: Mapping[str, str]
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False, repr=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http_port}"

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    @property
    def _log(self) -> Path:
        return self.folder / "node.log"

    def start(self) -> None:
        """Start the process; it is not ready yet when this returns."""
        for part in ("data", "logs", "tmp"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command(),
                # Never written to: its end tells the node that we are gone.
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env=_environment(),
                # Out of reach of a Ctrl-C in the terminal: we stop nodes in order ourselves.
                start_new_session=True,
            )

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self.wait_stopped()

    def request_stop(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def wait_stopped(self) -> None:
        """Return when the process is gone, by force if it does not go."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        finally:
            if process.stdin is not None:
                process.stdin.close()

    def raise_if_ended(self) -> None:
        """Turn an early end of the process into an error that says why."""
        if self._process is None or self._process.poll() is None:
            return
        words = self.last_words()
        if re.search(r"BindException|BindTransport|BindHttp|Address already in use", words):
            raise PortTakenError(f"{self.name} found its ports taken; try again")
        raise DevNodeError(
            f"{self.name} ended by itself ({words}); read its log {self._kept_log()}"
        )

    def last_words(self) -> str:
        """The line of the log that best explains a failure."""
        try:
            text = self._log.read_bytes()[-_TAIL_BYTES:].decode("utf-8", "replace")
        except OSError:
            return "no log"
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        telling = [line for line in lines if re.search(r"Exception|Error[: ]|^Caused by", line)]
        # The innermost cause comes last in a Java stack trace.
        return (telling or lines or ["an empty log"])[-1][:300]

    def _kept_log(self) -> Path:
        """A copy outside the folder, which may be removed before anybody can read it."""
        handle, name = tempfile.mkstemp(prefix=f"dupdex-{self.name}-", suffix=".log")
        os.close(handle)
        shutil.copyfile(self._log, name)
        return Path(name)

    def _command(self) -> list[str]:
        home = self.assembled / "home"
        classpath = os.pathsep.join([str(home / "lib" / "*"), str(self.assembled / "launcher")])
        settings = {
            "cluster.name": "dupdex-dev",
            "node.name": self.name,
            "network.host": "127.0.0.1",
            "http.port": str(self.http_port),
            "transport.port": str(self.transport_port),
            "path.data": str(self.folder / "data"),
            "path.logs": str(self.folder / "logs"),
            # A developer's disk is often nearly full; the node must not refuse writes for that.
            "cluster.routing.allocation.disk.threshold_enabled": "false",
            **self.discovery,
        }
        return [
            str(self.java),
            f"-Xms{self.heap}",
            f"-Xmx{self.heap}",
            *(_SHORT_LIVED if self.short_lived else ()),
            "-XX:+ExitOnOutOfMemoryError",
            "-Dfile.encoding=UTF-8",
            f"-Djava.io.tmpdir={self.folder / 'tmp'}",
            f"-Des.logs.base_path={self.folder / 'logs'}",
            "-cp",
            classpath,
            "Launcher",
            str(home),
            *(f"{key}={value}" for key, value in settings.items()),
        ]


def _environment() -> dict[str, str]:
    """Ours without the variables through which a JVM would pick up foreign options."""
    foreign = {"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"}
    return {key: value for key, value in os.environ.items() if key not in foreign}
