"""The meta of an index: read back as written, refused when it cannot be served."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from indexer.meta import IndexMeta, check_plan, check_servable, check_unchanged
from indexer.rewriting import OnRewrite
from indexer.sidecar import SidecarOf
from mappings.errors import InputRefused, PlanMismatch
from mappings.plan import CHARACTERS, FORMAT, STANDARD, MinhashPlan, Plan

OTHER = replace(
    STANDARD,
    name="mine",
    minhash=MinhashPlan(shingle=6, spaced_shingle=9, bands=8, rows=2, seed=9),
)


UNSERVABLE: dict[str, dict[str, Any]] = {
    "statistics": {
        "statistics": "sha256-0000000000000000",
        "schemes": [*STANDARD.schemes, "imatch"],
    },
    "syllables": {"syllables": "pypinyin-9.9.9"},
    "dictionary": {"dictionary": "jieba-9"},
    "stop_words": {"simhash": {"stop_words": "9"}},
    "table": {"table": "9"},
}
"""Plans that are right in themselves and name what no machine has."""


@pytest.mark.parametrize(
    "meta",
    [
        IndexMeta(),
        IndexMeta(sidecar_of=SidecarOf("news", "u1")),
        IndexMeta(CHARACTERS, ("title", "body"), "headline"),
        IndexMeta(OTHER, rebuilding=CHARACTERS),
        IndexMeta(on_rewrite=OnRewrite.MARK),
    ],
)
def test_through_json_and_back(meta: IndexMeta) -> None:
    assert IndexMeta.from_json(orjson.loads(orjson.dumps(meta.to_json()))) == meta


def test_what_is_written() -> None:
    written = IndexMeta().to_json()
    assert written["made_by"] == "dupdex"
    assert written["plan_id"] == STANDARD.id
    assert {"rebuilding", "on_rewrite"}.isdisjoint(written)
    assert IndexMeta().started(OTHER).to_json()["rebuilding"]["name"] == "mine"


def tampered(**changes: Any) -> dict[str, Any]:
    value = IndexMeta().to_json()
    value["plan"] = {**value["plan"], **changes}
    return value


def refused(value: dict[str, Any]) -> str:
    """Why an index with this meta is refused to readers and writers; the way out is named."""
    meta = IndexMeta.from_json(value)
    for wanted in (None, STANDARD, meta.plan):
        with pytest.raises(PlanMismatch, match="dupdex rebuild") as error:
            check_plan(meta, wanted)
    return str(error.value)


@pytest.mark.parametrize("number", [0, FORMAT + 1, "1", None])
def test_another_format_is_refused(number: object) -> None:
    assert "plan that this dupdex cannot serve" in refused(tampered(format=number))
    meta = IndexMeta.from_json(tampered(format=number, words="none"))
    assert meta.plan == replace(STANDARD, words="none")  # the nearest one, for a rebuild


@pytest.mark.parametrize("plan", [None, "standard", [], 3])
def test_a_plan_that_is_none_is_refused(plan: object) -> None:
    value = IndexMeta(OTHER).to_json()
    assert f"says plan '{OTHER.id}'" in refused({**value, "plan": plan})
    refused({})


@pytest.mark.parametrize(
    "changes",
    [
        {"minhash": {**STANDARD.to_meta()["minhash"], "seed": 99}},
        {"steps": ["nfkc"]},
        {"user_words": ["茶山"]},
        {"name": "mine"},
    ],
)
def test_numbers_that_do_not_make_the_id_are_refused(changes: dict[str, Any]) -> None:
    assert f"says plan '{STANDARD.id}' but its numbers make" in refused(tampered(**changes))


def test_thresholds_may_differ_from_the_default() -> None:
    stored = IndexMeta.from_json(tampered(thresholds={"near": 0.5}))
    assert stored.plan.thresholds.near == 0.5


@pytest.mark.parametrize("changes", [{"colour": 1}, {"simhash": {"blocks": 99}}, {"words": "x"}])
def test_a_plan_of_a_later_version_is_refused(changes: dict[str, Any]) -> None:
    message = refused(tampered(**changes))
    assert next(iter(changes)) in message
    assert "use the dupdex that wrote it" in message


def test_a_finished_rebuild_is_served_again() -> None:
    broken = IndexMeta.from_json(tampered(colour=1))
    done = broken.started(OTHER).finished(OTHER)
    assert check_plan(done, OTHER) == IndexMeta(OTHER)


# --- a reader with another plan


def test_the_same_plan_or_none_is_served() -> None:
    meta = IndexMeta()
    assert check_plan(meta, None) is meta
    assert check_plan(meta, Plan()) is meta
    eased = replace(STANDARD, thresholds=replace(STANDARD.thresholds, near=0.5))
    assert check_plan(meta, eased) is meta


def test_another_plan_is_refused_with_the_way_out() -> None:
    with pytest.raises(PlanMismatch) as error:
        check_plan(IndexMeta(), CHARACTERS)
    for part in (STANDARD.id, CHARACTERS.id, "dupdex rebuild"):
        assert part in error.value.for_command_line


def test_an_unfinished_rebuild_is_refused() -> None:
    with pytest.raises(PlanMismatch, match=f"rebuild to plan {OTHER.id} was not finished"):
        check_plan(IndexMeta().started(OTHER), None)


@pytest.mark.parametrize(
    ("plan", "back"),
    [
        (STANDARD, "run 'dupdex rebuild --plan standard'"),
        (CHARACTERS, "run 'dupdex rebuild --plan characters'"),
        (OTHER, f"run 'dupdex rebuild --plan FILE', FILE being plan {OTHER.id}"),
    ],
)
def test_an_unfinished_rebuild_names_the_way_back(plan: Plan, back: str) -> None:
    goal = replace(STANDARD, name="goal")
    with pytest.raises(PlanMismatch, match=r"run 'dupdex rebuild' again.*; to go back, ") as error:
        check_plan(IndexMeta(plan).started(goal), None)
    assert str(error.value).endswith(back)


def test_there_is_no_way_back_to_a_plan_this_version_has_not_got() -> None:
    broken = IndexMeta.from_json(tampered(colour=1)).started(OTHER)
    with pytest.raises(PlanMismatch) as error:
        check_plan(broken, None)
    assert "go back" not in str(error.value)


# --- a plan this machine cannot serve


@pytest.mark.parametrize("plan", [STANDARD, CHARACTERS, OTHER])
def test_what_can_be_served(plan: Plan) -> None:
    check_servable(plan)
    check_servable(replace(plan, max_characters=1))


@pytest.mark.parametrize("changes", UNSERVABLE.values(), ids=UNSERVABLE)
def test_what_cannot_be_served(changes: dict[str, Any]) -> None:
    with pytest.raises(PlanMismatch, match=r"^the plan "):
        check_servable(Plan.from_meta(changes))


def test_readings_are_needed_whichever_schemes_are_stored() -> None:
    with pytest.raises(PlanMismatch, match=r"pypinyin-9\.9\.9"):
        check_servable(
            replace(CHARACTERS, syllables="pypinyin-9.9.9", schemes=("exact", "simhash"))
        )


# --- a writer whose index changes under it


def test_an_index_that_stays_as_it_was() -> None:
    eased = replace(STANDARD, thresholds=replace(STANDARD.thresholds, near=0.5))
    check_unchanged(IndexMeta(), IndexMeta(eased))
    check_unchanged(IndexMeta().started(OTHER), IndexMeta().started(OTHER))


@pytest.mark.parametrize(
    ("known", "now", "message"),
    [
        (
            IndexMeta(),
            IndexMeta().started(OTHER),
            f"a rebuild to plan {OTHER.id} began.*wait",
        ),
        (IndexMeta(), IndexMeta().started(STANDARD), f"a rebuild to plan {STANDARD.id} began"),
        (IndexMeta(), IndexMeta(OTHER), f"moved the index to plan {OTHER.id}.*same command again"),
        (IndexMeta().started(OTHER), IndexMeta().started(CHARACTERS), CHARACTERS.id),
        (IndexMeta().started(OTHER), IndexMeta(OTHER), OTHER.id),
    ],
)
def test_a_rebuild_under_a_writer_is_told(known: IndexMeta, now: IndexMeta, message: str) -> None:
    with pytest.raises(PlanMismatch, match=message):
        check_unchanged(known, now)


# --- the text of a document


def test_text_fields_are_joined_in_the_order_of_the_index() -> None:
    meta = IndexMeta(text_fields=("lead", "text"))
    assert meta.text_of({"text": "二", "lead": "一", "other": "x"}) == "一\n二"
    assert meta.text_of({"text": "二"}) == "二"
    assert meta.text_of({"lead": None, "text": "二"}) == "二"
    assert meta.text_of({"lead": "", "text": "二"}) == "\n二"


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"a": 1}, "an object"),
        (["一", 2], "a number"),
        (True, "a boolean"),
        (3, "a number"),
        (1.5, "a fraction"),
    ],
)
def test_a_wrongly_typed_field_is_named(value: object, kind: str) -> None:
    with pytest.raises(InputRefused, match=f"field 'text' holds {kind}.*--text-field"):
        IndexMeta().text_of({"text": value}, with_options=True)
    with pytest.raises(InputRefused, match=f"field 'text' holds {kind}, not a string; turn it"):
        IndexMeta().text_of({"text": value})


def test_text_fields_are_paths_and_may_lead_to_lists() -> None:
    meta = IndexMeta(text_fields=("content.body", "notes"))
    assert meta.text_of({"content": {"body": "一"}, "notes": ["二", None, "三"]}) == "一\n二\n三"
    assert meta.text_of({"content": [{"body": "一"}, {"body": "二"}]}) == "一\n二"
    assert meta.text_of({"content.body": "一"}) == "一"
    assert meta.text_of({"content": {"body": []}, "notes": ""}) == ""


def test_what_stands_at_a_path_is_named() -> None:
    meta = IndexMeta(text_fields=("content.body",))
    with pytest.raises(InputRefused, match=r"'content\.body' holds an object.*'content\.body\.zh'"):
        meta.text_of({"content": {"body": {"zh": "一"}}}, with_options=True)
    with pytest.raises(InputRefused, match=r"'content\.body' holds a number, not a string"):
        meta.text_of({"content": {"body": 7}})
    with pytest.raises(InputRefused, match=r"content\.body is present \('content' holds a string"):
        meta.text_of({"content": "一"})
    with pytest.raises(InputRefused, match=r"content\.body is present; name the text field"):
        meta.text_of({"content": {"text": "一"}}, with_options=True)
    with pytest.raises(InputRefused, match=r"content\.body is present; write one of them"):
        meta.text_of({"content": {"text": "一"}})


def test_a_document_without_text_names_the_fields_looked_for() -> None:
    with pytest.raises(InputRefused, match="none of the fields lead, text is present"):
        IndexMeta(text_fields=("lead", "text")).text_of({"body": "一", "text": None})
