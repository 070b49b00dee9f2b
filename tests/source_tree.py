"""The source as data, for the tests of its rules: modules, imports, functions and documents."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]

LAYERS: Final = ("mappings", "indexer", "query", "dupdex")
"""Each imports from itself and from what stands before it."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Graph = Mapping[str, Collection[str]]

_ROW: Final = re.compile(r"^\| ?(`[^|]*)\|", re.MULTILINE)
_QUOTED: Final = re.compile(r"`([^`\n]+)`")
_PATH: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)*/?")
_UNLISTED: Final = ("__init__.py", "__pycache__", "README.md", "py.typed")


def product_files() -> list[Path]:
    """Every Python file of the product, in order."""
    return sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))


def name(path: Path) -> str:
    """A path as it is written in a message: from the root."""
    return path.relative_to(ROOT).as_posix()


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def imported(node: ast.AST, modules: Collection[str] = ()) -> Iterator[str]:
    """The modules one statement imports; `from a import b` is `a.b` where that is in `modules`."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = "." * node.level + (node.module or "")
        for alias in node.names:
            below = f"{base}.{alias.name}"
            yield below if below in modules else base


def parts(node: ast.AST) -> Iterator[ast.AST]:
    """The statements right inside of a statement, and its branches: an import is nowhere else."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        yield from getattr(node, block, ())


def imports(tree: ast.Module, modules: Collection[str] = ()) -> set[str]:
    """Every module imported anywhere in a source, also inside of functions."""
    waiting: list[ast.AST] = [tree]
    found: set[str] = set()
    while waiting:
        node = waiting.pop()
        found.update(imported(node, modules))
        waiting += parts(node)
    return found


def imports_at_once(tree: ast.Module, modules: Collection[str] = ()) -> set[str]:
    """The modules whose import runs when this one is imported: no function, no type checking."""
    waiting: list[ast.AST] = list(tree.body)
    found: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        elif not isinstance(node, Function):
            found.update(imported(node, modules))
            waiting += parts(node)
    return found


def body_lines(function: Function) -> int:
    """Lines of the body without its docstring."""
    body = function.body
    if ast.get_docstring(function, clean=False) is not None:
        body = body[1:]
    if not body:
        return 0
    return (body[-1].end_lineno or 0) - body[0].lineno + 1


def is_inside(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def cycle_in(graph: Graph) -> Sequence[str]:
    """A path that ends where it begins; empty when there is none."""
    done: set[str] = set()
    for start in sorted(graph):
        path: list[str] = []
        branches = [iter([start])]
        while branches:
            step = next(branches[-1], None)
            if step is None:
                branches.pop()
                if path:
                    done.add(path.pop())
            elif step in path:
                return [*path[path.index(step) :], step]
            elif step in graph and step not in done:
                path.append(step)
                branches.append(iter(sorted(graph[step])))
    return []


def listed_in(readme: str) -> list[str]:
    """What stands in backticks in the first column of the tables before the first section."""
    opening = readme.partition("\n## ")[0]
    return [entry for row in _ROW.findall(opening) for entry in _QUOTED.findall(row)]


def children(folder: Path) -> list[str]:
    """The files and folders of a folder that its README has to list; a folder ends in /."""
    return sorted(
        path.name + "/" * path.is_dir()
        for path in folder.iterdir()
        if path.name not in _UNLISTED and not path.name.startswith(".") and not left_over(path)
    )


def left_over(folder: Path) -> bool:
    """Whether bytecode is all that is left of a folder: git removes what it knows, and no more."""
    below = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    return bool(below) and all("__pycache__" in path.parts for path in below)


def paths_named_in(document: str) -> list[str]:
    """What a document names in backticks that looks like a file or folder of this repository."""
    tops = (*LAYERS, "scripts", "tests", "docs", "examples")
    return [
        token
        for token in _QUOTED.findall(document)
        if _PATH.fullmatch(token)
        and (token.endswith(".py") or ("/" in token and token.split("/")[0] in tops))
    ]


def names_in(document: str) -> list[str]:
    """The dotted names of this project that a document holds: `query.verify.verdict.judge`."""
    return [
        token
        for token in _QUOTED.findall(document)
        if re.fullmatch(rf"(?:{'|'.join(LAYERS)})(?:\.\w+)+", token) and not token.endswith(".py")
    ]
