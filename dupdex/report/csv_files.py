"""A report as CSV files, one for each table, for spreadsheets and programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from dupdex.report.cells import in_file
from dupdex.report.findings import DuplicateReport
from dupdex.report.report_tables import Table, tables_of


def csv_files(report: DuplicateReport) -> Iterator[tuple[str, bytes]]:
    """File names and contents: UTF-8 with a mark at the beginning, without which spreadsheets take
    Chinese for something else."""
    for table in tables_of(report):
        yield f"{table.key}.csv", _content(table).encode("utf-8-sig")


def _content(table: Table) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow([column.key for column in table.columns])
    for row in table.rows:
        pairs = zip(row, table.columns, strict=True)
        writer.writerow([in_file(value, column.unit) for value, column in pairs])
    return stream.getvalue()
