"""Tuning: it predicts what lookups find, keeps clusters together, and chooses the best."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from dupdex.evaluation import evaluate
from dupdex.evaluation.corpus import Corpus
from dupdex.evaluation.measured import MANY, Flags, Measured, measure
from dupdex.evaluation.truth import Label, Listed, Truth, members
from dupdex.evaluation.tuning import (
    Objective,
    Score,
    choose,
    fold_numbers,
    score,
    tune,
    values_of,
    with_values,
)
from mappings.errors import InputRefused
from mappings.plan import CHARACTERS, Plan
from tests.command import write_lines

LIMITS = CHARACTERS.thresholds
LOWEST = with_values(LIMITS, (0.2, 0.6, 0.06, 10))


def han(rng: Random, size: int) -> str:
    return "".join(chr(rng.randrange(0x4E00, 0x9000)) for _ in range(size))


def edited(text: str, rng: Random, count: int) -> str:
    out = list(text)
    for at in rng.sample(range(len(out)), count):
        out[at] = chr(rng.randrange(0x4E00, 0x9000))
    return "".join(out)


def english(rng: Random, size: int) -> str:
    words = ["".join(rng.choice("abcdefghijklmnop") for _ in range(6)) for _ in range(400)]
    return " ".join(rng.choice(words) for _ in range(size))


def corpus(folder: Path) -> Path:
    """Long, short, tiny and English texts, each with copies from alike to hardly alike."""
    rng = Random("tune")
    rows: list[dict[str, object]] = []
    lines = ["id_a\tid_b\tlabel\tkind\tstrength"]
    for number in range(12):
        size = (400, 120, 8)[number % 3]
        base = han(rng, size) if number < 9 else english(rng, 200)
        rows.append({"id": f"b{number}", "text": base})
        for count in (1, 3, 5, 8):
            name = f"b{number}-{count}"
            changed = edited(base, rng, max(1, min(len(base) - 1, len(base) * count // 60)))
            rows.append({"id": name, "text": changed})
            lines.append(f"b{number}\t{name}\t1\tedit\t{count}")
        if size == 400:
            for share in (25, 40, 90, 200):
                name = f"b{number}-part-{share}"
                rows.append({"id": name, "text": base[50 : 50 + share] + han(rng, 400 - share)})
                lines.append(f"b{number}\t{name}\t2\tpart\t{share / 400}")
    write_lines(folder / "corpus.jsonl", rows)
    (folder / "truth.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus(tmp_path_factory.mktemp("tune"))


@pytest.fixture(scope="module")
def measured(folder: Path) -> Measured:
    return measure(Corpus.read(folder), CHARACTERS, LOWEST, lambda _: None)


@pytest.mark.parametrize(
    "values",
    [
        values_of(LIMITS),
        (0.2, 0.6, 0.06, 10),
        (0.6, 0.96, 0.4, 80),
        (0.3, 0.9, 0.1, 15),
        (0.5, 0.65, 0.25, 60),
        (0.25, 0.75, 0.4, 10),
    ],
)
def test_what_is_predicted_is_what_lookups_find(
    folder: Path, measured: Measured, values: tuple[float, float, float, int]
) -> None:
    limits = with_values(LIMITS, values)
    report = evaluate(folder, plan=replace(CHARACTERS, thresholds=limits))
    predicted = measured.found(limits)
    assert int(predicted.sum()) == report.overall.found
    listed = sum(round(kind.recall * kind.n) for kind in report.kinds)
    assert int((predicted & measured.listed).sum()) == listed
    assert int((predicted & ~measured.right).sum()) == report.overall.wrong


def test_the_corpus_tells_thresholds_apart(measured: Measured) -> None:
    """Else the test above would prove little."""
    high, low = (measured.found(with_values(LIMITS, values)).sum() for values in (
        (0.6, 0.96, 0.4, 80), (0.2, 0.6, 0.06, 10)))  # fmt: skip
    assert high + 15 < low
    assert measured.tiny.any() and measured.spaced.any() and (measured.by_edits > 0).any()


def test_a_cluster_is_in_one_fold(folder: Path) -> None:
    read = Corpus.read(folder)
    numbers, clusters = fold_numbers(read.ids, read.truth, 4, 1)
    assert clusters == 12
    assert set(numbers) == set(read.ids)
    for row in read.truth.listed:  # its partial copies have one base each, so they stay with it
        assert numbers[row.pair[0]] == numbers[row.pair[1]]
    assert sorted({*numbers.values()}) == [0, 1, 2, 3]
    assert fold_numbers(read.ids, read.truth, 4, 1)[0] == numbers
    assert fold_numbers(read.ids, read.truth, 4, 2)[0] != numbers


def test_a_partial_copy_of_two_goes_with_the_first() -> None:
    rows = (
        Listed(("a", "a1"), Label.DUPLICATE, "x", ""),
        Listed(("a", "p"), Label.PARTIAL, "x", ""),
        Listed(("b", "p"), Label.PARTIAL, "x", ""),
        Listed(("b", "b1"), Label.DUPLICATE, "x", ""),
        Listed(("a", "b"), Label.NEGATIVE, "x", ""),
    )
    clusters = members(["a", "a1", "b", "b1", "p", "q"], Truth(rows))
    assert sorted(map(sorted, clusters)) == [["a", "a1", "p"], ["b", "b1"], ["q"]]


def by_hand(jaccard: list[float], right: list[bool]) -> Measured:
    size = len(jaccard)
    none: Flags = np.zeros(size, np.bool_)
    zeros = np.zeros(size)
    pairs = tuple((f"{n:02}", f"{n:02}x") for n in range(size))
    truth = np.array(right)
    return Measured(
        pairs, np.array(jaccard), zeros, zeros, zeros, none, none, none, truth, truth
    )  # fmt: skip


def test_the_best_f1_is_chosen_and_the_nearest_of_equals() -> None:
    pairs = by_hand([0.9, 0.5, 0.33, 0.28, 0.1], [True, True, True, False, False])
    every: Flags = np.ones(5, np.bool_)
    best = choose(pairs, every, LIMITS, Objective())
    assert best == (0.33, *values_of(LIMITS)[1:])  # .29 to .33 are as good; .33 is nearest to .40
    assert score(pairs, every, LIMITS, best) == Score(3, 3, 3, 3)
    only_first: Flags = np.arange(5) < 1
    assert choose(pairs, only_first, LIMITS, Objective()) == values_of(LIMITS)


def test_the_highest_recall_at_a_least_precision() -> None:
    pairs = by_hand([0.9, 0.5, 0.35, 0.31, 0.25], [True, True, False, True, True])
    every: Flags = np.ones(5, np.bool_)
    assert choose(pairs, every, LIMITS, Objective(1.0))[0] == LIMITS.near
    assert choose(pairs, every, LIMITS, Objective(0.8))[0] == 0.25
    with_false = by_hand([0.9, 0.45, 0.44], [True, False, False])
    assert choose(with_false, every[:3], LIMITS, Objective(0.9))[0] == 0.46


def test_tuned_figures_are_out_of_fold(folder: Path, measured: Measured) -> None:
    made = tune(folder, CHARACTERS, folds=3)
    every: Flags = np.ones(len(measured.pairs), np.bool_)
    whole = score(measured, every, LIMITS, values_of(LIMITS))
    assert made.before == whole  # each pair is scored once
    assert made.after.listed == whole.listed
    final = score(measured, every, LIMITS, values_of(made.plan.thresholds))
    assert (final.f1 or 0) > (whole.f1 or 0)
    assert made.after != final  # which is in sample
    assert len(made.folds) == 3
    assert made.plan.id == CHARACTERS.id
    assert replace(made.plan, thresholds=LIMITS) == CHARACTERS


def test_too_few_clusters(folder: Path) -> None:
    with pytest.raises(InputRefused, match="12 clusters hold a listed copy, fewer than 13 folds"):
        tune(folder, CHARACTERS, folds=13)


def test_a_rule_that_is_not_tuned_still_speaks(folder: Path) -> None:
    def excerpts(plan: Plan) -> float:
        return sum(k.recall * k.n for k in evaluate(folder, plan=plan).kinds if k.kind == "part")

    deaf = replace(LIMITS, near=1.0, short_near=1.0, partial=1.0, shared=MANY)
    runs = replace(CHARACTERS, thresholds=deaf)
    silent = replace(CHARACTERS, thresholds=replace(deaf, covered_units=MANY, passage_units=MANY))
    assert excerpts(runs) > excerpts(silent) == 0


def test_the_command_writes_a_plan_that_index_takes(folder: Path, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from dupdex.cli import cli

    runner = CliRunner()
    path = tmp_path / "plan.json"
    arguments = ["tune", str(folder), "--plan", "characters", "--folds", "3", "--write", str(path)]
    done = runner.invoke(cli, [*arguments, "--json"], catch_exceptions=False)
    value = json.loads(done.stdout)
    assert list(value) == ["default", "tuned", "clusters", "folds", "thresholds"]
    chosen = Plan.from_meta(json.loads(path.read_bytes()))
    assert (
        dict(zip(value["thresholds"]["tuned"], values_of(chosen.thresholds), strict=True))
        == (value["thresholds"]["tuned"])
    )
    store = ["--store", str(tmp_path / "store"), "--plan", str(path)]
    indexed = runner.invoke(
        cli, ["index", str(folder / "corpus.jsonl"), *store], catch_exceptions=False
    )
    assert indexed.exit_code == 0
    table = runner.invoke(cli, arguments, catch_exceptions=False).stdout
    assert "out of fold, 3 folds of 12 clusters" in table
    assert "near " in table and "shared " in table
