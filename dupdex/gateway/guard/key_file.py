"""The file of API keys: JSON that `dupdex keys` writes and gateways read."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import orjson

from dupdex.gateway.guard.api_keys import ApiKey, key_from
from mappings.errors import InputRefused, NotFound


def read_keys(path: Path) -> dict[str, ApiKey]:
    """The keys of a file by id. Raises NotFound, or InputRefused naming file and key."""
    try:
        value = orjson.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise NotFound(f"no key file {path}; make one with 'dupdex keys create'") from error
    except OSError as error:
        raise InputRefused(f"{path} cannot be read: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise InputRefused(f"{path} is not valid JSON: {error}") from error
    entries = value.get("keys") if isinstance(value, dict) else None
    if not isinstance(entries, list):
        raise InputRefused(f'{path} holds no keys; it must be like {{"keys": […]}}')
    try:
        keys = [key_from(each) for each in entries]
    except InputRefused as error:
        raise InputRefused(f"{path}: {error}") from error
    by_id = {key.id: key for key in keys}
    if len(by_id) < len(keys):
        raise InputRefused(f"{path}: two keys have one id")
    return by_id


def change_keys(path: Path, change: Callable[[dict[str, ApiKey]], None]) -> None:
    """Read the keys, change them, and write them; a file that is not there has none. Whoever else
    changes them so waits meanwhile. Raises what reading, writing and `change` raise."""
    try:
        folder = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise InputRefused(f"{path} cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # not the file, in whose place another one is put
        keys = read_keys(path) if path.exists() else {}
        change(keys)
        write_keys(path, keys.values())
    finally:
        os.close(folder)


def write_keys(path: Path, keys: Iterable[ApiKey]) -> None:
    """Put another file in the place of this one, at once; only its owner may read it.

    Raises InputRefused for a place that cannot be written.
    """
    content = orjson.dumps({"keys": [key.to_json() for key in keys]}, option=orjson.OPT_INDENT_2)
    try:
        number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with os.fdopen(number, "wb") as file:  # made for its owner alone
                file.write(content + b"\n")
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputRefused(f"{path} cannot be written: {error.strerror}") from error
