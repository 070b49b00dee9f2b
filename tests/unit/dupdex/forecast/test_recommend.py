"""The forecast of a plan: what it lists, what it recommends and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from dupdex.forecast.chance import Chance, uniform
from dupdex.forecast.forecast_lines import COLUMNS, lines
from dupdex.forecast.layouts import (
    BANDS,
    LAYOUTS,
    Choice,
    advise_bands,
    advise_simhash,
    band_choices,
    layout_name,
    number,
    simhash_choices,
)
from dupdex.forecast.recommend import forecast
from dupdex.forecast.sampling import take
from indexer.model import Document
from mappings.plan import CHARACTERS, STANDARD, MinhashPlan, Plan, SimhashPlan
from query.guarantee import minhash_recall
from tests.texts import chinese

SIZES = [1, 1_000_000, 10_000_000, 100_000_000, 1 << 30, 10**12]
SCHEMES = [
    "simhash_keys",
    "minhash_keys",
    "syllable_keys",
    "passage_keys",
    "sentences",
    "loose_keys",
]
OPTIONAL = ["dna_keys", "imatch_keys", "projection_keys"]


def with_simhash(blocks: int, choose: int) -> Plan:
    return replace(STANDARD, name="mine", simhash=SimhashPlan(blocks, choose))


def advice(plan: Plan, documents: int) -> str:
    return str(forecast(plan, documents).facts["recommended_layout"])


def bands(recalls: list[tuple[int, int, Chance]], own: int = 0) -> list[Choice[MinhashPlan]]:
    """Choices with given chances in a sample; `own` is the plan's."""
    out = []
    for at, (count, rows, sampled) in enumerate(recalls):
        part = replace(STANDARD.minhash, bands=count, rows=rows)
        found = uniform(count, 36, 1_000, 300)
        out.append(Choice(part, layout_name(part), count, at == own, found, sampled))
    return out


def chance(candidates: float, frequent_keys: float = 0, pairs: int = 100) -> Chance:
    return Chance(16, candidates, candidates, frequent_keys, 0, 0.1, pairs, 1_000)


# --- the facts


def test_every_scheme_and_all_of_them() -> None:
    facts = forecast(STANDARD, 100_000_000).facts
    assert list(facts["candidates_per_lookup"]) == [*SCHEMES, "all"]
    found = {
        name: row["uniform"]["sharing_a_key"]
        for name, row in facts["candidates_per_lookup"].items()
    }
    assert found["simhash_keys"] == pytest.approx(6_104, abs=0.5)
    assert found["syllable_keys"] == pytest.approx(11 * 1e8 / 2**36)
    assert found["all"] == pytest.approx(sum(found[name] for name in SCHEMES))
    assert facts["candidates_per_lookup"]["simhash_keys"]["uniform"]["frequent_keys"] == 4
    assert all(row["sampled"] is None for row in facts["candidates_per_lookup"].values())
    assert facts["keys"] == sum(facts["keys_per_document"].values()) == 49
    assert "sample" not in facts


def test_bytes_add_up_to_what_was_measured() -> None:
    """Of texts whose keys no other has; where sentences recur it is less (docs/benchmarks.md)."""
    facts = forecast(STANDARD, 1_000_000).facts
    assert facts["index_bytes_per_document"] == pytest.approx(440, abs=5)
    assert facts["source_bytes_per_document"] == pytest.approx(541, abs=5)
    assert facts["total_gigabytes"] == pytest.approx(0.98, abs=0.01)
    parts = sum(facts["index_bytes_per_key_field"].values())
    assert facts["index_bytes_per_document"] == pytest.approx(parts, abs=15)


def test_schemes_of_a_plan_are_those_of_the_forecast() -> None:
    every = replace(STANDARD, schemes=(*STANDARD.schemes, "dna", "imatch", "projection"))
    facts, less = forecast(every, 1_000_000).facts, forecast(STANDARD, 1_000_000).facts
    more = {name: facts["keys_per_document"][name] for name in OPTIONAL}
    assert more == {"dna_keys": 21, "imatch_keys": 11, "projection_keys": 4}
    assert facts["keys"] == less["keys"] + 36
    assert facts["index_bytes_per_document"] - less["index_bytes_per_document"] > 250
    assert list(facts["candidates_per_lookup"]) == [*SCHEMES, *OPTIONAL, "all"]
    by_chance = {name: facts["candidates_per_lookup"][name]["uniform"] for name in OPTIONAL}
    assert by_chance["projection_keys"]["sharing_a_key"] == pytest.approx(61, abs=0.1)
    assert by_chance["dna_keys"]["sharing_a_key"] < 1
    assert "a text of 1,400 letters" in " ".join(" ".join(lines(facts)).split())


def test_a_plan_without_bands() -> None:
    plan = replace(STANDARD, schemes=("exact", "simhash", "syllables"))
    facts = forecast(plan, 10_000_000).facts
    assert facts["keys_per_document"] == {"simhash_keys": 4, "syllable_keys": 11, "text_hash": 1}
    assert list(facts["bands"]) == ["syllable_keys"]
    assert list(facts["recommended"]) == ["simhash_keys", "syllable_keys"]
    assert forecast(plan, 10_000_000).recommended.minhash == plan.minhash
    assert max(map(len, lines(facts))) <= COLUMNS


def test_the_listed_bands_say_what_they_find() -> None:
    for rows in forecast(STANDARD, 1_000).facts["bands"].values():
        for row, (count, width) in zip(rows, BANDS, strict=True):
            part = replace(STANDARD.minhash, bands=count, rows=width)
            assert row["layout"] == f"{count} x {width}"
            assert row["recall"]["0.5"] == pytest.approx(minhash_recall(part, 0.5), abs=1e-4)


@pytest.mark.parametrize("documents", SIZES)
@pytest.mark.parametrize("plan", [STANDARD, CHARACTERS, with_simhash(8, 7)], ids=lambda p: p.name)
def test_facts_are_json_and_the_table_is_narrow(plan: Plan, documents: int) -> None:
    facts = forecast(plan, documents).facts
    orjson.dumps(facts)
    shown = list(lines(facts))
    assert max(map(len, shown)) <= COLUMNS
    assert f"{documents:,} documents" in shown[0]


# --- a layout of the plan's own


def test_a_layout_that_is_not_listed_has_a_row() -> None:
    facts = forecast(with_simhash(8, 3), 1_000_000).facts
    assert len(facts["layouts"]) == len(LAYOUTS) + 1
    (own,) = [row for row in facts["layouts"] if row["current"]]
    assert (own["layout"], own["keys"], own["guaranteed_distance"]) == ("8 choose 3", 56, 5)
    plan = replace(STANDARD, minhash=replace(STANDARD.minhash, bands=12, rows=4))
    facts = forecast(plan, 1_000_000).facts
    assert [row["layout"] for row in facts["bands"]["minhash_keys"] if row["current"]] == ["12 x 4"]
    assert len(facts["bands"]["minhash_keys"]) == len(BANDS) + 1
    assert len(facts["bands"]["syllable_keys"]) == len(BANDS)


def test_one_row_is_the_plans_own_whatever_the_seed() -> None:
    plan = replace(STANDARD, simhash=SimhashPlan(seed=9))
    facts = forecast(plan, 1_000).facts
    for rows in (facts["layouts"], *facts["bands"].values()):
        assert sum(row["current"] for row in rows) == 1
    assert forecast(plan, 100_000_000).recommended.simhash == SimhashPlan(5, 2, seed=9)


def test_names_of_layouts() -> None:
    assert layout_name(SimhashPlan()) == "4 x 16"
    assert layout_name(SimhashPlan(5, 2)) == "5 choose 2"
    assert layout_name(STANDARD.syllable_minhash) == "11 x 2"


# --- recommendations for the simhash


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        (1, "4 x 16"),
        (1_000_000, "4 x 16"),
        (10_000_000, "5 choose 2"),
        (100_000_000, "5 choose 2"),
        (1 << 30, "6 choose 3"),
        (10**12, "6 choose 3"),
    ],
)
def test_layouts_by_size(documents: int, expected: str) -> None:
    assert advice(STANDARD, documents) == expected


def test_a_wider_promise_is_kept() -> None:
    """A plan that finds every pair within four bits is not moved to one that finds three."""
    assert advice(with_simhash(6, 2), 1_000_000) == "6 choose 2"
    assert advice(with_simhash(6, 2), 100_000_000) == "7 choose 3"
    made = forecast(with_simhash(8, 2), 100_000_000)  # six bits: no listed layout does that
    assert made.recommended.simhash == SimhashPlan(8, 2)
    assert "d <= 6 none is better" in made.facts["recommended"]["simhash_keys"]["reason"]


def test_fewer_keys_are_recommended_when_they_do() -> None:
    made = forecast(with_simhash(6, 3), 1_000_000)
    assert made.facts["recommended_layout"] == "4 x 16"
    assert "4 keys instead of 20" in made.facts["recommended"]["simhash_keys"]["reason"]


def test_frequent_keys_are_a_reason() -> None:
    reason = forecast(STANDARD, 100_000_000).facts["recommended"]["simhash_keys"]["reason"]
    assert reason == "19.7 chance candidates a lookup; with 4 x 16 4 of its 4 keys are frequent"


def test_the_threshold_decides_what_is_frequent() -> None:
    eased = replace(STANDARD, thresholds=replace(STANDARD.thresholds, hot=10_000))
    assert "it would be 6,104" in str(
        forecast(eased, 100_000_000).facts["recommended"]["simhash_keys"]["reason"]
    )


@pytest.mark.parametrize(("documents", "fits"), [(160_000_000, True), (170_000_000, False)])
def test_more_than_a_server_returns(documents: int, fits: bool) -> None:
    facts = forecast(STANDARD, documents).facts
    assert facts["fits"] is fits
    assert any("a server returns" in " ".join(lines(facts)) for _ in [0]) is not fits


# --- recommendations for bands


def test_comfortable_bands_stay() -> None:
    own = bands([(8, 3, chance(20)), (16, 3, chance(1))])
    assert advise_bands(own).choice is own[0]
    assert advise_bands(own).reason == "20 chance candidates a lookup, which is comfortable"


def test_more_rows_with_the_best_recall() -> None:
    choices = bands(
        [
            (16, 2, chance(500)),
            (8, 3, chance(2)),  # fits, finds .656
            (24, 3, chance(30)),  # fits, finds .959
            (32, 4, chance(2)),  # fits, finds .873
            (16, 3, chance(90)),  # does not fit
        ]
    )
    found = advise_bands(choices)
    assert found.choice.name == "24 x 3"
    assert found.reason == (
        "more rows: with 16 x 2 it would be 500; finds 0.959 at J=.5, 16 x 2 0.990"
    )


def test_bands_lost_as_frequent_are_a_reason() -> None:
    choices = bands([(16, 2, chance(5, frequent_keys=9)), (24, 3, chance(5))])
    found = advise_bands(choices)
    assert found.choice.name == "24 x 3"
    assert "with 16 x 2 9 of its 16 keys are frequent" in found.reason


def test_bands_are_kept_when_none_is_better() -> None:
    choices = bands([(16, 3, chance(500)), (16, 2, chance(1)), (20, 5, chance(400))])
    found = advise_bands(choices)
    assert found.choice is choices[0]  # fewer rows are no way out
    assert "none of the listed is comfortable" in found.reason


def test_a_sample_that_cannot_tell_changes_nothing() -> None:
    choices = bands([(16, 2, chance(500, pairs=1)), (24, 3, chance(0, pairs=0))])
    found = advise_bands(choices)
    assert found.choice is choices[0]
    assert found.reason.endswith("which is comfortable (too few texts to tell)")


def test_common_keys_of_a_sample_move_the_layout() -> None:
    """Arithmetic is content with 4 x 16 at this size; texts of one subject are not."""
    choices = simhash_choices(STANDARD, 1_000_000, None)
    assert advise_simhash(choices).choice.name == "4 x 16"
    skewed = [
        replace(each, sampled=chance(400 if each.name == "4 x 16" else 3)) for each in choices
    ]
    found = advise_simhash(skewed)
    assert found.choice.name == "5 choose 2"
    assert found.reason == "3 chance candidates a lookup; with 4 x 16 it would be 400"


# --- the recommended plan


def test_the_same_plan_keeps_its_name() -> None:
    assert forecast(STANDARD, 1_000).recommended is STANDARD
    assert forecast(CHARACTERS, 1_000).recommended is CHARACTERS


@pytest.mark.parametrize("plan", [STANDARD, CHARACTERS], ids=lambda plan: plan.name)
def test_another_plan_has_another_name_and_id(plan: Plan) -> None:
    made = forecast(plan, 100_000_000)
    assert made.recommended == replace(plan, name="custom", simhash=SimhashPlan(5, 2))
    assert made.recommended.id == made.facts["recommended_plan"] != plan.id
    assert Plan.from_meta(made.recommended.to_meta()) == made.recommended


# --- with a sample


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    """120 texts that all quote one sentence, grown to a thousand."""
    quoted = (
        "。本报编辑部提醒读者，所有消息均以公告为准"
        + "，任何人不得转载或者改动其中的内容" * 4
        + "。"
    )
    texts = [chinese(500, seed) + quoted + chinese(500, 1_000 + seed) for seed in range(120)]
    documents = [Document(str(at), text, {}) for at, text in enumerate(texts)]
    sample = take(documents, STANDARD)
    assert len(sample.texts) == 120
    return forecast(STANDARD, 1_000_000, sample).facts


def test_what_a_sample_adds(facts: dict[str, Any]) -> None:
    assert facts["sample"]["texts"] == 120
    assert facts["sample"]["text_pairs"] == 120 * 119 // 2
    assert facts["sample"]["frequent_keys_seen"] is False
    for row in (
        *facts["candidates_per_lookup"].values(),
        *facts["layouts"],
        *facts["bands"]["minhash_keys"],
        *facts["bands"]["syllable_keys"],
    ):
        assert row["uniform"]["sharing_a_key"] >= 0
        assert row["sampled"]["unseen"] > 0


def test_a_shared_sentence_is_frequent_and_seen_in_every_scheme_that_has_it(
    facts: dict[str, Any],
) -> None:
    sampled = {name: row["sampled"] for name, row in facts["candidates_per_lookup"].items()}
    assert sampled["sentences"]["frequent_keys"] == pytest.approx(1, abs=0.1)
    assert sampled["sentences"]["sharing_a_key"] == pytest.approx(1_000_000, rel=0.1)
    assert sampled["sentences"]["frequent_only_at_most"] <= 1_000
    assert sampled["minhash_keys"]["sharing_a_key"] < 100_000
    assert sampled["all"]["frequent_only_at_most"] <= 1_000


def test_the_table_with_a_sample(facts: dict[str, Any]) -> None:
    shown = list(lines(facts))
    assert max(map(len, shown)) <= COLUMNS
    text = " ".join(" ".join(shown).split())
    assert "as 120 texts of yours have it" in text
    assert "7,140 pairs of texts cannot show fewer than about 420 candidates" in text
    assert "may be frequent and is counted as if it were not" in text
    orjson.dumps(facts)


def test_layouts_and_bands_of_a_sample_agree_with_its_schemes(facts: dict[str, Any]) -> None:
    """The row of the plan's own layout is the scheme's row."""
    rows = {"simhash_keys": facts["layouts"], **facts["bands"]}
    for name, those in rows.items():
        (own,) = [row for row in those if row["current"]]
        expected = facts["candidates_per_lookup"][name]
        assert own["sampled"] == pytest.approx(expected["sampled"])
        assert own["uniform"] == expected["uniform"]


def test_bands_come_in_pairs_of_plans() -> None:
    characters, syllables = band_choices(STANDARD, 1_000, None)
    assert {choice.part.shingle for choice in characters} == {STANDARD.minhash.shingle}
    assert {choice.part.shingle for choice in syllables} == {STANDARD.syllable_minhash.shingle}


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (61e6, "61.0 M"),
        (6_103.5, "6,104"),
        (100, "100"),
        (20.46, "20.5"),
        (4.0, "4"),
        (0.123, "0.12"),
        (0, "0"),
    ],
)
def test_numbers(value: float, shown: str) -> None:
    assert number(value) == shown
    assert number(1e-9) == "0"
