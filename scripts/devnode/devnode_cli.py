"""The command line of dev-node."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from scripts.devnode.assemble import DEFAULT_VERSION, NEXT_VERSION, assemble
from scripts.devnode.failures import DevNodeError
from scripts.devnode.nodes import Cluster

_ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Ended(BaseException):
    """Raised by a signal, so that every cleanup on the way out runs."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def main(arguments: Sequence[str]) -> int:
    """Run one subcommand; the exit status is 0, the command's own, or 1 with a line of advice."""
    own, command = _split(arguments)
    options = _parser().parse_args(own)
    if options.action != "exec" and command:
        print("dev-node: only exec takes a command after --", file=sys.stderr)
        return 2
    for number in _ENDING_SIGNALS:
        signal.signal(number, _end)
    try:
        if options.action == "assemble":
            print(assemble(options.version))
            return 0
        if options.action == "exec":
            return _exec(options, command)
        return _run(options)
    except DevNodeError as problem:
        print(f"dev-node: {problem}", file=sys.stderr)
        return 1
    except _Ended as ended:
        # Being told to stop is how run ends normally, and how the others are cut short.
        return 0 if options.action == "run" else 128 + ended.number


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Ours and the command's, at the first --; argparse would eat a -- of the command."""
    if "--" not in arguments:
        return list(arguments), []
    cut = list(arguments).index("--")
    return list(arguments[:cut]), list(arguments[cut + 1 :])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dev-node",
        description="A real Elasticsearch on loopback from its Maven artifacts, for trials.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="run|exec|assemble")
    run = actions.add_parser("run", help="start nodes, print their URLs, run until Ctrl-C")
    run.add_argument("--seconds", type=float, help="stop after this long instead")
    execute = actions.add_parser(
        "exec",
        help="start nodes, run a command with DUPDEX_TEST_ES set, stop them",
        usage="dev-node exec [options] -- COMMAND ...",
    )
    only = actions.add_parser("assemble", help="only fetch and verify the server")
    for action in (run, execute, only):
        action.add_argument(
            "--version",
            default=DEFAULT_VERSION,
            help=f"of Elasticsearch (default {DEFAULT_VERSION}; {NEXT_VERSION} is tested as well)",
        )
    for action in (run, execute):
        action.add_argument("--nodes", type=int, default=1, metavar="N", help="default 1")
        action.add_argument("--heap", default="512m", help="of each node (default 512m)")
        action.add_argument(
            "--data", type=Path, metavar="DIR", help="keep data here (default: removed at the end)"
        )
    return parser


def _cluster(options: argparse.Namespace) -> Cluster:
    return Cluster(options.version, options.nodes, options.heap, options.data)


def _run(options: argparse.Namespace) -> int:
    with _cluster(options) as cluster:
        print("\n".join(cluster.urls), flush=True)
        print(f"Elasticsearch {cluster.version} is ready; Ctrl-C stops it", file=sys.stderr)
        end = None if options.seconds is None else time.monotonic() + options.seconds
        while end is None or time.monotonic() < end:
            cluster.raise_if_ended()
            time.sleep(0.2)
    return 0


def _exec(options: argparse.Namespace, command: list[str]) -> int:
    if not command:
        raise DevNodeError("exec needs a command: dev-node exec [options] -- COMMAND ...")
    with _cluster(options) as cluster:
        environ = {**os.environ, "DUPDEX_TEST_ES": cluster.urls[0]}
        try:
            child = subprocess.Popen(command, env=environ)
        except OSError as problem:
            print(f"dev-node: cannot run {command[0]}: {problem.strerror}", file=sys.stderr)
            return 126 if isinstance(problem, PermissionError) else 127
        status = _wait_for(child)
    # Shells report a death by signal this way.
    return 128 - status if status < 0 else status


def _wait_for(child: subprocess.Popen[bytes]) -> int:
    try:
        return child.wait()
    except _Ended as ended:
        # The terminal sends its Ctrl-C to the command too; any other signal reached only us.
        if ended.number != signal.SIGINT:
            child.terminate()
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        raise


def _end(number: int, _frame: FrameType | None) -> None:
    # A second signal must not cut the cleanup short that the first one began.
    for each in _ENDING_SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise _Ended(number)
