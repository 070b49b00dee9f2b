"""A fresh process: what the first documents cost before any table or word is known.

`python -m scripts.benchmark.cold_section PLAN` reads a JSON list of texts
and prints seconds as JSON.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import orjson

from mappings.plan import PLANS, Plan

_ROOT = Path(__file__).resolve().parent.parent.parent


def cold_figures(texts: Sequence[str], plan: Plan, rounds: int) -> dict[str, list[float]]:
    """Seconds for `importing`, `loading` tables and `documents`, of each of `rounds` processes."""
    out: dict[str, list[float]] = {}
    for _ in range(rounds):
        done = subprocess.run(
            [sys.executable, "-m", "scripts.benchmark.cold_section", plan.name],
            input=orjson.dumps(list(texts)),
            stdout=subprocess.PIPE,
            cwd=_ROOT,
            check=True,
        )
        for name, seconds in orjson.loads(done.stdout).items():
            out.setdefault(name, []).append(seconds)
    return out


def _main(plan: Plan) -> dict[str, float]:
    texts = orjson.loads(sys.stdin.buffer.read())
    times = [time.perf_counter()]
    from indexer.model import Document
    from indexer.pipeline import to_records

    times.append(time.perf_counter())
    for _ in to_records([Document("0", "一")], plan):
        pass
    times.append(time.perf_counter())
    for _ in to_records((Document(str(at), text) for at, text in enumerate(texts)), plan):
        pass
    times.append(time.perf_counter())
    names = ("importing", "loading", "documents")
    return {name: times[at + 1] - times[at] for at, name in enumerate(names)}


if __name__ == "__main__":
    sys.stdout.buffer.write(orjson.dumps(_main(PLANS[sys.argv[1]])))
