"""The JSON form of runs of jobs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Self

from dupdex.jobs.run_store import Run


@dataclass(frozen=True, slots=True)
class RunForm:
    """A run as programs read it: what is in `dupdex.jobs.run_store.Run` but for its mark, and the
    seconds that it took, None while it has no end."""

    id: str
    job: str
    state: str
    started: str
    ended: str | None
    seconds: float | None
    counts: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""

    @classmethod
    def of(cls, run: Run) -> Self:
        """The form of a run."""
        seconds = None
        if run.ended:
            between = datetime.fromisoformat(run.ended) - datetime.fromisoformat(run.started)
            seconds = round(between.total_seconds(), 3)
        return cls(
            run.id, run.job, run.state, run.started, run.ended, seconds, run.counts, run.error
        )

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)
