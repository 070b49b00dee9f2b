"""The command line of bench."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Final

import orjson

from mappings.errors import DupdexError
from scripts.benchmark import (
    bulk_section,
    corpus_section,
    fingerprints_section,
    gateway_section,
    jobs_section,
    lookup_section,
    loops_section,
    machine,
    memory_section,
    peers_section,
    real_section,
    size_section,
    sweep_section,
)
from scripts.benchmark.results import Line, Section
from scripts.benchmark.setting import Setting
from scripts.benchmark.tables import Report, facts_text, markdown, section_text
from scripts.benchmark.texts_of_corpus import open_corpus
from scripts.devnode.failures import DevNodeError

SECTIONS: Final[dict[str, Callable[[Setting], Section]]] = {
    "fingerprints": fingerprints_section.measure,
    "loops": loops_section.measure,
    "peers": peers_section.measure,
    "bulk": bulk_section.measure,
    "size": size_section.measure,
    "lookup": lookup_section.measure,
    "real": real_section.measure,
    "corpus": corpus_section.measure,
    "memory": memory_section.measure,
    "sweep": sweep_section.measure,
    "jobs": jobs_section.measure,
    "gateway": gateway_section.measure,
}


def main(arguments: Sequence[str]) -> int:
    """Measure what was asked for. The exit status is 0 also when targets are missed, and 1 when
    a section could not be measured.
    """
    options = _parser().parse_args(arguments)
    command = shlex.join(["scripts/bench", *arguments])
    try:
        report = _run(options, command)
    except (DupdexError, OSError) as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 1
    if options.json == "-":
        print(orjson.dumps(report.to_json(), option=orjson.OPT_INDENT_2).decode())
    elif options.json:
        Path(options.json).write_bytes(
            orjson.dumps(report.to_json(), option=orjson.OPT_INDENT_2) + b"\n"
        )
    if options.markdown:
        options.markdown.write_text(markdown(report), encoding="utf-8")
    missed = report.missed()
    missed += [f"{section.name}: not measured" for section in report.sections if section.failed]
    _say(options, f"{len(missed)} targets missed" + "".join(f"\n  {name}" for name in missed))
    return int(any(section.failed for section in report.sections))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench",
        description="Measures dupdex beside plain Elasticsearch and beside other packages.",
        epilog=f"sections: {', '.join(SECTIONS)}",
    )
    parser.add_argument("--sections", default=",".join(SECTIONS), metavar="A,B", type=_sections)
    parser.add_argument("--quick", action="store_true", help="small sizes: does it all work?")
    parser.add_argument(
        "--documents",
        type=_positive,
        metavar="N",
        help="stored by bulk, size, jobs and gateway (default 20000), by lookup, real and sweep "
        "(100000), short texts of corpus (1000000)",
    )
    parser.add_argument(
        "--stream-megabytes",
        type=_positive,
        metavar="N",
        help="fed to 'dupdex index' by memory (default 2048)",
    )
    parser.add_argument(
        "--gateway-megabytes",
        type=_positive,
        metavar="N",
        help="size of the one large bulk body in the section gateway; 1024 is the size aimed at",
    )
    parser.add_argument(
        "--gateway-minutes",
        type=_positive,
        metavar="N",
        help="of load on the gateway while its memory is watched (default 1)",
    )
    parser.add_argument(
        "--corpus",
        type=Path,
        metavar="FILE",
        default=os.environ.get("DUPDEX_BENCH_CORPUS"),
        help="JSON lines with a field text (default: $DUPDEX_BENCH_CORPUS; else a newspaper)",
    )
    parser.add_argument(
        "--store-url", metavar="URL", help="an Elasticsearch to use (default: scripts/dev-node)"
    )
    parser.add_argument("--json", metavar="FILE", help="every figure as JSON; - for the output")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="the tables as a page, docs/benchmarks.md"
    )
    return parser


def _sections(value: str) -> list[str]:
    names = [name.strip() for name in value.split(",") if name.strip()]
    unknown = [name for name in names if name not in SECTIONS]
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"choose among {', '.join(SECTIONS)}")
    return [name for name in SECTIONS if name in names]


def _positive(value: str) -> int:
    if not value.isdigit() or int(value) == 0:
        raise argparse.ArgumentTypeError(f"{value!r} is not a number above 0")
    return int(value)


def _run(options: argparse.Namespace, command: str) -> Report:
    facts = machine.facts()
    with ExitStack() as leaving:
        setting = Setting(
            open_corpus(options.corpus),
            leaving,
            options.quick,
            options.documents,
            options.stream_megabytes,
            options.store_url,
            options.gateway_minutes,
            options.gateway_megabytes,
        )
        _say(options, facts_text(facts) + "\n")
        sections = [_corpus(setting)]
        _say(options, section_text(sections[0]))
        for name in options.sections:
            began = time.perf_counter()
            sections.append(_measured(name, setting))
            _say(options, section_text(sections[-1]))
            _progress(f"{name}: {time.perf_counter() - began:.0f} s")
        if "server" in vars(setting):
            server = setting.server
            facts |= {"Elasticsearch": server.version, "Java": server.java, "heap": server.heap}
    return Report(date.today().isoformat(), command, facts, sections)


def _measured(name: str, setting: Setting) -> Section:
    """A section; one that fails says so and does not cost the others."""
    try:
        return SECTIONS[name](setting)
    except (DevNodeError, DupdexError, OSError, RuntimeError) as problem:
        _progress(f"{name} failed: {problem}")
        return Section(name, f"{name}: failed", [], [f"not measured: {problem}"], failed=True)


def _corpus(setting: Setting) -> Section:
    texts = [setting.corpus.text(number) for number in range(500)]
    characters = sum(map(len, texts)) / len(texts)
    size = sum(len(text.encode("utf-8")) for text in texts) / len(texts)
    more = {"bytes of UTF-8": size}
    line = Line("an article", characters, "characters", None, more)
    return Section("texts", "Texts", [line], [setting.corpus.name])


def _say(options: argparse.Namespace, text: str) -> None:
    """For people: to standard error when standard output is for JSON."""
    print(text, file=sys.stderr if options.json == "-" else sys.stdout, flush=True)


def _progress(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)
