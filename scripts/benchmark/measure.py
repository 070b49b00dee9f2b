"""Time: repetitions of rivals taken in turns, so that a noisy minute hits all of them alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median

Work = Callable[[], object]
Run = Callable[[], float]
"""Does the work and says how many seconds it took."""


@dataclass(slots=True)
class Times:
    """Seconds of the repetitions of one piece of work, in the order of the rounds."""

    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return median(self.seconds)

    @property
    def best(self) -> float:
        return min(self.seconds)

    def ratio_to(self, other: Times) -> float:
        """How many times as fast as `other`: the median of the ratios of each round."""
        pairs = zip(self.seconds, other.seconds, strict=True)
        return median(theirs / ours for ours, theirs in pairs)

    def best_ratio_to(self, other: Times) -> float:
        return other.best / self.best


@contextmanager
def settled() -> Iterator[None]:
    """Inside, the search for garbage passes over what was there before: the texts and libraries of
    the measurement. `dupdex serve` passes over its own as well."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def interleaved(runs: Mapping[str, Run], rounds: int) -> dict[str, Times]:
    """Every run once a round; every second round backwards."""
    out = {name: Times() for name in runs}
    for at in range(rounds):
        names = list(runs)
        for name in names if at % 2 == 0 else reversed(names):
            began = time.process_time()
            out[name].seconds.append(runs[name]())
            out[name].cpu.append(time.process_time() - began)
    return out


def timed(work: Work) -> Run:
    """A run that is all work."""

    def run() -> float:
        began = time.perf_counter()
        work()
        return time.perf_counter() - began

    return run


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    place = max(0, -int(-share * len(ordered) // 1) - 1)
    return ordered[min(place, len(ordered) - 1)]
