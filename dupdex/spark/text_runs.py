"""Texts next to the texts they are compared with, as they come to a task: in runs of rows.

A run is an asked text and after it what it is compared with; runs may be longer than a batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from indexer.boilerplate import Boilerplate
from indexer.model import Fingerprint
from mappings.plan import Plan
from query.pair import PairJudge, Text

TILE_CHARACTERS: Final = 30_000
"""Texts that are prepared together."""

_NOTHING: Final = Fingerprint("", 0, 0, {})


@dataclass(frozen=True, slots=True)
class Run:
    """An asked text by its number, and some of those it is compared with, in order. `extra`: what
    came along with the asked one.
    """

    node: int
    asked: str
    extra: Any
    others: list[tuple[int, str]]


def text_runs(pairs: DataFrame, texts: DataFrame, extra: DataFrame | None = None) -> DataFrame:
    """For each `first` of pairs its text and then those of every `second`: rows (node, other, text,
    extra) in the order of `runs`. `texts` and `extra` are by `node`.
    """
    asked = pairs.select(F.col("first").alias("node")).distinct().join(texts, "node")
    asked = asked.join(extra, "node", "left") if extra else asked.withColumn("extra", F.lit(None))
    none = F.lit(None)
    stored = pairs.join(texts.withColumnRenamed("node", "second"), "second")
    rows = asked.select("node", none.cast("bigint").alias("other"), "text", "extra").union(
        stored.select(F.col("first").alias("node"), F.col("second").alias("other"), "text", none)
    )
    return rows.repartition("node").sortWithinPartitions("node", "other")


def runs(batches: Iterable[pa.RecordBatch], whole: bool = False) -> Iterator[list[Run]]:
    """Runs, as many at a time as are prepared together. Long ones come in parts, unless they are
    wanted whole.
    """
    part: list[Run] = []
    size = 0
    for node, other, text, extra in _rows(batches):
        if other is None:
            if whole and size >= TILE_CHARACTERS:
                yield part
                part, size = [], 0
            part.append(Run(node, text, extra, []))
        else:
            part[-1].others.append((other, text))
        size += len(text)
        if not whole and size >= TILE_CHARACTERS:
            yield [run for run in part if run.others]
            last = part[-1]
            part, size = [Run(last.node, last.asked, last.extra, [])], 0
    yield [run for run in part if run.others]


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, int | None, str, Any]]:
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def read(part: Sequence[Run], plan: Plan, boilerplate: Boilerplate) -> dict[int, Text]:
    """The texts of some runs, each read once, ready to be judged; without keys."""
    if not part:
        return {}
    raw = {run.node: run.asked for run in part}
    for run in part:
        raw.update(run.others)
    ready = PairJudge(plan, boilerplate).read(list(raw.values()), [_NOTHING] * len(raw))
    return dict(zip(raw, ready, strict=True))
