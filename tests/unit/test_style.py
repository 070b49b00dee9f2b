"""The rules of the house for every source file of the product."""

from __future__ import annotations

import ast

import pytest

from tests.source_tree import ROOT, Function, body_lines, name, parse, product_files

MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 40


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """Read once for all rules, and forgotten after the last."""
    return {name(path): parse(path) for path in product_files()}


def narrows(node: ast.Assert) -> bool:
    """`assert name is not None`, which tells the type checker what the code knows."""
    match node.test:
        case ast.Compare(ast.Name(), [ast.IsNot()], [ast.Constant(None)]):
            return True
    return False


def long_functions(tree: ast.AST) -> list[str]:
    return [
        f"{node.lineno}: {node.name} has {body_lines(node)} lines"
        for node in ast.walk(tree)
        if isinstance(node, Function) and body_lines(node) > MAX_FUNCTION_LINES
    ]


def checks_by_assert(tree: ast.AST) -> list[str]:
    return [
        f"{node.lineno}: an assertion that python -O drops; raise an error that says what to do"
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert) and not narrows(node)
    ]


def without_purpose(tree: ast.Module) -> list[str]:
    return [] if ast.get_docstring(tree) else ["1: no docstring says what the module is for"]


def test_no_module_is_too_long() -> None:
    lines = {name(path): len(path.read_text("utf-8").splitlines()) for path in product_files()}
    found = [
        f"{path} has {count} lines" for path, count in lines.items() if count > MAX_MODULE_LINES
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("rule", [long_functions, checks_by_assert, without_purpose])
def test_every_file_keeps_to(rule: object, trees: dict[str, ast.Module]) -> None:
    assert callable(rule)
    found = [f"{path}:{line}" for path, tree in trees.items() for line in rule(tree)]
    assert not found, "\n".join(found)


SKIPS = {"skip", "skipif", "skipIf", "importorskip", "xfail"}


def skips(tree: ast.AST) -> list[str]:
    return [
        f"{node.lineno}: {node.attr} hides a test; write it so that it runs, or let it fail"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in SKIPS
    ]


def test_no_test_is_skipped() -> None:
    paths = (ROOT / "tests").rglob("*.py")
    found = [f"{name(path)}:{line}" for path in paths for line in skips(parse(path))]
    assert not found, "\n".join(found)


STARTS = {"run", "start", "on_a_terminal", "run_on_a_full_disk"}


def programs(tree: ast.AST) -> list[str]:
    """Where a test starts Python or the command line in a process of its own."""
    return [
        f"{node.lineno}: a test that starts a program stands in tests/service"
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.executable")
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "tests.command"
            and STARTS & {each.name for each in node.names}
        )
    ]


def test_units_start_no_program() -> None:
    paths = (ROOT / "tests" / "unit").rglob("*.py")
    found = [f"{name(path)}:{line}" for path in paths for line in programs(parse(path))]
    assert not found, "\n".join(found)


# --- the checks can fail


def test_lines_are_counted() -> None:
    source = 'def f():\n    """One\n    two."""\n    a = 1\n\n    return a\n'
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    assert body_lines(function) == 3


def test_a_long_function_is_seen() -> None:
    source = "class C:\n    def f(self):\n" + "        x = 1\n" * (MAX_FUNCTION_LINES + 1)
    assert long_functions(ast.parse(source)) == ["2: f has 41 lines"]
    assert long_functions(ast.parse(source.removesuffix("        x = 1\n"))) == []


def test_a_missing_purpose_is_seen() -> None:
    assert without_purpose(ast.parse("x = 1"))
    assert not without_purpose(ast.parse('"""What it is for."""'))


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
    assert (checks_by_assert(ast.parse(source)) == []) is allowed


@pytest.mark.parametrize(
    "source", ["@pytest.mark.skipif(True)\ndef test(): ...", "pytest.importorskip('os')"]
)
def test_a_skip_is_seen(source: str) -> None:
    assert len(skips(ast.parse(source))) == 1
    assert not skips(ast.parse(source.replace("skip", "other")))


@pytest.mark.parametrize(
    ("source", "starts"),
    [
        ("from tests.command import run, write_lines", True),
        ("subprocess.run([sys.executable])", True),
        ("from tests.command import Result, write_lines", False),
    ],
)
def test_a_program_that_is_started_is_seen(source: str, starts: bool) -> None:
    assert bool(programs(ast.parse(source))) is starts
