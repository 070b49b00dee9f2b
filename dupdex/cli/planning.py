"""plan: what an index will cost and promise, before it is made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import orjson

from dupdex.cli.common import plan_option, print_json
from dupdex.cli.screen import note
from dupdex.planning import WINDOW, forecast, recommended
from mappings.errors import InputRefused
from mappings.plan import STANDARD, Plan


@click.command()
@click.option(
    "--documents",
    type=click.IntRange(min=1),
    default=1_000_000,
    show_default=True,
    help="How many there will be.",
)
@plan_option("Plan to look at: standard, characters, or a file. [default: standard]")
@click.option(
    "--write", "path", metavar="FILE", help="Write the recommended plan to a file, for --plan."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plan(documents: int, plan: Plan | None, path: str | None, as_json: bool) -> None:
    """What an index of a size will cost and find, before it is made.

    Keys and bytes per document, candidates per lookup, and what each layout guarantees.
    """
    chosen = plan or STANDARD
    facts = forecast(chosen, documents)
    if as_json:
        print_json(facts)
    else:
        click.echo("\n".join(_lines(facts)))
    if path is not None:
        best = recommended(chosen, documents)
        named = replace(best, name=chosen.name if best == chosen else "custom")
        pretty = orjson.dumps(named.to_meta(), option=orjson.OPT_INDENT_2)
        try:
            Path(path).write_bytes(pretty + b"\n")
        except OSError as error:
            raise InputRefused(
                f"{path} cannot be written: {error.strerror}; name another file with --write"
            ) from error
        note(f"wrote plan {named.id} to {path}; use it with 'dupdex index --plan {path}'")


def _lines(facts: dict[str, Any]) -> list[str]:
    keys = ", ".join(f"{name} {count}" for name, count in facts["keys_per_document"].items())
    lines = [
        f"plan {facts['plan']}, {facts['documents']:,} documents",
        f"  keys per document   {facts['keys']} ({keys})",
        f"  bytes per document  about {facts['index_bytes_per_document']} in the index, "
        f"{facts['source_bytes_per_document']} in _source "
        f"({facts['total_gigabytes']:,.1f} GB in all)",
        f"  chance collisions   {facts['colliding_documents_per_lookup']:.3f} documents a lookup",
        "",
        "  simhash       keys  bits  found always  d=4    d=5   candidates a lookup  bytes",
    ]
    for row in facts["layouts"]:
        mark = "*" if row["current"] else " "
        advice = "  <- recommended" if row["layout"] == facts["recommended_layout"] else ""
        lines.append(
            f" {mark}{row['layout']:<13}{row['keys']:>4}  {row['key_bits']:>4}"
            f"  d <= {row['guaranteed_distance']:<7}  {row['recall_at_4']:.3f}"
            f"  {row['recall_at_5']:.3f}  {row['candidates_per_lookup']:>17,.1f}"
            f"  {row['index_bytes']:>6}{advice}"
        )
    lines += ["", "  share a band, by Jaccard similarity of the shingles"]
    for name, recall in facts["minhash_recall"].items():
        values = "  ".join(f"{j}: {value:.3f}" for j, value in recall.items())
        lines.append(f"  {name:<22}{values}")
    lines += [
        "",
        "  d: differing simhash bits. Candidates are for uniform keys, so lower bounds; real texts "
        "share common keys.",
    ]
    if not facts["fits"]:
        lines.append(
            f"  This layout expects more candidates than the {WINDOW:,} hits a server returns: "
            "take the recommended one."
        )
    return lines
