"""The id of a plan: which entries are in it, and that each of them changes stored values."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import pytest

from indexer.fingerprints import fingerprints_of
from indexer.model import Fingerprint
from mappings.errors import InputRefused
from mappings.plan import (
    ADDED,
    ALWAYS,
    CHARACTERS,
    FORMAT,
    PLANS,
    STANDARD,
    STANDARD_SCHEMES,
    STEPS,
    Plan,
    Thresholds,
    newest,
)
from mappings.schemes import PARTS, SCHEME_FIELDS
from tests.golden.freeze import FORMAT_1
from tests.texts import LIBRARY, METRO, chinese, english

Path = tuple[str, ...]

TEXTS = [
    METRO,
    LIBRARY,
    chinese(5_000, 1),
    english(600, 1),
    "银行\u200b职员　在，行走？ＡＢ电腦“Ｃ”  e\u0301①了解。短句子就是这样的。",
    "二〇二〇至二一赛季第一轮\r主队以3–2战胜来访的客队",
    "短句子就是这样的",
    "今天下午两点在人民广场集合出发",
    "the price is much too high for me",
    "今〇天〇下〇午〇两〇点〇在〇人〇民〇广〇场〇集〇合〇出〇发",
]

NAMES_ONLY = {("table",), ("dictionary",), ("statistics",)}
"""Names of data: another one needs files that this installation does not have."""

OTHER: dict[Path, Any] = {
    ("schemes",): STANDARD_SCHEMES[:-1],
    ("steps",): STEPS[:-1],
    ("words",): "none",
    ("user_words",): ("南湖新区", "银杏路"),
    ("syllables",): f"pypinyin-{version('pypinyin')}",
    ("simhash", "blocks"): 5,
    ("simhash", "bits"): 32,
    ("simhash", "weights"): "levels",
    ("simhash", "stop_words"): "1",
    ("sentences", "hash"): "md5",
    ("passages", "chunk"): 1_000,
    ("loose", "full"): 300,
    ("loose", "spaced_full"): 1_500,
    ("loose", "short"): 5,
    ("loose", "middle"): 12,
    ("loose", "spaced_middle"): 20,
    ("statistics",): "2",
    ("dna", "levels"): 8,
    ("exact", "digest"): "sha1",
    ("projection", "planes"): 128,
    ("projection", "entries"): "gaussian",
    ("shingles", "units"): "words",
    ("cosine", "weights"): "tf",
}
"""Another allowed value where adding one would not be: the rest are numbers, and get one more."""


def leaves(value: Any, path: Path = ()) -> list[Path]:
    """Every entry of a plan that is no dataclass itself."""
    out: list[Path] = []
    for entry in dataclasses.fields(value):
        inner = getattr(value, entry.name)
        here = (*path, entry.name)
        out += leaves(inner, here) if dataclasses.is_dataclass(inner) else [here]
    return out


def at(plan: Any, path: Path) -> Any:
    for name in path:
        plan = getattr(plan, name)
    return plan


def changed(plan: Any, path: Path, value: Any) -> Any:
    name, *rest = path
    inner = changed(getattr(plan, name), tuple(rest), value) if rest else value
    return replace(plan, **{name: inner})


EVERY_SCHEME = replace(STANDARD, schemes=tuple(SCHEME_FIELDS))
"""Numbers of a scheme that is not stored change nothing, so here all are."""


def other(path: Path) -> Plan:
    """That plan with one entry changed."""
    old = at(EVERY_SCHEME, path)
    if path in OTHER:
        value = OTHER[path]
    elif isinstance(old, float):
        value = old / 2
    elif isinstance(old, int):
        value = old + 1
    else:
        value = old + "-other"
    plan: Plan = changed(EVERY_SCHEME, path, value)
    return plan


ENTRIES = leaves(STANDARD)
COMPARED = [p for p in ENTRIES if p[0] in set(PARTS.values()) - {*map(PARTS.get, SCHEME_FIELDS)}]
APART = {"thresholds", "format", "name", "max_characters", *(p[0] for p in COMPARED)}
STORED = [p for p in ENTRIES if p[0] not in APART]
THRESHOLDS = [p for p in ENTRIES if p[0] == "thresholds"]


def digest(plan: Plan) -> str:
    return plan.id.rsplit("-", 1)[1]


@lru_cache(4)  # that of EVERY_SCHEME is asked for again and again
def fingerprints(plan: Plan) -> list[Fingerprint]:
    return fingerprints_of(TEXTS, plan)


# --- the id


def test_ids_are_frozen() -> None:
    """A new id refuses every index written so far: raise the format with it, and say so."""
    assert {name: plan.id for name, plan in PLANS.items()} == {
        "standard": "standard-2-3ade04d2",
        "characters": "characters-2-2f52a778",
    }


def test_every_entry_is_looked_at() -> None:
    assert len(STORED) == 64
    assert len(THRESHOLDS) == len(dataclasses.fields(Thresholds)) == 27
    assert len(COMPARED) == 6
    others = 3  # name, format, max_characters
    assert len(ENTRIES) == len(STORED) + len(THRESHOLDS) + len(COMPARED) + others


@pytest.mark.parametrize("path", STORED, ids=".".join)
def test_what_changes_stored_values_changes_the_id(path: Path) -> None:
    assert digest(other(path)) != digest(EVERY_SCHEME)


@pytest.mark.parametrize("path", [p for p in STORED if p not in NAMES_ONLY], ids=".".join)
def test_what_changes_the_id_changes_stored_values(path: Path) -> None:
    """Every number does something: another value gives another fingerprint of some text."""
    assert fingerprints(other(path)) != fingerprints(EVERY_SCHEME)


@pytest.mark.parametrize("path", [*THRESHOLDS, *COMPARED], ids=".".join)
def test_thresholds_change_neither_id_nor_values(path: Path) -> None:
    plan = other(path)
    assert plan != EVERY_SCHEME
    assert plan.id == EVERY_SCHEME.id
    assert fingerprints(plan) == fingerprints(EVERY_SCHEME)


@pytest.mark.parametrize("weights", ["levels", "tfidf"])
def test_statistics_are_in_the_id_where_a_weight_depends_on_them(weights: str) -> None:
    plans = [replace(STANDARD, statistics=name) for name in ("1", "2")]
    assert plans[0].id == plans[1].id == STANDARD.id
    weighed = [changed(plan, ("simhash", "weights"), weights) for plan in plans]
    assert len({plan.id for plan in (*weighed, STANDARD)}) == 3


def test_entries_that_came_later_leave_the_ids_of_old_plans_alone() -> None:
    """What they stood at before they could be chosen is not in the id; anything else is. A stored
    plan that lacks them has them as they stood.
    """
    for part, entries in ADDED.items():
        for name, value in entries.items():
            assert other((part, name)).id != EVERY_SCHEME.id
            meta = changed(EVERY_SCHEME, (part, name), value).to_meta()
            was = Plan.from_meta(meta)
            del meta[part][name]
            assert Plan.from_meta(meta) == was


def test_plans_of_the_first_format_have_passages_without_winnowing() -> None:
    old = FORMAT_1["standard-1"]
    assert old.id == "standard-1-c9f383ea"
    assert not old.passages.winnow
    meta = old.to_meta()
    for name in ADDED["passages"]:
        del meta["passages"][name]
    assert Plan.from_meta(meta) == old
    assert Plan.from_meta({"passages": {"keep": 12}}).passages.winnow == STANDARD.passages.winnow


def test_a_rebuild_brings_the_numbers_of_the_new_format_unless_others_were_chosen() -> None:
    old = FORMAT_1["standard-1"]
    assert newest(old) == STANDARD
    chosen = replace(old, passages=replace(old.passages, keep=9))
    assert newest(chosen).passages == chosen.passages


def test_the_format_is_in_the_id() -> None:
    assert STANDARD.id.split("-")[1] == str(FORMAT)


def test_name_and_limit_leave_the_digest() -> None:
    assert replace(STANDARD, name="mine").id == f"mine-{FORMAT}-{digest(STANDARD)}"
    assert replace(STANDARD, max_characters=99_999).id == STANDARD.id
    assert fingerprints(replace(STANDARD, name="mine")) == fingerprints(STANDARD)


@pytest.mark.parametrize("step", STEPS)
def test_each_step_is_in_the_id_and_in_the_values(step: str) -> None:
    plan = replace(STANDARD, steps=tuple(name for name in STEPS if name != step))
    assert digest(plan) != digest(STANDARD)
    assert fingerprints(plan) != fingerprints(STANDARD)


def test_one_entry_never_passes_for_another() -> None:
    ids = [other(path).id for path in STORED]
    assert len({*ids, EVERY_SCHEME.id, CHARACTERS.id}) == len(ids) + 2


@pytest.mark.parametrize("name", sorted(set(SCHEME_FIELDS) - set(ALWAYS)))
def test_a_scheme_that_is_not_stored_leaves_no_trace(name: str) -> None:
    """Its numbers are not in the id, so an index keeps its id when dupdex learns a new scheme."""
    others = tuple(scheme for scheme in SCHEME_FIELDS if scheme != name)
    plan = replace(STANDARD, schemes=others)
    for made in fingerprints(plan):
        assert SCHEME_FIELDS[name] not in made.keys
    part = at(plan, (PARTS[name],))
    number = "seed" if hasattr(part, "seed") else "granularity"
    changed_part = replace(part, **{number: getattr(part, number) + 1})
    assert replace(plan, **{PARTS[name]: changed_part}).id == plan.id


@pytest.mark.parametrize(
    ("schemes", "wrong"),
    [
        (("exact", "minhash"), "schemes must hold exact and simhash"),
        (("exact", "simhash", "other"), "schemes must be among exact, simhash"),
        (("exact", "simhash", "simhash"), "each once"),
    ],
)
def test_schemes_are_checked(schemes: tuple[str, ...], wrong: str) -> None:
    with pytest.raises(InputRefused, match=wrong):
        replace(STANDARD, schemes=schemes)


def test_numbers_that_another_scheme_reads_are_in_the_id() -> None:
    """Without words the simhash is made of the shingles of `minhash`, stored or not."""
    schemes = ("exact", "simhash", "sentences")
    plan = replace(CHARACTERS, schemes=schemes)
    other = replace(plan, minhash=replace(plan.minhash, shingle=3))
    assert plan.id != other.id
    assert fingerprints(plan) != fingerprints(other)
    with_words = replace(STANDARD, schemes=schemes)
    same = replace(with_words, minhash=replace(with_words.minhash, shingle=3))
    assert with_words.id == same.id
    assert fingerprints(with_words) == fingerprints(same)
