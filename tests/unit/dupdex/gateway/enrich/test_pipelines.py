"""Which ingest pipelines may write to a text."""

from __future__ import annotations

from typing import Any

import pytest

from dupdex.gateway.enrich.pipelines import what_rewrites

FIELDS = ("text", "content.body")


def rewrites(*processors: dict[str, Any], **others: Any) -> str:
    pipelines = {"p": {"processors": list(processors)}, **others}
    return what_rewrites("p", FIELDS, pipelines.get)


@pytest.mark.parametrize(
    "processor",
    [
        {"set": {"field": "text", "value": 1}},
        {"set": {"field": "content", "value": 1}},
        {"set": {"field": "content.body.more", "value": 1}},
        {"set": {"field": "{{name}}", "value": 1}},
        {"set": {"field": "dupdex.plan", "value": 1}},
        {"rename": {"field": "title", "target_field": "text"}},
        {"remove": {"field": ["title", "text"]}},
        {"remove": {"keep": ["title"]}},
        {"json": {"field": "title", "add_to_root": True}},
        {"script": {"source": ""}},
        {"foreach": {"field": "title", "processor": {}}},
        {"date": {"field": "when", "on_failure": [{"set": {"field": "text", "value": ""}}]}},
        {"pipeline": {"name": "other"}},
        {"pipeline": {"name": "{{other}}"}},
    ],
)
def test_what_may_write_to_a_text(processor: dict[str, Any]) -> None:
    other = {"processors": [], "on_failure": [{"lowercase": {"field": "text"}}]}
    assert rewrites(processor, other=other)


def test_what_does_not() -> None:
    harmless = [
        {"set": {"field": "title", "value": "{{text}}"}},
        {"date": {"field": "text"}},
        {"user_agent": {"field": "text"}},
        {"remove": {"field": "texts"}},
        {"drop": {"if": "ctx.text == ''"}},
        {"pipeline": {"name": "p"}},
        {"pipeline": {"name": "absent"}},
    ]
    assert rewrites(*harmless) == ""


def test_it_is_named() -> None:
    found = rewrites(
        {"pipeline": {"name": "other"}}, other={"processors": [{"trim": {"field": "text"}}]}
    )
    assert found == "the processor 'trim' of pipeline 'other'"
