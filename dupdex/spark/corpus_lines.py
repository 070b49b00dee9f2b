"""Where the documents of a job come from: files of JSON lines or Parquet, as lines and places."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final, Literal, TypeAlias

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from dupdex.spark.corpus_rows import Reading
from mappings.errors import InputRefused, NotFound

FileFormat: TypeAlias = Literal["auto", "jsonl", "parquet"]

_PARQUET: Final = (".parquet", ".pq")


class FileCorpus:
    """Files and folders of one format, in UTF-8, compressed or not."""

    def __init__(
        self, session: SparkSession, files: Sequence[str], file_format: FileFormat = "auto"
    ) -> None:
        """ "auto" goes by the name of the first. Raises NotFound, or InputRefused for files that
        cannot be read.
        """
        if file_format == "auto":
            suffix = PurePosixPath(files[0].rstrip("/")).suffix.lower()
            file_format = "parquet" if suffix in _PARQUET else "jsonl"
        self._is_parquet = file_format == "parquet"
        try:
            read = session.read.parquet if self._is_parquet else session.read.text
            self._table = read(*files) if self._is_parquet else read(list(files))
        except AnalysisException as error:
            names = ", ".join(files)
            if "PATH_NOT_FOUND" in str(error.getCondition()):
                raise NotFound(f"no such file: {names}; check how the cluster sees it") from error
            raise InputRefused(f"{names}: {str(error).splitlines()[0]}") from error

    def lines(self, reading: Reading) -> DataFrame:
        """The documents as LINES."""
        if not self._is_parquet:
            return self._table.select(_place_of_line(), F.col("value").alias("line"))
        line = F.to_json(F.struct(*self._read_columns(reading)))
        return self._table.select(_place_of_row(), line.alias("line"))

    def write(self, places: DataFrame, lines: DataFrame, path: str) -> None:
        """Write the documents at some places as they were, as JSON lines or as Parquet. `lines` are
        those that were read. Raises InputRefused for a path that there is.
        """
        if self._is_parquet:
            place = _place_of_row()
            chosen = self._table.withColumn("_place", place)
            chosen = chosen.join(places.withColumnRenamed("place", "_place"), "_place", "left_semi")
            written(chosen.drop("_place"), "parquet", path)
        else:
            chosen = lines.join(places, "place", "left_semi").orderBy("place")
            written(chosen.select("line"), "text", path)

    def _read_columns(self, reading: Reading) -> list[Column]:
        options = reading.options
        wanted = (options.id_field, *options.meta.text_fields, reading.grouping.field)
        tops = {top for name in wanted for top in (name, name.partition(".")[0])}
        found = [F.col(f"`{name}`") for name in self._table.columns if name in tops]
        if not found:
            raise InputRefused(
                f"no column {' or '.join(filter(None, wanted))} in the table; name the columns "
                "with --id-field and --text-field"
            )
        return found


def written(frame: DataFrame, kind: str, path: str) -> None:
    """Write a frame as a folder of files. Raises InputRefused for a path that there is."""
    try:
        frame.write.format(kind).save(path)
    except AnalysisException as error:
        if "PATH_ALREADY_EXISTS" in str(error.getCondition()):
            raise InputRefused(f"{path} is there already; name a folder that is not") from error
        raise InputRefused(f"{path}: {str(error).splitlines()[0]}") from error


def _place_of_line() -> Column:
    """In the order of the files by name, of blocks in a file, and of lines in a block."""
    return F.struct(
        F.col("_metadata.file_path").alias("part"),
        F.col("_metadata.file_block_start").alias("start"),
        F.monotonically_increasing_id().alias("at"),
    ).alias("place")


def _place_of_row() -> Column:
    return F.struct(
        F.col("_metadata.file_path").alias("part"),
        F.lit(0).cast("bigint").alias("start"),
        F.col("_metadata.row_index").alias("at"),
    ).alias("place")
