"""Evaluate labelled corpora and print docs/quality.md.

    python -m scripts.quality DIR... > docs/quality.md

Each DIR is what `dupdex evaluate` takes: corpus.jsonl and truth.tsv.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from dupdex.evaluation import Report, evaluate
from mappings.plan import CHARACTERS, STANDARD, Plan

HEAD = """\
# Quality

Printed by `python -m scripts.quality DIR...`: one `dupdex evaluate` for each corpus, on the
embedded store, default thresholds, no limit on candidates. Thresholds were chosen on the two
corpora of mutations, so their figures are in-sample; the definitions are in
`dupdex/evaluation/scoring.py`.

Label 1 are copies (share: recall), label 2 partial copies (share: found), label 0 look-alikes
that are no copies (share: flagged). `hardneg_facts` are copies whose numbers or names were
changed: their texts are near-identical, so they are found, and left out of precision.

The Chinese corpora are 35 kinds of mutation of encyclopedia paragraphs (CMRC 2018, CC BY-SA
4.0) and of chapters of classic novels (public domain), with templates and distractors; the
English ones are newswire with planted copies (chrisjmccormick/MinHash, MIT). They are not part
of this repository. The generated corpus holds other mutations of the same paragraphs, made by
`python -m scripts.mutate CORPUS.jsonl DIR --seed 1`, short texts among them; no threshold was
chosen on it.

What each scheme finds alone, beside the combination and other packages, stands at the end of each
table; why some are stored by default and others are not is read there. Syllable bands and
passages together find nearly everything, each misses what the other has; simhash alone finds a
third, as it is made for long texts and small changes, and stays for its guarantee; one longest
sentence is precise and finds half. Bag-of-words schemes (`cosine`, `projection`, `imatch`) read
texts of one template as copies, so none of them decides anything by default.
"""

SUMMARY = (
    "| corpus | plan | recall | precision | strict | F1 | pairs | seconds |\n"
    "|---|---|---|---|---|---|---|---|"
)


def main() -> int:
    """Evaluate every folder under both plans; a summary first, then the tables."""
    folders = [Path(name) for name in sys.argv[1:]]
    if not folders:
        print("usage: python -m scripts.quality DIR...", file=sys.stderr)
        return 2
    rows, tables = [], []
    for folder in folders:
        for plan in (STANDARD, CHARACTERS):
            print(f"{folder.name}, plan {plan.name} ...", file=sys.stderr)
            began = time.perf_counter()
            report = evaluate(folder, plan=plan)
            rows.append(_row(folder, plan, report, time.perf_counter() - began))
        print(f"{folder.name}, every scheme and the peers ...", file=sys.stderr)
        report = evaluate(folder, schemes=True, peers=True)
        tables.append(f"## {folder.name}\n\n```\n{report.table()}\n```")
    print("\n".join([HEAD, SUMMARY, *rows, "", "The tables are of the standard plan.", ""]))
    print("\n\n".join(tables))
    return 0


def _row(folder: Path, plan: Plan, report: Report, seconds: float) -> str:
    values = report.to_json()["overall"]
    figures = " | ".join(
        f"{values[name]:.4f}" for name in ("recall", "precision", "strict_precision", "f1")
    )
    return f"| {folder.name} | {plan.name} | {figures} | {values['found']:,} | {seconds:.0f} |"


if __name__ == "__main__":
    sys.exit(main())
