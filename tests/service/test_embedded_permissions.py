"""The embedded store for a user who may not do everything."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dupdex.location import Location
from indexer.stores.embedded.embedded_writer import EmbeddedWriter
from mappings.errors import StoreRefused
from query.stores.embedded.embedded_reader import EmbeddedReader
from tests.service.embedded_data import META, records, write

NOBODY: Final = 65_534


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that a user without privileges can reach."""
    with tempfile.TemporaryDirectory(prefix="dupdex-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@contextlib.contextmanager
def unprivileged() -> Iterator[None]:
    """Permissions bind nobody who is root; be somebody else for a moment."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_file_that_may_only_be_read(open_folder: Path) -> None:
    write(open_folder, 0, 10)
    for path in open_folder.iterdir():
        path.chmod(0o444)
    open_folder.chmod(0o555)
    with unprivileged():
        with pytest.raises(StoreRefused, match="permissions"):
            EmbeddedWriter.open(open_folder, "a", META, None)
        with EmbeddedReader.open(open_folder, "a", None) as reader:
            assert reader.count() == 10
            assert reader.search("第7篇").total == 1


def test_a_file_that_may_only_be_read_in_a_folder_that_may_be_written(open_folder: Path) -> None:
    write(open_folder, 0, 10)
    (open_folder / "a.sqlite").chmod(0o444)
    (open_folder / "a.sqlite.lock").unlink()
    open_folder.chmod(0o777)
    with unprivileged():
        with pytest.raises(StoreRefused, match="permissions"):
            EmbeddedWriter.open(open_folder, "a", META, None)
        with EmbeddedReader.open(open_folder, "a", None) as reader:
            assert reader.count() == 10


def test_a_reader_without_the_right_to_write_beside_a_writer(open_folder: Path) -> None:
    with EmbeddedWriter.open(open_folder, "a", META, None, chunk=50) as writer:
        list(writer.write(records(0, 50)))
        with unprivileged(), EmbeddedReader.open(open_folder, "a", None) as reader:
            assert reader.count() == 50
            with pytest.raises(StoreRefused, match="permissions"):
                EmbeddedWriter.open(open_folder, "b", META, None)


def test_a_folder_that_may_not_be_entered(open_folder: Path) -> None:
    write(open_folder, 0, 10)
    open_folder.chmod(0)
    with unprivileged():
        with pytest.raises(StoreRefused, match=r"cannot be reached .*check the permissions"):
            EmbeddedReader.open(open_folder, "a", None)
        with pytest.raises(StoreRefused, match="permissions"):
            EmbeddedWriter.open(open_folder, "a", META, None)
        with pytest.raises(StoreRefused, match="let this user enter it"):
            Location(str(open_folder / "inside"))
    open_folder.chmod(0o755)


def test_a_file_that_may_not_be_read(open_folder: Path) -> None:
    write(open_folder, 0, 10)
    (open_folder / "a.sqlite").chmod(0)
    with unprivileged(), pytest.raises(StoreRefused, match="permissions"):
        EmbeddedReader.open(open_folder, "a", None)
