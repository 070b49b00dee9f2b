"""What is counted, for Prometheus. Other parts of the gateway call the functions here.

One process counts in memory; several share a folder of files, so that whichever of them is asked
tells of all (PROMETHEUS_MULTIPROC_DIR, which has to be set before this module is imported).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from query.answers import Answer

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"

_registry: Final = CollectorRegistry()

_SECONDS: Final = (
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
)  # fmt: skip

_requests = Counter(
    "dupdex_requests", "Requests answered.", ("route", "method", "status"), registry=_registry
)
_seconds = Histogram(
    "dupdex_request_seconds",
    "From the request to the end of its answer.",
    ("route",),
    buckets=_SECONDS,
    registry=_registry,
)
_under_way = Gauge(
    "dupdex_requests_under_way",
    "Requests that have no whole answer yet.",
    registry=_registry,
    multiprocess_mode="livesum",
)
_lookups = Counter("dupdex_lookups", "Texts looked up.", registry=_registry)
_candidates = Histogram(
    "dupdex_lookup_candidates",
    "Candidates of a lookup.",
    buckets=(0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000),
    registry=_registry,
)
_verification = Histogram(
    "dupdex_verification_seconds",
    "What a lookup took to compare the text with those of its candidates.",
    buckets=_SECONDS,
    registry=_registry,
)
_documents = Counter(
    "dupdex_bulk_documents",
    "Documents that were written through the gateway.",
    ("enriched",),
    registry=_registry,
)
_cluster_errors = Counter(
    "dupdex_cluster_errors",
    "Requests that the cluster did not answer.",
    ("kind",),
    registry=_registry,
)
_refused = Counter(
    "dupdex_requests_refused", "Requests that the guard let not through.", ("status",),
    registry=_registry,
)  # fmt: skip
_floods = Counter("dupdex_floods", "Floods of one text that were reported.", registry=_registry)


@lru_cache(maxsize=10_000)
def _of_route(route: str, method: str, status: int) -> tuple[Counter, Histogram]:
    return _requests.labels(route, method, str(status)), _seconds.labels(route)


def count_request(route: str, method: str, status: int, seconds: float) -> None:
    number, times = _of_route(route, method, status)
    number.inc()
    times.observe(seconds)


def begin_request() -> None:
    _under_way.inc()


def end_request() -> None:
    _under_way.dec()


def count_lookup(answer: Answer) -> None:
    """A text that was looked up."""
    _lookups.inc()
    _candidates.observe(answer.completeness.candidates)
    _verification.observe(answer.compared_seconds)


def count_written(enriched: int, unenriched: int) -> None:
    """Documents that were written with a fingerprint, and without."""
    if enriched:
        _documents.labels("yes").inc(enriched)
    if unenriched:
        _documents.labels("no").inc(unenriched)


def count_cluster_error(kind: str) -> None:
    """`kind`: "unreachable", "timeout" or "broken_off"."""
    _cluster_errors.labels(kind).inc()


def count_refused(status: int) -> None:
    _refused.labels(str(status)).inc()


def count_flood() -> None:
    _floods.inc()


def exposition() -> tuple[bytes, bytes]:
    """All figures in the text form of Prometheus, and its media type."""
    registry = _registry
    if os.environ.get(FOLDER):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST.encode()


def forget_the_dead() -> None:
    """Remove what processes left of their requests under way that were killed."""
    folder = os.environ.get(FOLDER)
    for path in Path(folder).glob("gauge_live*_*.db") if folder else ():
        number = path.stem.rpartition("_")[2]
        if number.isdigit() and not _lives(int(number)):
            path.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def names() -> Iterable[str]:
    """The names of all metrics."""
    return sorted(family.name for family in _registry.collect())
