"""A truth small enough to work every number out by hand.

cluster A: a1 - a2 - a3        cluster B: b1 - b2        c1, n1, n2, t1, f1 alone
label 2:   p1 - a1 (0.29), p1 - b1 (0.71), p2 - b2 (0.52), p2 - c1 (0.48)
label 0:   t1 - a1 and n1 - a2 (one kind), f1 - a1 (swapped facts)
"""

from __future__ import annotations

import pytest

from dupdex.evaluation import scoring
from dupdex.evaluation.report import Coverage, KindScore, Overall, Report
from dupdex.evaluation.scoring import FoundPair
from dupdex.evaluation.truth import Clusters, Label, Listed, Pair, Truth, ordered
from query.answers import Direction, Evidence, Match, Verdict

ROWS = """
a1 a2 1 exact 0
a2 a3 1 edit 10
b2 b1 1 edit 5
p1 a1 2 part 0.29
p1 b1 2 part 0.71
p2 b2 2 part 0.52
p2 c1 2 part 0.48
a1 t1 0 hardneg_template 1
a2 n1 0 hardneg_template 2
a1 f1 0 hardneg_facts 33
"""


def listed(row: str) -> Listed:
    left, right, label, kind, strength = row.split()
    return Listed((left, right), Label(label), kind, strength)


TRUTH = Truth(tuple(map(listed, ROWS.split("\n")[1:-1])), frozenset({"f1"}))


def found(*pairs: str) -> dict[Pair, FoundPair]:
    """Found pairs, the first the most similar."""
    out = {}
    for place, text in enumerate(pairs):
        pair = ordered(*text.split())
        out[pair] = FoundPair(pair, Verdict.NEAR, 0.9 - place / 100, 0.2, 0.1)
    return out


@pytest.mark.parametrize(
    ("pair", "related"),
    [
        ("a1 a3", True),  # one cluster, not listed
        ("b1 b2", True),
        ("a3 p1", True),  # one link
        ("a2 b2", True),  # two links, by p1
        ("p1 p2", True),  # two links, by the cluster of b
        ("b1 c1", True),  # two links, by p2
        ("a1 p2", False),  # three: a - p1 - b - p2
        ("a1 c1", False),  # four
        ("a1 t1", False),  # a label-0 row links nothing
        ("n1 n2", False),
    ],
)
def test_related_documents_are_at_most_two_links_apart(pair: str, related: bool) -> None:
    clusters = Clusters(TRUTH)
    assert clusters.related(ordered(*pair.split())) is related


def test_a_pair_reads_the_same_whichever_side_was_asked() -> None:
    contains = Match("b", "", Verdict.PARTIAL, 0.3, 0.25, 0.9, Direction.CONTAINS, Evidence())
    contained = Match("a", "", Verdict.PARTIAL, 0.3, 0.9, 0.25, Direction.CONTAINED_IN, Evidence())
    pair = FoundPair(("a", "b"), Verdict.PARTIAL, 0.3, 0.25, 0.9)
    assert FoundPair.of("a", contains) == FoundPair.of("b", contained) == pair


def test_swapped_facts_go_before_everything_else() -> None:
    truth = Truth((*TRUTH.listed, listed("a3 f1 1 exact 0")), TRUTH.facts)
    sides = scoring.sort_out(found("a1 f1", "a3 f1", "f1 n2", "a1 a2", "n1 n2"), truth)
    assert sides.flagged == {("a1", "f1"), ("a3", "f1"), ("f1", "n2")}
    assert sides.right == {("a1", "a2")}
    assert sides.open == (("n1", "n2"),)


def test_overall_by_hand() -> None:
    pairs = found("a2 a1", "b1 b2", "a1 a3", "a1 p1", "a1 f1", "a1 t1", "n1 n2", "a1 p2")
    sides = scoring.sort_out(pairs, TRUTH)
    natural = {("n1", "n2")}
    # Right: a1 a2, b1 b2, a1 a3, a1 p1. Open: a1 t1, n1 n2, a1 p2. Left out: a1 f1.
    # Recall: of a1 a2, a2 a3, b1 b2 the second was not found.
    recall, precision = 2 / 3, 5 / 7
    assert scoring.overall(pairs, TRUTH, sides, natural) == Overall(
        recall=recall,
        precision=precision,
        strict_precision=4 / 7,
        f1=2 * recall * precision / (recall + precision),  # 0.6897
        found=7,
        natural=1,
        wrong=2,
    )


def test_kinds_by_hand() -> None:
    pairs = found("a1 a2", "b1 b2", "a1 p1", "p2 c1", "a1 t1", "a1 f1")
    assert scoring.kinds(pairs, TRUTH) == (
        KindScore("edit", "5", 1, 1, 1.0),  # in the order of numbers: 5 before 10
        KindScore("edit", "10", 1, 1, 0.0),
        KindScore("exact", "0", 1, 1, 1.0),
        KindScore("part", "0.3", 2, 1, 1.0),
        KindScore("part", "0.5", 2, 2, 0.5),  # 0.52 and 0.48
        KindScore("part", "0.7", 2, 1, 0.0),
        KindScore("hardneg_facts", "", 0, 1, 1.0),
        KindScore("hardneg_template", "", 0, 2, 0.5),  # strengths 1 and 2
    )


def test_kinds_with_other_facts() -> None:
    pairs = found("a1 a2", "a1 f1")
    assert scoring.near_and_listed(pairs, TRUTH) == [("a1", "a2"), ("a1", "f1")]
    rows = scoring.kinds(pairs, TRUTH, {("a1", "f1")})
    assert {row.kind for row in rows if row.facts_differ} == {"hardneg_facts"}


@pytest.mark.parametrize(
    ("strength", "group"),
    [
        ("0.1", "0.3"),
        ("0.39", "0.3"),
        ("0.4", "0.5"),
        ("0.59", "0.5"),
        ("0.6", "0.7"),
        ("1", "0.7"),
        ("30", "30"),  # no share: left as it is
        ("half", "half"),
        ("nan", "nan"),
    ],
)
def test_groups_of_partial_copies(strength: str, group: str) -> None:
    truth = Truth((Listed(("a", "b"), Label.PARTIAL, "part", strength),))
    assert [kind.strength for kind in scoring.kinds({}, truth)] == [group]


def test_false_examples_begin_with_the_most_similar() -> None:
    wrong = [f"x{number:02} y" for number in range(25)]
    pairs = found("a1 a2", "n1 n2", *wrong)
    sides = scoring.sort_out(pairs, TRUTH)
    examples = scoring.false_examples(pairs, sides, {("n1", "n2")})
    assert [example.id_a for example in examples] == [f"x{number:02}" for number in range(20)]
    first = examples[0]
    assert (first.id_b, first.verdict) == ("y", "near")
    assert first.similarity == pytest.approx(0.88)
    assert (first.share, first.stored_share) == (0.2, 0.1)


def test_no_pair_to_count_gives_no_number() -> None:
    nothing = scoring.sort_out({}, Truth(()))
    empty = scoring.overall({}, Truth(()), nothing, ())
    assert (empty.recall, empty.precision, empty.f1) == (None, None, None)
    missed = scoring.overall({}, TRUTH, nothing, ())
    assert (missed.recall, missed.precision, missed.f1) == (0.0, None, 0.0)


def report() -> Report:
    pairs = found("a1 a2", "b1 b2", "a1 f1", "n1 n2", "a1 t1")
    sides = scoring.sort_out(pairs, TRUTH)
    natural = {("n1", "n2")}
    return Report(
        scoring.overall(pairs, TRUTH, sides, natural),
        scoring.kinds(pairs, TRUTH),
        scoring.false_examples(pairs, sides, natural),
        Coverage("plan-1", 11, len(sides.flagged), rejected=1, truncated=2),
    )


def test_json_has_the_promised_keys_and_no_others() -> None:
    value = report().to_json()
    assert list(value) == ["overall", "kinds", "false_examples", "intervals"]
    assert sorted(value["overall"]) == sorted(
        ["recall", "precision", "strict_precision", "f1", "found", "natural", "false"]
    )
    assert value["overall"]["false"] == 1
    assert list(value["kinds"][0]) == [
        "kind", "strength", "label", "n", "recall", "facts_differ",
    ]  # fmt: skip
    assert value["false_examples"] == [
        {
            "id_a": "a1",
            "id_b": "t1",
            "verdict": "near",
            "similarity": pytest.approx(0.86),
            "share": 0.2,
            "stored_share": 0.1,
        }
    ]


def test_table() -> None:
    lines = report().table().split("\n")
    assert lines[:9] == [
        "plan              plan-1, 11 documents",
        "recall            0.6667  0.2077-0.9385",
        "precision         0.7500  0.3006-0.9544",
        "strict precision  0.5000  0.1500-0.8500",
        "F1                0.7059",
        "pairs found       4: 2 right, 1 natural, 1 false",
        "left out          1 found pairs with swapped facts (flagged)",
        "rejected          1 documents could not be indexed",
        "truncated         2 lookups had more candidates",
    ]
    assert (
        "hardneg_template  -             2  0.5000  flagged        0.0000  0.0945-0.9055" in lines
    )
    assert lines[-1] == "near     0.86  0.20  0.10  a1  t1"
