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

Laws are tried on random examples, new ones in every run, except in CI: there each law is tried on
the same examples until its test changes, so that a run can be repeated.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.servers import test_server

if os.environ.get("CI"):
    settings.register_profile("ci", derandomize=True)
    settings.load_profile("ci")


@pytest.fixture(scope="session")
def es_url() -> Iterator[str]:
    """The URL of a ready Elasticsearch."""
    with test_server(os.environ.get("DUPDEX_TEST_ES_VERSION") or None) as url:
        yield url
