"""How the tests get their Elasticsearch.

Everything that talks to a store talks to a real server; there is no mock of Elasticsearch in this
suite. One server serves the whole session and each test makes indexes of its own names on it.
The fixture `es_url` looks for it in this order:

1. `DUPDEX_TEST_ES=http://host:port` names a server that runs already. If it does not answer, the
   tests fail: another server is never used in place of one that was asked for.
2. The `docker` package, when an engine answers: a container of the official image on a free
   loopback port, removed at the end.
3. `scripts/devnode`: the same server assembled from its published Maven artifacts, started as a
   process of this one. It needs a JDK and Maven, and no container engine.

`DUPDEX_TEST_ES_VERSION` chooses the version for 2 and 3. When none of the three can be had the
fixture fails with all three reasons. It never skips, because a suite that skips its servers passes
without having tested anything.

Where pytest-xdist runs several processes (`scripts/test` does), the one that controls them starts
one server for all.

Laws are tried on random examples, new ones in every run, except in CI: there each law is tried on
the same examples until its test changes, so that a run can be repeated. `scripts/test --laws` looks
for new counterexamples and tries more examples (`tests/laws.py`).
"""

from __future__ import annotations

import gc
import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings

from tests.laws import EXAMPLES, SEARCHED
from tests.servers import test_server
from tests.shared_server import SharedServer, url_from

_ADDRESS: Final = "shared_server"
_SHARED: Final = pytest.StashKey[SharedServer]()
_PEAK: Final = "peak"
_PEAKS: Final = pytest.StashKey[list[int | None]]()

# Hundreds of processes are started: each would compile the sources again, for half of its time.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

gc.set_threshold(50_000, 20, 20)  # with 700, 10, 10 it takes up to a fifth of the time

settings.register_profile(
    "dupdex",
    deadline=None,  # no time limit on one example: the machine may be busy
    derandomize=bool(os.environ.get("CI") and not SEARCHED),
    max_examples=EXAMPLES,
)
settings.load_profile("dupdex")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a new worker process where to ask for the server (a hook of pytest-xdist)."""
    stash = node.config.stash
    if _SHARED not in stash:
        stash[_SHARED] = SharedServer(_version())
    node.workerinput[_ADDRESS] = stash[_SHARED].address


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker process has ended (a hook of pytest-xdist)."""
    node.config.stash.setdefault(_PEAKS, []).append(getattr(node, "workeroutput", {}).get(_PEAK))


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[_PEAK] = _peak()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    peaks = config.stash.get(_PEAKS, None) or [_peak()]
    terminalreporter.write_line(f"memory of the test processes at its peak: {peaks} MiB")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def pytest_unconfigure(config: pytest.Config) -> None:
    if _SHARED in config.stash:
        config.stash[_SHARED].close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test with its kind, for `-m "unit or golden"`."""
    here = Path(__file__).parent
    for item in items:
        item.add_marker(item.path.relative_to(here).parts[0])


def pytest_collection_finish() -> None:
    """Modules and tests stay until the end: the collector of garbage need not look at them."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def es_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a ready Elasticsearch."""
    address = getattr(request.config, "workerinput", {}).get(_ADDRESS)
    if address:
        yield url_from(address)
        return
    with test_server(_version()) as url:
        yield url


def _version() -> str | None:
    return os.environ.get("DUPDEX_TEST_ES_VERSION") or None
