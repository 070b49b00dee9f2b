"""The rules of the house, checked over the source itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dupdex

ROOT = Path(__file__).resolve().parents[2]

LAYERS = ("mappings", "indexer", "query", "dupdex")
"""Each imports from itself and from what stands before it."""

MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 40

Function = ast.FunctionDef | ast.AsyncFunctionDef

MODULES = sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def imports(module: ast.AST) -> Iterator[str]:
    """Every module imported anywhere in a source, also inside of functions."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def body_lines(function: Function) -> int:
    """Lines of the body without its docstring."""
    body = function.body
    if ast.get_docstring(function, clean=False) is not None:
        body = body[1:]
    if not body:
        return 0
    return (body[-1].end_lineno or 0) - body[0].lineno + 1


def forbidden(layer: str, imported: str) -> bool:
    top = imported.split(".")[0]
    if imported.startswith(".") or top in ("tests", "scripts"):
        return True  # absolute imports only; the product never needs its tools
    return top in LAYERS and LAYERS.index(top) > LAYERS.index(layer)


def test_the_checks_see_the_source() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in MODULES} == set(LAYERS)
    assert len(MODULES) > 40


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_imports_go_one_way(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    assert [found for found in imports(tree(path)) if forbidden(layer, found)] == []


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_no_module_is_too_long(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MAX_MODULE_LINES


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_no_function_is_too_long(path: Path) -> None:
    long = {
        node.name: body_lines(node)
        for node in ast.walk(tree(path))
        if isinstance(node, Function) and body_lines(node) > MAX_FUNCTION_LINES
    }
    assert long == {}


def narrows(node: ast.Assert) -> bool:
    """`assert name is not None`, which tells the type checker what the code knows."""
    match node.test:
        case ast.Compare(ast.Name(), [ast.IsNot()], [ast.Constant(None)]):
            return True
    return False


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_nothing_is_checked_by_assert(path: Path) -> None:
    """python -O drops assertions; input is refused by an error that says what to do."""
    found = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Assert)]
    assert [node.lineno for node in found if not narrows(node)] == []


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(tree(path))


def test_every_folder_is_a_package() -> None:
    folders = {path.parent for path in MODULES}
    assert [
        name(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()
    ] == []


def test_the_lowest_layer_needs_little() -> None:
    """`mappings` is names and numbers: no NumPy, no client, no segmenter."""
    found = {
        imported.split(".")[0]
        for path in (ROOT / "mappings").rglob("*.py")
        for imported in imports(tree(path))
    }
    assert not found & {"numpy", "elasticsearch", "jieba", "pypinyin", "sqlite3", "click"}


def test_elasticsearch_and_sqlite_stay_in_the_stores() -> None:
    """Fingerprints and verdicts are pure: no client and no database outside of `stores`."""
    for path in MODULES:
        layer, *inner = path.relative_to(ROOT).parts
        if layer in ("indexer", "query") and inner[0] in ("fingerprints", "prepare"):
            for imported in imports(tree(path)):
                assert imported.split(".")[0] not in ("elasticsearch", "sqlite3", "click"), path


def printing(module: ast.AST) -> Iterator[int]:
    """Lines that print past `screen`: print, click.echo and its kin, the standard streams."""
    for node in ast.walk(module):
        match node:
            case ast.Call(ast.Name("print")):
                yield node.lineno
            case ast.Attribute(
                ast.Name("click"),
                "echo"
                | "secho"
                | "echo_via_pager"
                | "confirm"
                | "prompt"
                | "pause"
                | "progressbar",
            ):
                yield node.lineno
            case ast.Attribute(
                ast.Attribute(ast.Name("sys"), "stdout" | "stderr"),
                "write" | "writelines" | "buffer",
            ):
                yield node.lineno
            case ast.ImportFrom("click", names) if any("echo" in each.name for each in names):
                yield node.lineno


def test_only_the_screen_prints() -> None:
    """What comes from outside is made visible there before a terminal sees it."""
    screen = ROOT / "dupdex" / "cli" / "screen.py"
    others = {name(path): list(printing(tree(path))) for path in MODULES if path != screen}
    assert {path: lines for path, lines in others.items() if lines} == {}
    assert len(list(printing(tree(screen)))) >= 3


def test_public_names_are_sorted_and_there() -> None:
    names = dupdex.__all__
    ordered = sorted(names, key=lambda n: (not n.isupper(), not n[0].isupper(), n))
    assert list(names) == ordered  # constants, classes, the version, functions: as ruff sorts them
    assert len(set(names)) == len(names)
    for each in names:
        assert getattr(dupdex, each) is not None
    public = {n for n in vars(dupdex) if not n.startswith("_")} - set(names)
    modules = {n for n in public if type(getattr(dupdex, n)).__name__ == "module"}
    assert public == modules  # nothing is importable that is not promised


# --- the checks can fail


@pytest.mark.parametrize(
    ("layer", "imported", "wrong"),
    [
        ("mappings", "indexer.model", True),
        ("indexer", "query", True),
        ("indexer", "mappings.plan", False),
        ("query", "dupdex.index", True),
        ("query", "numpy", False),
        ("dupdex", "scripts.bench", True),
        ("dupdex", ".index", True),
        ("indexer", "indexer.text.ragged", False),
    ],
)
def test_a_forbidden_import_is_seen(layer: str, imported: str, wrong: bool) -> None:
    assert forbidden(layer, imported) is wrong


@pytest.mark.parametrize(
    "source",
    [
        "print(1)",
        "click.echo('x')",
        "click.secho('x')",
        "show = click.echo",
        "click.confirm('x')",
        "sys.stdout.write('x')",
        "sys.stderr.buffer.write(b'x')",
        "from click import echo",
    ],
)
def test_printing_is_seen(source: str) -> None:
    assert list(printing(ast.parse(source))) == [1]
    assert list(printing(ast.parse("print_json(1)\nself.echo()\nsys.stdout.isatty()"))) == []


def test_lines_are_counted() -> None:
    source = 'def f():\n    """One\n    two."""\n    a = 1\n\n    return a\n'
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    assert body_lines(function) == 3


@pytest.mark.parametrize(
    ("source", "allowed"),
    [
        ("assert kind is not None", True),
        ("assert kind", False),
        ("assert kind is None", False),
        ("assert len(rows) == 3", False),
    ],
)
def test_only_narrowing_assertions_are_allowed(source: str, allowed: bool) -> None:
    (node,) = ast.parse(source).body
    assert isinstance(node, ast.Assert)
    assert narrows(node) is allowed
