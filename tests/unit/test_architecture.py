"""Which part may import which, checked over the source itself."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TypeGuard, get_args, get_type_hints

import pytest

import dupdex
from tests.source_tree import (
    LAYERS,
    ROOT,
    cycle_in,
    imports,
    imports_at_once,
    is_inside,
    module_name,
    name,
    parse,
    product_files,
)

FILES = product_files()
MODULES = {module_name(path): path for path in FILES}


@cache
def every_import() -> Mapping[str, set[str]]:
    """What each module imports; read by the first test that asks, not by all test processes."""
    return {module: imports(parse(path), MODULES) for module, path in MODULES.items()}


ENGINES = ("elasticsearch", "elastic_transport", "sqlite3")
"""Clients and databases: only in folders named `stores`."""

ROOMS = {
    "indexer.text": ("indexer.fingerprints", "indexer.sources", "indexer.stores"),
    "indexer.fingerprints": ("indexer.sources", "indexer.stores", "indexer.pipeline"),
    "indexer.sources": ("indexer.stores", "indexer.fingerprints"),
    "indexer.stores": ("indexer.sources",),
    "indexer.stores.elastic": ("indexer.stores.embedded",),
    "indexer.stores.embedded": ("indexer.stores.elastic",),
    "query.verify": ("query.stores", "query.lookup", "query.pair", "indexer.stores"),
    "query.facts": ("query.stores", "query.lookup", "indexer.stores"),
    "query.explain": ("query.stores", "query.lookup", "indexer.stores"),
    "query.stores": ("query.lookup", "query.explain", "query.facts", "query.verify"),
    "query.stores.elastic": ("query.stores.embedded", "indexer.stores.embedded"),
    "query.stores.embedded": ("query.stores.elastic", "indexer.stores.elastic"),
    "dupdex.kibana": (
        "dupdex.index",
        "dupdex.gateway",
        "indexer.stores.elastic",
        "indexer.stores.embedded",
        "query.stores.embedded",
    ),
    "dupdex.report": (
        "dupdex.index",
        "indexer.stores.elastic",
        "indexer.stores.embedded",
        "query.stores.elastic",
        "query.stores.embedded",
    ),
    "dupdex.wire": ("dupdex.index", "indexer.stores", "query.stores"),
}
"""Inside of the layers: what a package may not import, anywhere in it."""

CLI = "dupdex.cli"
SPARK = "dupdex.spark"


def wrong_direction(module: str, imported: str) -> bool:
    """Upwards, to the tools, or relative."""
    top = imported.split(".")[0]
    if imported.startswith(".") or top in ("tests", "scripts"):
        return True  # absolute imports only; the product never needs its tools
    return top in LAYERS and LAYERS.index(top) > LAYERS.index(module.split(".")[0])


def out_of_place(module: str, imported: str) -> bool:
    """An engine outside of the stores, Spark outside of its room, or click or the command line
    outside of the command line.
    """
    top = imported.split(".")[0]
    if top in ENGINES:
        return "stores" not in module.split(".")
    if top == "pyspark":
        return not is_inside(module, SPARK)
    return (top == "click" or is_inside(imported, CLI)) and not is_inside(module, CLI)


def into_a_closed_room(module: str, imported: str) -> bool:
    return any(
        is_inside(module, room) and any(is_inside(imported, each) for each in closed)
        for room, closed in ROOMS.items()
    )


def offenders(rule: object) -> list[str]:
    assert callable(rule)
    return [
        f"{name(MODULES[module])} imports {imported}"
        for module, all_imported in every_import().items()
        for imported in sorted(all_imported)
        if rule(module, imported)
    ]


def repeated(paths: Iterable[Path]) -> list[str]:
    """File names that stand more than once."""
    places = defaultdict(list)
    for path in paths:
        places[path.name].append(path.as_posix())
    places.pop("__init__.py", None)
    return [" and ".join(each) for each in places.values() if len(each) > 1]


def test_the_checks_see_the_source() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in FILES} == set(LAYERS)
    assert len(FILES) > 40
    every = set().union(*every_import().values())
    assert {"click", "numpy", *ENGINES} <= every
    for room, closed in ROOMS.items():
        assert {room, *closed} <= set(MODULES), f"ROOMS names a package that is not there: {room}"


@pytest.mark.parametrize("rule", [wrong_direction, out_of_place, into_a_closed_room])
def test_imports(rule: object) -> None:
    assert not offenders(rule), "\n".join(offenders(rule))


def test_no_module_imports_itself_by_others() -> None:
    graph = {
        module: imports_at_once(parse(path), MODULES) - {module} for module, path in MODULES.items()
    }
    assert " -> ".join(cycle_in(graph)) == ""


def test_a_file_name_stands_once() -> None:
    assert repeated(path.relative_to(ROOT) for path in FILES) == []


def test_every_folder_is_a_package() -> None:
    folders = {path.parent for path in FILES}
    assert [
        name(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()
    ] == []


def test_the_lowest_layer_needs_little() -> None:
    """`mappings` is names and numbers: no NumPy, no client, no segmenter."""
    heavy = {"numpy", "jieba", "pypinyin", "click", *ENGINES}
    assert [
        f"{module} imports {imported}"
        for module, all_imported in every_import().items()
        for imported in all_imported
        if is_inside(module, "mappings") and imported.split(".")[0] in heavy
    ] == []


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
    others = {name(path): list(printing(parse(path))) for path in FILES if path != screen}
    assert {path: lines for path, lines in others.items() if lines} == {}
    assert len(list(printing(parse(screen)))) >= 3


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


def test_what_an_index_takes_and_gives_is_promised() -> None:
    """Types in the signatures of `Index`, and of what a lookup is asked with and answers."""
    nouns = [dupdex.Question, dupdex.Options, dupdex.Answer, dupdex.Match, dupdex.Stored]
    methods = [value for name, value in vars(dupdex.Index).items() if not name.startswith("_")]
    functions = [getattr(each, "__func__", getattr(each, "fget", each)) for each in methods]
    hints = [hint for each in (*nouns, *functions) for hint in get_type_hints(each).values()]
    named = {each for hint in hints for each in types_in(hint)}
    assert sorted(named - {each.__name__ for each in vars(dupdex).values() if is_type(each)}) == []
    assert {"Answer", "Ref", "SweepReport"} <= named


def is_type(value: object) -> TypeGuard[type]:
    return isinstance(value, type)


def types_in(hint: object) -> Iterator[str]:
    """Our own types in a type hint, by name."""
    if is_type(hint) and hint.__module__.split(".")[0] in LAYERS:
        yield hint.__name__
    for part in get_args(hint):
        yield from types_in(part)


# --- the checks can fail


@pytest.mark.parametrize(
    ("module", "imported", "wrong"),
    [
        ("mappings.plan", "indexer.model", True),
        ("indexer.meta", "query", True),
        ("indexer.meta", "mappings.plan", False),
        ("query.lookup", "dupdex.index", True),
        ("query.lookup", "numpy", False),
        ("dupdex.index", "scripts.bench", True),
        ("dupdex.index", ".location", True),
        ("indexer.text.words", "indexer.text.ragged", False),
    ],
)
def test_a_wrong_direction_is_seen(module: str, imported: str, wrong: bool) -> None:
    assert wrong_direction(module, imported) is wrong


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


@pytest.mark.parametrize(
    ("module", "imported", "wrong"),
    [
        ("dupdex.evaluation.run", "elasticsearch.helpers", True),
        ("query.lookup", "sqlite3", True),
        ("indexer.pipeline", "elastic_transport", True),
        ("indexer.stores.elastic.bulk", "elasticsearch", False),
        ("query.stores.embedded.postings", "sqlite3", False),
        ("dupdex.index", "click", True),
        ("dupdex.index", "dupdex.cli.screen", True),
        ("dupdex", "dupdex.cli", True),
        ("dupdex.cli.writing", "dupdex.cli.screen", False),
        ("dupdex.climate", "dupdex.index", False),
        ("dupdex.corpus.gathering", "pyspark.sql", True),
        ("dupdex.spark.components", "pyspark.sql", False),
    ],
)
def test_what_is_out_of_place_is_seen(module: str, imported: str, wrong: bool) -> None:
    assert out_of_place(module, imported) is wrong


@pytest.mark.parametrize(
    ("module", "imported", "wrong"),
    [
        ("query.verify.verdict", "query.stores", True),
        ("query.verify.verdict", "query.stores.elastic.scores", True),
        ("query.verify", "query.lookup", True),
        ("query.verify.verdict", "query.grams", False),
        ("query.stores.elastic.scores", "query.stores.elastic.bodies", False),
        ("query.stores.elastic.scores", "indexer.stores.embedded.schema", True),
    ],
)
def test_a_closed_room_is_seen(module: str, imported: str, wrong: bool) -> None:
    assert into_a_closed_room(module, imported) is wrong


def test_a_repeated_file_name_is_seen() -> None:
    paths = [Path("indexer/plan.py"), Path("query/plan.py"), Path("query/other.py")]
    assert repeated(paths) == ["indexer/plan.py and query/plan.py"]
    assert repeated([Path("indexer/__init__.py"), Path("query/__init__.py")]) == []


@pytest.mark.parametrize(
    ("edges", "length"),
    [
        (["ab", "bc", "cd"], 0),
        (["ab", "ac", "bd", "cd"], 0),  # two ways to one place are no circle
        (["ab", "bc", "ca"], 3),
        (["aa"], 1),
        (["xa", "ab", "bc", "cb"], 2),
        (["ab", "bz"], 0),
    ],
)
def test_a_cycle_is_found(edges: list[str], length: int) -> None:
    graph: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        graph[edge[0]].append(edge[1])
    cycle = cycle_in(graph)
    assert len(list(pairwise(cycle))) == length
    assert all(other in graph[one] for one, other in pairwise(cycle))
    assert not cycle or cycle[0] == cycle[-1]
