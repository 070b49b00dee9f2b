"""What a write by query says, wherever it says it."""

from __future__ import annotations

import pytest

from dupdex.gateway.enrich.by_query_handler import said_in
from mappings.errors import InputRefused

SCRIPT = {"script": {"source": "ctx._source.text = 'b'"}}
WRITTEN = b'{"script":{"source":"ctx._source.text = \'b\'"}}'


@pytest.mark.parametrize("body", [None, b"", b" \n"])
def test_a_body_may_be_a_parameter(body: bytes | None) -> None:
    assert said_in(body, {"source": WRITTEN.decode()}) == SCRIPT
    assert said_in(body, {}) == {}


def test_a_body_goes_before_the_parameter() -> None:
    assert said_in(b'{"query":{}}', {"source": WRITTEN.decode()}) == {"query": {}}


@pytest.mark.parametrize("body", [b"/**/" + WRITTEN, WRITTEN + b" x", b"[1]", b"{"])
def test_what_only_the_server_might_read_is_refused(body: bytes) -> None:
    with pytest.raises(InputRefused, match="JSON"):
        said_in(body, {})
