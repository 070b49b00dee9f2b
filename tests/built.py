"""Programs of other languages that tests need: built, or fetched, once for their sources."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

_SECONDS = 600


def cached(name: str, sources: Path, build: Callable[[Path], None]) -> Path:
    """The folder of what was built from these sources; built once."""
    named = os.environ.get("DUPDEX_CACHE")
    root = (Path(named) if named else Path.home() / ".cache" / "dupdex") / "clients"
    root.mkdir(parents=True, exist_ok=True)
    digest = sha256()
    for path in sorted(each for each in sources.iterdir() if each.is_file()):
        digest.update(path.read_bytes())
    target = root / f"{name}-{digest.hexdigest()[:12]}"
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            making = root / f".{name}"
            shutil.rmtree(making, ignore_errors=True)
            making.mkdir()
            build(making)
            making.rename(target)
    return target


def done(*command: str | Path, folder: Path | None = None, **variables: str) -> str:
    """What a program prints; it must end with 0."""
    ended = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert ended.returncode == 0, f"{ended.stdout[-1_000:]}\n{ended.stderr[-4_000:]}"
    return ended.stdout
