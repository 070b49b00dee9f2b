"""The user's home folder, below which state, tables and settings are kept."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from pathlib import Path


def home_folder(environment: Mapping[str, str]) -> Path:
    """`$HOME`, else the folder in the system's user database; `/` for a user not listed there."""
    named = environment.get("HOME")
    if named:
        return Path(named)
    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return Path("/")
