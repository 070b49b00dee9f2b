"""schemes: what there is to tell near duplicates by; and what single schemes say of two texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any, Final

import click

from dupdex.cli.parameters import FOUND, NONE_FOUND, plan_option, print_json
from dupdex.cli.screen import say_all
from indexer.fingerprints.registry import REGISTRY
from indexer.fingerprints.scheme import Entry
from mappings.plan import STANDARD, Plan
from query.explain.by_scheme import SchemeScore, scheme_scores

EVERY: Final = "all"
COLUMNS: Final = 100
_MARGIN: Final = 18


@click.command()
@plan_option("Plan whose stored schemes are marked. [default: standard]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def schemes(plan: Plan | None, as_json: bool) -> None:
    """List all schemes: what each catches and misses.

    A scheme that a plan stores finds candidates in an index; a plan names those in "schemes". All
    of them compare two texts: see 'dupdex compare --scheme'. The threshold is the similarity from
    which a scheme, used alone, calls two texts near duplicates.
    """
    chosen = plan or STANDARD
    if as_json:
        print_json([_facts(entry, chosen) for entry in REGISTRY.values()])
    else:
        say_all(_lines(chosen))


def compare_by(names: Sequence[str], first: str, second: str, plan: Plan, as_json: bool) -> int:
    """Print what the named schemes say of two texts; the exit status: one calls them duplicates."""
    wanted = list(REGISTRY) if EVERY in names else names
    scores = scheme_scores(first, second, plan, wanted)
    if as_json:
        print_json([_score_facts(score) for score in scores])
    else:
        say_all(_table(scores))
    return FOUND if any(score.verdict for score in scores) else NONE_FOUND


def _facts(entry: Entry, plan: Plan) -> dict[str, Any]:
    return {
        "name": entry.name,
        "stored": entry.name in plan.schemes,
        "field": entry.field.path if entry.field else None,
        "threshold": round(entry.threshold(plan), 4),
        "catches": entry.catches,
        "misses": entry.misses,
        "source": entry.source,
    }


def _lines(plan: Plan) -> Iterator[str]:
    yield f"plan {plan.id}"
    for entry in REGISTRY.values():
        if entry.field is None:
            use = "compares only"
        else:
            use = f"{'stored' if entry.name in plan.schemes else 'not stored'}, {entry.field.path}"
        yield ""
        yield f"{entry.name:<{_MARGIN}}{use}, threshold {entry.threshold(plan):.2f}"
        for label in ("catches", "misses", "source"):
            text = f"  {label:<{_MARGIN - 2}}{getattr(entry, label)}"
            yield from wrap(text, COLUMNS, subsequent_indent=" " * _MARGIN)


def _score_facts(score: SchemeScore) -> dict[str, Any]:
    return {
        "scheme": score.name,
        "similarity": round(score.similarity, 4),
        "threshold": round(score.threshold, 4),
        "verdict": score.verdict,
        "shared": list(score.shared),
    }


def _table(scores: Sequence[SchemeScore]) -> Iterator[str]:
    yield f"{'scheme':<{_MARGIN}}{'similarity':>10}{'threshold':>11}  {'duplicate':<11}shared terms"
    for score in scores:
        has_terms = REGISTRY[score.name].field is not None
        shared = str(len(score.shared)) if has_terms else "-"
        numbers = f"{score.similarity:>10.4f}{score.threshold:>11.4f}"
        yield f"{score.name:<{_MARGIN}}{numbers}  {'yes' if score.verdict else 'no':<11}{shared}"
