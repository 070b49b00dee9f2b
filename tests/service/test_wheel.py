"""The built wheel: everything that is ours is in it, and it works away from the checkout.

Built from a copy of the sources, so that nothing is left in the checkout and nothing stale is
packed. The fresh environment borrows this one's dependencies by a `.pth` file, which is quick.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

import dupdex
from indexer.fingerprints import fingerprint_of
from mappings.plan import STANDARD

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("mappings", "indexer", "query", "dupdex")
COMMAND = "dupdex_command.py"
SHIPPED = {
    ".py",
    ".npz",
    ".json",
    ".jsonl",
    ".ndjson",
    ".html",
    ".css",
    ".js",
    ".svg",
    ".txt",
    ".typed",
    ".pyi",
}
NOT_SHIPPED = {".md", ".c", ".h"}
COMPILED = "indexer.text.native"
TEXT = "安装以后的第一句话：这段文字的指纹在哪里都是一样的。"


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def sources() -> list[Path]:
    """The files of the four packages, and the command: what git knows or would add, else all."""
    asked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *PACKAGES, COMMAND],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode == 0 and asked.stdout:
        found = [Path(name) for name in asked.stdout.split("\0") if name]
    else:
        found = [
            path.relative_to(ROOT)
            for package in PACKAGES
            for path in (ROOT / package).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        ]
        found.append(Path(COMMAND))
    return [path for path in found if (ROOT / path).is_file()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = tmp_path_factory.mktemp("tree")
    copy_sources(tree)
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", *isolation(), "--outdir", out, cwd=tree)
    (built,) = out.glob("*.whl")
    return built


def copy_sources(tree: Path) -> None:
    for path in [*sources(), *map(Path, ("pyproject.toml", "README.md", "LICENSE"))]:
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, tree / path)


def isolation() -> list[str]:
    """The build back end has to be recent: an environment that lacks it gets one of its own."""
    recent = int(version("setuptools").split(".")[0]) >= 77
    return ["--no-isolation"] if recent else []


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel in it; returns its folder."""
    place = tmp_path_factory.mktemp("fresh")
    venv.create(place, with_pip=False, symlinks=True)
    run(
        *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python(place)),
        *("install", "--no-deps", "--no-index", "--quiet", wheel),
        cwd=place,
    )
    site = next(place.glob("lib/python*/site-packages"))
    packages = [path for path in sys.path if Path(path).name == "site-packages"]
    (site / "borrowed.pth").write_text("\n".join(packages) + "\n")
    return place


def python(place: Path) -> Path:
    return place / "bin" / "python"


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONWARNINGS": "ignore"}


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.endswith("/")}


def test_every_package_and_data_file_is_in_it(wheel: Path) -> None:
    found = sources()
    unknown = {path.suffix for path in found} - SHIPPED - NOT_SHIPPED - {""}
    assert not unknown, f"say in this test whether files like {unknown} are shipped"
    expected = {path.as_posix() for path in found if path.suffix in SHIPPED}
    expected |= {path.as_posix() for path in found if path.name == "py.typed"}
    assert expected - names(wheel) == set()
    typed = [f"{package}/py.typed" for package in PACKAGES]
    for needed in (*typed, "indexer/text/data/table-1.npz", "dupdex/data/sample.jsonl"):
        assert needed in expected


def test_nothing_else_is_in_it(wheel: Path) -> None:
    ours = {path.as_posix() for path in sources()}
    others = {name for name in names(wheel) - ours if ".dist-info/" not in name}
    (extension,) = others
    assert extension.startswith("indexer/text/native.") and extension.endswith(".so")
    assert not {name for name in names(wheel) if Path(name).suffix in NOT_SHIPPED}
    tops = {name.split("/")[0] for name in names(wheel)}
    assert tops == {*PACKAGES, COMMAND, f"dupdex-{dupdex.__version__}.dist-info"}


def test_data_files_arrive_byte_by_byte(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for path in sources():
            if path.suffix in SHIPPED - {".py"}:
                assert archive.read(path.as_posix()) == (ROOT / path).read_bytes(), path


def test_metadata(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        info = f"dupdex-{dupdex.__version__}.dist-info"
        metadata = archive.read(f"{info}/METADATA").decode("utf-8")
        scripts = archive.read(f"{info}/entry_points.txt").decode("utf-8")
        licence = archive.read(f"{info}/licenses/LICENSE").decode("utf-8")
    assert "Requires-Python: >=3.11" in metadata
    assert "Requires-Dist: jieba==0.42.1" in metadata
    assert "Requires-Dist: jinja2<4,>=3.1" in metadata
    assert "dupdex = dupdex_command:main" in scripts
    assert "Apache License" in licence


def test_the_command_runs_from_anywhere(installed: Path, tmp_path: Path) -> None:
    said = run(installed / "bin" / "dupdex", "--version", cwd=tmp_path, env=environment())
    assert dupdex.__version__ in said


def test_all_modules_import_from_anywhere(installed: Path, tmp_path: Path) -> None:
    """From the fresh environment, not from the checkout."""
    code = (
        "import importlib, json, pkgutil\n"
        f"packages = {PACKAGES!r}\n"
        "found = []\n"
        "for package in map(importlib.import_module, packages):\n"
        "    found.append([package.__name__, package.__file__])\n"
        "    for each in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        module = importlib.import_module(each.name)\n"
        "        found.append([each.name, module.__file__])\n"
        "print(json.dumps(found))\n"
    )
    said = run(python(installed), "-I", "-W", "ignore", "-c", code, cwd=tmp_path)
    modules = {name: Path(file) for name, file in json.loads(said)}
    expected = {
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path in sources()
        if path.suffix == ".py" and path.name not in ("__main__.py", COMMAND)
    }
    expected.add(COMPILED)
    assert set(modules) - {f"{package}.__main__" for package in PACKAGES} == expected
    for file in modules.values():
        assert file.is_relative_to(installed.resolve()) or file.is_relative_to(installed), file


def test_the_tables_are_read_from_the_installed_files(installed: Path, tmp_path: Path) -> None:
    code = (
        "from indexer.fingerprints import fingerprint_of; from mappings.plan import STANDARD;"
        f"print(fingerprint_of({TEXT!r}, STANDARD))"
    )
    said = run(python(installed), "-I", "-W", "ignore", "-c", code, cwd=tmp_path)
    assert said.strip() == str(fingerprint_of(TEXT, STANDARD))


def test_the_compiled_loops_are_the_installed_ones(installed: Path, tmp_path: Path) -> None:
    code = "from indexer.text.kernels import compiled; print(compiled.__file__)"
    said = run(python(installed), "-I", "-W", "ignore", "-c", code, cwd=tmp_path)
    assert Path(said.strip()).is_relative_to(installed.resolve()) or str(installed) in said


def test_without_a_compiler_numpy_does_the_same(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    copy_sources(tree)
    nowhere = {**os.environ, "CC": str(tmp_path / "absent")}
    build = (sys.executable, "-m", "build", "--wheel", *isolation())
    run(*build, "--outdir", tmp_path, cwd=tree, env=nowhere)
    (built,) = tmp_path.glob("*.whl")
    assert not [name for name in names(built) if name.endswith(".so")]


def test_a_page_is_made_of_the_installed_templates(installed: Path, tmp_path: Path) -> None:
    explain = (installed / "bin" / "dupdex", "explain", TEXT, TEXT, "--html", "page.html")
    run(*explain, cwd=tmp_path, env=environment())
    assert TEXT.rstrip("。") in (tmp_path / "page.html").read_text("utf-8")
