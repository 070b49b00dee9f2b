"""Puts an Elasticsearch server together from its published Maven artifacts, once per version.

The result is a folder that is never written to again: `home/` (jars and the transport module),
`launcher/` (our compiled class) and a manifest of checksums that every later start is held to.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.devnode.failures import DevNodeError
from scripts.devnode.java import Jdk, find_jdk, minimum_for

DEFAULT_VERSION = "8.19.21"
NEXT_VERSION = "9.5.3"

_HERE = Path(__file__).parent
_MANIFEST = "manifest.sha256"
# Pinned: an unpinned plug-in may change its defaults under us.
_COPY_GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
_MAVEN_SECONDS = 900
# 8.19 and 9.5 have 46 and more; a truncated resolution stays well below.
_FEWEST_JARS = 40


def cache_root() -> Path:
    """Where assembled servers are kept, one folder per version."""
    named = os.environ.get("DUPDEX_CACHE")
    base = Path(named).expanduser() if named else Path.home() / ".cache" / "dupdex"
    return base.absolute() / "elasticsearch"


def assemble(version: str = DEFAULT_VERSION) -> Path:
    """The folder of a verified server of this version; built if absent, rebuilt if damaged."""
    if not re.fullmatch(r"(8\.19|9\.\d+)\.\d+", version):
        raise DevNodeError(
            f"Elasticsearch {version!r} cannot be assembled; "
            f"name an 8.19 or 9.x release such as {DEFAULT_VERSION} or {NEXT_VERSION}"
        )
    root = cache_root()
    target = root / version
    try:
        root.mkdir(parents=True, exist_ok=True)
        with _locked(root / f"{version}.lock"):
            if target.exists() and _damage(target) is None:
                return target
            with _locked(root / "maven.lock"):  # two versions fill one repository of Maven's
                _build_into(target, version)
    except OSError as problem:
        raise DevNodeError(
            f"cannot use the cache {root} ({problem}); set DUPDEX_CACHE to a writable folder"
        ) from problem
    return target


def _build_into(target: Path, version: str) -> None:
    if target.exists():
        _say(f"the cached Elasticsearch {version} is damaged ({_damage(target)}); rebuilding it")
    _say(f"assembling Elasticsearch {version} with Maven (about 40 MB, once)")
    # What an assembly that was killed left behind; the lock says that it is nobody's now.
    for stale in target.parent.glob(f".{version}-*"):
        shutil.rmtree(stale, ignore_errors=True)
    building = Path(tempfile.mkdtemp(prefix=f".{version}-", dir=target.parent))
    try:
        result = building / "result"
        _build(result, building, version)
        if target.exists():
            target.rename(building / "damaged")
        result.rename(target)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _build(result: Path, work: Path, version: str) -> None:
    jdk = find_jdk(minimum_for(version))
    jars = work / "jars"
    _download(jars, work, version, jdk)
    _check_jars(jars, version)
    home = result / "home"
    module = home / "modules" / "transport-netty4"
    for folder in (home / "lib", home / "plugins", home / "config", module):
        folder.mkdir(parents=True)
    for jar in jars.glob("*.jar"):
        # The node loads the transport as a module, in a class loader of its own.
        is_transport = jar.name.startswith(("netty-", "transport-netty4-"))
        jar.rename((module if is_transport else home / "lib") / jar.name)
    descriptor = _filled("plugin-descriptor.properties", version)
    (module / "plugin-descriptor.properties").write_text(descriptor, encoding="utf-8")
    _compile(result, jdk, version)
    (result / _MANIFEST).write_text(_manifest_of(result), encoding="utf-8")


def _download(jars: Path, work: Path, version: str, jdk: Jdk) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise DevNodeError(
            "Maven is missing: install it (apt-get install maven, brew install maven) "
            "so that mvn is on PATH"
        )
    (work / "pom.xml").write_text(_filled("pom.xml", version), encoding="utf-8")
    command = [maven, "--batch-mode", "--quiet", "--strict-checksums", _COPY_GOAL]
    problem = ""
    for _ in range(2):  # a second try, because registries drop connections
        done = _run([*command, f"-DoutputDirectory={jars}"], work, jdk)
        if done.returncode == 0:
            return
        problem = _first_error(done.stdout + done.stderr)
    raise DevNodeError(
        f"Maven could not fetch Elasticsearch {version} ({problem}); "
        "check the version, the network and ~/.m2/settings.xml"
    )


def _run(command: list[str], folder: Path, jdk: Jdk) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "JAVA_HOME": str(jdk.home)}
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_MAVEN_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as slow:
        name = Path(command[0]).name
        raise DevNodeError(
            f"{name} did not finish within {_MAVEN_SECONDS} s; check the network and try again"
        ) from slow


def _first_error(output: str) -> str:
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in output.splitlines()]
    errors = [line for line in lines if "ERROR" in line or "error:" in line]
    chosen = (errors or [line for line in lines if line] or ["no output"])[0]
    return chosen.removeprefix("[ERROR]").strip()[:300]


def _check_jars(jars: Path, version: str) -> None:
    names = {path.name for path in jars.glob("*.jar")}
    required = {f"{name}-{version}.jar" for name in ("elasticsearch", "transport-netty4")}
    for prefix in ("lucene-core-", "netty-transport-", "elasticsearch-x-content-", "log4j-core-"):
        if not any(name.startswith(prefix) for name in names):
            required.add(f"{prefix}*.jar")
    missing = sorted(required - names)
    broken = sorted(name for name in names if not zipfile.is_zipfile(jars / name))
    if missing or broken or len(names) < _FEWEST_JARS:
        raise DevNodeError(
            f"Maven delivered an incomplete Elasticsearch {version}: {len(names)} jars, "
            f"missing {missing}, unreadable {broken}; "
            "remove org/elasticsearch from the local Maven repository and try again"
        )


def _compile(result: Path, jdk: Jdk, version: str) -> None:
    classes = result / "launcher"
    command = [str(jdk.home / "bin" / "javac"), "--release", str(minimum_for(version))]
    # Silent about the server's own annotations, whose classes are not published.
    command += ["-nowarn", "-proc:none", "-cp", str(result / "home" / "lib" / "*")]
    done = _run([*command, "-d", str(classes), str(_HERE / "Launcher.java")], result, jdk)
    if done.returncode != 0:
        raise DevNodeError(
            f"the launcher does not fit Elasticsearch {version} "
            f"({_first_error(done.stdout + done.stderr)}); use {DEFAULT_VERSION} or {NEXT_VERSION}"
        )


def _filled(template: str, version: str) -> str:
    text = (_HERE / template).read_text(encoding="utf-8")
    return text.replace("@VERSION@", version).replace("@JAVA@", str(minimum_for(version)))


def _manifest_of(folder: Path) -> str:
    """Lines as `sha256sum` writes them, so that it can check the folder as well."""
    paths = sorted(path for part in ("home", "launcher") for path in (folder / part).rglob("*"))
    lines = []
    for path in paths:
        if path.is_file():
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            lines.append(f"{digest}  {path.relative_to(folder).as_posix()}\n")
    return "".join(lines)


def _damage(folder: Path) -> str | None:
    """What differs from the manifest, or None."""
    try:
        recorded = (folder / _MANIFEST).read_text(encoding="utf-8")
    except OSError:
        return "no manifest"
    differing = set(recorded.splitlines()) ^ set(_manifest_of(folder).splitlines())
    if not differing:
        return None
    return f"{min(line.split('  ')[1] for line in differing)} does not match the manifest"


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One assembly at a time; the system releases the lock when its holder dies."""
    with path.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
