"""Freeze the fingerprints of the golden texts, on purpose:

    python -m tests.golden.freeze --write

Without --write it says what would change and exits with 1. Values already frozen must not change
while the plan's format stays: every index in the world would disagree with the new program. So
a changed value is written only together with a raised `mappings.plan.FORMAT` (a new file name) or,
before the first release, with --overwrite.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from indexer.fingerprints import fingerprints_of
from mappings.plan import CHARACTERS, FORMAT_1_PARTS, PLANS, STANDARD, TABLE_STEPS, Plan
from tests.golden.samples import samples

HERE = Path(__file__).resolve().parent

SCHEMES_1 = ("exact", "simhash", "minhash", "syllables", "passages", "sentences")
"""What plans of format 1 stored by default."""

FORMAT_1 = {
    name: replace(plan, format=1, steps=TABLE_STEPS, schemes=SCHEMES_1, **FORMAT_1_PARTS)
    for name, plan in (("standard-1", STANDARD), ("characters-1", CHARACTERS))
}
"""Plans of indices that were made before format 2; they are served for good."""

FROZEN = {**FORMAT_1, **{f"{plan.name}-{plan.format}": plan for plan in PLANS.values()}}
"""Every plan whose values are frozen, by the name of its file."""


def path_of(plan: Plan) -> Path:
    return HERE / f"{plan.name}-{plan.format}.json"


def computed(plan: Plan) -> dict[str, Any]:
    """The fingerprints as plain JSON values."""
    texts = samples()
    made = fingerprints_of(list(texts.values()), plan)
    return {
        "plan_id": plan.id,
        "fingerprints": {
            name: {
                "text_hash": each.text_hash,
                "simhash": f"{each.simhash:016x}",
                "length": each.length,
                "keys": {field.value: list(terms) for field, terms in each.keys.items()},
            }
            for name, each in zip(texts, made, strict=True)
        },
    }


def frozen(plan: Plan) -> dict[str, Any]:
    value: dict[str, Any] = orjson.loads(path_of(plan).read_bytes())
    return value


def changes(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Frozen values that are not what is computed now; new texts are no change."""
    out = [] if old["plan_id"] == new["plan_id"] else ["plan_id"]
    for name, value in old["fingerprints"].items():
        now = new["fingerprints"].get(name)
        out += [] if now == value else [name]
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description="freeze the golden fingerprints")
    parser.add_argument("--write", action="store_true", help="write new files and new texts")
    parser.add_argument("--overwrite", action="store_true", help="write changed values, too")
    options = parser.parse_args()
    status = 0
    for plan in FROZEN.values():
        new, path = computed(plan), path_of(plan)
        changed = changes(frozen(plan), new) if path.exists() else []
        print(f"{path.name}: {len(new['fingerprints'])} texts, changed: {changed or 'none'}")
        if options.overwrite or (options.write and not changed):
            path.write_bytes(orjson.dumps(new, option=orjson.OPT_INDENT_2) + b"\n")
        elif changed or not path.exists():
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
