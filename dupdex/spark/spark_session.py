"""The Spark session of a job, and what a job leaves on disk between its stages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mappings.errors import InputRefused

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS_AT_ONCE: Final = 1_000
"""Rows of a batch on its way to Python: a few megabytes of texts."""

_SETTINGS: Final = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(ROWS_AT_ONCE),
    "spark.sql.adaptive.enabled": "true",
    "spark.ui.showConsoleProgress": "false",
}

_LOCAL_PARTITIONS: Final = "16"

_MISSING: Final = "the Spark job needs pyspark: install dupdex[spark], and Java 17 or 21"


@contextmanager
def spark_session(
    master: str | None = None, memory: str | None = None, settings: Mapping[str, str] | None = None
) -> Iterator[SparkSession]:
    """A session, stopped at the end unless there was one before. Without a `master`, as
    spark-submit says, else all cores of this machine. `memory`: of the driver, as in "2g".

    Raises InputRefused where pyspark or Java is missing.
    """
    try:
        from pyspark.errors import PySparkRuntimeError
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise InputRefused(_MISSING) from error
    before = SparkSession.getActiveSession()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # else whatever python3 is there
    builder = SparkSession.builder.appName("dupdex")
    if master or ("SPARK_HOME" not in os.environ and before is None):
        builder = builder.master(master or "local[*]")
        builder = builder.config("spark.sql.shuffle.partitions", _LOCAL_PARTITIONS)
    if memory:
        builder = builder.config("spark.driver.memory", memory)
    for name, value in {**_SETTINGS, **(settings or {})}.items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
    except (PySparkRuntimeError, OSError) as error:
        raise InputRefused(f"{_MISSING} ({error})") from error
    try:
        yield session
    finally:
        if before is None:
            session.stop()


@dataclass(frozen=True, slots=True)
class Stages:
    """What the stages of a job hand on, as Parquet in a folder that all machines can reach."""

    session: SparkSession
    folder: str

    def kept(self, frame: DataFrame, name: str) -> DataFrame:
        """The frame once it is computed: nothing before it is done again."""
        path = self.path(name)
        frame.write.mode("overwrite").parquet(path)
        return self.session.read.parquet(path)

    def path(self, name: str) -> str:
        """Where a stage lies."""
        return f"{self.folder.rstrip('/')}/{name}"
