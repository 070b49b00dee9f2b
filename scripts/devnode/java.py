"""Finds a JDK that can run a given Elasticsearch."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.devnode.failures import DevNodeError

# Looked at after JAVA_HOME and PATH; each pattern names JDK homes.
_SYSTEM_PATTERNS = (
    "/usr/lib/jvm/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "~/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "~/.sdkman/candidates/java/*",
)


@dataclass(frozen=True, slots=True)
class Jdk:
    """A folder with bin/java and bin/javac, and its feature release (17, 21, ...)."""

    home: Path
    major: int


def minimum_for(version: str) -> int:
    """The oldest feature release of Java that this Elasticsearch runs on."""
    return 17 if version.startswith("8.") else 21


def find_jdk(
    minimum: int,
    environ: Mapping[str, str] | None = None,
    patterns: tuple[str, ...] = _SYSTEM_PATTERNS,
) -> Jdk:
    """The first suitable JDK: JAVA_HOME, then PATH, then the system's folders, oldest first."""
    environ = os.environ if environ is None else environ
    named = _inspected(_preferred(environ))
    system = sorted(_inspected(_installed(patterns)), key=lambda jdk: jdk.major)
    for jdk in [*named, *system]:
        if jdk.major >= minimum:
            return jdk
    raise DevNodeError(_missing(minimum, list(dict.fromkeys([*named, *system]))))


def _preferred(environ: Mapping[str, str]) -> Iterator[Path]:
    named = environ.get("JAVA_HOME")
    if named:
        yield Path(named).resolve()
    # javac, not java: the folder of a bare runtime cannot compile the launcher.
    compiler = shutil.which("javac", path=environ.get("PATH", ""))
    if compiler:
        yield Path(compiler).resolve().parent.parent


def _installed(patterns: tuple[str, ...]) -> Iterator[Path]:
    for pattern in patterns:
        expanded = Path(pattern).expanduser()
        anchor = Path(expanded.anchor)
        for path in sorted(anchor.glob(str(expanded.relative_to(anchor)))):
            yield path.resolve()


def _inspected(homes: Iterable[Path]) -> list[Jdk]:
    return [jdk for home in homes if (jdk := _inspect(home)) is not None]


def _inspect(home: Path) -> Jdk | None:
    if not (home / "bin" / "java").is_file() or not (home / "bin" / "javac").is_file():
        return None
    major = _major_of(home)
    return None if major is None else Jdk(home, major)


def _major_of(home: Path) -> int | None:
    """The release file answers without starting a JVM; a few builds come without one."""
    try:
        text = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    match = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', text)
    if match is None:
        match = re.search(r"javac (?:1\.)?(\d+)", _version_output(home))
    return None if match is None else int(match.group(1))


def _version_output(home: Path) -> str:
    try:
        done = subprocess.run(
            [str(home / "bin" / "javac"), "-version"],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr


def _missing(minimum: int, found: list[Jdk]) -> str:
    others = ", ".join(f"{jdk.major} in {jdk.home}" for jdk in found)
    return (
        f"no JDK {minimum} or later found ({'only ' + others if others else 'no JDK at all'}); "
        "install one (a JDK with javac, not a JRE) or set JAVA_HOME to its folder"
    )


def main(arguments: list[str]) -> int:
    """Print the home of a JDK of at least the given release, for shell scripts."""
    try:
        print(find_jdk(int(arguments[0])).home)
    except DevNodeError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
