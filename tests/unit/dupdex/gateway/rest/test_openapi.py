"""The OpenAPI document is whole, and says what the operations do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dupdex.gateway.rest.openapi import document_of
from dupdex.gateway.rest.openapi_page import page
from dupdex.gateway.rest.operations import ROOT
from dupdex.gateway.rest.rest_app import operations
from dupdex.wire.forms import schema


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return document_of(operations())


def values(value: Any, name: str) -> Iterator[Any]:
    """Everything that stands under a name, at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == name:
                yield inner
            yield from values(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from values(inner, name)


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for reference in values(document, "$ref"):
        assert reference.removeprefix("#/components/schemas/") in schemas


def test_every_schema_is_one(document: dict[str, Any]) -> None:
    for form in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(form)


def test_nouns_have_the_form_that_the_command_line_prints(document: dict[str, Any]) -> None:
    nouns = schema("#/components/schemas/{name}")["$defs"]
    for name in ("Answer", "Comparison", "GroupDetail", "MatchRecord", "Decided", "Stored"):
        assert document["components"]["schemas"][name] == nouns[name]
        assert "format" in nouns[name]["required"]


def test_no_operation_is_there_twice(document: dict[str, Any]) -> None:
    every = operations()
    assert len({each.name for each in every}) == len(every)
    assert len({(each.method, each.path) for each in every}) == len(every)
    assert sum(len(item) for item in document["paths"].values()) == len(every)


def test_every_operation_says_what_it_answers(document: dict[str, Any]) -> None:
    for each in operations():
        told = document["paths"][ROOT + each.path][each.method.lower()]
        statuses = set(told["responses"])
        assert {str(status) for status in each.gives} <= statuses
        assert {"400", "401", "403", "404", "503"} <= statuses
        assert ({"413", "415", "422"} <= statuses) == (each.body is not None)
        parameters = {one["name"] for one in told["parameters"]}
        assert ("target" in parameters) == ("target" in each.query.__struct_fields__)
        assert ("Idempotency-Key" in parameters) == each.keeps_key
        assert each.about.endswith((".", "?"))


def test_what_writes_takes_more_than_the_right_to_read() -> None:
    asking = {"check", "compare", "explain", "fingerprint", "search", "check_banks", "check_bank"}
    for each in operations():
        if each.method != "GET" and each.name not in asking:
            assert each.right != "read", each.name


def test_the_page_shows_every_operation() -> None:
    content = bytes(page(operations()).body).decode()
    for each in operations():
        assert f'id="{each.name}"' in content
