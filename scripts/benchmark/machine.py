"""Where the figures come from: without it they mean nothing."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from indexer.text.kernels import compiled

PACKAGES = ("numpy", "jieba", "rjieba", "mmh3", "orjson", "elasticsearch")


def facts() -> dict[str, str]:
    """Machine and software, by name."""
    return {
        "processor": _processor(),
        "cores": str(cores()),
        "memory": _memory(),
        "load at the start": _load(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "Python": sys.version.split()[0],
        "SQLite": sqlite3.sqlite_version,
        **{f"{name} (Python)": installed(name) or "absent" for name in PACKAGES},
        "inner loops": "NumPy" if compiled is None else "compiled",
    }


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def installed(name: str) -> str | None:
    """The version of a package, None when it is absent."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "Model"):
            return value.strip()
    return platform.processor() or platform.machine()


def _memory() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return "unknown"
    return f"{size / 2**30:.0f} GiB"


def _load() -> str:
    try:
        return f"{os.getloadavg()[0]:.1f}"
    except OSError:
        return "unknown"
