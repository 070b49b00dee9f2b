"""Writing output files named by the user: a page, a plan, a table of statistics."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from mappings.errors import InputRefused

_NEW_FILE: Final = 0o666


def save(content: bytes, path: str, option: str) -> None:
    """Write the file that `option` named, whole or not at all: a full disk leaves what was there
    before. Raises InputRefused.
    """
    save_lines((content,), path, option)


def save_lines(lines: Iterable[bytes], path: str, option: str) -> None:
    """The same for lines that are made one by one."""
    target = Path(path)
    try:
        if target.exists() and not target.is_file():  # a pipe or a device; a folder is refused
            with target.open("wb") as file:
                file.writelines(lines)
        else:
            _replace(lines, target.resolve())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputRefused(
            f"{path!r} cannot be written: {reason}; name another file with {option}"
        ) from error


def check_writable(path: str | None, option: str) -> None:
    """Before any work: a file can be made in the folder of `path`, as far as that can be known.
    Raises InputRefused."""
    if path is None:
        return
    target = Path(path).absolute()
    reason = ""
    if target.is_dir():
        reason = "it is a folder"
    elif target.exists() and not target.is_file():
        return  # a pipe or a device
    elif not target.parent.is_dir():
        reason = f"there is no folder {str(target.parent)!r}"
    elif not os.access(target.resolve().parent, os.W_OK):
        reason = "access to its folder is denied"
    if reason:
        raise InputRefused(f"{path!r} cannot be written: {reason}; name another with {option}")


def make_folder(path: str, option: str) -> None:
    """The folder that `option` named, before any work. Raises InputRefused."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputRefused(
            f"{path!r} cannot be a folder: {reason}; name another with {option}"
        ) from error


def check_not_read(path: str | None, option: str, *sources: str | None) -> None:
    """Before any work: `path` must not be one of the files (or be in one of the folders) that the
    command reads, by whatever name. Raises InputRefused.
    """
    for source in filter(None, sources):
        if path is not None and _is_read(Path(path), Path(source)):
            raise InputRefused(
                f"{path!r} is read from, so it is not written; name another file with {option}"
            )


def _is_read(target: Path, source: Path) -> bool:
    try:
        if not target.is_file():
            return False
        return source.samefile(target) or source.resolve() in target.resolve().parents
    except (OSError, ValueError):  # one of them is not there, or is no name of a file
        return False


def _replace(lines: Iterable[bytes], target: Path) -> None:
    """By a temporary file beside it and a rename; an existing file keeps its rights."""
    with NamedTemporaryFile(dir=target.parent, prefix=".dupdex-", delete=False) as new:
        try:
            new.writelines(lines)
            new.flush()
            os.fsync(new.fileno())
            os.fchmod(new.fileno(), _rights(target))
            Path(new.name).replace(target)
        except BaseException:
            Path(new.name).unlink(missing_ok=True)
            raise


def _rights(target: Path) -> int:
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0o022)
    os.umask(mask)
    return _NEW_FILE & ~mask
